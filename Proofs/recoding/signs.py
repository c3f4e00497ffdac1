"""The lanes' signs: which lanes negate their row of a step, for P-256 and for Ed25519."""
import z3

from calls.arithmetic import binary
from calls.machine import Machine, paths
from machine.values import Pointer
from points import edwards, ifma
from points.residue import need
from recoding.words import unknown, vector
from registry import together

I64, LANES, STEPS, FULL = ('i', 64), 8, 96, 32
GENERATOR, KEY = 64 * STEPS, 64 * STEPS + 64  # the signs' offsets in a plan


def lanes_at(machine, x):
    """A vector, which clang's front end may pass by its address."""
    return x if isinstance(x, list) else machine.memory.load(x, ('vec', LANES, I64))


def bitwise_and(machine, arguments):
    return [binary('and', a, b, 64) for a, b in zip(*[lanes_at(machine, x) for x in arguments])]


# Intel's semantics of the instructions of `test`; the comparison with zero is executed.
INSTRUCTIONS = {'_mm512_and_epi32': bitwise_and, '_mm512_setzero_si512': lambda machine, arguments: [0] * LANES,
                '_mm512_set1_epi64': lambda machine, arguments: [arguments[0]] * LANES}


def negated(machine):
    """Lane by lane: bit `step` of the generator's signs, and then bit `step` - 32 of the key's. For every step."""
    plan, step = machine.memory.region('plan'), z3.BitVec('step', 64)
    signs = {at: unknown(name, LANES) for at, name in ((GENERATOR, 'generator'), (KEY, 'key'))}
    for at, words in signs.items():
        machine.memory.store(Pointer(plan.region, at), words, 64)
    machine.assume(z3.ULT(step, STEPS))
    machine.routines.update(INSTRUCTIONS)
    mask = vector(machine.call('negated', [plan, step]), 8)
    for lane in range(LANES):
        wanted = z3.If(z3.ULT(step, FULL), z3.LShR(signs[GENERATOR][lane], step), z3.LShR(signs[KEY][lane], step - FULL)) & 1
        machine.prove((z3.Extract(lane, lane, mask) == 1) == (wanted == 1), 'lane %d is negated by its sign of the step' % lane)


def addend8_read(pattern):
    """A row as y + x, y - x and 2 d x y; of a negated one, y - x, y + x and -2 d x y. `pattern` has a bit for each negated lane."""
    machine = Machine(edwards.module('verify8_ifma'), {})
    out, terms, read, turned = machine.memory.region('out'), machine.memory.region('terms'), {}, []
    machine.memory.store(terms, [Pointer('row%d' % lane, 96 * 2 + (pattern >> lane & 1)) for lane in range(LANES)], 64)

    def from_rows(machine, arguments):
        need(arguments[0].region == out.region and arguments[0].offset not in read, 'each part is read once')
        rows = machine.memory.load(arguments[1], ('arr', LANES, ('ptr',)))
        read[arguments[0].offset] = [(row.region, row.offset - 96 * 2) for row in rows]

    def negate(machine, arguments):
        need(sorted(read) == [0, 320, 640] and arguments[0].offset == 640, '2 d x y is negated after it is read')
        turned.append(arguments[1])
    machine.routines.update({**INSTRUCTIONS, 'fe8_from_rows': from_rows, 'fe8_negate_some': negate})
    machine.call('addend8_read', [out, terms])
    need(turned == [pattern], 'exactly the negated lanes are negated')
    for lane in range(LANES):
        first, second = (32, 0) if pattern >> lane & 1 else (0, 32)
        for part, at in ((0, first), (320, second), (640, 64)):
            need(read[part][lane] == ('row%d' % lane, at), 'part %d of lane %d' % (part, lane))


def every_pattern():
    for pattern in range(256):
        addend8_read(pattern)


def proofs():
    parts = [('P-256, negated', lambda: '' if paths(lambda decisions: Machine(ifma.module('verify8'), {}, decisions), negated) else ''),
             ('Ed25519, addend8_read', every_pattern)]
    yield together('recoding signs of lanes', parts, ['p256ifma/verify8.c negated', 'ed25519/lanes_rows.h addend8_read'], quick=True)
