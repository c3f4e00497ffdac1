"""Machine words as integer polynomials. A word of width w is any polynomial that is congruent to it modulo 2^w."""
from integers import samples
from integers.decisions import Context
from integers.polynomial import add, constant, is_constant, multiply, scale, trailing_zeros, value_of
from machine.values import Unproven, Word


class Integers(Context):
    """The domain of integers/, for integers.Context's variables and relations."""

    # What proofs make and read.

    def fresh(self, name, bits, width=64):
        return self.variable(name, 0, (1 << bits) - 1)

    def above(self, low, high, bits):
        return add(low, scale(high, 1 << bits))

    def check_samples(self):
        return samples.check(self)

    def is_same(self, a, b):
        return self.is_zero(add(self.unsigned(a), self.unsigned(b), -1))

    # The domain of machine.Machine.

    def constant(self, number, width):
        return Word(constant(number), width)

    def number(self, x):
        p = self.put_fixed(self.unsigned(x))
        if not is_constant(p):
            raise Unproven('an index, a count or a size depends on the input')
        return value_of(p)

    def unsigned(self, x):
        """The word's value in [0, 2^w)."""
        low, high = self.range(x.value)
        return x.value if low >= 0 and high < 1 << x.width else self.remainder(x.value, x.width)

    def signed(self, x):
        """The word's value in [-2^(w-1), 2^(w-1))."""
        low, high = self.range(x.value)
        half = 1 << (x.width - 1)
        if low >= -half and high < half:
            return x.value
        floor = self.floor(add(x.value, constant(half)), x.width)
        return self.bounded(add(x.value, scale(floor, 2 * half), -1), -half, half - 1)

    def decide_word(self, x):
        return self.decide(self.unsigned(x))

    def select(self, condition, a, b):
        return a if self.decide_word(condition) else b

    # Parts of words.

    def part(self, x, low, width):
        if low == 0 and width == x.width:
            return x
        return Word(self.floor(self.unsigned(x), low) if low else x.value, width)

    def join(self, words):
        total, at = {}, 0
        for x in words:
            total = add(total, scale(self.unsigned(x), 1 << at))
            at += x.width
        return Word(total, at)

    def cast(self, op, x, width):
        if op == 'zext':
            return Word(self.unsigned(x), width)
        return Word(self.signed(x) if op == 'sext' else x.value, width)

    # Arithmetic.

    def with_overflow(self, op, a, b):
        p = add(self.unsigned(a), self.unsigned(b), 1 if op == 'uadd' else -1)
        carry = self.floor(p, a.width)
        return Word(p, a.width), Word(self.bounded(carry if op == 'uadd' else scale(carry, -1), 0, 1), 1)

    def funnel(self, op, high, low, count):
        k = self.number(count) % high.width
        left = k if op == 'fshl' else high.width - k
        return Word(add(scale(high.value, 1 << left), self.floor(self.unsigned(low), high.width - left)), high.width)

    def madd52(self, sum, a, b, high):
        product = multiply(self.low52(a), self.low52(b))
        return Word(add(sum.value, self.floor(product, 52) if high else self.remainder(product, 52)), 64)

    def low52(self, x):
        """The 52 bits that the instruction reads. The value may show that there are no more, where the bounds do not."""
        p = self.unsigned(x)
        if self.range(p)[1] < 1 << 52:
            return p
        if self.at_most(p, (1 << 52) - 1):
            return self.bounded(p, 0, (1 << 52) - 1)
        return self.remainder(p, 52)

    def binary(self, op, a, b, flags):
        return getattr(self, 'word_' + op)(a, b, flags)

    def word_add(self, a, b, flags):
        return Word(add(a.value, b.value), a.width)

    def word_sub(self, a, b, flags):
        return Word(add(a.value, b.value, -1), a.width)

    def word_mul(self, a, b, flags):
        a, b = self.constant_last(a, b)
        if is_constant(b.value):
            k = (value_of(b.value) % (1 << b.width) - 1).bit_length() - 1
            if 0 < k < a.width - 1 and value_of(b.value) == (1 << k) + 1:
                return self.added_shifted(a, k)
        product, n = multiply(self.moderate(a), self.moderate(b)), 1 << a.width
        low, high = self.range(product)
        return Word(product if low >= -n and high < n else self.remainder(product, a.width), a.width)

    def added_shifted(self, a, k):
        """a + 2^k a by its parts below and above 2^k, so that linear arithmetic knows both."""
        p, above = self.unsigned(a), a.width - k
        high = self.remainder(add(self.floor(p, k), self.remainder(p, above)), above)
        return Word(add(self.remainder(p, k), scale(high, 1 << k)), a.width)

    def moderate(self, x):
        low, high = self.range(x.value)
        n = 1 << x.width
        return x.value if low >= -n // 2 and high < n else self.unsigned(x)

    def word_shl(self, a, b, flags):
        return Word(scale(a.value, 1 << self.number(b)), a.width)

    def word_lshr(self, a, b, flags):
        return Word(self.floor(self.unsigned(a), self.number(b)), a.width)

    def word_ashr(self, a, b, flags):
        return Word(self.floor(self.signed(a), self.number(b)), a.width)

    def word_udiv(self, a, b, flags):
        return Word(self.floor(self.unsigned(a), self.power_of_two(b)), a.width)

    def word_urem(self, a, b, flags):
        return Word(self.remainder(a.value, self.power_of_two(b)), a.width)

    def power_of_two(self, x):
        number = self.number(x)
        if number & (number - 1) or not number:
            raise NotImplementedError('a division by what is no power of two')
        return number.bit_length() - 1

    # Logic.

    def word_and(self, a, b, flags):
        a, b = self.constant_last(a, b)
        if is_constant(b.value):
            return Word(self.masked(a, value_of(b.value) % (1 << a.width)), a.width)
        if a.width == 1:
            return Word(constant(self.decide_word(a) & self.decide_word(b)), 1)
        for x, y in ((a, b), (b, a)):
            low, high = self.range(x.value)
            if low >= 0 and high <= 1:
                return Word(constant(self.decide(x.value) and self.decide(self.remainder(y.value, 1))), a.width)
        for x, y in ((a, b), (b, a)):
            bit = self.mask_bit(x)
            if bit is not None:
                return y if self.decide(bit) else Word({}, a.width)
        raise NotImplementedError('the conjunction of two unknown words')

    def word_or(self, a, b, flags):
        a, b = self.constant_last(a, b)
        ones = (1 << a.width) - 1
        if is_constant(b.value):  # a + k - (a & k)
            k = value_of(b.value) & ones
            return Word(add(add(a.value, constant(k)), self.masked(a, k), -1), a.width)
        p, q = self.unsigned(a), self.unsigned(b)
        if a.width == 1:
            return self.either_bit(a, b, p, q)
        if self.is_apart(p, q):
            return Word(add(p, q), a.width)
        for x, y in ((a, b), (b, a)):
            bit = self.mask_bit(x)
            if bit is not None:
                return Word(constant(ones), a.width) if self.decide(bit) else y
        return self.union(p, q, a.width)

    def union(self, p, q, width):
        """Only that it is at least each, and at most the sum: enough to know whether it is zero."""
        r = self.variable('%%%d' % len(self.name), 0, (1 << width) - 1)
        self.rules[next(iter(r))[0]] = lambda of: of(p) | of(q)
        self.nonnegative += [add(r, p, -1), add(r, q, -1), add(add(p, q), r, -1)]
        return Word(r, width)

    def either_bit(self, a, b, p, q):
        total = add(p, q)
        if self.refuted_nearby(add(total, constant(2), -1)) or self.at_most(total, 1):
            return Word(self.bounded(total, 0, 1), 1)
        return Word(constant(self.decide(p) | self.decide(q)), 1)

    def word_xor(self, a, b, flags):
        a, b = self.constant_last(a, b)
        ones = (1 << a.width) - 1
        if is_constant(b.value):  # a + k - 2 (a & k)
            k = value_of(b.value) & ones
            if k == ones:
                return Word(add(constant(-1), a.value, -1), a.width)
            return Word(add(add(a.value, constant(k)), scale(self.masked(a, k), 2), -1), a.width)
        p, q = self.unsigned(a), self.unsigned(b)
        if p == q:
            return Word({}, a.width)
        if a.width == 1:
            return Word(constant(self.decide(p) ^ self.decide(q)), 1)
        if self.is_apart(p, q):
            return Word(add(p, q), a.width)
        r = self.variable('%%%d' % len(self.name), 0, (1 << a.width) - 1)
        self.rules[next(iter(r))[0]] = lambda of: of(p) ^ of(q)
        self.nonnegative += [add(add(r, p, -1), q), add(add(r, q, -1), p), add(add(p, q), r, -1)]
        return Word(r, a.width)

    def constant_last(self, a, b):
        a, b = Word(self.put_fixed(a.value), a.width), Word(self.put_fixed(b.value), b.width)
        return (b, a) if is_constant(a.value) else (a, b)

    def is_apart(self, p, q):
        """Whether the one is a multiple of a power of two that the other is below: no bit is in both."""
        return any(self.range(y)[1] < 1 << trailing_zeros(x) for x, y in ((p, q), (q, p)))

    def mask_bit(self, x):
        """The bit of a word that is zero or all ones, else None."""
        low, high = self.range(x.value)
        if low >= -1 and high <= 0:
            return scale(x.value, -1)
        ones = (1 << x.width) - 1
        if low >= 0 and high <= ones and all(c % ones == 0 for c in x.value.values()):
            return {monomial: c // ones for monomial, c in x.value.items()}
        return None

    def masked(self, a, k):
        """a & k for a number k: a sum over the runs of ones in k."""
        if k == 0:
            return {}
        if k == (1 << a.width) - 1:
            return self.unsigned(a)
        bit = self.mask_bit(a) if k != 1 else None
        if bit is not None:
            return constant(k * self.decide(bit))
        total, at = {}, 0
        while k >> at:
            if not k >> at & 1:
                at += 1
                continue
            end = at
            while k >> end & 1:
                end += 1
            total = add(total, self.run(a, at, end))
            at = end
        return total

    def run(self, a, at, end):
        """The bits of a from `at` up to `end`, in their place."""
        p = self.remainder(a.value, end) if end < a.width else self.unsigned(a)
        return add(p, self.remainder(p, at), -1) if at else p

    # Comparisons.

    def compare(self, predicate, a, b):
        if predicate in ('eq', 'ne'):
            return self.compare_equal(predicate, a, b)
        signed = predicate[0] == 's'
        x, y = (self.signed(a), self.signed(b)) if signed else (self.unsigned(a), self.unsigned(b))
        if predicate[1:] in ('gt', 'le'):
            x, y = y, x
        less = self.bounded(scale(self.floor(add(x, y, -1), a.width), -1), 0, 1)
        return Word(less if predicate[1:] in ('lt', 'gt') else add(constant(1), less, -1), 1)

    def compare_equal(self, predicate, a, b):
        a, b = self.constant_last(a, b)
        if a.width == 1 and is_constant(b.value):
            p = self.unsigned(a)
            return Word(p if (value_of(b.value) & 1) == (predicate == 'eq') else add(constant(1), p, -1), 1)
        difference = self.put_fixed(add(self.unsigned(a), self.unsigned(b), -1))
        return Word(constant(self.decide_zero(difference) ^ (predicate == 'ne')), 1)
