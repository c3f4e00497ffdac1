"""RSA's numbers: from bytes to digits of 52 bits and back, comparison, and one subtraction of the modulus. And -1/n mod 2^52."""
import z3

from contracts.routine import prove
from contracts.unit import Number, Unit, compiled
from machine.machine import Machine
from machine.values import Unproven, Word
from registry import Proof
from solvers import solver

TEXT, FILE = '#include "rsa/rsa_key.c"\n', 'rsa/rsa_digits.h '
SHAPES = ((256, 40), (384, 60), (512, 80))


def unit(place):
    size, digits = SHAPES[place]
    number, octets = Number(digits, 52), Number(size, 8, size=1, reversed=True)
    counts = {name: number for name in ('a', 'b', 'x', 'n', 'digits')}
    bound = {'shape': '&kShapes[%d]' % place, 'count': str(digits)}
    constants, common = {'B': 256**size, 'R': 2**(52 * digits)}, {'bound': bound, 'counts': counts}
    return lambda **more: Unit('rsa', TEXT, constants=constants, **{**common, **more}), number, octets, digits


def proofs():
    for place in range(len(SHAPES)):
        make, number, octets, digits = unit(place)
        quick = place == 0
        yield prove(make(counts={'out': number, 'bytes': octets}), FILE + 'digits_from_bytes', quick=quick,
                    name='rsa digits_from_bytes, %d' % digits)
        yield prove(make(counts={'digits': number, 'out': octets}), FILE + 'bytes_from_digits',
                    name='rsa bytes_from_digits, %d' % digits)
        yield prove(make(), FILE + 'digits_less', name='rsa digits_less, %d' % digits)
        yield prove(make(outside=[FILE + 'digits_less']), FILE + 'reduce_once', quick=quick, name='rsa reduce_once, %d' % digits)
        twice = {'x': number, 'n': number}
        yield prove(make(outside=[FILE + 'digits_less'], counts={**twice, 'a': number, 'b': number}, bound={'digits': str(digits)}),
                    'rsa/rsa_key.c double_modulo', quick=quick, name='rsa double_modulo, %d' % digits)
    yield Proof('rsa negative_inverse', negative_inverse, ['rsa/rsa_key.c negative_inverse'], quick=True)


class Ring:
    """Words as polynomials in one odd number, modulo 2^64: {exponent: coefficient}."""
    at = None

    def constant(self, number, width):
        return Word({0: number} if number else {}, width)

    def binary(self, op, a, b, flags):
        if op == 'and':
            if b.value != {0: 2**52 - 1}:
                raise Unproven('a mask other than 52 bits')
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
    """The low 52 bits of a word."""


def negative_inverse():
    """The result is minus Newton's polynomial, whose rounds double the bits of the inverse."""
    ring = Ring()
    text = TEXT + 'uint64_t entry(uint64_t odd) { return negative_inverse(odd); }\n'
    found = Machine(compiled(text, (), ()), ring).call('@entry', [Word({1: 1}, 64)])
    inverse, bits = Word({1: 1}, 64), 3
    while bits < 52:
        product = ring.binary('mul', Word({1: 1}, 64), inverse, ())
        inverse, bits = ring.binary('mul', inverse, ring.binary('sub', ring.constant(2, 64), product, ()), ()), 2 * bits
    wanted = ring.binary('sub', ring.constant(0, 64), inverse, ())
    if not isinstance(found, Masked) or any(c % 2**52 for c in ring.sub(found.value, wanted.value).values()):
        raise Unproven('not shown: the result is -1/n mod 2^52 by Newton\'s rounds')
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
