"""RSA with limbs of 64 bits: multiplication and squaring modulo any odd n of 2048, 3072 or 4096 bits whose top bit is set.

The routines of rows are calls, which give what their contracts say, each as a polynomial that is zero. Added up, every one at its place in
the product, these give B X = a b + sum(m_k (F_i - R B^i)) + q n, where X is what is left before the last subtractions, m_k are the rows
that went, each from its place i above R, and F_i is R B^i modulo n. No search is needed: the sum of the polynomials is that equation. What
is used of the key is F_i = R B^i + k n for some k, F_1 <= n, and inverse n = -1 + B z for some z.
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
KEY = 'n < R, R <= 2 n, fold_i = R B^i (mod n), fold_1 <= n, inverse n = -1 (mod B) => '
PROVED = {FILE + 'rsa_scalar_multiply': KEY + 'B r = a b (mod n), r < R', FILE + 'rsa_scalar_square': KEY + 'B r = a^2 (mod n), r < R',
          FILE + 'rsa_scalar_times_row': KEY + 'r = B a (mod n), r < R'}


def need(condition, what):
    if not condition:
        raise Unproven(what)


def check_contracts():
    for id, wanted in {**CONTRACTS, **PROVED}.items():
        need([contract.text for contract in functions()[id].contracts] == [wanted], '%s: the contract is not %s' % (id, wanted))


class Product:
    """One run of a routine that reduces a number. `total` is the sum of what the calls say, each at its place in t."""

    def __init__(self, limbs, context, places):
        self.places = places  # limbs of t
        self.limbs, self.context, self.radix = limbs, context, 1 << (64 * limbs)
        self.machine = Machine(compiled('#include "rsa/rsa_scalar_multiply.c"\n', (), OUTSIDE), context, {
            id.split(' ')[1]: getattr(self, id.split(' ')[1]) for id in OUTSIDE})
        self.n = context.variable('n', self.radix // 2, self.radix - 1)
        self.folds = [context.variable('fold%d' % i, 0, self.radix - 1) for i in range(1, limbs // ROW)]
        self.total, self.t = {}, None
        self.gone, self.quotient, self.left, self.before = [], None, None, None
        self.carries, self.product, self.highest, self.above = {}, None, {}, {}

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
        """rsa_scalar_key: limbs, -1/n, and from byte 72 on n and the folds, of which only the addresses are used."""
        self.inverse = self.fresh('inverse')
        self.memory = self.place('key', [constant(self.limbs)] + self.inverse)
        return self.memory

    def number(self, at, limbs):
        """n and each fold as one variable, other numbers by their limbs."""
        if at.region != self.memory.region:
            return value(self.get(at, limbs), 64)
        place, rest = divmod(at.offset - 72, 8 * limbs)
        need(limbs == self.limbs and rest == 0 and 0 <= place <= len(self.folds), 'a number of the key, whole')
        return ([self.n] + self.folds)[place]

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
        if number in self.folds and not self.gone:
            self.product = value(self.get(Pointer(t.region), self.places), 64), self.total
            # Of a square, carries may be above: one of the products, which was doubled, and two of the last block.
            self.above = add(add(*self.carries.get(16 * self.limbs, [{}, {}])), self.highest, 2)
        if number == self.folds[0]:
            need(t.offset == 0 and self.before is None, 'row 1 goes last, and once')
            self.before = value(self.get(t, self.limbs + ROW), 64), row, self.total
        self.say(t, add(add(sum, value(before, 64), -1), multiply(row, number), -1))
        if number in self.folds:
            need(t.offset == 0, 'what takes the place of a row is added to the lowest')
            self.gone.append((self.folds.index(number), row))
        if number == self.n:
            need(t.offset == 0 and self.before is not None, 'the quotient comes last')
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
        p = add(add(add(add(value(after, 64), scale(out, B)), value(before, 64), -1), value(self.get(r, ROW), 64), -1), carry, -1)
        self.say(t, p)
        self.put(t, after)
        if self.gone and t.offset == 8 * (self.limbs + ROW):
            self.context.zero.append(p)
            return Word(constant(self.context.decide(out)), 64)  # a carry out of row 1, which may leave only once
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

    def prove(self, factors):
        """What the routine reduces is `factors`: t and carries above it, where only the sum of two products has some."""
        context, fixed = self.context, self.context.put_fixed
        need(sorted({i for i, _ in self.gone}, reverse=True) == list(range(max(i for i, _ in self.gone), -1, -1)), 'no row is left out')
        (low, row, before), gone = self.before, self.gone[:-1]
        # A carry leaves row 1 only on the paths that say so, and becomes a row there.
        said = add(low, row, B * self.radix)
        for i, m in gone:
            said = add(add(said, m, B**(i + 1) * self.radix), multiply(m, self.folds[i]), -1)
        said = add(add(said, factors, -1), self.above, self.radix**2)
        need(fixed(said) == fixed(before), 't = a b + sum(m_k (F_i - R B^i)) where row 1 goes')
        rest = add(add(add(self.total, before, -1), low), multiply(row, self.folds[0]))
        need(fixed(add(rest, multiply(self.quotient[1], self.n))) == fixed(add(self.last, self.left, B)), 'B X = t + m_1 (F_1 - R B) + q n')
        # The lowest row is below B and a multiple of B: it is zero. Below it, R B + (B - 1) (F_1 + n) with F_1 <= n.
        need(context.range(low)[1] < B * self.radix and context.range(row)[1] < B and context.range(self.quotient[1])[1] < B, 'X < R + 2 n')

    def prove_product(self, a, b):
        factors = multiply(value(a, 64), value(b, 64))
        need(self.context.range(factors)[1] < self.radix**2, 'a b < R^2')
        # The carries above are zero, because t is at least zero and a b < R^2.
        product, said = self.product
        need(said == add(add(product, self.above, self.radix**2), factors, -1), 't + R^2 carries = a b')
        need(max(i for i, _ in self.gone) == self.limbs // ROW - 2, 'the highest row goes')
        self.prove(factors)


def prove(name, limbs):
    def one(context):
        run = Product(limbs, context, limbs + 2 * ROW if name == 'rsa_scalar_times_row' else 2 * limbs)
        a = run.fresh('a', limbs)
        key, at = run.key(), run.place('a', a)
        if name == 'rsa_scalar_multiply':
            b = run.fresh('b', limbs)
            run.machine.call('@' + name, [key, at, at, run.place('b', b)])
            run.prove_product(a, b)
        else:
            run.machine.call('@' + name, [key, at, at])
            if name == 'rsa_scalar_square':
                run.prove_product(a, a)
            else:
                need([i for i, _ in run.gone] == [0], 'of the folds, it reads row 1 alone')
                run.prove(scale(value(a, 64), B * B))
        need(run.get(at, limbs) == run.result, 'the result is what is left')
        return run.machine.instructions

    def check():
        check_contracts()
        work = paths(Integers, one)
        return '%d paths, %d instructions' % (len(work), sum(work))
    covers = [FILE + name, FILE + 'reduce_rows', FILE + 'fold_row', FILE + 'copy', 'rsa/rsa_scalar.h scalar_fold']
    if name != 'rsa_scalar_times_row':
        covers += [FILE + 'reduce', FILE + ('square' if name == 'rsa_scalar_square' else 'product')]
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
        for name in ('rsa_scalar_multiply', 'rsa_scalar_square', 'rsa_scalar_times_row'):
            yield prove(name, limbs)
