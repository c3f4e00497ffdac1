"""RSA: a key's constants. R^2 mod n by doublings and squarings, -1/n mod 2^52, and zeros above each number's digits.

Every number on the way to R^2 is a power of two modulo n, so its exponent tells it.
"""
import functools

import z3

from calls.machine import Machine, front_end, paths
from judges.rsa_power import SHAPES
from machine.values import Pointer
from points.residue import need
from recoding.words import unknown, vector
from registry import together

I64, PTR, NUMBERS, SHAPE = ('i', 64), ('ptr',), 64, 20  # the offset of the numbers in a key; the bytes of a shape


@functools.lru_cache
def module():
    return front_end('#include "rsa/rsa_key.c"\n')


class Power:
    """2^exponent modulo n, below 2 n."""

    def __init__(self, exponent, below_n):
        self.exponent, self.below_n = exponent, below_n


class Squares:
    """`r_squared` with doublings, squarings and the last subtraction as calls."""

    def __init__(self, place):
        (self.size, self.digits, self.vectors), self.machine = SHAPES[place], Machine(module(), {})
        memory = self.machine.memory
        self.key, self.x = memory.region('key'), memory.region('x')
        memory.store(self.key, Pointer('@kShapes', SHAPE * place), 8)
        memory.store(self.x, [0] * 8 * self.vectors, 64 * self.vectors)
        self.machine.routines.update({'double_modulo': self.double, 'rsa_ifma_square': self.square, 'reduce_once': self.reduce})

    def get(self, at):
        """A power that a call gave; or digits, which must be those of a power of two below n: n is odd and has its top bit set."""
        need(at.region == self.x.region and at.offset == 0, 'the number in place')
        above = self.machine.memory.load(Pointer(at.region, 8 * self.digits), ('arr', 8 * self.vectors - self.digits, I64))
        need(not any(above), 'zeros above the digits')
        cell = self.machine.memory.of(at.region)[0][0]
        if isinstance(cell, Power):
            return cell
        words = self.machine.memory.load(at, ('arr', self.digits, I64))
        number = sum(word << (52 * i) for i, word in enumerate(words))
        exponent = number.bit_length() - 1
        need(number == 1 << exponent and max(words) < 1 << 52 and exponent < 8 * self.size, 'digits of a power of two below n')
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
        need(arguments[0].region == self.key.region and arguments[0].offset == 0, 'modulo n')
        self.put(arguments[1], Power(2 * self.get(arguments[2]).exponent - 52 * self.digits, False))

    def reduce(self, machine, arguments):
        self.modulus(*arguments[1:])
        self.put(arguments[0], Power(self.get(arguments[0]).exponent, True))

    def prove(self):
        self.machine.call('r_squared', [self.x, self.key])
        found = self.get(self.x)
        need(found.exponent == 2 * 52 * self.digits, 'R^2 is 2^%d, not 2^%d' % (2 * 52 * self.digits, found.exponent))
        need(found.below_n, 'it is below n')
        need(8 * self.size + 2 <= 52 * self.digits, '4 n < R')


def build(place, machine):
    """A key exactly for an odd modulus with its top bit set, where the machine has the instructions."""
    size, digits, vectors = SHAPES[place]
    memory, source = machine.memory.region('memory'), machine.memory.region('modulus')
    first, last, available, inverse = z3.BitVec('first', 8), z3.BitVec('last', 8), z3.BitVec('available', 32), z3.BitVec('inverse', 64)
    machine.memory.store(source, first, 1)
    machine.memory.store(Pointer(source.region, size - 1), last, 1)
    n, squared, done = Pointer(memory.region, NUMBERS), Pointer(memory.region, NUMBERS + 64 * vectors), []
    shape = Pointer('@kShapes', SHAPE * place)

    def zeros(at):
        need(machine.memory.load(at, ('arr', 8 * vectors, I64)) == [0] * 8 * vectors, 'the number was zero before')

    def read(machine, arguments):
        need([(at.region, at.offset) for at in arguments] == [(n.region, n.offset), (source.region, 0), (shape.region, shape.offset)],
             'n is read from the bytes')
        zeros(n)
        machine.memory.store(n, unknown('n', digits), 8 * digits)
        machine.assume(unknown('n', 1)[0] & 1 == z3.ZeroExt(56, last) & 1)  # the contract of digits_from_bytes

    def invert(machine, arguments):
        machine.prove(z3.And(arguments[0] == unknown('n', 1)[0], arguments[0] & 1 == 1), 'the inverse is of the odd lowest digit')
        return inverse

    def square(machine, arguments):
        need([(at.region, at.offset) for at in arguments] == [(squared.region, squared.offset), (memory.region, 0)],
             'R^2 follows n in the same key')
        zeros(squared)
        check()
        done.append(1)

    def check():
        """The numbers that the multiplications read."""
        held = machine.memory.load(memory, PTR)
        need((held.region, held.offset) == (shape.region, shape.offset), 'the shape of the size')
        machine.prove(vector(machine.memory.load(Pointer(memory.region, 8), I64)) == inverse, '-1/n')
        above = machine.memory.load(Pointer(n.region, n.offset + 8 * digits), ('arr', 8 * vectors - digits, I64))
        need(not any(above), 'zeros above the digits of n')
        machine.prove_all([(vector(a) == b, 'digit %d of n' % i) for i, (a, b) in enumerate(zip(
            machine.memory.load(n, ('arr', digits, I64)), unknown('n', digits)))])
    machine.routines.update({'digits_from_bytes': read, 'negative_inverse': invert, 'r_squared': square,
                             'cjwt_ifma_available': lambda machine, arguments: available,
                             'llvm.memset.p0.i64': lambda machine, arguments: machine.memory.store(
                                 arguments[0], [arguments[1]] * (arguments[2] // 8), arguments[2])})
    answer = machine.call('cjwt_rsa_ifma_key_build', [memory, source, size])
    fits = z3.And(z3.UGE(first, 0x80), last & 1 == 1, available != 0)
    need(answer in (0, 1) and len(done) == answer, 'one with a key')
    machine.prove(fits if answer else z3.Not(fits), 'a key exactly for an odd modulus of the full length')
    if answer:
        check()


def sizes(machine):
    """Every length: three have a shape, and memory for the two numbers; the others have none, and so no key."""
    length = z3.BitVec('length', 64)
    found, count = machine.call('shape_for', [length]), vector(machine.call('cjwt_rsa_ifma_key_bytes', [length]))
    wanted = z3.BitVecVal(0, 64)
    for place, (size, _, vectors) in enumerate(SHAPES):
        wanted = z3.If(length == size, z3.BitVecVal(NUMBERS + 2 * 64 * vectors, 64), wanted)
        if (found.region, found.offset) == ('@kShapes', SHAPE * place):
            machine.prove(length == size, 'the shape of %d bytes' % size)
    if found.region == 'null':
        machine.prove(z3.And(*[length != size for size, _, _ in SHAPES]), 'each of the three sizes has a shape')
        need(machine.call('cjwt_rsa_ifma_key_build', [Pointer('memory'), Pointer('modulus'), length]) == 0, 'no key without a shape')
    machine.prove(count == wanted, 'bytes of a shape and two numbers')


def run(check):
    return lambda: '' if paths(lambda decisions: Machine(module(), {}, decisions), check) else ''


def proofs():
    parts = [('sizes', run(sizes))]
    for place, shape in enumerate(SHAPES):
        parts += [('r_squared, %d bytes' % shape[0], lambda place=place: Squares(place).prove()),
                  ('key_build, %d bytes' % shape[0], run(lambda machine, place=place: build(place, machine)))]
    yield together('judge RSA, key', parts, ['rsa/rsa_key.c ' + name for name in (
        'r_squared', 'shape_for', 'cjwt_rsa_ifma_key_bytes', 'cjwt_rsa_ifma_key_build')], quick=True)
