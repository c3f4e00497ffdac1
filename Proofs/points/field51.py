"""The field of Ed25519 as calls: fe51 (field51.h) and its eight lanes fe8 (lanes.h).

An element has a residue and the bound of its digits.
"""
from constants.curves import Edwards
from machine.values import Pointer
from points.residue import need, number

Q = Edwards.p
TIGHT, LOOSE = (1 << 51) + (1 << 13), 1 << 54
CARRIED = (1 << 51) + (1 << 15)  # in lanes
SIZES = {'fe51': 40, 'fe8': 320}


class Element:
    def __init__(self, residue, high):
        self.residue, self.high = residue, high


def get(machine, at):
    value = machine.memory.of(at.region).get(at.offset, (None,))[0]
    if isinstance(value, Element):
        return value
    limbs = machine.memory.load(at, ('arr', 5, ('i', 64)))
    return Element(number(Q, sum(limb << (51 * i) for i, limb in enumerate(limbs))), max(limbs))


def put(machine, at, residue, high, field='fe51'):
    machine.memory.store(at, Element(residue, high), SIZES[field])


def at_most(element, bound, routine):
    need(element.high <= bound, '%s takes digits up to %#x, not %#x' % (routine, bound, element.high))


def multiply51(machine, arguments):
    a, b = get(machine, arguments[1]), get(machine, arguments[-1])
    for element in (a, b):
        at_most(element, LOOSE, 'a multiplication')
    put(machine, arguments[0], a.residue * b.residue, TIGHT)


def add51(machine, arguments):
    a, b = get(machine, arguments[1]), get(machine, arguments[2])
    need(a.high + b.high < 1 << 64, 'a sum fits its words')
    put(machine, arguments[0], a.residue + b.residue, a.high + b.high)


def subtract51(machine, arguments):
    a, b = get(machine, arguments[1]), get(machine, arguments[2])
    at_most(b, (1 << 52) - 38, 'fe51_subtract')
    need(a.high <= 1 << 63, 'a difference fits its words')
    put(machine, arguments[0], a.residue - b.residue, a.high + (1 << 52))


def carry51(machine, arguments):
    a = get(machine, arguments[1])
    at_most(a, LOOSE, 'fe51_carry')
    put(machine, arguments[0], a.residue, TIGHT)


def multiply8(machine, arguments):
    a, b = sorted([get(machine, arguments[1]), get(machine, arguments[2])], key=lambda element: element.high)
    at_most(a, CARRIED, 'one factor of fe8_multiply')
    at_most(b, (1 << 52) - 1, 'fe8_multiply')
    need(all((arguments[0].region, arguments[0].offset) != (at.region, at.offset) for at in arguments[1:]), 'fe8_multiply: apart')
    put(machine, arguments[0], a.residue * b.residue, (250 if b.high <= CARRIED else 345) << 51, 'fe8')


def carry8(machine, arguments):
    a = get(machine, arguments[1])
    at_most(a, (1 << 61) - 1, 'fe8_carry')
    put(machine, arguments[0], a.residue, CARRIED, 'fe8')


def add8(machine, arguments):
    a, b = get(machine, arguments[1]), get(machine, arguments[2])
    need(a.high + b.high < 1 << 64, 'a sum fits its lanes')
    put(machine, arguments[0], a.residue + b.residue, a.high + b.high, 'fe8')


def subtract8(machine, arguments):
    a, b = get(machine, arguments[1]), get(machine, arguments[2])
    at_most(b, 512 * ((1 << 51) - 19), 'fe8_subtract')
    need(a.high < 1 << 63, 'a difference fits its lanes')
    put(machine, arguments[0], a.residue - b.residue, a.high + (1 << 60), 'fe8')


def set8(machine, arguments):
    a = get(machine, arguments[1])
    put(machine, arguments[0], a.residue, a.high, 'fe8')


ROUTINES = {
    'fe51_multiply': multiply51, 'fe51_square': multiply51, 'fe51_add': add51, 'fe51_subtract': subtract51, 'fe51_carry': carry51,
    'fe8_multiply': multiply8, 'fe8_carry': carry8, 'fe8_add': add8, 'fe8_subtract': subtract8, 'fe8_set': set8,
}


def element_at(at, i, field='fe51'):
    return Pointer(at.region, at.offset + SIZES[field] * i)
