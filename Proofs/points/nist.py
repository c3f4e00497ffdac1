"""P-256, P-384 and P-521: additions, doublings and the equation of the curve, in XYZZ coordinates. An element stands for a / R."""
import functools

from calls.machine import Machine, front_end
from constants.curves import CURVES, P521
from machine.values import Pointer
from points.laws import chord, is_law, stays_zero, tangent
from points.residue import Residue, need, number, same, unknowns
from registry import together

NAMES = ('X', 'Y', 'ZZ', 'ZZZ')


@functools.lru_cache
def module(curve):
    return front_end('#include "nist/%s.c"\n' % curve.kernel)


class Field:
    """The field's routines as calls. Their contracts: elements in, an element with the residue out."""

    def __init__(self, curve):
        self.curve, self.p, self.size = curve, curve.p, 8 * curve.limbs
        self.nonzero = set()  # the unknowns that are not zero

    def get(self, machine, at):
        cells = machine.memory.of(at.region)
        value, size = cells.get(at.offset, (None, 0))
        if isinstance(value, Residue):
            need(size == self.size, 'an element of another size')
            return value
        limbs = machine.memory.load(at, ('arr', self.curve.limbs, ('i', 64)))
        plain = sum(limb << (self.curve.digit * i) for i, limb in enumerate(limbs))
        need(plain < self.p if self.curve.most is None else max(limbs) < self.curve.most, 'an element')
        return number(self.p, plain * pow(self.curve.radix, -1, self.p))

    def put(self, machine, at, value):
        machine.memory.store(at, value, self.size)

    def operation(self, compute):
        def routine(machine, arguments):
            self.put(machine, arguments[0], compute(*[self.get(machine, at) for at in arguments[1:]]))
        return routine

    def negate_if(self, machine, arguments):
        result, source, mask = arguments
        value = self.get(machine, source)
        need(self.curve.most is not None or self.is_nonzero(value), 'field_negate_if takes no zero')
        need(mask in (0, 2**64 - 1), 'a mask is all ones or zero')
        self.put(machine, result, -value if mask else value)

    def is_nonzero(self, value):
        return len(value.terms) == 1 and all(name in self.nonzero for monomial in value.terms for name, _ in monomial)

    def routines(self):
        fused = {'field_multiply_less': self.operation(lambda a, b, c: a * b - c),
                 'field_square_less': self.operation(lambda a, b, c: a * a - b - c)}
        return {
            'field_multiply': self.operation(lambda a, b: a * b), 'field_square': self.operation(lambda a: a * a),
            'field_add': self.operation(lambda a, b: a + b), 'field_subtract': self.operation(lambda a, b: a - b),
            'field_multiply_subtract': self.operation(lambda a, b, c, d: a * b - c * d), 'field_negate_if': self.negate_if,
            **(fused if self.curve is P521 else {}),
        }


class Formula:
    """A run of one point formula."""

    def __init__(self, curve):
        self.field = Field(curve)
        self.machine = Machine(module(curve), self.field.routines())
        self.coordinates = ('x1', 'y1', 'z1', 'x2', 'y2', 'z2')
        self.x1, self.y1, self.z1, self.x2, self.y2, self.z2 = unknowns(curve.p, ' '.join(self.coordinates))
        self.field.nonzero = {'y1', 'y2'}  # the order is odd

    def region(self, name, values):
        at = self.machine.memory.region(name)
        for i, value in enumerate(values):
            self.field.put(self.machine, Pointer(at.region, i * self.field.size), value)
        return at

    def point(self, x, y, z):
        return self.region('point', [x * z ** 2, y * z ** 3, z ** 2, z ** 3])

    def result(self, at):
        return [self.field.get(self.machine, Pointer(at.region, i * self.field.size)) for i in range(4)]


def add_affine(curve, mask):
    run = Formula(curve)
    a, b = run.point(run.x1, run.y1, run.z1), run.region('row', [run.x2, run.y2])
    run.machine.call('point_add_affine', [a, b, mask])
    y2 = -run.y2 if mask else run.y2
    is_law(run.result(a), chord((run.x1, run.y1), (run.x2, y2)), [run.z1, (run.x2 - run.x1) * run.z1 ** 2])


def add_point(curve):
    run = Formula(curve)
    a, b = run.point(run.x1, run.y1, run.z1), run.point(run.x2, run.y2, run.z2)
    run.machine.call('point_add', [a, b])
    is_law(run.result(a), chord((run.x1, run.y1), (run.x2, run.y2)), [run.z1, run.z2, (run.x2 - run.x1) * run.z1 ** 2 * run.z2 ** 2])


def double(curve):
    run = Formula(curve)
    a = run.point(run.x1, run.y1, run.z1)
    run.machine.call('point_double', [a])
    is_law(run.result(a), tangent((run.x1, run.y1)), [run.z1, 2 * run.y1 * run.z1 ** 3])


def from_affine(curve, mask):
    run = Formula(curve)
    a, b = run.machine.memory.region('point'), run.region('row', [run.x2, run.y2])
    run.machine.call('point_from_affine', [a, b, mask])
    for value, wanted, name in zip(run.result(a), [run.x2, -run.y2 if mask else run.y2, number(curve.p, 1), number(curve.p, 1)], NAMES):
        same(value, wanted, name)


def zero_stays(curve, routine, operands):
    """After an exceptional addition X and Y mean nothing: here the coordinates are any elements."""
    run = Formula(curve)
    run.field.nonzero = {'b1'}
    mine, other = [unknowns(curve.p, ' '.join('%s%d' % (letter, i) for i in range(4))) for letter in 'ab']
    a, b = run.region('point', mine), run.region('other', other[:2 if operands == 'affine' else 4])
    run.machine.call(routine, [a, b, 0] if operands == 'affine' else [a, b])
    for i in (2, 3):
        stays_zero(run.result(a)[i], 'a%d' % i, NAMES[i])
        if operands == 'point':
            stays_zero(run.result(a)[i], 'b%d' % i, NAMES[i])


def on_curve(curve):
    run, compared = Formula(curve), []

    def is_equal(machine, arguments):
        left, right = [run.field.get(machine, at) for at in arguments]
        compared.append(left - right)
        return 1
    run.machine.routines['field_is_equal'] = is_equal
    answer = run.machine.call('affine_is_on_curve', [run.region('row', [run.x1, run.y1])])
    need(answer == 1 and len(compared) == 1, 'one comparison decides')
    same(compared[0], run.y1 ** 2 - (run.x1 ** 3 - 3 * run.x1 + curve.b), 'y^2 - (x^3 - 3 x + b)')


PARTS = [
    ('point_add_affine, +', lambda curve: add_affine(curve, 0)), ('point_add_affine, -', lambda curve: add_affine(curve, 2**64 - 1)),
    ('point_add_affine, a zero stays', lambda curve: zero_stays(curve, 'point_add_affine', 'affine')), ('point_add', add_point),
    ('point_add, a zero stays', lambda curve: zero_stays(curve, 'point_add', 'point')), ('point_double', double),
    ('point_from_affine, +', lambda curve: from_affine(curve, 0)), ('point_from_affine, -', lambda curve: from_affine(curve, 2**64 - 1)),
    ('affine_is_on_curve', on_curve),
]
ROUTINES = ['point_add_affine', 'finish_addition', 'point_add', 'point_double', 'point_from_affine', 'affine_is_on_curve']


def proofs():
    for curve in CURVES:
        parts = [(name, lambda check=check, curve=curve: check(curve)) for name, check in PARTS]
        yield together('points %s' % curve.name, parts, ['nist/nist_point.h ' + routine for routine in ROUTINES], quick=True)
