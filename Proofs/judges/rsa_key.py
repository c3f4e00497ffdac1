"""RSA: a key's constants. R^2 mod n, and other powers, by doublings and squarings, -1/n of the lowest digit, zeros above the digits.

Every number on the way to a power is a power of two modulo n, so its exponent tells it. Three files build keys, with the same text.
"""
import functools

import z3

from calls.machine import Machine, front_end, paths
from judges.rsa_muludq import NUMBERS, SHAPES, WIDE_SHAPES
from judges.rsa_power import SHAPES as VECTOR_SHAPES
from machine.values import Pointer
from points.residue import need
from recoding.words import unknown, vector
from registry import together

I64, PTR = ('i', 64), ('ptr',)
MODULUS, DOUBLINGS = 'rsa/rsa_modulus.h ', 'rsa/rsa_doublings.h '
WIDE = {size: 2 * 52 * digits for size, digits in WIDE_SHAPES}  # the exponents of rsa_ifma256.c


class Kind:
    """A file that builds keys: its shapes as (bytes, digits, words), the bytes of one, the offset of a key's numbers, and its names."""

    def __init__(self, file, bits, shapes, shape, numbers, prefix, available, square=None):
        self.file, self.bits, self.shapes, self.shape, self.numbers = file, bits, shapes, shape, numbers
        self.size, self.build, self.available, self.square = prefix + '_bytes', prefix + '_build', available, square

    def module(self):
        return module(self.file)

    def shape_at(self, place):
        return Pointer('@kShapes', self.shape * place)


def narrow(shapes):
    return [(size, digits, digits) for size, digits in shapes]


VECTORS = Kind('rsa_key', 52, [(size, digits, 8 * vectors) for size, digits, vectors in VECTOR_SHAPES], 12, 64, 'cjwt_rsa_ifma_key',
               'cjwt_ifma_available', 'rsa_ifma_square')
LANES = Kind('rsa_muludq_key', 27, narrow(SHAPES), 8, NUMBERS, 'cjwt_rsa_lanes_key', 'cjwt_avx2_available', 'montgomery_square')
FOUR = Kind('rsa_ifma256', 52, narrow(WIDE_SHAPES), 8, NUMBERS, 'cjwt_rsa_ifma256_key', 'cjwt_ifma256_available')


@functools.lru_cache
def module(file):
    return front_end('#include "rsa/%s.c"\n' % file)


def same_places(found, wanted):
    return [(at.region, at.offset) for at in found] == [(at.region, at.offset) for at in wanted]


class Power:
    """2^exponent modulo n, below 2 n."""

    def __init__(self, exponent, below_n):
        self.exponent, self.below_n = exponent, below_n


class Squares:
    """`power_of_two` with doublings, squarings and subtractions as calls: 2^exponent."""

    def __init__(self, kind, place, exponent):
        self.kind, self.machine, self.exponent = kind, Machine(kind.module(), {}), exponent
        self.size, self.digits, self.words = kind.shapes[place]
        memory = self.machine.memory
        self.key, self.x = memory.region('key'), memory.region('x')
        memory.store(self.key, kind.shape_at(place), 8)
        memory.store(self.x, [0] * self.words, 8 * self.words)
        self.machine.routines.update({'double_modulo': self.double, kind.square: getattr(self, kind.square), 'reduce_once': self.reduce})

    def get(self, at):
        """A power that a call gave; or digits, which must be those of a power of two below n: n is odd and has its top bit set."""
        need(at.region == self.x.region and at.offset == 0, 'the number in place')
        above = self.machine.memory.load(Pointer(at.region, 8 * self.digits), ('arr', self.words - self.digits, I64))
        need(not any(above), 'zeros above the digits')
        cell = self.machine.memory.of(at.region)[0][0]
        if isinstance(cell, Power):
            return cell
        words, bits = self.machine.memory.load(at, ('arr', self.digits, I64)), self.kind.bits
        number = sum(word << (bits * i) for i, word in enumerate(words))
        exponent = number.bit_length() - 1
        need(number == 1 << exponent and max(words) >> bits == 0 and exponent < 8 * self.size, 'digits of a power of two below n')
        return Power(exponent, True)

    def put(self, at, power):
        self.machine.memory.store(at, power, 8 * self.digits)

    def modulus(self, at, digits):
        need((at.region, at.offset, digits) == (self.key.region, self.kind.numbers, self.digits), 'modulo n, all digits')

    def double(self, machine, arguments):
        x = self.get(arguments[0])
        self.modulus(*arguments[1:])
        need(x.below_n, 'double_modulo takes a number below n')
        self.put(arguments[0], Power(x.exponent + 1, True))

    def squared(self, to, at):
        self.put(to, Power(2 * self.get(at).exponent - self.kind.bits * self.digits, False))

    def rsa_ifma_square(self, machine, arguments):
        need(arguments[0].region == self.key.region and arguments[0].offset == 0, 'modulo n')
        self.squared(*arguments[1:])

    def montgomery_square(self, machine, arguments):
        at, n, inverse, scratch, digits = arguments
        self.modulus(n, digits)
        need((inverse.region, inverse.offset) == (self.key.region, 8), '-1/n of the key')
        need(scratch.region.startswith('square_modulo.q') and scratch.offset == 0, 'scratch memory of its own')
        need(machine.memory.sizes[scratch.region] >= 8 * self.digits, 'scratch memory for all digits')
        self.squared(at, at)

    def reduce(self, machine, arguments):
        self.modulus(*arguments[1:])
        self.put(arguments[0], Power(self.get(arguments[0]).exponent, True))

    def prove(self):
        radix = self.kind.bits * self.digits
        self.machine.call('power_of_two', [self.x, self.key, self.exponent - radix])
        found = self.get(self.x)
        need(found.exponent == self.exponent, 'the power is 2^%d, not 2^%d' % (self.exponent, found.exponent))
        need(found.below_n, 'it is below n')
        need(8 * self.size + 2 <= radix, '4 n < R')
        return ''


def power_of_two(kind, place, exponent):
    return Squares(kind, place, exponent).prove()


class Build:
    """A key exactly for an odd modulus with its top bit set, where the machine has the instructions."""

    def __init__(self, kind, place, machine):
        self.kind, self.machine, self.shape = kind, machine, kind.shape_at(place)
        self.size, self.digits, self.words = kind.shapes[place]
        memory = machine.memory
        self.key, self.source, self.last = memory.region('memory'), memory.region('modulus'), z3.BitVec('last', 8)
        self.first, self.available, self.inverse = z3.BitVec('first', 8), z3.BitVec('available', 32), z3.BitVec('inverse', 64)
        memory.store(self.source, self.first, 1)
        memory.store(Pointer(self.source.region, self.size - 1), self.last, 1)
        self.n, self.squared = [Pointer(self.key.region, kind.numbers + 8 * self.words * i) for i in range(2)]
        self.done = []
        machine.routines.update({
            'digits_from_bytes': self.read, 'negative_inverse': self.invert, 'power_of_two': self.power, 'rsa_power_of_two': self.octets,
            kind.available: lambda machine, arguments: self.available, 'llvm.memset.p0.i64': lambda machine, arguments: memory.store(
                arguments[0], [arguments[1]] * (arguments[2] // 8), arguments[2])})

    def zeros(self, at):
        need(self.machine.memory.load(at, ('arr', self.words, I64)) == [0] * self.words, 'the number was zero before')

    def read(self, machine, arguments):
        """n, or R^2 whose bytes rsa_power_of_two gave."""
        at, octets, shape = arguments
        name = 'n' if octets.region == self.source.region else 'squared'
        need(name == 'n' or self.done == [octets.region], 'bytes of the modulus, or of the power')
        need(same_places([at, octets, shape], [self.n if name == 'n' else self.squared, Pointer(octets.region), self.shape]),
             'a number is read from all bytes')
        self.zeros(at)
        machine.memory.store(at, unknown(name, self.digits), 8 * self.digits)
        if name == 'n':
            machine.assume(unknown('n', 1)[0] & 1 == z3.ZeroExt(56, self.last) & 1)  # the contract of digits_from_bytes

    def invert(self, machine, arguments):
        machine.prove(z3.And(arguments[0] == unknown('n', 1)[0], arguments[0] & 1 == 1), 'the inverse is of the odd lowest digit')
        return self.inverse

    def power(self, machine, arguments):
        need(same_places(arguments[:2], [self.squared, self.key]), 'R^2 follows n in the same key')
        need(arguments[2] == self.kind.bits * self.digits, 'R R is R^2')
        self.zeros(self.squared)
        self.check()
        self.done.append('here')

    def octets(self, machine, arguments):
        out, modulus, length, exponent = arguments
        need((modulus.region, modulus.offset, length, exponent) == (self.source.region, 0, self.size, WIDE[self.size]), 'R^2 modulo n')
        need(exponent == 2 * self.kind.bits * self.digits, 'of this R')
        need(out.offset == 0 and machine.memory.sizes[out.region] >= self.size, 'all its bytes')
        self.done.append(out.region)

    def check(self):
        """The numbers that the multiplications read."""
        machine, memory = self.machine, self.machine.memory
        need(same_places([memory.load(self.key, PTR)], [self.shape]), 'the shape of the size')
        machine.prove(vector(memory.load(Pointer(self.key.region, 8), I64)) == self.inverse, '-1/n')
        above = memory.load(Pointer(self.n.region, self.n.offset + 8 * self.digits), ('arr', self.words - self.digits, I64))
        need(not any(above), 'zeros above the digits of n')
        self.holds(self.n, 'n')

    def holds(self, at, name):
        self.machine.prove_all([(vector(a) == b, 'digit %d of %s' % (i, name)) for i, (a, b) in enumerate(zip(
            self.machine.memory.load(at, ('arr', self.digits, I64)), unknown(name, self.digits)))])

    def prove(self):
        answer = self.machine.call(self.kind.build, [self.key, self.source, self.size])
        fits = z3.And(z3.UGE(self.first, 0x80), self.last & 1 == 1, self.available != 0)
        need(answer in (0, 1) and len(self.done) == answer, 'one with a key')
        self.machine.prove(fits if answer else z3.Not(fits), 'a key exactly for an odd modulus of the full length')
        if answer:
            self.check()
            if self.kind.square is None:
                self.holds(self.squared, 'squared')


def sizes(kind, machine):
    """Every length: three have a shape, and memory for the two numbers; the others have none, and so no key."""
    length = z3.BitVec('length', 64)
    found, count = machine.call('shape_for', [length]), vector(machine.call(kind.size, [length]))
    wanted = z3.BitVecVal(0, 64)
    for place, (size, _, words) in enumerate(kind.shapes):
        wanted = z3.If(length == size, z3.BitVecVal(kind.numbers + 2 * 8 * words, 64), wanted)
        if same_places([found], [kind.shape_at(place)]):
            machine.prove(length == size, 'the shape of %d bytes' % size)
    if found.region == 'null':
        machine.prove(z3.And(*[length != shape[0] for shape in kind.shapes]), 'each of the three sizes has a shape')
        need(machine.call(kind.build, [Pointer('memory'), Pointer('modulus'), length]) == 0, 'no key without a shape')
    machine.prove(count == wanted, 'bytes of a shape and two numbers')


def other_power(place, machine):
    """rsa_power_of_two: the bytes of a power, which is computed with a key of its own."""
    (size, digits, _), memory, calls, made, shape = LANES.shapes[place], machine.memory, [], [], LANES.shape_at(place)
    out, source = memory.region('out'), memory.region('modulus')

    def begin(machine, arguments):
        key = arguments[0]
        need(same_places(arguments[1:], [shape, source]), 'a key of n')
        need(key.offset == 0 and memory.sizes[key.region] >= NUMBERS + 2 * 8 * digits, 'memory for the two numbers')
        made.append(Pointer(key.region, NUMBERS + 8 * digits))
        calls.append('begin')

    def power(machine, arguments):
        need(same_places(arguments[:1], made) and arguments[1].region == made[0].region, 'in the key')
        need(arguments[2] == WIDE[size] - LANES.bits * digits, '2^exponent is 2^k R')
        memory.store(arguments[1], shape, 8)
        calls.append('power')

    def write(machine, arguments):
        need(same_places(arguments, [out, made[0], shape]), 'all bytes of the power')
        calls.append('write')
    machine.routines.update({'begin_key': begin, 'power_of_two': power, 'bytes_from_digits': write})
    machine.call('rsa_power_of_two', [out, source, size, WIDE[size]])
    need(calls == ['begin', 'power', 'write'], 'a key, its power, and the bytes')


def run(kind, check):
    return lambda: '' if paths(lambda decisions: Machine(kind.module(), {}, decisions), check) else ''


def parts(kind, exponents=lambda size: []):
    """The sizes, and for each its key and the powers that are computed here."""
    yield 'sizes', run(kind, functools.partial(sizes, kind))
    for place, (size, digits, _) in enumerate(kind.shapes):
        for exponent in ([2 * kind.bits * digits] if kind.square else []) + exponents(size):
            yield '2^%d, %d bytes' % (exponent, size), functools.partial(power_of_two, kind, place, exponent)
        yield 'key_build, %d bytes' % size, run(kind, lambda machine, place=place: Build(kind, place, machine).prove())


def covered(kind, *names):
    return ['rsa/%s.c %s' % (kind.file, name) for name in (kind.size, kind.build, 'number_words', *names)] + [
        MODULUS + name for name in ('shape_for', 'key_bytes', 'begin_key')]


def proofs():
    powers = [DOUBLINGS + 'power_of_two']
    yield together('judge RSA, key', list(parts(VECTORS)), covered(VECTORS, 'square_modulo') + powers, quick=True)
    others = [('power of two, %d bytes' % shape[0], run(LANES, lambda machine, place=place: other_power(place, machine)))
              for place, shape in enumerate(LANES.shapes)]
    yield together('judge RSA, key without IFMA', list(parts(LANES, lambda size: [WIDE[size]])) + others,
                   covered(LANES, 'square_modulo', 'rsa_power_of_two') + powers, quick=True)
    yield together('judge RSA, key for 256-bit IFMA', list(parts(FOUR)), covered(FOUR), quick=True)
