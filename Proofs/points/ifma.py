"""P-256 in eight lanes: additions and doublings of point8.h, with the bounds of every number on the way.

A point holds X, Y, -ZZ and s ZZZ, s = 1 or -1. Affine operands are added to a point with s = -1, their negatives to one with s = 1.
"""
import functools

from calls.machine import Machine, front_end
from constants.curves import P256
from machine.values import Unproven
from points.lanes256 import P, ROUTINES, digits, element_at, factor, get, in_p, put
from points.laws import chord, is_law, tangent
from points.residue import need, number, same, unknowns
from registry import together

# What every function of point8.h requires and keeps, in p.
BOUNDS = [101 * P // 100, 17 * P // 10, 12 * P // 10, 12 * P // 10]
FORMS = ('digits', 'digits', 'factor', 'factor')
NAMES = ('x', 'y', 'zz', 'zzz')


@functools.lru_cache
def module(file):
    return front_end('#include "p256ifma/%s.c"\n' % file)


class Formula:
    def __init__(self, file='table'):
        self.machine = Machine(module(file), dict(ROUTINES))
        self.x1, self.y1, self.z1, self.x2, self.y2, self.z2 = unknowns(P, 'x1 y1 z1 x2 y2 z2')

    def point(self, x, y, z, sign):
        at = self.machine.memory.region('point')
        for i, (value, bound, form) in enumerate(zip([x * z ** 2, y * z ** 3, -z ** 2, sign * z ** 3], BOUNDS,
                                                     (digits, digits, factor, factor))):
            put(self.machine, element_at(at, i), form(value, bound))
        return at

    def affine(self, x, y):
        at = self.machine.memory.region('affine')
        for i, value in enumerate([x, y]):
            put(self.machine, element_at(at, i), digits(value, P))
        return at

    def result(self, at):
        """The residues, after a look at the bounds."""
        elements = [get(self.machine, element_at(at, i)) for i in range(4)]
        for element, bound, form, name in zip(elements, BOUNDS, FORMS, NAMES):
            need(0 <= element.low and element.high <= bound, '%s is at most %s, not %s' % (name, in_p(bound), in_p(element.high)))
            need(element.form in (form, 'digits'), '%s is a %s' % (name, element.form))
        return [element.residue for element in elements]


def judge(residues, law, factors, signs=(1, -1)):
    """Returns the sign of zzz. The product of the factors may come negated: Z and -Z are one point."""
    x, y, zz, zzz = residues
    reason = None
    for sign in signs:
        for turned in (1, -1):
            try:
                is_law((x, y, -zz, sign * zzz), law, [turned * factors[0]] + factors[1:])
                return sign
            except Unproven as why:
                reason = why
    raise reason


def add_affine(sign):
    run = Formula()
    a, b = run.point(run.x1, run.y1, run.z1, sign), run.affine(run.x2, -sign * run.y2)
    h = run.machine.memory.region('h')
    run.machine.call('point8_add_affine', [h, a, b])
    zz, zzz = -run.z1 ** 2, sign * run.z1 ** 3
    residues = run.result(a)
    judge(residues, chord((run.x1, run.y1), (run.x2, run.y2)), [run.z1, (run.x2 - run.x1) * run.z1 ** 2], signs=[-sign])
    h = get(run.machine, h)
    need(h.form == 'factor' and 0 <= h.low and h.high < 16 * P, 'H is a factor')
    same(residues[2], zz * h.residue ** 2, 'zz becomes zz H^2')
    same(residues[3], zzz * h.residue ** 3, 'zzz becomes zzz H^3')


def add_point(sign):
    run = Formula('verify8')
    a, b = run.point(run.x1, run.y1, run.z1, sign), run.point(run.x2, run.y2, run.z2, sign)
    run.machine.call('point8_add', [a, b])
    factors = [run.z1, run.z2, (run.x2 - run.x1) * run.z1 ** 2 * run.z2 ** 2]
    judge(run.result(a), chord((run.x1, run.y1), (run.x2, run.y2)), factors)


def double():
    """The sign of zzz stays."""
    run = Formula()
    a = run.point(run.x1, run.y1, run.z1, -1)
    run.machine.call('point8_double', [a])
    judge(run.result(a), tangent((run.x1, run.y1)), [run.z1, 2 * run.y1 * run.z1 ** 3], signs=[-1])


def set_point():
    run = Formula()
    a = run.machine.memory.region('point')
    run.machine.call('point8_set', [a, run.affine(run.x1, run.y1)])
    for residue, wanted, name in zip(run.result(a), [run.x1, run.y1, number(P, -1), number(P, -1)], NAMES):
        same(residue, wanted, name)


def zero_stays(routine, file, operands):
    """A zz of zero stays zero, and so does a zzz, whatever the other coordinates are."""
    run = Formula(file)
    mine, other = [unknowns(P, ' '.join('%s%d' % (letter, i) for i in range(4))) for letter in 'ab']
    a, b = run.machine.memory.region('a'), run.machine.memory.region('b')
    for at, values in ((a, mine), (b, other[:2] if operands == 'affine' else other)):
        for i, value in enumerate(values):
            put(run.machine, element_at(at, i), (digits if i < 2 else factor)(value, BOUNDS[i] if operands == 'point' or at is a else P))
    run.machine.call(routine, [run.machine.memory.region('h'), a, b] if operands == 'affine' else [a, b])
    for i in (2, 3):
        for letter in 'ab' if operands == 'point' else 'a':
            need(run.result(a)[i].has_factor('%s%d' % (letter, i)), '%s is zero where %s%d is' % (NAMES[i], letter, i))


def on_curve():
    run, seen = Formula(), []
    run.machine.routines['fe8_is_zero'] = lambda machine, arguments: seen.append(get(machine, arguments[0])) or 0xff
    need(run.machine.call('is_on_curve', [run.affine(run.x1, run.y1)]) == 1 and len(seen) == 1, 'all lanes decide')
    need(seen[0].form == 'digits' and seen[0].high < 4 * P, 'fe8_is_zero takes digits below 4 p')
    same(seen[0].residue, run.x1 ** 3 - 3 * run.x1 + P256.b - run.y1 ** 2, 'x^3 - 3 x + b - y^2')


PARTS = [
    ('point8_set', set_point), ('point8_add_affine, zzz = -ZZZ', lambda: add_affine(-1)),
    ('point8_add_affine, zzz = ZZZ', lambda: add_affine(1)),
    ('point8_add, zzz = -ZZZ', lambda: add_point(-1)), ('point8_add, zzz = ZZZ', lambda: add_point(1)), ('point8_double', double),
    ('point8_add_affine, a zero stays', lambda: zero_stays('point8_add_affine', 'table', 'affine')),
    ('point8_add, a zero stays', lambda: zero_stays('point8_add', 'verify8', 'point')), ('is_on_curve', on_curve),
]
COVERED = ['point8.h point8_set', 'point8.h point8_add_affine', 'point8.h point8_add', 'point8.h point8_cross', 'point8.h point8_join',
           'point8.h point8_double', 'table.c is_on_curve']


def proofs():
    yield together('points P-256 in lanes', PARTS, ['p256ifma/' + routine for routine in COVERED], quick=True)
