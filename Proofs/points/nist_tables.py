"""P-256, P-384 and P-521: a key's table. Row j of window i is j 2^(w i) Q, affine, with one inverse for all rows of a round.

Points are abstract here: x_m and y_m are the coordinates of m Q, whose addition formulas are proved for themselves. Inverses are negative
exponents. No denominator is zero: j Q = ±k Q only for j = ±k modulo the order, and Z of a double is not zero (points/nist.py).
"""
import z3

from calls.machine import Machine, paths
from constants.curves import CURVES, P256, P384, P521
from machine.values import Pointer
from points.nist import Field, Formula, module
from points.residue import need, number, same, unknowns
from recoding.words import unknown
from registry import together

ROWS = 64
WINDOWS = {P256: (8, 4), P384: (7, 4), P521: (7, 4)}
GENERATORS = {P256: 8, P384: 7, P521: 11}  # the windows of the generators' tables


def denominator(curve, tangent):
    run = Formula(curve)
    a = run.region('a', [run.x1, run.y1])
    b = a if tangent else run.region('b', [run.x2, run.y2])
    result = run.machine.memory.region('r')
    run.machine.call('slope_denominator', [result, a, b])
    same(run.field.get(run.machine, result), 2 * run.y1 if tangent else run.x2 - run.x1, 'the denominator of the slope')


def affine_add(curve, tangent):
    """The slope is s: of the chord, with x2 = x1 + d and y2 = y1 + s d; or of the tangent, (3 x^2 - 3) / d with d = 2 y."""
    run = Formula(curve)
    d, s = unknowns(curve.p, 'd s')
    half = number(curve.p, pow(2, -1, curve.p))
    x1, y1 = run.x1, half * d if tangent else run.y1
    x2 = x1 if tangent else x1 + d
    s = (3 * x1 * x1 - 3) * d ** -1 if tangent else s
    a = run.region('a', [x1, y1])
    b = a if tangent else run.region('b', [x2, y1 + s * d])
    inverted, result = run.region('inverted', [d ** -1]), run.machine.memory.region('sum')
    run.machine.call('affine_add', [result, a, b, inverted])
    x3 = s * s - x1 - x2
    same(run.field.get(run.machine, result), x3, 'x of the sum')
    same(run.field.get(run.machine, Pointer(result.region, run.field.size)), s * (x1 - x3) - y1, 'y of the sum')


class Denominators:
    """Numbers that are not zero, each as a ratio of two unknowns: so the product of the first k is one unknown, whatever k is."""

    def __init__(self, modulus):
        self.modulus, self.of = modulus, {}

    def add(self, name):
        need(name not in self.of, 'each pair once')
        before = unknowns(self.modulus, 'P%d' % (len(self.of) - 1))[0] if self.of else number(self.modulus, 1)
        self.of[name] = unknowns(self.modulus, 'P%d' % len(self.of))[0] * before ** -1
        return self.of[name]


class Building:
    """A table under construction."""

    def __init__(self, curve, width, machine):
        self.curve, self.width, self.machine, self.field = curve, width, machine, Field(curve)
        self.half, self.count = 1 << (width - 1), -(-curve.bits // width)
        self.certified = z3.BitVec('certified', 32)
        machine.routines.update({**self.field.routines(), 'field_invert': self.invert})
        self.table = machine.memory.region('table')
        machine.memory.store(self.table, width, 4)
        machine.memory.store(Pointer(self.table.region, 4), self.count, 4)

    def invert(self, machine, arguments):
        self.field.put(machine, arguments[0], self.field.get(machine, arguments[1]) ** -1)
        return self.certified

    def row(self, window, place):
        return Pointer(self.table.region, ROWS + 2 * self.field.size * (window * self.half + place))

    def read(self, at, count):
        return [self.field.get(self.machine, Pointer(at.region, at.offset + i * self.field.size)) for i in range(count)]

    def write(self, at, values):
        for i, value in enumerate(values):
            self.field.put(self.machine, Pointer(at.region, at.offset + i * self.field.size), value)

    def finished(self, answer):
        """Whether the rows count: zero is returned exactly where the inverse is not certified."""
        if answer == 0:
            self.machine.prove(self.certified == 0, 'zero only where the inverse is not certified')
            return False
        self.machine.prove(self.certified != 0, 'rows only with a certified inverse')
        return True


def first_rows(curve, width, machine):
    building = Building(curve, width, machine)
    names = [unknowns(curve.p, 'x%d y%d z%d' % (i, i, i)) for i in range(building.count * width + 1)]
    building.field.nonzero = {'y0'}
    doublings = []

    def coordinates(i):
        x, y, z = names[i] if i else (*names[0][:2], number(curve.p, 1))
        return [x * z ** 2, y * z ** 3, z ** 2, z ** 3]

    def double(machine, arguments):
        for found, wanted in zip(building.read(arguments[0], 4), coordinates(len(doublings))):
            same(found, wanted, 'doubling %d has the double before it' % len(doublings))
        doublings.append(1)
        building.write(arguments[0], coordinates(len(doublings)))
    machine.routines['point_double'] = double
    q = machine.memory.region('q')
    building.write(q, names[0][:2])
    if not building.finished(machine.call('build_first_rows', [building.table, q])):
        return
    for window in range(building.count):
        for found, wanted in zip(building.read(building.row(window, 0), 2), names[window * width]):
            same(found, wanted, 'row 1 of window %d is 2^%d Q' % (window, window * width))


def one_round(curve, width, known, machine):
    building = Building(curve, width, machine)
    places, denominators = {}, Denominators(curve.p)

    def put(window, place, multiple):
        at = building.row(window, place)
        places[at.offset] = (window, multiple)
        building.write(at, unknowns(curve.p, 'x%d.%d y%d.%d' % (window, multiple, window, multiple)))

    def name(a, b):
        (window, first), (other, second) = places[a.offset], places[b.offset]
        need(window == other, 'rows of one window')
        need(first + second < curve.n, 'multiples that are neither equal nor opposite')
        return window, first, second

    def slope(machine, arguments):
        building.field.put(machine, arguments[0], denominators.add(name(*arguments[1:3])))

    def add(machine, arguments):
        window, first, second = name(*arguments[1:3])
        inverse = building.field.get(machine, arguments[3])
        same(inverse, denominators.of[window, first, second] ** -1, 'the inverse of this row\'s denominator')
        place = (arguments[0].offset - ROWS) // (2 * building.field.size) - window * building.half
        need(first + second == place + 1, 'row %d of window %d is %d + %d' % (place + 1, window, first, second))
        put(window, place, first + second)
    machine.routines.update({'slope_denominator': slope, 'affine_add': add})
    for window in range(building.count):
        for place in range(known):
            put(window, place, place + 1)
    if building.finished(machine.call('build_round', [building.table, known])):
        need(set(places.values()) == {(window, multiple) for window in range(building.count) for multiple in range(1, 2 * known + 1)},
             'rows 1 to %d of every window' % (2 * known))


def widths(curve):
    """The windows of a key's tables, and of the generator's where no key has such a one."""
    return sorted({*WINDOWS[curve], GENERATORS[curve]})


def fill(curve, width, machine):
    """The first rows, then rounds that double what is known; zero as soon as one of them fails."""
    table, steps, answers = machine.memory.region('table'), [], unknown('built', width, 32)

    def step(name):
        def routine(machine, arguments):
            need(arguments[0].region == table.region and (name == 'round' or arguments[1].region == 'q'), 'the table of the point')
            steps.append((name, arguments[1] if name == 'round' else 0))
            return answers[len(steps) - 1]
        return routine
    machine.routines.update({'build_first_rows': step('first'), 'build_round': step('round')})
    answer = machine.call('table_fill', [table, width, Pointer('q')])
    wanted = [('first', 0)] + [('round', 1 << i) for i in range(width - 1)]
    need(steps == wanted[:len(steps)], 'rounds of 1, 2, 4 known rows')
    header = machine.memory.load(table, ('arr', 2, ('i', 32)))
    need(header == [width, -(-curve.bits // width)], 'window and count of the table')
    if answer == 0:
        machine.prove(answers[len(steps) - 1] == 0, 'zero only where a step fails')
    else:
        need(steps == wanted, 'all rounds')
        machine.prove(z3.And(*[answers[i] != 0 for i in range(len(steps))]), 'one only where every step holds')


def run(curve, check):
    return lambda: '' if paths(lambda decisions: Machine(module(curve), {}, decisions), check) else ''


def proofs():
    for curve in CURVES:
        parts = [('%s, %s' % (check.__name__, name), lambda check=check, tangent=tangent, curve=curve: check(curve, tangent))
                 for check in (denominator, affine_add) for name, tangent in (('chord', False), ('tangent', True))]
        parts += [('table_fill, %d bits' % width, run(curve, lambda machine, c=curve, width=width: fill(c, width, machine)))
                  for width in widths(curve)]
        names = ['slope_denominator', 'affine_add', 'build_first_rows', 'build_round', 'table_fill', 'defer_inversion', 'take_inverse']
        yield together('tables %s' % curve.name, parts + rounds(curve, 4), ['nist/nist_table.h ' + name for name in names], quick=True)
        yield together('tables %s, full' % curve.name, rounds(curve, WINDOWS[curve][0]), portable=True)
        if GENERATORS[curve] not in WINDOWS[curve]:
            yield together('tables %s, generator' % curve.name, rounds(curve, GENERATORS[curve]), portable=True)


def rounds(curve, width):
    parts = [('first rows, %d bits' % width, run(curve, lambda machine: first_rows(curve, width, machine)))]
    for known in (1 << i for i in range(width - 1)):
        parts.append(('round of %d, %d bits' % (known, width),
                      run(curve, lambda machine, known=known: one_round(curve, width, known, machine))))
    return parts
