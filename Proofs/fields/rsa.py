"""RSA: almost-Montgomery multiplication and squaring modulo any odd n of 2048, 3072 or 4096 bits, for one token and for eight.

The execution gives R x' + R^2 f = x y + q n as an identity, where f is what the highest digit drops. The bounds of the contract then give
x' < 2 n and f = 0 for any such numbers, once.
"""
import z3

from contracts.sources import functions
from contracts.unit import compiled
from fields.montgomery import BITS, MASK, Montgomery
from integers.decisions import paths
from integers.polynomial import add, multiply, scale, value
from machine.lanes import one, spread
from machine.machine import Machine
from machine.values import Pointer, Unproven, Word
from registry import Proof
from solvers import solver

DIGITS = {2048: 40, 3072: 60, 4096: 80}
ASSUMED = 'digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52)'
MULTIPLIED = ('digits(%s) < 2^52, digits(%s) < 2^52, ' + ASSUMED +
              ', %s < 2 n, %s < 2 n => R %s = %s %s (mod n), %s < 2 n, digits(%s) < 2^52')
SQUARED = 'digits(%s) < 2^52, ' + ASSUMED + ', %s < 2 n => R %s = %s^2 (mod n), %s < 2 n, digits(%s) < 2^52'
CONTRACTS = {
    'rsa/rsa_lanes_multiply.c rsa_ifma_multiply8': MULTIPLIED % ('x', 'y', 'x', 'y', "x'", 'x', 'y', "x'", "x'"),
    'rsa/rsa_lanes_multiply.c rsa_ifma_square8': SQUARED % ('x', 'x', "x'", 'x', "x'", "x'"),
    'rsa/rsa_single_multiply.c rsa_ifma_multiply': MULTIPLIED % ('a', 'b', 'a', 'b', 'r', 'a', 'b', 'r', 'r'),
    'rsa/rsa_single_multiply.c rsa_ifma_square': SQUARED % ('a', 'a', 'r', 'a', 'r', 'r'),
}
CARRY = 'rsa/rsa_carry.h carry_columns'
CARRIED = "=> columns' = columns (mod 2^(416 vectors)), digits(columns') < 2^52"


def number(kernel, name):
    """Digits of a number below 2 n, so below R / 2: the highest is below 2^51. So is that of n."""
    return [kernel.context.variable('%s%d' % (name, i), 0, MASK >> (i + 1 == kernel.digits)) for i in range(kernel.digits)]


class Lanes:
    """The kernel for eight tokens: digit i of each number is in vector i, and each lane computes by itself."""

    def __init__(self, digits, context):
        self.digits, self.context = digits, context
        self.machine = Machine(compiled('#include "rsa/rsa_lanes_multiply.c"\n', (), ()), context)

    def place(self, name, digits=()):
        at = self.machine.memory.region(name)
        for i, x in enumerate(digits):
            self.machine.memory.store(Pointer(at.region, 64 * i), spread(Word(x, 64), 8), 64)
        return at

    def read(self, at):
        found = []
        for i in range(self.digits):
            lanes = self.machine.memory.load(Pointer(at.region, 64 * i), ('vec', 8, ('i', 64)))
            found.append(self.context.unsigned(one(lanes, 'the result')))
        return found

    def run(self, squares):
        x, n = number(self, 'x'), number(self, 'n')
        y = x if squares else number(self, 'y')
        inverse = self.context.variable('inverse', 0, MASK)
        self.context.inverse, self.context.lowest = next(iter(inverse))[0], next(iter(n[0]))[0]
        at, modulus, scratch = self.place('x', x), self.place('n', n), self.place('q')
        inverses = self.place('inverse', [inverse])
        count = self.context.constant(self.digits, 64)
        if squares:
            self.machine.call('@rsa_ifma_square8', [at, modulus, inverses, scratch, count])
        else:
            self.machine.call('@rsa_ifma_multiply8', [at, self.place('y', y), modulus, inverses, scratch, count])
        result = self.read(at)
        return x, y, n, result, value(result, BITS)


class Single:
    """The kernel for one token: eight digits to a vector, and above the number's digits zeros. The last carries are a call."""

    def __init__(self, digits, context):
        self.digits, self.context = digits, context
        self.places = (digits + 7) // 8 * 8
        module = compiled('#include "rsa/rsa_single_multiply.c"\n', (), (CARRY,))
        self.machine = Machine(module, context, {'carry_columns': self.carry})
        self.carried = None

    def carry(self, machine, arguments):
        """Digits with the columns' value, but for what the vectors do not hold."""
        columns = [self.context.unsigned(machine.memory.load(Pointer(arguments[0].region, arguments[0].offset + 8 * i), ('i', 64)))
                   for i in range(self.places)]
        digits = [self.context.variable('%%digit%d' % i, 0, MASK) for i in range(self.places)]
        for i, x in enumerate(digits):
            machine.memory.store(Pointer(arguments[0].region, arguments[0].offset + 8 * i), Word(x, 64), 8)
        dropped = self.context.variable('%dropped', 0, 1 << 64)
        self.carried = digits, add(value(columns, BITS), scale(dropped, 1 << (BITS * self.places)), -1)

    def place(self, at, digits):
        for i in range(self.places):
            self.machine.memory.store(Pointer(at.region, at.offset + 8 * i), Word(digits[i] if i < self.digits else {}, 64), 8)
        return at

    def key(self, n):
        """rsa_ifma_key: shape, inverse, and from byte 64 on n."""
        memory, inverse = self.machine.memory, self.context.variable('inverse', 0, MASK)
        self.context.inverse, self.context.lowest = next(iter(inverse))[0], next(iter(n[0]))[0]
        key, shape = memory.region('key'), memory.region('shape')
        for offset, number in ((4, self.digits), (8, self.places // 8)):
            memory.store(Pointer(shape.region, offset), self.context.constant(number, 32), 4)
        memory.store(key, shape, 8)
        memory.store(Pointer(key.region, 8), Word(inverse, 64), 8)
        self.place(Pointer(key.region, 64), n)
        return key

    def run(self, squares):
        a, n = number(self, 'a'), number(self, 'n')
        b = a if squares else number(self, 'b')
        memory = self.machine.memory
        result, first = memory.region('r'), self.place(memory.region('a'), a)
        operands = [self.key(n), result, first] + ([] if squares else [self.place(memory.region('b'), b)])
        self.machine.call('@rsa_ifma_square' if squares else '@rsa_ifma_multiply', operands)
        digits, carried = self.carried
        found = [memory.load(Pointer(result.region, 8 * i), ('i', 64)).value for i in range(self.places)]
        if found != digits:
            raise Unproven('the result is not what the carries gave')
        return a, b, n, digits, carried


def identity(context, x, y, n, result, carried, bits=BITS):
    """Shows R x' + R 2^(bits places) f = x y + q n for a number f >= 0, and that x' has digits of so many bits."""
    r = 1 << (bits * len(x))
    for i, digit in enumerate(result):
        if context.range(digit)[1] >> bits:
            raise Unproven('digit %d of the result may reach 2^%d' % (i, bits))
    if len(context.quotients) != len(x):
        raise Unproven('%d quotient digits for %d digits' % (len(context.quotients), len(x)))
    x, y, n, q = (value(digits, bits) for digits in (x, y, n, context.quotients))
    left = add(scale(carried, r), multiply(x, y), -1)
    rest = folded(context, context.expand(add(left, context.substitute(multiply(q, n)), -1)))
    unit = r << (bits * len(result))
    if any(c > 0 or c % unit or any(context.low[v] < 0 for v in monomial) for monomial, c in rest.items()):
        lines = sorted({str(context.origin[v]) for monomial in rest for v in monomial if context.is_derived(v)})
        raise Unproven('not shown: R x\' = x y + q n; what does not cancel comes from %s' % ', '.join(lines[:6]))


def folded(context, p):
    """p with the low halves of products as variables, which are at least zero."""
    p = dict(p)
    for v, definition in enumerate(context.definition):
        products = [monomial for monomial in definition or () if len(monomial) == 2]
        if len(products) == 1 and definition[products[0]] == 1 and len(definition) == 2 and products[0] in p:
            p = add(add(p, definition, -p[products[0]]), {(v,): p[products[0]]})
    return p


def bounds():
    """From the identity: x' < 2 n, and nothing is dropped. The products are variables; a product of differences is at least zero."""
    n, ab, nb, nn, qn, rn, total = z3.Ints('n ab nb nn qn rn total')
    s = solver()
    s.add(n >= 1, total == ab + qn)  # R (x' + 2^(52 places) f)
    s.add(2 * nb - ab >= 0)          # (2 n - a) b
    s.add(2 * nn - nb >= 0)          # (2 n - b) n
    s.add(rn - 4 * nn >= 0)          # (R - 4 n) n
    s.add(rn - n - qn >= 0)          # (R - 1 - q) n
    s.add(z3.Not(total < 2 * rn))    # R 2 n: so x' + 2^(52 places) f < 2 n < R, and f is zero
    if s.check() != z3.unsat:
        raise Unproven('not shown: x\' < 2 n')


def prove(id, bits):
    def run():
        check_text(id, CONTRACTS[id])
        bounds()
        work = []

        def one(context):
            kernel = (Lanes if 'lanes' in id else Single)(DIGITS[bits], context)
            identity(context, *kernel.run('square' in id))
            work.append(kernel.machine.instructions)
        paths(Montgomery, one)
        return '%d paths, %d instructions' % (len(work), sum(work))
    return Proof('rsa %s, %d' % (id.split()[1], bits), run, [id], quick=bits == 2048)


def check_text(id, text):
    texts = [contract.text for contract in functions()[id].contracts]
    if texts != [text]:
        raise Unproven('%s: the contract is not the one that is proved: %s' % (id, text))


def proofs():
    for id in CONTRACTS:
        for bits in DIGITS:
            yield prove(id, bits)
