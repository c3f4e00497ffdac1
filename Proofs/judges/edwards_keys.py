"""Ed25519: how a key is decoded (RFC 8032, 5.1.3), and which keys have no table."""
import z3

from calls.machine import Machine, paths
from machine.values import Pointer
from points.edwards import D, module
from points.field51 import LOOSE, ROUTINES, TIGHT, Q, element_at, get, put
from points.residue import need, same, unknowns
from recoding.words import joined, unknown, vector
from registry import together

ROOT = 'kRootOfMinusOne'


def read_y(machine):
    """One exactly where the 255 bits are below p."""
    octets, source, y = unknown('byte', 32, 8), machine.memory.region('bytes'), machine.memory.region('y')
    machine.memory.store(source, octets, 32)
    canonical, compared = unknown('canonical', 4), []

    def compare(machine, arguments):
        words = [joined(machine.memory.load(at, ('arr', 4, ('i', 64)))) for at in arguments[:2]]
        compared.append(words)
        return z3.If(words[0] == words[1], z3.BitVecVal(0, 32), z3.BitVecVal(1, 32))
    given = z3.Concat(*reversed(octets)) & ((1 << 255) - 1)
    machine.assume(joined(canonical) == z3.URem(given, z3.BitVecVal(Q, 256)))  # the contract of fe51_to_words
    machine.routines.update({
        'fe51_from_words': lambda machine, arguments: machine.prove(
            joined(machine.memory.load(arguments[1], ('arr', 4, ('i', 64)))) == given, 'y is the 255 bits'),
        'fe51_to_words': lambda machine, arguments: machine.memory.store(arguments[0], canonical, 32), 'memcmp': compare})
    answer = vector(machine.call('read_y', [y, source]), 32)
    need(len(compared) == 1, 'one comparison, of 32 bytes')
    machine.prove_all([(compared[0][0] == given, 'the bytes without the sign'), (compared[0][1] == joined(canonical), 'the canonical form'),
                       ((answer != 0) == (given == joined(canonical)), 'one exactly where they are equal')])


def root_of_quotient(machine):
    """x = u v^3 (u v^7)^((p - 5) / 8), times the root of -1 where v x^2 = -u; zero where v x^2 is neither (RFC 8032, 5.1.3)."""
    x, u, v = [machine.memory.region(name) for name in 'xuv']
    U, V, root = unknowns(Q, 'u v root')
    for at, value in ((u, U), (v, V)):
        put(machine, at, value, TIGHT)
    machine.memory.cells['@' + ROOT] = {}
    put(machine, Pointer('@' + ROOT), root, TIGHT)
    candidate = U * V ** 3 * (U * V ** 7) ** ((Q - 5) // 8)
    answers, compared = unknown('equal', 2, 32), []

    def compare(machine, arguments):
        left, right = [get(machine, at) for at in arguments]
        same(left.residue, candidate ** 2 * V, 'v x^2')
        same(right.residue, U if not compared else -U, 'is compared with %su' % ('' if not compared else '-'))
        need(max(left.high, right.high) <= LOOSE, 'loose digits')
        compared.append(1)
        return answers[len(compared) - 1]

    def raise_power(machine, arguments):
        put(machine, arguments[0], get(machine, arguments[1]).residue ** ((Q - 5) // 8), TIGHT)
    machine.routines.update({**ROUTINES, 'power_p58': raise_power, 'fe51_equal': compare})
    answer = vector(machine.call('root_of_quotient', [x, u, v]), 32)
    found = get(machine, x)
    need(found.high <= TIGHT, 'a tight number')
    if len(compared) == 1:
        same(found.residue, candidate, 'the candidate')
        machine.prove(z3.And(answers[0] != 0, answer == 1), 'one where v x^2 = u')
        return
    same(found.residue, candidate * root, 'the candidate times the root of -1')
    machine.prove(z3.And(answers[0] == 0, (answer != 0) == (answers[1] != 0)), 'else one exactly where v x^2 = -u')


def is_of_small_order(machine):
    """Eight times the point is (0, 1)."""
    point, doublings, zero, equal = machine.memory.region('point'), [], z3.BitVec('zero', 32), z3.BitVec('equal', 32)
    for i, value in enumerate(unknowns(Q, 'X Y Z T')):
        put(machine, element_at(point, i), value, TIGHT)

    def double(machine, arguments):
        doublings.append(1)
        for i, value in enumerate(unknowns(Q, 'X%d Y%d Z%d T%d' % (4 * (len(doublings),)))):
            put(machine, element_at(arguments[0], i), value, TIGHT)

    def is_zero(machine, arguments):
        same(get(machine, arguments[0]).residue, unknowns(Q, 'X3')[0], 'x of eight times the point')
        return zero

    def is_equal(machine, arguments):
        for at, name in zip(arguments, ('Y3', 'Z3')):
            same(get(machine, at).residue, unknowns(Q, name)[0], 'y of eight times the point')
        return equal
    machine.routines.update({'point_double': double, 'fe51_is_zero': is_zero, 'fe51_equal': is_equal})
    answer = vector(machine.call('is_of_small_order', [point]), 32)
    need(len(doublings) == 3, 'three doublings')
    machine.prove((answer != 0) == z3.And(zero != 0, equal != 0), 'one exactly where x = 0 and y = 1')


def decode(machine):
    """x^2 = (y^2 - 1) / (d y^2 + 1), with the sign of bit 255; zero where y or x does not exist, and for points of small order."""
    out, key = machine.memory.region('point'), machine.memory.region('key')
    sign = z3.BitVec('sign', 8)
    machine.memory.store(Pointer(key.region, 31), sign, 1)
    y, x = unknowns(Q, 'y x')
    exists, small, words = unknown('exists', 2, 32), z3.BitVec('small', 32), unknown('x', 4)

    def read(machine, arguments):
        put(machine, arguments[0], y, (1 << 51) - 1)
        return exists[0]

    def root(machine, arguments):
        u, v = [get(machine, at) for at in arguments[1:]]
        same(u.residue, y * y - 1, 'u is y^2 - 1')
        same(v.residue, D * y * y + 1, 'v is d y^2 + 1')
        need(u.high <= TIGHT, 'u is tight: it is subtracted')
        put(machine, arguments[0], x, TIGHT)
        return exists[1]
    machine.routines.update({
        **ROUTINES, 'read_y': read, 'root_of_quotient': root, 'is_of_small_order': lambda machine, arguments: small,
        'fe51_to_words': lambda machine, arguments: machine.memory.store(arguments[0], words, 32)})
    answer = vector(machine.call('cjwt_ed25519_point_decode', [out, key]), 32)
    both = z3.And(exists[0] != 0, exists[1] != 0)
    machine.prove((answer != 0) == z3.And(both, small == 0), 'one exactly for a point that is not of small order')
    if 80 in machine.memory.of(out.region):
        found = [get(machine, element_at(out, i)) for i in range(4)]
        negated = found[0].residue == -x
        same(found[0].residue, -x if negated else x, 'x')
        machine.prove((z3.Extract(0, 0, words[0]) != z3.Extract(7, 7, sign)) == z3.BoolVal(negated), 'x has the sign of bit 255')
        for element, wanted in zip(found[1:], (y, y.number(1), found[0].residue * y)):
            same(element.residue, wanted, 'y, 1 and x y')
        need(max(element.high for element in found) <= TIGHT, 'tight coordinates')


def equal(machine):
    """One exactly where the canonical forms, which differ for different residues, are the same; zero is compared like any other."""
    regions = a, b = [machine.memory.region(name) for name in 'ab']
    forms = {a.region: unknown('a', 4), b.region: unknown('b', 4), '@kFe51Zero': [0] * 4}

    def compare(machine, arguments):
        left, right = [joined(machine.memory.load(at, ('arr', 4, ('i', 64)))) for at in arguments[:2]]
        need(arguments[2] == 32, 'all bytes are compared')
        return z3.If(left == right, z3.BitVecVal(0, 32), z3.BitVecVal(1, 32))
    machine.routines.update({'memcmp': compare, 'fe51_to_words': lambda machine, arguments: machine.memory.store(
        arguments[0], forms[arguments[1].region], 32)})
    for routine, arguments, wanted in (('fe51_equal', regions, joined(forms[a.region]) == joined(forms[b.region])),
                                       ('fe51_is_zero', [a], joined(forms[a.region]) == 0)):
        answer = vector(machine.call(routine, arguments), 32)
        machine.prove(answer == z3.If(wanted, z3.BitVecVal(1, 32), z3.BitVecVal(0, 32)), routine + ': one exactly for equal numbers')


def run(check):
    return lambda: '' if paths(lambda decisions: Machine(module('point'), {}, decisions), check) else ''


def proofs():
    parts = [(check.__name__, run(check)) for check in (read_y, root_of_quotient, is_of_small_order, decode, equal)]
    yield together('judge Ed25519, keys', parts, ['ed25519/' + name for name in (
        'point.c read_y', 'point.c root_of_quotient', 'point.c is_of_small_order', 'point.c cjwt_ed25519_point_decode',
        'field51.h fe51_equal', 'field51.h fe51_is_zero')], quick=True)
