"""Congruences: with all definitions put in, every coefficient is a multiple of the modulus. That is an identity, without any search.

A floor that is left must be shown to be one number, by ranges.
"""
import math

from integers.linear import Linear
from integers.polynomial import add

LARGEST = 1 << 20  # coefficient in a sum of floors that is worth a question

MARGIN = 40  # bits by which the coefficients of a whole must be smaller than the modulus
SPLITS = 2  # cases of a congruence that are followed one by one


class Congruences(Linear):
    def __init__(self):
        super().__init__()
        self.left = {}  # what the last congruence did not cancel
        self.congruent = []  # (p, modulus, v): p is a multiple of the modulus, and v stands only there

    def cancel(self, full, modulus):
        """Takes the known congruences from a polynomial, until their variables are gone; the latest first."""
        for p, m, v in reversed(self.congruent):
            if not m or modulus and m % modulus == 0:
                p = self.expand(p)
                c = full.get((v,), 0)
                if c and modulus:
                    full = add(full, p, -c * pow(p[(v,)], -1, modulus) % modulus)
                elif c and c % p[(v,)] == 0:
                    full = add(full, p, -c // p[(v,)])
        return full

    def is_zero(self, p, most_splits=None):
        """Whether p is zero for all inputs."""
        return self.is_multiple(p, 0, most_splits)

    def is_multiple(self, p, modulus, most_splits=None):
        """Whether p is a multiple of the modulus for all inputs; of zero: whether it is zero."""
        tried, progress, splits = set(), False, 0
        while True:
            p = self.put_fixed(p)
            full = self.cancel(self.expand(p), modulus)
            self.left = {monomial: c % modulus for monomial, c in full.items() if c % modulus} if modulus else full
            if not self.left:
                return True
            if self.fix_one(tried) or self.fix_sum(tried, modulus):
                progress = True
            elif progress:
                tried, progress = set(), False
            elif self.fix_whole(tried, modulus):
                progress = True
            elif splits < (SPLITS if most_splits is None else most_splits) and self.split():
                tried, splits = set(), splits + 1
            else:
                return False

    def split(self):
        """Follows both values of a floor that is left and has two."""
        bits = sorted(v for monomial in self.left for v in monomial if self.is_derived(v) and self.high[v] - self.low[v] == 1)
        if not bits:
            return False
        self.decide({monomial: c for monomial, c in (((bits[0],), 1), ((), -self.low[bits[0]])) if c})
        return True

    def fix_floors(self, p):
        """Fixes the floors of p that can be. Whether there was one."""
        tried, progress = set(), False
        while True:
            self.left = self.expand(self.put_fixed(p))
            if not self.fix_one(tried) and not self.fix_sum(tried, 0):
                return progress
            progress = True

    def fix_one(self, tried):
        """Fixes a floor or a bit that is left, those of few values and late ones first."""
        candidates = {v for monomial in self.left for v in monomial
                      if v not in tried and (self.is_derived(v) or self.high[v] - self.low[v] == 1)}
        for v in sorted(candidates, key=lambda v: (self.high[v] - self.low[v] > 3, -v)):
            tried.add(v)
            if self.tighten(v):
                return True
        return False

    def fix_sum(self, tried, modulus):
        """Fixes a sum of floors: of those with one coefficient, as the parts of one carry, or of all."""
        centred = {monomial: self.centred(c, modulus) for monomial, c in self.left.items()
                   if len(monomial) == 1 and self.is_derived(monomial[0])}
        groups = {}
        for monomial, c in centred.items():
            groups.setdefault(abs(c), {})[monomial] = 1 if c > 0 else -1
        sums = list(groups.values())
        if centred:
            divisor = math.gcd(*centred.values())
            sums.append({monomial: c // divisor for monomial, c in centred.items()})
        return any(self.fix_one_sum(p, tried) for p in sums)

    def fix_whole(self, tried, modulus):
        """Fixes all that is left, divided by the coefficient of one floor: what was dropped above the highest digit."""
        divisors = {c for monomial, c in self.left.items() if len(monomial) == 1 and self.is_derived(monomial[0])}
        for divisor in sorted(divisors) if modulus else ():
            if math.gcd(divisor, modulus) > 1:
                continue
            inverse = pow(divisor, -1, modulus)
            p = {monomial: self.centred(c * inverse, modulus) for monomial, c in self.left.items()}
            if max(map(abs, p.values())) < modulus >> MARGIN and self.fix_one_sum(p, tried, modulus):
                return True
        return False

    def centred(self, c, modulus):
        c = c % modulus if modulus else c
        return c - modulus if modulus and 2 * c > modulus else c

    def fix_one_sum(self, p, tried, largest=LARGEST):
        key = frozenset(p.items())
        if len(p) < 2 or key in tried or max(map(abs, p.values())) > largest:
            return False
        tried.add(key)
        for number in (0, 1, -1, 2):
            if self.at_most(p, number) and self.at_least(p, number):
                self.assume(p, number)
                return True
        return False

    def tighten(self, v):
        """Whether v is one number, which is then fixed."""
        low, high = self.low[v], self.high[v]
        if low == high:
            return True
        x = {(v,): 1}
        for number in [0] + [end for end in (low, high) if end and high - low <= 3]:
            if low <= number <= high and self.is_number(x, number):
                self.fix(v, number)
                self.zero.append({(v,): 1, (): -number} if number else x)
                return True
        return False

    def is_number(self, x, number):
        above, below = dict(x), {monomial: -c for monomial, c in x.items()}
        above[()], below[()] = -number - 1, number - 1
        return all(self.refuted({m: c for m, c in p.items() if c}) or self.refuted_nearby({m: c for m, c in p.items() if c}, 5, True)
                   for p in (above, below))
