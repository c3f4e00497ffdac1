"""RSA with limbs of 64 bits: multiplication and squaring modulo any odd n of 2048, 3072 or 4096 bits whose top bit is set.

The routines of rows are calls, which give what their contracts say, each as a polynomial that is zero. Added up, every one at its place in
the product, these give R X = a b + sum(m_i B^i (B F - 1)) + q n R / B, where X is what is left before the last subtractions, m_i are the
rows that went, and F is 1/B modulo n. No search is needed: the sum of the polynomials is that equation. What is used of the key is
B F = 1 + k n for some k, F <= n, and inverse n = -1 + B z for some z.
"""
from contracts.sources import functions
from contracts.unit import compiled
from fields.rsa_rows import SIZES
from integers.decisions import paths
from integers.polynomial import add, constant, multiply, scale, value
from integers.words import Integers
from machine.machine import Machine
from machine.values import Pointer, Unproven, Word
from registry import Proof

FILE, ROWS, SQUARES, ROW = 'rsa/rsa_scalar_multiply.c ', 'rsa/rsa_scalar_rows.h ', 'rsa/rsa_scalar_squares.h ', 8
SUM = ' + '.join('%sa[%d]^2' % ('2^%d ' % (128 * i) if i else '', i) for i in range(ROW))
B, LIMB = 1 << 512, (1 << 64) - 1
CONTRACTS = {
    ROWS + 'add_rows': "=> t' + 2^(64 limbs) r = t + m a, apart",
    ROWS + 'add_top': "carry <= 1 => t' + 2^512 return = t + r + carry, return <= 1",
    ROWS + 'low_product': '=> q = t inverse (mod 2^512)',
    ROWS + 'subtract': "=> r' - 2^(64 limbs) return = r - n, return <= 1",
    SQUARES + 'triangle': '=> 2 p + %s = a^2' % SUM,
    SQUARES + 'double_and_add': "twice <= 1, carry <= 1 => t' + 2^1024 twice' + 2^1024 carry' = 2 t + twice + carry + %s, "
                                "twice' <= 1, carry' <= 1, apart" % SUM,
}
OUTSIDE = tuple(id for id in CONTRACTS if not id.endswith(' subtract')) + (FILE + 'take_modulus',)
KEY = 'n < R, R <= 2 n, B fold = 1 (mod n), fold <= n, inverse n = -1 (mod B) => '
PROVED = {FILE + 'rsa_scalar_multiply': KEY + 'R r = a b (mod n), r < R', FILE + 'rsa_scalar_square': KEY + 'R r = a^2 (mod n), r < R'}


def need(condition, what):
    if not condition:
        raise Unproven(what)


def check_contracts():
    for id, wanted in {**CONTRACTS, **PROVED}.items():
        need([contract.text for contract in functions()[id].contracts] == [wanted], '%s: the contract is not %s' % (id, wanted))


class Product:
    """One run of rsa_scalar_multiply or rsa_scalar_square. `total` is the sum of what the calls say, each at its place in t."""

    def __init__(self, limbs, context):
        self.limbs, self.context, self.radix = limbs, context, 1 << (64 * limbs)
        self.machine = Machine(compiled('#include "rsa/rsa_scalar_multiply.c"\n', (), OUTSIDE), context, {
            id.split(' ')[1]: getattr(self, id.split(' ')[1]) for id in OUTSIDE})
        self.n, self.fold = context.variable('n', self.radix // 2, self.radix - 1), context.variable('fold', 0, self.radix - 1)
        self.total, self.t = {}, None
        self.gone, self.quotient, self.left = [], None, None
        self.carries, self.product, self.highest = {}, None, {}

    # Numbers in memory.

    def place(self, name, digits):
        at = self.machine.memory.region(name)
        self.put(at, digits)
        return at

    def put(self, at, digits):
        for i, x in enumerate(digits):
            self.machine.memory.store(Pointer(at.region, at.offset + 8 * i), Word(x, 64), 8)

    def get(self, at, count):
        return [self.context.unsigned(self.machine.memory.load(Pointer(at.region, at.offset + 8 * i), ('i', 64))) for i in range(count)]

    def fresh(self, name, count=ROW):
        return [self.context.variable('%s%d' % (name, i), 0, LIMB) for i in range(count)]

    def key(self):
        """rsa_scalar_key: limbs, -1/n, and from byte 72 on n, 1/B and R^2, of which only the addresses are used."""
        self.inverse = self.fresh('inverse')
        self.memory = self.place('key', [constant(self.limbs)] + self.inverse)
        return self.memory

    def number(self, at, limbs):
        """n and 1/B as one variable, other numbers by their limbs."""
        if at.region != self.memory.region:
            return value(self.get(at, limbs), 64)
        need(limbs == self.limbs and at.offset in (72, 72 + 8 * limbs), 'a number of the key, whole')
        return self.n if at.offset == 72 else self.fold

    def say(self, at, p):
        """p is zero, at this place of the product."""
        need(at.region == (self.t or at).region and at.offset % 8 == 0, 'all is added to the product')
        self.t = self.t or Pointer(at.region)
        self.total = add(self.total, p, 1 << (8 * at.offset))

    # Calls.

    def add_rows(self, machine, arguments):
        r, t, m, a = arguments[:4]
        limbs = self.context.number(arguments[4])
        need(limbs % ROW == 0 and limbs > 0, 'whole rows')
        for other, count in ((r, ROW), (m, ROW), (a, limbs)):
            need(other.region != t.region or other.offset >= t.offset + 8 * limbs or other.offset + 8 * count <= t.offset, 'apart')
        before, row, number = self.get(t, limbs), value(self.get(m, ROW), 64), self.number(a, limbs)
        after, top = self.fresh('t', limbs), self.fresh('top')
        sum = add(value(after, 64), scale(value(top, 64), 1 << (64 * limbs)))
        if number == self.fold and not self.gone:
            self.product = value(self.get(Pointer(t.region), 2 * self.limbs), 64), self.total
            # Of a square, carries may be above: one of the products, which was doubled, and two of the last block.
            self.above = add(add(*self.carries.get(16 * self.limbs, [{}, {}])), self.highest, 2)
        self.say(t, add(add(sum, value(before, 64), -1), multiply(row, number), -1))
        if number == self.fold:
            need((m.region, t.offset - m.offset) == (t.region, 8 * ROW) and m.offset == 8 * ROW * len(self.gone), 'the next lowest row')
            self.gone.append(row)
        if number == self.n:
            need(row == self.quotient[1] and value(before[:ROW], 64) == self.quotient[0], 'the quotient of this row')
            self.is_multiple_of_a_row(value(before[:ROW], 64))
            self.last = value(after[:ROW], 64)
        self.put(t, after)
        self.put(r, top)

    def add_top(self, machine, arguments):
        t, r = arguments[:2]
        carry = self.context.unsigned(arguments[2])
        need(self.context.range(carry)[1] <= 1, 'a carry')
        before, after, out = self.get(t, ROW), self.fresh('t'), self.context.variable('carry', 0, 1)
        sum = add(value(after, 64), scale(out, B))
        self.say(t, add(add(add(sum, value(before, 64), -1), value(self.get(r, ROW), 64), -1), carry, -1))
        self.put(t, after)
        if t.offset == 8 * (2 * self.limbs - ROW):
            self.highest = out
        return Word(out, 64)

    def low_product(self, machine, arguments):
        q, t, inverse = arguments
        need((inverse.region, inverse.offset) == (self.memory.region, 8), 'the inverse of the key')
        digits = self.fresh('q')
        self.quotient = value(self.get(t, ROW), 64), value(digits, 64)
        self.put(q, digits)

    def triangle(self, machine, arguments):
        p, a = arguments
        digits, limbs = self.fresh('p', 2 * ROW), self.get(a, ROW)
        twice = add(multiply(value(limbs, 64), value(limbs, 64)), self.sum_of_squares(limbs), -1)
        need(all(c % 2 == 0 for c in twice.values()), 'each product twice')
        self.say(p, add(value(digits, 64), {monomial: c // 2 for monomial, c in twice.items()}, -1))
        self.put(p, digits)

    @staticmethod
    def sum_of_squares(limbs):
        return value([multiply(limb, limb) for limb in limbs], 128)

    def double_and_add(self, machine, arguments):
        t, a, twice, carry = arguments
        if not self.carries:
            self.total = scale(self.total, 2)  # what was added so far is doubled, block by block
        bits = [self.get(at, 1)[0] for at in (twice, carry)]
        need(all(self.context.range(bit)[1] <= 1 for bit in bits) and bits == self.carries.get(t.offset, [{}, {}]), 'the carries below')
        before, after = self.get(t, 2 * ROW), self.fresh('t', 2 * ROW)
        out = [self.context.variable(name, 0, 1) for name in ('twice', 'carry')]
        p = add(value(after, 64), scale(add(*out), B * B))
        for q, times in ((value(before, 64), 2), (self.sum_of_squares(self.get(a, ROW)), 1), (add(*bits), 1)):
            p = add(p, q, -times)
        self.say(t, p)
        self.carries[t.offset + 16 * ROW] = out
        self.put(t, after)
        self.put(twice, out[:1])
        self.put(carry, out[1:])

    def take_modulus(self, machine, arguments):
        r, carry, n = arguments[:3]
        need((n.region, n.offset, self.context.number(arguments[3])) == (self.memory.region, 72, self.limbs), 'n of the key')
        self.left = add(value(self.get(r, self.limbs), 64), scale(self.context.unsigned(carry), self.radix))
        self.put(r, self.fresh('r', self.limbs))
        self.result = self.get(r, self.limbs)

    # Claims.

    def is_multiple_of_a_row(self, row):
        """row + q n is a multiple of B, with q = row inverse - B k and inverse n = -1 + B z."""
        inverse, k, z = (self.context.variable(name, 0, B) for name in ('inverse', 'k', 'z'))
        quotient = add(multiply(row, inverse), k, -B)
        p = add(row, multiply(quotient, self.n))
        pair = tuple(sorted((next(iter(inverse))[0], next(iter(self.n))[0])))
        put = {}
        for monomial, c in p.items():
            rest = list(monomial)
            if all(v in rest for v in pair):
                for v in pair:
                    rest.remove(v)
                put = add(put, multiply({tuple(rest): c}, add(constant(-1), z, B)))
            else:
                put = add(put, {monomial: c})
        need(all(c % B == 0 for c in put.values()), 'row + q n is a multiple of B')

    def prove(self, a, b):
        rows, context = self.limbs // ROW, self.context
        need(len(self.gone) == rows - 1 and self.t is not None, 'every row but the last goes')
        factors = multiply(value(a, 64), value(b, 64))
        need(context.range(factors)[1] < self.radix**2, 'a b < R^2')
        # They are zero, because t is at least zero and a b < R^2.
        above, (product, said) = self.above, self.product
        need(said == add(add(product, above, self.radix**2), factors, -1), 't + R^2 carries = a b')
        # The last row is below B and a multiple of B: it is zero.
        right = add(scale(self.left, self.radix), factors, -1)
        low = high = {}
        for i, row in enumerate(self.gone):
            low, high = add(low, row, B**i), add(high, row, B**(i + 1))
        last = B**(rows - 1)
        right = add(add(add(right, low), multiply(high, self.fold), -1), multiply(self.quotient[1], self.n), -last)
        right = add(add(right, self.last, last), above, self.radix**2)
        need(right == self.total, 'R X + sum(m_i B^i) = a b + sum(m_i B^(i+1)) F + q n R / B')
        # B F = 1 + k n: what the rows add is (B F - 1) sum(m_i B^i), a multiple of n.
        need(add(high, low, -B) == {}, 'each row is replaced by its multiple of F')
        # (R - 1)^2 + F high + n q R / B < R^2 + 2 n R, with F <= n: X < R + 2 n.
        most = context.range(high)[1] + context.range(scale(self.quotient[1], last))[1]
        need(context.range(factors)[1] <= (self.radix - 1)**2 and most < 2 * self.radix, 'X < R + 2 n')


def prove(name, limbs):
    def one(context):
        run = Product(limbs, context)
        a = run.fresh('a', limbs)
        key, at = run.key(), run.place('a', a)
        if name == 'rsa_scalar_square':
            run.machine.call('@' + name, [key, at, at])
            run.prove(a, a)
        else:
            b = run.fresh('b', limbs)
            run.machine.call('@' + name, [key, at, at, run.place('b', b)])
            run.prove(a, b)
        need(run.get(at, limbs) == run.result, 'the result is what is left')
        return run.machine.instructions

    def check():
        check_contracts()
        work = paths(Integers, one)
        return '%d paths, %d instructions' % (len(work), sum(work))
    covers = [FILE + name, FILE + 'reduce', FILE + ('square' if name == 'rsa_scalar_square' else 'product')]
    covers += [('rsa/rsa_scalar.h scalar_' + part) for part in ('modulus', 'fold')]
    return Proof('rsa %s, %d limbs' % (name, limbs), check, covers, quick=limbs == SIZES[0])


def take_modulus(limbs):
    """From r + R carry below R + 2 n, on every path as many subtractions of n as leave no carry: the rest is below R."""
    radix = 1 << (64 * limbs)

    def one(context):
        n, carry = context.variable('n', radix // 2, radix - 1), context.variable('carry', 0, 2)
        state, done = [context.variable('r', 0, radix - 1), carry], []
        context.nonnegative.append(add(add(scale(n, 2), constant(radix - 1)), add(state[0], scale(carry, radix)), -1))

        def subtract(machine, arguments):
            need([x.region for x in arguments[:2]] == [r.region, modulus.region] and context.number(arguments[2]) == limbs, 'r less n')
            done.append(1)
            need(len(done) <= 2, 'two subtractions at most')
            rest, borrow = context.variable('r', 0, radix - 1), context.variable('borrow', 0, 1)
            context.zero.append(add(add(add(rest, borrow, -radix), state[0], -1), n))
            state[:] = rest, add(state[1], borrow, -1)
            return Word(borrow, 64)
        text = '#include "rsa/rsa_scalar_multiply.c"\n'
        entry = '%s void entry(uint64_t *r, uint64_t carry, const uint64_t *n) { take_modulus(r, carry, n, %d); }' % ('SCALAR', limbs)
        machine = Machine(compiled(text, (entry,), (ROWS + 'subtract',)), context, {'subtract': subtract})
        r, modulus = machine.memory.region('r'), machine.memory.region('n')
        machine.call('@entry', [r, Word(carry, 64), modulus])
        need(context.at_most(state[1], 0) and context.at_least(state[1], 0), 'no carry is left')
        return machine.instructions

    def check():
        check_contracts()
        return '%d paths' % len(paths(Integers, one))
    return Proof('rsa take_modulus, %d limbs' % limbs, check, [FILE + 'take_modulus'], quick=limbs == SIZES[0])


def proofs():
    for limbs in SIZES:
        yield take_modulus(limbs)
        for name in ('rsa_scalar_multiply', 'rsa_scalar_square'):
            yield prove(name, limbs)
