"""P-384 and P-521 in eight lanes: additions of nistifma/point8.h, with the bounds of every number on the way.

A number has a residue, which is its value / R, and the bound of its value. While rows are added, a point holds X, Y, c ZZ and c ZZZ, and a
row x / c and y / c, for the constant c of the curve.
"""
import functools

from calls.machine import Machine, front_end
from constants.curves import P384, P521
from machine.values import Pointer
from points.laws import chord, is_law, stays_zero
from points.residue import need, number, same, unknowns
from registry import together

CURVES = (P384, P521)
NAMES = ('X', 'Y', 'ZZ', 'ZZZ')


@functools.lru_cache
def module(curve):
    return front_end('#include "nistifma/%s_ifma.c"\n' % curve.kernel)


class Element:
    """Digits below 2^52, and a value of at most `high`."""

    def __init__(self, residue, high):
        self.residue, self.high = residue, high


class Field:
    """The routines of nistifma/fe8.h as calls: what their contracts require and give."""

    def __init__(self, curve):
        self.curve, self.p = curve, curve.p
        self.digits = {P384: 8, P521: 11}[curve]
        self.size, self.radix = 64 * self.digits, 1 << (52 * self.digits)
        self.c = number(self.p, self.radix * pow(curve.radix, -1, self.p))
        self.bounds = [8 * self.p, 2 * self.p - 1, 2 * self.p - 1, 2 * self.p - 1]  # of a point
        most = self.p - 1 if curve.most is None else sum((curve.most - 1) << (curve.digit * i) for i in range(curve.limbs))
        self.row_bounds = [most, 4 * self.p]
        need(most < 64 * self.p and most <= 4 * self.p, 'the coordinates of a row are below 64 p, and y is at most 4 p')

    def get(self, machine, at):
        value, size = machine.memory.of(at.region).get(at.offset, (None, 0))
        need(isinstance(value, Element) and size == self.size, 'a number of the lanes')
        return value

    def put(self, machine, at, residue, high):
        machine.memory.store(at, Element(residue, high), self.size)

    def factor(self, machine, at):
        element = self.get(machine, at)
        need(element.high < 64 * self.p, 'a factor is below 64 p')
        return element.residue

    def multiply(self, machine, arguments):
        a, b = self.factor(machine, arguments[1]), self.factor(machine, arguments[-1])
        self.put(machine, arguments[0], a * b, 2 * self.p - 1)

    def multiply_add(self, machine, arguments):
        a, b, c, d = [self.factor(machine, at) for at in arguments[1:]]
        self.put(machine, arguments[0], a * b + c * d, 2 * self.p - 1)

    def subtract(self, machine, arguments):
        a, b, k = self.get(machine, arguments[1]), self.get(machine, arguments[2]), arguments[3]
        need(0 < k <= 16 and a.high < 32 * self.p and b.high <= k * self.p, 'fe8_subtract: a below 32 p, b at most k p')
        self.put(machine, arguments[0], a.residue - b.residue, a.high + k * self.p)

    def minus(self, machine, arguments):
        a, k = self.get(machine, arguments[1]), arguments[2]
        need(0 < k <= 16 and a.high <= k * self.p, 'fe8_minus: a at most k p')
        self.put(machine, arguments[0], -a.residue, k * self.p)

    def constant(self, machine, arguments):
        """fe8_set: the same digits in all lanes."""
        limbs = machine.memory.load(arguments[1], ('arr', self.digits, ('i', 64)))
        need(max(limbs) < 1 << 52, 'digits below 2^52')
        value = sum(limb << (52 * i) for i, limb in enumerate(limbs))
        self.put(machine, arguments[0], number(self.p, value * pow(self.radix, -1, self.p)), value)

    def routines(self):
        return {'fe8_multiply': self.multiply, 'fe8_square': self.multiply, 'fe8_multiply_add': self.multiply_add,
                'fe8_subtract': self.subtract, 'fe8_minus': self.minus, 'fe8_set': self.constant}


class Formula:
    def __init__(self, curve):
        self.field = Field(curve)
        self.machine = Machine(module(curve), self.field.routines())
        self.x1, self.y1, self.z1, self.x2, self.y2, self.z2 = unknowns(curve.p, 'x1 y1 z1 x2 y2 z2')

    def region(self, name, values, bounds):
        at = self.machine.memory.region(name)
        for i, (value, bound) in enumerate(zip(values, bounds)):
            self.field.put(self.machine, Pointer(at.region, i * self.field.size), value, bound)
        return at

    def point(self, x, y, z, c):
        return self.region('point', [x * z ** 2, y * z ** 3, c * z ** 2, c * z ** 3], self.field.bounds)

    def row(self, x, y):
        over_c = self.field.c ** -1
        return self.region('row', [x * over_c, y * over_c], self.field.row_bounds)

    def result(self, at):
        """The residues, after a look at the bounds."""
        elements = [self.field.get(self.machine, Pointer(at.region, i * self.field.size)) for i in range(4)]
        for element, bound, name in zip(elements, self.field.bounds, NAMES):
            need(element.high <= bound, '%s is within its bound' % name)
        return [element.residue for element in elements]


def set_point(curve):
    run = Formula(curve)
    at = run.machine.memory.region('point')
    run.machine.call('point8_set', [at, run.row(run.x1, run.y1)])
    for found, wanted, name in zip(run.result(at), [run.x1, run.y1, run.field.c, run.field.c], NAMES):
        same(found, wanted, name)


def unscale(curve):
    run = Formula(curve)
    at = run.point(run.x1, run.y1, run.z1, run.field.c)
    run.machine.call('point8_unscale', [at])
    for found, wanted, name in zip(run.result(at), [run.x1 * run.z1 ** 2, run.y1 * run.z1 ** 3, run.z1 ** 2, run.z1 ** 3], NAMES):
        same(found, wanted, name)


def add_affine(curve):
    run = Formula(curve)
    at = run.point(run.x1, run.y1, run.z1, run.field.c)
    run.machine.call('point8_add_affine', [at, run.row(run.x2, run.y2)])
    x, y, zz, zzz = run.result(at)
    over_c = run.field.c ** -1
    is_law((x, y, zz * over_c, zzz * over_c), chord((run.x1, run.y1), (run.x2, run.y2)), [run.z1, (run.x2 - run.x1) * run.z1 ** 2])


def add_point(curve):
    run = Formula(curve)
    one = number(curve.p, 1)
    a = run.point(run.x1, run.y1, run.z1, one)
    b = run.point(run.x2, run.y2, run.z2, one)
    run.machine.call('point8_add', [a, b])
    is_law(run.result(a), chord((run.x1, run.y1), (run.x2, run.y2)), [run.z1, run.z2, (run.x2 - run.x1) * run.z1 ** 2 * run.z2 ** 2])


def zero_stays(curve, routine, parts):
    """After an exceptional addition X and Y mean nothing: here the coordinates are any numbers."""
    run = Formula(curve)
    mine, other = [unknowns(curve.p, ' '.join('%s%d' % (letter, i) for i in range(4))) for letter in 'ab']
    a = run.region('point', mine, run.field.bounds)
    arguments = [a] if parts == 0 else [a, run.region('other', other[:parts], run.field.row_bounds if parts == 2 else run.field.bounds)]
    run.machine.call(routine, arguments)
    for i in (2, 3):
        stays_zero(run.result(a)[i], 'a%d' % i, NAMES[i])
        if parts == 4:
            stays_zero(run.result(a)[i], 'b%d' % i, NAMES[i])


PARTS = [
    ('point8_set', set_point), ('point8_unscale', unscale), ('point8_add_affine', add_affine), ('point8_add', add_point),
    ('point8_add_affine, a zero stays', lambda curve: zero_stays(curve, 'point8_add_affine', 2)),
    ('point8_add, a zero stays', lambda curve: zero_stays(curve, 'point8_add', 4)),
    ('point8_unscale, a zero stays', lambda curve: zero_stays(curve, 'point8_unscale', 0)),
]
ROUTINES = ('point8_set', 'point8_unscale', 'point8_add_affine', 'point8_finish', 'point8_add')


def proofs():
    for curve in CURVES:
        parts = [(name, lambda check=check, curve=curve: check(curve)) for name, check in PARTS]
        yield together('points %s in lanes' % curve.name, parts, ['nistifma/point8.h ' + routine for routine in ROUTINES], quick=True)
