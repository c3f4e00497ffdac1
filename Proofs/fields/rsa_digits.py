"""RSA's numbers: from bytes to digits and back, comparison, and one subtraction of the modulus. And -1/n of the lowest digit."""
import z3

from contracts.routine import prove
from contracts.unit import Number, Unit, compiled
from machine.machine import Machine
from machine.values import Unproven, Word
from registry import Proof
from solvers import solver

FILE, LANES = 'rsa/rsa_digits.h ', 'rsa/rsa_muludq_power.h '
BYTES = (256, 384, 512)


class Held:
    """How a file holds a number of each size: digits of so many bits, `stride` words from one to the next."""

    def __init__(self, file, shape, bits, counts, stride=1, where=''):
        self.file, self.shape, self.bits, self.counts, self.stride = file, shape, bits, counts, stride
        self.where = where or (' in %d lanes' % stride if stride > 1 else '')

    def text(self):
        """The unit, with the sizes under one name."""
        sizes = ', '.join('{.bytes = %d, .digits = %d}' % pair for pair in zip(BYTES, self.counts))
        return '#include "rsa/%s.c"\nstatic const %s kSizes[] = {%s};\n' % (self.file, self.shape, sizes)

    def number(self, place):
        return Number(self.counts[place], self.bits, stride=self.stride)

    def unit(self, place, counts=None, bound=None, outside=()):
        number, digits = self.number(place), self.counts[place]
        counts = {**{name: number for name in ('a', 'b', 'x', 'n', 'digits')}, **(counts or {})}
        constants = {'B': 256**BYTES[place], 'R': 2**(self.bits * digits), 'W': 2**self.bits}
        bound = bound or {'shape': '&kSizes[%d]' % place, 'count': str(digits)}
        return Unit('rsa', self.text(), constants=constants, bound=bound, counts=counts, outside=outside)

    def name(self, routine, place):
        return 'rsa %s, %d%s' % (routine, self.counts[place], self.where)


IFMA = Held('rsa_key', 'rsa_ifma_shape', 52, (40, 60, 80))
KEY, FOUR, EIGHT = [Held(file, 'rsa_muludq_shape', 27, (76, 116, 152), stride)
                    for file, stride in (('rsa_muludq_key', 1), ('rsa_avx2', 4), ('rsa_avx512f', 8))]
# With IFMA in 256-bit registers. VEX and EVEX have the same output (fields/rsa_ifma256.py).
KEY_256, FOUR_256 = [Held(file, 'rsa_ifma256_shape', 52, IFMA.counts, stride, where) for file, stride, where in (
    ('rsa_ifma256', 1, ' of a key for four lanes'), ('rsa_avxifma', 4, ''))]


def proofs():
    for held in (IFMA, KEY, FOUR, EIGHT, KEY_256, FOUR_256):
        for place, size in enumerate(BYTES):
            quick = place == 0 and held in (IFMA, FOUR, FOUR_256)
            yield from of_size(held, place, Number(size, 8, size=1, reversed=True), quick)
    for file, bits in (('rsa_key', 52), ('rsa_ifma256', 52), ('rsa_muludq_key', 27)):
        yield Proof('rsa negative_inverse, %d bits, %s' % (bits, file), lambda file=file, bits=bits: negative_inverse(file, bits),
                    ['rsa/rsa_modulus.h negative_inverse'], quick=True)


def of_size(held, place, octets, quick):
    def routine(name, file=FILE, quick=False, **unit):
        return prove(held.unit(place, **unit), file + name, quick=quick, name=held.name(name, place))

    number, less = held.number(place), [FILE + 'digits_less']
    yield routine('digits_from_bytes', quick=quick, counts={'out': number, 'bytes': octets})
    if held is IFMA:  # fields/rsa_turns.py has the others
        yield routine('digits_less')
        yield routine('reduce_once', quick=quick, outside=less)
        yield routine('double_modulo', 'rsa/rsa_doublings.h ', quick, outside=less, bound={'digits': str(held.counts[place])})
    if held is not KEY_256:
        yield routine('bytes_from_digits', counts={'digits': number, 'out': octets})
    if held.stride > 1:
        plain, bound = Number(held.counts[place], held.bits), {'count': str(held.counts[place])}
        yield routine('put_lane', LANES, quick, counts={'lane': number, 'digits': plain}, bound=bound)
        yield routine('clear_lane', LANES, quick, counts={'lane': number}, bound=bound)


class Ring:
    """Words as polynomials in one odd number, modulo 2^64: {exponent: coefficient}."""
    at = None

    def __init__(self, bits=52):
        self.bits = bits

    def constant(self, number, width):
        return Word({0: number} if number else {}, width)

    def binary(self, op, a, b, flags):
        if op == 'and':
            if b.value != {0: 2**self.bits - 1}:
                raise Unproven('a mask other than %d bits' % self.bits)
            return Masked(a.value, a.width)
        return Word({e: c % 2**64 for e, c in getattr(self, op)(a.value, b.value).items() if c % 2**64}, a.width)

    def add(self, p, q, sign=1):
        return {e: p.get(e, 0) + sign * q.get(e, 0) for e in p.keys() | q.keys()}

    def sub(self, p, q):
        return self.add(p, q, -1)

    def mul(self, p, q):
        r = {}
        for e, c in p.items():
            for f, d in q.items():
                r[e + f] = r.get(e + f, 0) + c * d
        return r

    def shl(self, p, q):
        return {e: c << q.get(0, 0) for e, c in p.items()}


class Masked(Word):
    """The low bits of a word, those of a digit."""


def negative_inverse(file, digit):
    """The result is minus Newton's polynomial, whose rounds double the bits of the inverse."""
    ring = Ring(digit)
    text = '#include "rsa/%s.c"\n' % file + 'uint64_t entry(uint64_t odd) { return negative_inverse(odd); }\n'
    found = Machine(compiled(text, (), ()), ring).call('@entry', [Word({1: 1}, 64)])
    inverse, bits = Word({1: 1}, 64), 3
    while bits < digit:
        product = ring.binary('mul', Word({1: 1}, 64), inverse, ())
        inverse, bits = ring.binary('mul', inverse, ring.binary('sub', ring.constant(2, 64), product, ()), ()), 2 * bits
    wanted = ring.binary('sub', ring.constant(0, 64), inverse, ())
    if not isinstance(found, Masked) or any(c % 2**digit for c in ring.sub(found.value, wanted.value).values()):
        raise Unproven('not shown: the result is -1/n mod 2^%d by Newton\'s rounds' % digit)
    newton()
    return 'a polynomial of degree %d' % max(wanted.value)


def newton():
    """(o x - 1)^2 = 1 - o x (2 - o x): so a product that is 1 modulo 2^k becomes 1 modulo 2^2k. And o o = 1 modulo 8 for odd o."""
    o, x = z3.Ints('o x')
    s = solver()
    s.add(1 - o * (x * (2 - o * x)) != (o * x - 1) * (o * x - 1))
    odd = z3.BitVec('odd', 3)
    t = solver()
    t.add(odd & 1 == 1, odd * odd != 1)
    if s.check() != z3.unsat or t.check() != z3.unsat:
        raise Unproven('not shown: the identity of Newton\'s rounds')
