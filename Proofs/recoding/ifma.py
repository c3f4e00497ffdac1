"""P-256 in lanes: a scalar as odd digits, and the rows that the lanes add (p256_recode, p256_digit, p256_place; table.h, lanes.h).

An odd k is the sum of d_i 2^(w i) with d_i = 2 b_i - (2^w - 1), where b_i are the windows of K = (k + 2^256 - 1) / 2: the sum of all
(2^w - 1) 2^(w i) is 2^256 - 1. For an even k the digits of n - k are negated.
"""
import functools

import z3

from calls.machine import Machine, front_end, paths
from constants.curves import P256
from machine.values import Pointer
from points.residue import need
from recoding.words import joined, unknown, vector
from registry import together

I32, I64 = ('i', 32), ('i', 64)
ROWS = 64
ROW = 64  # bytes


@functools.lru_cache
def module(file):
    return front_end('#include "p256ifma/%s.c"\n' % file)


def with_order(decisions, file):
    """A machine in which p256_order, which p256_scalar.c defines, has its value."""
    machine = Machine(module(file), {}, decisions)
    for name, number in (('@p256_order', P256.n), ('@p256_prime', P256.p)):
        if name not in machine.module.globals:
            machine.memory.cells[name] = {8 * i: (number >> (64 * i) & (2**64 - 1), 8) for i in range(4)}
    return machine


def recode(machine):
    words = unknown('k', 4)
    k, n = joined(words), z3.BitVecVal(P256.n, 256)
    machine.assume(z3.ULE(k, n))
    digits, source = machine.memory.region('digits'), machine.memory.region('k')
    machine.memory.store(source, words, 32)
    machine.call('p256_recode', [digits, source])
    half = z3.ZeroExt(1, joined(machine.memory.load(digits, ('arr', 4, I64))))
    negative = vector(machine.memory.load(Pointer(digits.region, 32), I32), 32)
    odd = z3.ZeroExt(1, z3.If(negative == 0, k, n - k))
    machine.prove_all([
        (z3.Or(negative == 0, negative == 1), 'negative is zero or one'), (z3.Extract(0, 0, odd) == 1, 'the number is odd'),
        (half * 2 == odd + (2**256 - 1), 'K is (k + 2^256 - 1) / 2, or that of n - k')])


def place(bits, machine):
    """All windows at once: each place gets the row of its digit, and each sign its bit."""
    machine.routines['p256_recode'] = lambda machine, arguments: machine.memory.store(arguments[0], [*half, negative_word], 40)
    half, negative = unknown('half', 4), z3.BitVec('negative', 32)
    machine.assume(z3.ULE(negative, 1))
    negative_word = z3.ZeroExt(32, negative)
    steps, table = machine.memory.region('steps'), machine.memory.region('table')
    machine.memory.store(table, bits, 4)
    count, per_window = 256 // bits, 1 << (bits - 1)
    signs = vector(machine.call('p256_place', [steps, 3, 5, table, machine.memory.region('k')]))
    claims = []
    for i in range(count):
        b = z3.ZeroExt(64 - bits, z3.Extract(bits * (i + 1) - 1, bits * i, joined(half)))
        digit = 2 * b - (2 * per_window * 1 - 1)  # as a signed word
        absolute = z3.If(digit < 0, -digit, digit)
        row = machine.memory.load(Pointer(steps.region, 8 * (3 + 5 * i)), ('ptr',))
        need(row.region == table.region, 'window %d: the row is of the table' % i)
        index = z3.LShR(absolute, 1) + i * per_window
        sign = z3.Extract(i, i, signs)
        claims += [
            (row.offset == ROWS + ROW * index, 'window %d: row (|d| - 1) / 2' % i),
            (z3.Extract(0, 0, absolute) == 1, 'window %d: d is odd' % i),
            (z3.ULT(z3.LShR(absolute, 1), per_window), 'window %d: the row is in its window' % i),
            (sign == z3.If(digit < 0, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)) ^ z3.Extract(0, 0, negative), 'window %d: the sign' % i)]
    claims.append((z3.LShR(signs, count) == 0 if count < 64 else z3.BoolVal(True), 'no other sign'))
    machine.prove_all(claims)
    need(len([cell for cell in machine.memory.of(steps.region)]) == count, 'nothing else is placed')


def second_candidate(lane, machine):
    """p256_lane_r_set: r, and r + n where that is below p; `has_second` is set where one of the lanes has it."""
    words, before = unknown('r', 4), z3.BitVec('before', 8)
    r = z3.ZeroExt(1, joined(words))
    machine.assume(z3.ULT(r, P256.n))
    lanes, source = machine.memory.region('lanes'), machine.memory.region('r')
    machine.memory.store(source, words, 32)
    machine.memory.store(Pointer(lanes.region, 512), before, 1)
    machine.call('p256_lane_r_set', [lanes, lane, source])
    first, second = [z3.ZeroExt(1, joined([machine.memory.load(Pointer(lanes.region, start + 64 * j + 8 * lane), I64) for j in range(4)]))
                     for start in (0, 256)]
    after = vector(machine.memory.load(Pointer(lanes.region, 512), ('i', 8)), 8)
    has = z3.ULT(r + P256.n, P256.p)
    machine.prove_all([
        (first == r, 'the first candidate is r'), (second == z3.If(has, r + P256.n, r), 'the second is r + n where that is below p'),
        (after == z3.If(has, z3.BitVecVal(1, 8), before), 'has_second says so')])


def proofs():
    parts = [('p256_recode', lambda: '' if paths(lambda d: with_order(d, 'digits'), recode) else ''),
             *[('p256_lane_r_set, lane %d' % lane, lambda lane=lane: '' if paths(
                 lambda d: with_order(d, 'digits'), lambda machine: second_candidate(lane, machine)) else '') for lane in range(8)]]
    for bits in (8, 4):
        parts.append(('p256_place, %d bits' % bits,
                      lambda bits=bits: '' if paths(lambda d: Machine(module('verify'), {}, d), lambda m: place(bits, m)) else ''))
    yield together('recoding P-256 in lanes', parts, [
        'p256ifma/digits.c p256_recode', 'p256ifma/digits.c p256_lane_r_set', 'p256ifma/table.h p256_digit', 'p256ifma/lanes.h p256_place',
        'p256ifma/lanes.h p256_place_windows', 'p256ifma/table.h p256_table_rows_per_window'])
