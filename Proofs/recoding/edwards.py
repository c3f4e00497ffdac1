"""Ed25519: a scalar as signed digits, each with its row (cjwt_ed25519_terms of terms.c).

2^(w-1) is added to every window at once: the windows b_i of the sum are the digits plus 2^(w-1), so the digits' sum is the scalar.
"""
import functools

import z3

from calls.loops import Loop, get_local, set_local
from calls.machine import Machine, front_end, paths
from constants.curves import Edwards
from machine.values import Pointer
from points.residue import need
from recoding.words import joined, unknown, vector, window
from registry import together

I32, I64, PTR = ('i', 32), ('i', 64), ('ptr',)
ROWS, ROW = 64, 96


@functools.lru_cache
def module():
    return front_end('#include "ed25519/terms.c"\n')


def raised(bits, machine):
    """add_half_windows: no carry is lost for k < L."""
    words = unknown('k', 4)
    machine.assume(z3.ULT(joined(words), Edwards.L))
    out, k = machine.memory.region('out'), machine.memory.region('k')
    machine.memory.store(k, words, 32)
    machine.call('add_half_windows', [out, k, bits])
    halves = sum(1 << (bits * i + bits - 1) for i in range(256 // bits))
    total = z3.ZeroExt(1, joined(machine.memory.load(out, ('arr', 4, I64))))
    machine.prove(total == z3.ZeroExt(1, joined(words)) + halves, 'k + 2^(w-1) in every window, below 2^256')


class Turn:
    """One window, with any words before it and any count of terms so far."""

    def __init__(self, bits, i):
        self.bits, self.i, self.half = bits, i, 1 << (bits - 1)
        self.loop = Loop(module(), 'cjwt_ed25519_terms', 0)

    def prove(self, machine):
        registers, words = self.loop.locals(machine), unknown('raised', 4)
        listed, stride = z3.BitVec('listed', 64), z3.BitVec('stride', 64)
        terms, table = machine.memory.region('terms'), machine.memory.region('table')
        for at, number in ((0, self.bits), (4, 256 // self.bits), (8, self.half)):
            machine.memory.store(Pointer(table.region, at), number, 4)
        machine.memory.store(registers['%raised'], words, 32)
        here = Pointer(table.region, ROWS + ROW * self.i * self.half)
        for name, value, kind in (('terms.addr', terms, PTR), ('stride.addr', stride, I64), ('table.addr', table, PTR),
                                  ('bits', self.bits, I32),
                                  ('mask', 2 * self.half - 1, I32), ('half', self.half, I32), ('count', listed, I64), ('window', here, PTR),
                                  (self.loop.counter()[1:], self.i, I32)):
            set_local(machine, registers, name, value, kind)
        need(self.loop.turn(machine, registers), 'the loop goes on')
        digit = window(joined(words), self.bits * self.i, self.bits, 32) - self.half
        absolute = z3.If(digit < 0, -digit, digit)
        self.judge(machine, registers, terms, here, digit, absolute, listed, stride)

    def judge(self, machine, registers, terms, here, digit, absolute, listed, stride):
        (at, term, _), = machine.memory.unplaced
        need(at.region == terms.region and term.region == here.region, 'a row of the table is stored in the list')
        row = z3.ZeroExt(32, z3.If(absolute == 0, z3.BitVecVal(0, 32), absolute - 1))
        sign = z3.If(digit < 0, z3.BitVecVal(1, 64), z3.BitVecVal(0, 64))
        one = z3.If(absolute == 0, z3.BitVecVal(0, 64), z3.BitVecVal(1, 64))
        machine.prove_all([(condition, 'window %d: %s' % (self.i, claim)) for condition, claim in (
            (at.offset == listed * stride * 8, 'the term is stored at the end of the list'),
            (vector(term.offset) == here.offset + ROW * row + sign, 'the row of |d|, with the sign in bit 0'),
            (z3.And(absolute >= 0, absolute <= self.half), '|d| is at most half a window'),
            (z3.ULT(row, self.half), 'the row is in its window'),
            (vector(get_local(machine, registers, 'count', I64)) == listed + one, 'a digit that is not zero is a term'))])
        need(get_local(machine, registers, self.loop.counter()[1:], I32) == self.i + 1, 'the next window follows')
        following = get_local(machine, registers, 'window', PTR)
        need(following.region == here.region and following.offset == here.offset + ROW * self.half, 'its rows follow')


def beginning(bits, machine):
    """Before the first window: no term, the table's first rows."""
    loop = Loop(module(), 'cjwt_ed25519_terms', 0)
    table, terms, k = [machine.memory.region(name) for name in ('table', 'terms', 'k')]
    for at, number in ((0, bits), (4, 256 // bits), (8, 1 << (bits - 1))):
        machine.memory.store(Pointer(table.region, at), number, 4)
    words = unknown('raised', 4)
    machine.routines['add_half_windows'] = lambda machine, arguments: machine.memory.store(arguments[0], words, 32)
    registers = loop.arrive(machine, [terms, 1, table, k])
    here = get_local(machine, registers, 'window', PTR)
    need(get_local(machine, registers, 'count', I64) == 0 and get_local(machine, registers, loop.counter()[1:], I32) == 0,
         'the list begins empty')
    need(here.region == table.region and here.offset == ROWS, 'the first window has the first rows')


def recode(bits):
    make = lambda decisions: Machine(module(), {}, decisions)  # noqa: E731
    count = paths(make, lambda machine: raised(bits, machine)) + paths(make, lambda machine: beginning(bits, machine))
    for i in range(256 // bits):
        count += paths(make, Turn(bits, i).prove)
    return '%d paths' % count


def proofs():
    yield together('recoding Ed25519', [('%d bits' % bits, lambda bits=bits: recode(bits)) for bits in (8, 4)],
                   ['ed25519/terms.c cjwt_ed25519_terms', 'ed25519/terms.c add_half_windows'], quick=True)
