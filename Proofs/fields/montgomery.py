"""The domain of RSA's almost-Montgomery multiplications, with a symbolic modulus n.

Only one fact about n is used: inverse n[0] = -1 (mod 2^52). So for a column p the quotient digit d = p inverse mod 2^52 makes p + d n[0] a
multiple of 2^52. The domain names it 2^52 m. Then d n[0] = 2^52 m - p, whose high half is m less p / 2^52 rounded up.
"""
from integers.polynomial import add, constant, multiply, scale
from integers.words import Integers
from machine.values import Word

BITS = 52
MASK = (1 << BITS) - 1


class Montgomery(Integers):
    """`inverse` and `lowest` are the variables of -1/n mod 2^52 and of n's lowest digit; `quotients` are the quotient digits, in order."""

    def __init__(self, decisions=()):
        super().__init__(decisions)
        self.inverse = self.lowest = None
        self.quotients, self.of_column, self.products = [], {}, {}

    def multiple(self, p):
        """If p is a number times the inverse: that number."""
        return p.get((self.inverse,)) if len(p) == 1 and self.inverse is not None else None

    def quotient(self, column):
        key = frozenset(column.items())
        if key not in self.of_column:
            d = self.variable('%%quotient%d' % len(self.quotients), 0, MASK)
            up = self.floor(add(column, constant(MASK)), BITS)
            most = (self.range(column)[1] + MASK * MASK) >> BITS
            m = self.variable('%%multiple%d' % len(self.quotients), 0, most)
            monomial = tuple(sorted((next(iter(d))[0], self.lowest)))
            self.products[monomial] = (add(scale(m, 1 << BITS), column, -1), add(m, up, -1))
            self.quotients.append(d)
            self.of_column[key] = d
        return self.of_column[key]

    def word_mul(self, a, b, flags):
        for x, y in ((a, b), (b, a)):
            factor = self.multiple(y.value)
            if factor == 1 << (x.width - BITS):
                return Word(scale(self.quotient(self.unsigned(x)), factor), x.width)
        product = multiply(self.moderate(a), self.moderate(b))
        low, high = self.range(product)
        if low >= 0 and high < 1 << a.width:
            return Word(product, a.width)
        return super().word_mul(a, b, flags)

    def madd52(self, total, a, b, high):
        for x, y in ((a, b), (b, a)):
            if not high and self.multiple(y.value) == 1:
                return Word(add(total.value, self.quotient(self.unsigned(x))), 64)
        return super().madd52(total, a, b, high)

    def floor(self, p, k):
        known = self.known(p)
        if known is not None and k - known[0] == BITS:
            return self.bounded(known[1][1], 0, MASK)
        return super().floor(p, k)

    def known(self, p):
        """A power of two times a quotient digit times n[0]: its exponent, and what is known of the product."""
        if len(p) == 1:
            monomial, c = next(iter(p.items()))
            if monomial in self.products and c & (c - 1) == 0:
                return c.bit_length() - 1, self.products[monomial]
        return None

    def substitute(self, p):
        """p with the known products put in."""
        r = {}
        for monomial, c in p.items():
            r = add(r, self.products[monomial][0], c) if monomial in self.products else add(r, {monomial: c})
        return r
