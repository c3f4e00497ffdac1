"""RSA in lanes without IFMA: a key's constants. R^2 mod n by doublings and squarings, and -1/n mod 2^27; and other powers of two.

The claims are those of rsa_key.py.
"""
import functools

import z3

from calls.machine import Machine, front_end, paths
from judges.rsa_key import I64, PTR, Power
from judges.rsa_muludq import NUMBERS, SHAPES
from machine.values import Pointer
from points.residue import need
from recoding.words import unknown, vector
from registry import together

BITS, SHAPE = 27, 8  # of a digit; the bytes of a shape
WIDE = {256: 2 * 52 * 40, 384: 2 * 52 * 60, 512: 2 * 52 * 80}  # the exponents of rsa_ifma256.c


@functools.lru_cache
def module():
    return front_end('#include "rsa/rsa_muludq_key.c"\n')


class Squares:
    """`power_of_two` with doublings, squarings and subtractions as calls: 2^exponent."""

    def __init__(self, place, exponent):
        (self.size, self.digits), self.machine, self.exponent = SHAPES[place], Machine(module(), {}), exponent
        memory = self.machine.memory
        self.key, self.x = memory.region('key'), memory.region('x')
        memory.store(self.key, Pointer('@kShapes', SHAPE * place), 8)
        memory.store(self.x, [0] * self.digits, 8 * self.digits)
        self.machine.routines.update({'double_modulo': self.double, 'montgomery_square': self.square, 'reduce_once': self.reduce})

    def get(self, at):
        """A power that a call gave; or digits, which must be those of a power of two below n: n is odd and has its top bit set."""
        need(at.region == self.x.region and at.offset == 0, 'the number in place')
        cell = self.machine.memory.of(at.region)[0][0]
        if isinstance(cell, Power):
            return cell
        words = self.machine.memory.load(at, ('arr', self.digits, I64))
        number = sum(word << (BITS * i) for i, word in enumerate(words))
        exponent = number.bit_length() - 1
        need(number == 1 << exponent and max(words) >> BITS == 0 and exponent < 8 * self.size, 'digits of a power of two below n')
        return Power(exponent, True)

    def put(self, at, power):
        self.machine.memory.store(at, power, 8 * self.digits)

    def modulus(self, at, digits):
        need((at.region, at.offset, digits) == (self.key.region, NUMBERS, self.digits), 'modulo n, all digits')

    def double(self, machine, arguments):
        x = self.get(arguments[0])
        self.modulus(*arguments[1:])
        need(x.below_n, 'double_modulo takes a number below n')
        self.put(arguments[0], Power(x.exponent + 1, True))

    def square(self, machine, arguments):
        at, n, inverse, scratch, digits = arguments
        self.modulus(n, digits)
        need((inverse.region, inverse.offset) == (self.key.region, 8), '-1/n of the key')
        need(scratch.region.startswith('power_of_two.q') and scratch.offset == 0, 'scratch memory of its own')
        need(machine.memory.sizes[scratch.region] >= 8 * self.digits, 'scratch memory for all digits')
        self.put(at, Power(2 * self.get(at).exponent - BITS * self.digits, False))

    def reduce(self, machine, arguments):
        self.modulus(*arguments[1:])
        self.put(arguments[0], Power(self.get(arguments[0]).exponent, True))

    def prove(self):
        self.machine.call('power_of_two', [self.x, self.key, self.exponent - BITS * self.digits])
        found = self.get(self.x)
        need(found.exponent == self.exponent, 'the power is 2^%d, not 2^%d' % (self.exponent, found.exponent))
        need(found.below_n, 'it is below n')
        need(8 * self.size + 2 <= BITS * self.digits, '4 n < R')


def build(place, machine):
    """A key exactly for an odd modulus with its top bit set, where the machine has the instructions."""
    size, digits = SHAPES[place]
    memory, source = machine.memory.region('memory'), machine.memory.region('modulus')
    first, last, available, inverse = z3.BitVec('first', 8), z3.BitVec('last', 8), z3.BitVec('available', 32), z3.BitVec('inverse', 64)
    machine.memory.store(source, first, 1)
    machine.memory.store(Pointer(source.region, size - 1), last, 1)
    n, squared, done = Pointer(memory.region, NUMBERS), Pointer(memory.region, NUMBERS + 8 * digits), []
    shape = Pointer('@kShapes', SHAPE * place)

    def read(machine, arguments):
        need([(at.region, at.offset) for at in arguments] == [(n.region, n.offset), (source.region, 0), (shape.region, shape.offset)],
             'n is read from the bytes')
        machine.memory.store(n, unknown('n', digits), 8 * digits)
        machine.assume(unknown('n', 1)[0] & 1 == z3.ZeroExt(56, last) & 1)  # the contract of digits_from_bytes

    def invert(machine, arguments):
        machine.prove(z3.And(arguments[0] == unknown('n', 1)[0], arguments[0] & 1 == 1), 'the inverse is of the odd lowest digit')
        return inverse

    def square(machine, arguments):
        need([(at.region, at.offset) for at in arguments[:2]] == [(squared.region, squared.offset), (memory.region, 0)],
             'R^2 follows n in the same key')
        need(arguments[2] == BITS * digits, 'R R is R^2')
        need(machine.memory.load(squared, ('arr', digits, I64)) == [0] * digits, 'the number was zero before')
        check()
        done.append(1)

    def check():
        """The numbers that the multiplications read."""
        held = machine.memory.load(memory, PTR)
        need((held.region, held.offset) == (shape.region, shape.offset), 'the shape of the size')
        machine.prove(vector(machine.memory.load(Pointer(memory.region, 8), I64)) == inverse, '-1/n')
        machine.prove_all([(vector(a) == b, 'digit %d of n' % i) for i, (a, b) in enumerate(zip(
            machine.memory.load(n, ('arr', digits, I64)), unknown('n', digits)))])
    machine.routines.update({'digits_from_bytes': read, 'negative_inverse': invert, 'power_of_two': square,
                             'cjwt_avx2_available': lambda machine, arguments: available,
                             'llvm.memset.p0.i64': lambda machine, arguments: machine.memory.store(
                                 arguments[0], [arguments[1]] * (arguments[2] // 8), arguments[2])})
    answer = machine.call('cjwt_rsa_lanes_key_build', [memory, source, size])
    fits = z3.And(z3.UGE(first, 0x80), last & 1 == 1, available != 0)
    need(answer in (0, 1) and len(done) == answer, 'one with a key')
    machine.prove(fits if answer else z3.Not(fits), 'a key exactly for an odd modulus of the full length')
    if answer:
        check()


def other_power(place, machine):
    """rsa_power_of_two: the bytes of a power, which is computed with a key of its own."""
    (size, digits), memory, calls, made = SHAPES[place], machine.memory, [], []
    out, source = memory.region('out'), memory.region('modulus')

    def begin(machine, arguments):
        key, shape, modulus = arguments
        need((shape.region, shape.offset, modulus.region, modulus.offset) == ('@kShapes', SHAPE * place, source.region, 0), 'a key of n')
        need(key.offset == 0 and memory.sizes[key.region] >= NUMBERS + 2 * 8 * digits, 'memory for the two numbers')
        made.append(key.region)
        calls.append('begin')

    def power(machine, arguments):
        need((arguments[0].region, arguments[0].offset, arguments[1].region) == (made[0], NUMBERS + 8 * digits, made[0]), 'in the key')
        need(arguments[2] == WIDE[size] - BITS * digits, '2^exponent is 2^k R')
        memory.store(arguments[1], Pointer('@kShapes', SHAPE * place), 8)
        calls.append('power')

    def write(machine, arguments):
        shape = ('@kShapes', SHAPE * place)
        need([(at.region, at.offset) for at in arguments] == [(out.region, 0), (made[0], NUMBERS + 8 * digits), shape],
             'all bytes of the power')
        calls.append('write')
    machine.routines.update({'begin_key': begin, 'power_of_two': power, 'bytes_from_digits': write})
    machine.call('rsa_power_of_two', [out, source, size, WIDE[size]])
    need(calls == ['begin', 'power', 'write'], 'a key, its power, and the bytes')


def sizes(machine):
    """Every length: three have a shape, and memory for the two numbers; the others have none, and so no key."""
    length = z3.BitVec('length', 64)
    found, count = machine.call('shape_for', [length]), vector(machine.call('cjwt_rsa_lanes_key_bytes', [length]))
    wanted = z3.BitVecVal(0, 64)
    for place, (size, digits) in enumerate(SHAPES):
        wanted = z3.If(length == size, z3.BitVecVal(NUMBERS + 2 * 8 * digits, 64), wanted)
        if (found.region, found.offset) == ('@kShapes', SHAPE * place):
            machine.prove(length == size, 'the shape of %d bytes' % size)
    if found.region == 'null':
        machine.prove(z3.And(*[length != size for size, _ in SHAPES]), 'each of the three sizes has a shape')
        need(machine.call('cjwt_rsa_lanes_key_build', [Pointer('memory'), Pointer('modulus'), length]) == 0, 'no key without a shape')
    machine.prove(count == wanted, 'bytes of a shape and two numbers')


def run(check):
    return lambda: '' if paths(lambda decisions: Machine(module(), {}, decisions), check) else ''


def proofs():
    parts = [('sizes', run(sizes))]
    for place, (size, _) in enumerate(SHAPES):
        for exponent in (2 * BITS * SHAPES[place][1], WIDE[size]):
            parts.append(('2^%d, %d bytes' % (exponent, size), lambda place=place, exponent=exponent: Squares(place, exponent).prove()))
        parts += [('key_build, %d bytes' % size, run(lambda machine, place=place: build(place, machine))),
                  ('power of two, %d bytes' % size, run(lambda machine, place=place: other_power(place, machine)))]
    yield together('judge RSA, key without IFMA', parts, ['rsa/rsa_muludq_key.c ' + name for name in (
        'power_of_two', 'begin_key', 'rsa_power_of_two', 'shape_for', 'cjwt_rsa_lanes_key_bytes', 'cjwt_rsa_lanes_key_build')], quick=True)
