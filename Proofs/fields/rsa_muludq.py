"""RSA in lanes without IFMA: almost-Montgomery multiplication and squaring, in digits of 27 bits, for one, four and eight lanes.

The claims are those of fields/rsa.py. Here a quotient digit d = c inverse mod 2^27 of a column c is multiplied with n[0] in full, and the
domain names c + d n[0], which is a multiple of 2^27, 2^27 m.
"""
from contracts.unit import compiled
from fields.rsa import bounds, check_text, identity
from integers.decisions import paths
from integers.polynomial import add, scale, trailing_zeros, value
from integers.words import Integers
from machine.lanes import one, spread
from machine.machine import Machine
from machine.values import Pointer, Word
from registry import Proof

BITS = 27
MASK = (1 << BITS) - 1
DIGITS = {2048: 76, 3072: 116, 4096: 152}
FILES = {1: 'rsa_muludq_key', 4: 'rsa_avx2', 8: 'rsa_avx512f'}
ENTRIES = '''#include "rsa/%(file)s.c"
%(target)s void entry_multiply(uint64_t *x, const uint64_t *y, const uint64_t *n, const uint64_t *inverse, uint64_t *q, size_t digits) {
    montgomery_multiply(x, y, n, inverse, q, digits);
}
%(target)s void entry_square(uint64_t *x, const uint64_t *n, const uint64_t *inverse, uint64_t *q, size_t digits) {
    montgomery_square(x, n, inverse, q, digits);
}
'''
ASSUMED = 'digits(n) < 2^27, 4 n < R, inverse n[0] = -1 (mod 2^27)'
FILE = 'rsa/rsa_muludq_multiply.h '
CONTRACTS = {
    FILE + 'montgomery_multiply': 'digits(x) < 2^27, digits(y) < 2^27, ' + ASSUMED +
                              ", x < 2 n, y < 2 n => R x' = x y (mod n), x' < 2 n, digits(x') < 2^27",
    FILE + 'montgomery_square': 'digits(x) < 2^27, ' + ASSUMED + ", x < 2 n => R x' = x^2 (mod n), x' < 2 n, digits(x') < 2^27",
}


class Montgomery(Integers):
    """`inverse` and `lowest` are the variables of -1/n mod 2^27 and of n's lowest digit; `quotients` are the quotient digits, in order."""

    def __init__(self, decisions=()):
        super().__init__(decisions)
        self.inverse = self.lowest = None
        self.quotients, self.times_inverse, self.products = [], {}, {}

    def word_mul(self, a, b, flags):
        for x, y in ((a, b), (b, a)):
            if y.value == {(self.inverse,): 1}:
                product = self.variable('%%inverse%d' % len(self.times_inverse), 0, (1 << x.width) - 1)
                self.times_inverse[next(iter(product))[0]] = self.unsigned(x)
                return Word(product, x.width)
        return super().word_mul(a, b, flags)

    def masked(self, a, k):
        if k == MASK and len(a.value) == 1:
            monomial, c = next(iter(a.value.items()))
            if c == 1 and len(monomial) == 1 and monomial[0] in self.times_inverse:
                return self.quotient(self.times_inverse[monomial[0]])
        return super().masked(a, k)

    def quotient(self, column):
        d = self.variable('%%quotient%d' % len(self.quotients), 0, MASK)
        m = self.variable('%%multiple%d' % len(self.quotients), 0, (self.range(column)[1] + MASK * MASK) >> BITS)
        self.products[tuple(sorted((next(iter(d))[0], self.lowest)))] = add(scale(m, 1 << BITS), column, -1)
        self.quotients.append(d)
        return d

    def floor(self, p, k):
        if any(monomial in self.products for monomial in p):
            known = self.substitute(p)
            if trailing_zeros(known) >= k:
                return {monomial: c >> k for monomial, c in known.items()}
        return super().floor(p, k)

    def substitute(self, p):
        """p with the known products put in."""
        r = {monomial: c for monomial, c in p.items() if monomial not in self.products}
        for monomial in p.keys() - r.keys():
            r = add(r, self.products[monomial], p[monomial])
        return r


class Lanes:
    """Digit i of each number is in vector i, and each lane computes by itself. One lane is a word."""

    def __init__(self, lanes, digits, context, file=None, target='MULUDQ', bits=BITS):
        self.lanes, self.digits, self.context, self.bits, self.mask = lanes, digits, context, bits, (1 << bits) - 1
        self.machine = Machine(compiled(ENTRIES % {'file': file or FILES[lanes], 'target': target}, (), ()), context)

    def number(self, name):
        """Digits of a number below 2 n, so below R / 2: the highest has a bit less. So has that of n."""
        return [self.context.variable('%s%d' % (name, i), 0, self.mask >> (i + 1 == self.digits)) for i in range(self.digits)]

    def place(self, name, digits=(), size=None):
        at = self.machine.memory.region(name, 8 * self.lanes * (size or self.digits))
        for i, x in enumerate(digits):
            self.machine.memory.store(Pointer(at.region, 8 * self.lanes * i), spread(Word(x, 64), self.lanes), 8 * self.lanes)
        return at

    def read(self, at):
        kind = ('vec', self.lanes, ('i', 64))
        return [self.context.unsigned(one(self.machine.memory.load(Pointer(at.region, 8 * self.lanes * i), kind), 'the result'))
                for i in range(self.digits)]

    def run(self, squares):
        x, n = self.number('x'), self.number('n')
        y = x if squares else self.number('y')
        inverse = self.context.variable('inverse', 0, self.mask)
        self.context.inverse, self.context.lowest = next(iter(inverse))[0], next(iter(n[0]))[0]
        at, others = self.place('x', x), [self.place('n', n), self.place('inverse', [inverse], 1), self.place('q')]
        count = self.context.constant(self.digits, 64)
        if squares:
            self.machine.call('@entry_square', [at, *others, count])
        else:
            self.machine.call('@entry_multiply', [at, self.place('y', y), *others, count])
        result = self.read(at)
        return x, y, n, result, value(result, self.bits)


def prove(id, lanes, bits):
    def run():
        check_text(id, CONTRACTS[id])
        bounds()
        work = []

        def one_path(context):
            kernel = Lanes(lanes, DIGITS[bits], context)
            identity(context, *kernel.run('square' in id), bits=BITS)
            work.append(kernel.machine.instructions)
        paths(Montgomery, one_path)
        return '%d paths, %d instructions' % (len(work), sum(work))
    return Proof('rsa %s, %d in %d lanes' % (id.split()[1], bits, lanes), run, [id], quick=bits == 2048 and lanes == 4)


def proofs():
    for id in CONTRACTS:
        for lanes in FILES:
            for bits in DIGITS if lanes > 1 or 'square' in id else ():  # a key takes only squares
                yield prove(id, lanes, bits)
