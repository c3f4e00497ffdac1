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
from machine.machine import Machine
from machine.values import Pointer, Unproven, Word
from registry import Proof

DIGITS = {2048: 40, 3072: 60, 4096: 80}
ASSUMED = 'digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52)'
MULTIPLIED = 'digits(%s) < 2^52, digits(%s) < 2^52, ' + ASSUMED + ', %s < 2 n, %s < 2 n => R %s = %s %s (mod n), %s < 2 n, digits(%s) < 2^52'
SQUARED = 'digits(%s) < 2^52, ' + ASSUMED + ', %s < 2 n => R %s = %s^2 (mod n), %s < 2 n, digits(%s) < 2^52'
CONTRACTS = {
    'rsa/rsa_lanes_multiply.c rsa_ifma_multiply8': MULTIPLIED % ('x', 'y', 'x', 'y', "x'", 'x', 'y', "x'", "x'"),
    'rsa/rsa_lanes_multiply.c rsa_ifma_square8': SQUARED % ('x', 'x', "x'", 'x', "x'", "x'"),
}


class Lanes:
    """The kernel for eight tokens: digit i of each number is in vector i, and each lane computes by itself."""

    def __init__(self, digits, context):
        self.digits, self.context = digits, context
        self.machine = Machine(compiled('#include "rsa/rsa_lanes_multiply.c"\n', (), ()), context)
        self.crosses = 0

    def number(self, name):
        return [self.context.variable('%s%d' % (name, i), 0, MASK) for i in range(self.digits)]

    def place(self, name, digits=()):
        at = self.machine.memory.region(name)
        for i, x in enumerate(digits):
            self.machine.memory.store(Pointer(at.region, 64 * i), [Word(x, 64)] * 8, 64)
        return at

    def read(self, at):
        found = []
        for i in range(self.digits):
            lanes = self.machine.memory.load(Pointer(at.region, 64 * i), ('vec', 8, ('i', 64)))
            if any(lane is not lanes[0] for lane in lanes):
                raise Unproven('the lanes differ')
            found.append(self.context.unsigned(lanes[0]))
        return found

    def run(self, squares):
        x, n = self.number('x'), self.number('n')
        y = x if squares else self.number('y')
        inverse = self.context.variable('inverse', 0, MASK)
        self.context.inverse, self.context.lowest = next(iter(inverse))[0], next(iter(n[0]))[0]
        at, modulus, scratch = self.place('x', x), self.place('n', n), self.place('q')
        inverses = self.place('inverse', [inverse])
        count = self.context.constant(self.digits, 64)
        if squares:
            self.machine.call('@rsa_ifma_square8', [at, modulus, inverses, scratch, count])
        else:
            self.machine.call('@rsa_ifma_multiply8', [at, self.place('y', y), modulus, inverses, scratch, count])
        if self.machine.crossings:
            raise Unproven('an instruction crosses lanes')
        return x, y, n, self.read(at)


def identity(context, x, y, n, result):
    """Shows R x' + R^2 f = x y + q n, and that x' has digits below 2^52."""
    r = 1 << (BITS * len(x))
    for i, digit in enumerate(result):
        if context.range(digit)[1] > MASK:
            raise Unproven('digit %d of the result may reach 2^52' % i)
    if len(context.quotients) != len(x):
        raise Unproven('%d quotient digits for %d digits' % (len(context.quotients), len(x)))
    x, y, n, q = (value(digits, BITS) for digits in (x, y, n, context.quotients))
    left = add(scale(value(result, BITS), r), multiply(x, y), -1)
    rest = context.expand(add(left, context.substitute(multiply(q, n)), -1))
    dropped = {monomial: c for monomial, c in rest.items() if c == -r * r and len(monomial) == 1 and context.range({monomial: 1})[0] >= 0}
    if len(dropped) > 1 or len(rest) != len(dropped):
        lines = sorted({str(context.origin[v]) for monomial in rest for v in monomial if context.is_derived(v)})
        raise Unproven('not shown: R x\' = x y + q n; what does not cancel comes from %s' % ', '.join(lines[:6]))


def bounds():
    """From the identity: x' < 2 n, and nothing is dropped. The products are variables; a product of differences is at least zero."""
    a, b, n, q, v, f, r, ab, nb, nn, qn, rn = z3.Ints('a b n q v f r ab nb nn qn rn')
    s = z3.Solver()
    rv, rf, rrf = z3.Ints('rv rf rrf')
    s.add(n >= 1, v >= 0, f >= 0, rv + rrf == ab + qn)
    s.add(2 * nb - ab >= 0)            # (2 n - a) b
    s.add(2 * nn - nb >= 0)            # (2 n - b) n
    s.add(rn - 4 * nn >= 0)            # (R - 4 n) n
    s.add(rn - n - qn >= 0)            # (R - 1 - q) n
    s.add(z3.Not(rv + rrf < 2 * rn))   # R (x' + R f) < 2 R n, so x' + R f < 2 n < R, and f = 0
    if s.check() != z3.unsat:
        raise Unproven('not shown: x\' < 2 n')


def prove_lanes(id, bits):
    def run():
        check_contract(id)
        bounds()
        work = []

        def one(context):
            lanes = Lanes(DIGITS[bits], context)
            identity(context, *lanes.run('square' in id))
            work.append(lanes.machine.instructions)
        paths(Montgomery, one)
        return '%d paths, %d instructions' % (len(work), sum(work))
    return Proof('rsa %s, %d' % (id.split()[1], bits), run, [id], quick=bits == 2048)


def check_contract(id):
    texts = [contract.text for contract in functions()[id].contracts]
    if texts != [CONTRACTS[id]]:
        raise Unproven('%s: the contract is not the one that is proved: %s' % (id, CONTRACTS[id]))


def proofs():
    for id in CONTRACTS:
        for bits in DIGITS:
            yield prove_lanes(id, bits)
