"""Ed25519: additions and doublings, portable and in eight lanes. The law is complete: no case is exceptional, and Z is never zero."""
import functools

from calls.machine import Machine, front_end
from constants.curves import Edwards
from machine.values import Pointer
from points.field51 import CARRIED, ROUTINES, TIGHT, Q, element_at, get, put
from points.laws import is_edwards
from points.residue import need, number, same, unknowns
from registry import together

D = Edwards.d
PRODUCT = 250 << 51  # the bound of an uncarried product of carried numbers


@functools.lru_cache
def module(file):
    return front_end('#include "ed25519/%s.c"\n' % file)


class Formula:
    def __init__(self, file):
        self.machine = Machine(module(file), dict(ROUTINES))
        self.x1, self.y1, self.z1, self.x2, self.y2, self.z2 = unknowns(Q, 'x1 y1 z1 x2 y2 z2')

    def region(self, values, bounds, field='fe51'):
        at = self.machine.memory.region('operand')
        for i, (value, bound) in enumerate(zip(values, bounds)):
            put(self.machine, element_at(at, i, field), value, bound, field)
        return at

    def result(self, at, bounds, field='fe51'):
        elements = [get(self.machine, element_at(at, i, field)) for i in range(4)]
        for element, bound in zip(elements, bounds):
            need(element.high <= bound, 'the digits of the sum are at most %#x, not %#x' % (bound, element.high))
        return [element.residue for element in elements]


def coordinates(x, y, z):
    return [x * z, y * z, z, x * y * z]


def ready(x, y):
    return [y + x, y - x, 2 * D * x * y]


def add():
    run = Formula('verify')
    a = run.region(coordinates(run.x1, run.y1, run.z1), [TIGHT] * 4)
    run.machine.call('point_add', [a, run.region(ready(run.x2, run.y2), [(1 << 52) - 1] * 3)])
    found = run.result(a, [TIGHT] * 4)
    is_denominator(found[2], is_edwards(found, (run.x1, run.y1), (run.x2, run.y2), D), run.z1 ** 2)


def is_denominator(z, product, scale):
    """Z is 4 z^2 (1 + D) (1 - D): not zero."""
    same(z, 4 * scale * (1 + product) * (1 - product), 'Z is 4 z^2 (1 + D) (1 - D)')


def double():
    """With the equation of the curve: 1 + d x^2 y^2 = y^2 - x^2. Z is zero for no point: its factors are the law's denominators."""
    run = Formula('table')
    a = run.region(coordinates(run.x1, run.y1, run.z1), [TIGHT] * 4)
    run.machine.call('point_double', [a])
    x, y, z, t = run.result(a, [TIGHT] * 4)
    plus = run.y1 ** 2 - run.x1 ** 2  # 1 + D
    same(x * plus, z * (2 * run.x1 * run.y1), 'X / Z is x of the double')
    same(y * (2 - plus), z * (run.y1 ** 2 + run.x1 ** 2), 'Y / Z is y of the double')
    same(x * y, z * t, 'T is X Y / Z')
    need(any(z == sign * run.z1 ** 4 * plus * (2 - plus) for sign in (1, -1)), 'Z is z^4 (1 + D) (1 - D)')


LANES = [CARRIED, CARRIED, CARRIED, PRODUCT]


def in_lanes(x, y, z):
    x, y, z, t = coordinates(x, y, z)
    return [y + x, y - x, t, z]


def from_lanes(found):
    """(Y + X, Y - X, T, Z) to X, Y, Z, T."""
    half = number(Q, (Q + 1) // 2)
    return [half * (found[0] - found[1]), half * (found[0] + found[1]), found[3], found[2]]


def add_in_lanes(routine):
    run = Formula('verify_ifma')
    a = run.region(in_lanes(run.x1, run.y1, run.z1), LANES, 'fe8')
    if routine == 'point8_add':
        b = run.region(ready(run.x2, run.y2), [(1 << 51) - 1, (1 << 51) - 1, (1 << 52) - 1], 'fe8')
        scale = run.z1 ** 2
    else:
        b, scale = run.region(in_lanes(run.x2, run.y2, run.z2), LANES, 'fe8'), run.z1 ** 2 * run.z2 ** 2
    run.machine.call(routine, [a, b])
    found = from_lanes(run.result(a, LANES, 'fe8'))
    is_denominator(found[2], is_edwards(found, (run.x1, run.y1), (run.x2, run.y2), D), scale)


def identity():
    """(0, 1): X = T = 0, Y = Z = 1."""
    run = Formula('verify')
    at = run.machine.memory.region('point')
    run.machine.call('point_set_identity', [at])
    for residue, wanted in zip(run.result(at, [TIGHT] * 4), (0, 1, 1, 0)):
        same(residue, number(Q, wanted), 'the neutral element')


def identity_in_lanes():
    """Y + X = Y - X = Z = 1, T = 0; the digits of Z are set one by one."""
    run = Formula('verify_ifma')
    run.machine.routines['lanes_of'] = lambda machine, arguments: [arguments[0]] * 8
    at = run.machine.memory.region('point')
    run.machine.call('point8_set_identity', [at])
    for i, wanted in enumerate((1, 1, 0)):
        same(get(run.machine, element_at(at, i, 'fe8')).residue, number(Q, wanted), 'the neutral element')
    for i in range(5):
        digits = run.machine.memory.load(Pointer(at.region, 960 + 64 * i), ('vec', 8, ('i', 64)))
        need(digits == [int(i == 0)] * 8, 'Z is one')


PARTS = [('point_set_identity', identity), ('point_add', add), ('point_double', double)]
COVERED = ['point_set_identity', 'point_add', 'point_finish', 'point_double']
IN_LANES = [
    ('point8_set_identity', identity_in_lanes), ('point8_add', lambda: add_in_lanes('point8_add')),
    ('point8_add_point', lambda: add_in_lanes('point8_add_point')),
]
COVERED_IN_LANES = ['point8_set_identity', 'point8_add', 'point8_finish', 'point8_add_point']


def proofs():
    yield together('points Ed25519', PARTS, ['ed25519/point.h ' + routine for routine in COVERED], quick=True)
    yield together('points Ed25519 in lanes', IN_LANES, ['ed25519/lanes_point.h ' + routine for routine in COVERED_IN_LANES], quick=True)
