"""P-256 in lanes: the comparison of x with r, and the verdicts of one token and of eight, with all arithmetic as calls."""
import z3

from calls.machine import Machine, paths
from machine.values import Pointer
from points.lanes256 import P, R, ROUTINES, digits, element_at, factor, get, put
from points.ifma import BOUNDS, module
from points.residue import need, number, same, unknowns
from recoding.words import unknown, vector
from registry import together

REFUSED, ACCEPTED, UNDECIDED = 0, 1, 2
LANES_R = {0: 'r', 256: 'also'}  # p256_lane_r: the candidates, then has_second at 512


def word32(n):
    return z3.BitVecVal(n, 32)


def compare(has_second):
    """Accepted lanes are those where X - c ZZ is zero, for c = r and, where a lane has a second candidate, for c = r + n.

    `exceptional` are the lanes where zz is zero.
    """
    machine = Machine(module('verify'), dict(ROUTINES))
    x, zz, r, also = unknowns(P, 'X ZZ r also')
    total, lanes, exceptional = [machine.memory.region(name) for name in ('sum', 'lanes', 'exceptional')]
    for i, element in ((0, digits(x, BOUNDS[0])), (2, factor(-zz, BOUNDS[2]))):
        put(machine, element_at(total, i), element)
    machine.memory.store(Pointer(lanes.region, 512), has_second, 1)
    looked = []

    def load(machine, arguments):
        start = arguments[0].offset // 256 * 256
        return [(LANES_R[start], (arguments[0].offset - start) // 64)] * 8

    def from_words(machine, arguments):
        loaded = [machine.memory.load(Pointer(arguments[1].region, 64 * j), ('vec', 8, ('i', 64)))[0] for j in range(4)]
        name = loaded[0][0]
        need(loaded == [(name, j) for j in range(4)], 'the four words of a candidate')
        put(machine, arguments[0], digits((r if name == 'r' else also) * pow(R, -1, P), P - 1))

    def is_zero(machine, arguments):
        element = get(machine, arguments[0])
        need(element.form == 'digits' and element.high < 4 * P, 'fe8_is_zero takes digits below 4 p')
        looked.append(element.residue)
        return [0x11, 0x22, 0x44][len(looked) - 1]
    machine.routines.update({'_mm512_load_si512': load, 'fe8_from_words': from_words, 'fe8_is_zero': is_zero})
    equal = machine.call('p256_judge', [total, lanes, exceptional])
    inverse = number(P, pow(R, -1, P))
    same(looked[0], -zz, 'exceptional lanes are those with ZZ = 0')
    need(machine.memory.load(exceptional, ('i', 8)) == 0x11, 'they are told')
    for residue, candidate in zip(looked[1:], (r, also)):
        same(residue, (x - candidate * zz) * inverse, 'zero exactly for X = c ZZ')
    need(len(looked) == (3 if has_second else 2) and equal == (0x66 if has_second else 0x22), 'each candidate is tried, and one is enough')


def verdict_of(exceptional, equal):
    return z3.If(exceptional, word32(UNDECIDED), z3.If(equal, word32(ACCEPTED), word32(REFUSED)))


def one(machine):
    """Lane 0 has the sum of all lanes: half of them are added, then a quarter, then one."""
    steps, negative, r = [machine.memory.region(name) for name in ('steps', 'negative', 'r')]
    exceptional, equal = z3.BitVec('exceptional', 8), z3.BitVec('equal', 8)
    calls = []

    def sum_steps(machine, arguments):
        calls.append('sum')
        need([arguments[1].region, arguments[2].region, arguments[3]] == [steps.region, negative.region, 8], 'all steps are summed')

    def set_r(machine, arguments):
        calls.append(('r', arguments[1], arguments[2].region))

    def compare_all(machine, arguments):
        calls.append('compare')
        machine.memory.store(arguments[2], exceptional, 1)
        return equal
    machine.routines.update({
        'sum_steps': sum_steps, 'add_half_lanes': lambda machine, arguments: calls.append(arguments[1]), 'p256_lane_r_set': set_r,
        'add_lanes': lambda machine, arguments: calls.append(arguments[1]), 'p256_judge': compare_all})
    verdict = vector(machine.call('judge', [steps, negative, 8, r]), 32)
    need(calls == ['sum', 4, 2, 1, ('r', 0, r.region), 'compare'], 'the lanes 4, 2 and 1 apart are added, and lane 0 is compared with r')
    machine.prove(verdict == verdict_of(exceptional & 1 == 1, equal & 1 == 1), 'the verdict is lane 0\'s')


def verify(machine):
    """The numbers are read and in range; the steps hold the rows of u1 G, then those of u2 Q, with their signs."""
    table, digest, signature = [machine.memory.region(name) for name in ('table', 'hash', 'signature')]
    windows = 64 if machine.small else 32
    machine.memory.store(Pointer(table.region, 4), windows, 4)
    in_range, computed, placed = unknown('in_range', 2, 32), z3.BitVec('computed', 32), []

    def read(machine, arguments):
        number = arguments[1].offset // 32
        need(arguments[1].region == signature.region and arguments[1].offset in (0, 32), 'r and s are the halves of the signature')
        machine.memory.store(arguments[0], unknown('rs'[number], 4), 32)
        return in_range[number]

    def compute(machine, arguments):
        need(arguments[2].region == digest.region, 'u1 is of the hash')
        for at, name in zip(arguments[3:], 'rs'):
            need(machine.memory.load(at, ('i', 64)).eq(z3.BitVec(name + '0', 64)), '%s is the number that was read' % name)
        for at, name in zip(arguments[:2], 'uv'):
            machine.memory.store(at, unknown(name, 4), 32)
        return computed

    def place(machine, arguments):
        placed.append((arguments[1], arguments[2], arguments[3].region, str(machine.memory.load(arguments[4], ('i', 64)))))
        count = 32 if len(placed) == 1 else windows
        rows = [Pointer('row', (len(placed), i)) for i in range(count)]
        machine.memory.store(Pointer(arguments[0].region, arguments[0].offset + 8 * arguments[1]), rows, 8 * count)
        return z3.BitVec('signs%d' % len(placed), 64)

    def judge(machine, arguments):
        negative = machine.memory.load(arguments[1], ('arr', (32 + windows) // 8, ('i', 8)))
        signs = z3.Concat(z3.BitVec('signs2', 64), z3.Extract(31, 0, z3.BitVec('signs1', 64)))
        machine.prove_all([(vector(byte, 8) == z3.Extract(8 * i + 7, 8 * i, signs), 'step %d has the signs of its windows' % i)
                           for i, byte in enumerate(negative)])
        need(arguments[2] == (32 + windows) // 8 and str(machine.memory.load(arguments[3], ('i', 64))) == 'r0', 'all steps, and r')
        return z3.BitVec('judged', 32)
    machine.routines.update({
        'p256_scalar_read': read, 'p256_scalars': compute, 'p256_place': place, 'judge': judge,
        'p256_generator_table': lambda machine, arguments: Pointer('@generator')})
    verdict = vector(machine.call('cjwt_p256_ifma_verify', [table, digest, signature]), 32)
    if placed:
        need(placed == [(0, 1, '@generator', 'u0'), (32, 1, table.region, 'v0')], 'u1 over the generator\'s table, then u2 over the key\'s')
    both = z3.And(in_range[0] != 0, in_range[1] != 0)
    machine.prove(verdict == z3.If(z3.Not(both), word32(REFUSED), z3.If(computed == 0, word32(UNDECIDED), z3.BitVec('judged', 32))),
                  'refused where r or s is out of range, undecided without scalars, else the judge\'s verdict')


def make(file, **marks):
    def machine(decisions):
        made = Machine(module(file), {}, decisions)
        for name, value in marks.items():
            setattr(made, name, value)
        return made
    return machine


def proofs():
    parts = [('p256_judge', lambda: compare(0) or compare(1)), ('judge', lambda: '' if paths(make('verify'), one) else '')]
    parts += [('verify, %s table' % name, lambda small=small: '' if paths(make('verify', small=small), verify) else '')
              for name, small in (('full', False), ('small', True))]
    yield together('judge P-256 in lanes', parts, [
        'p256ifma/lanes.h p256_judge', 'p256ifma/verify.c judge', 'p256ifma/verify.c cjwt_p256_ifma_verify'], quick=True)
