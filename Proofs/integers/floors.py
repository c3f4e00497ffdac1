"""What a wrap, a right shift or a mask drops: floor(p / 2^k), which is an integer variable f with 0 <= p - 2^k f < 2^k.

So nothing is approximated: overflow shows as a floor that is not zero. A floor that the bounds of p fix is no variable.
"""
from integers.polynomial import add, constant, scale, trailing_zeros
from integers.variables import Variables

# A floor is sought through at most so many definitions, in polynomials of at most so many terms.
DEFINITIONS, TERMS = 10, 300


class Floors(Variables):
    def __init__(self):
        super().__init__()
        self.floors = []  # (p, k, f)
        self.floor_of, self.renamed = {}, {}

    def floor(self, p, k):
        p = self.put_fixed(p)
        zeros = trailing_zeros(p)
        if zeros >= k:
            return {monomial: c >> k for monomial, c in p.items()}
        if zeros:
            p, k = {monomial: c >> zeros for monomial, c in p.items()}, k - zeros
        k = self.least_shift(p, k)
        low = self.low_part(p, k)
        if low:
            return self.floor(add(p, low, -1), k)
        for look in (self.resolve, self.resolve_below):
            found = look(p, k)
            if found is not None:
                return found
        return self.new_floor(p, k)

    def least_shift(self, p, k):
        """Whether a small p is negative does not depend on the shift: the least one stands for all."""
        low, high = self.range(p)
        return min(k, max((-low - 1).bit_length(), high.bit_length())) if low < 0 else k

    def low_part(self, p, k):
        """Terms below a power of two that divides the rest: they reach no further."""
        for s in sorted({(c & -c).bit_length() - 1 for c in p.values()}):
            low = {monomial: c for monomial, c in p.items() if c % (1 << s)}
            if 0 < s <= k and low and self.range(low)[0] >= 0 and self.range(low)[1] < 1 << s:
                return low
        return None

    def resolve(self, p, k):
        """The floor, where the bounds of what 2^k does not divide leave one number."""
        n = 1 << k
        for half in (0, n // 2):
            whole = {monomial: (c + half) // n for monomial, c in p.items() if (c + half) // n}
            rest = {monomial: c - n * ((c + half) // n) for monomial, c in p.items() if c != n * ((c + half) // n)}
            low, high = self.range(rest)
            if low >> k == high >> k:
                return add(whole, constant(low >> k))
        return None

    def resolve_below(self, p, k):
        """The same, with some definitions put in."""
        for _ in range(DEFINITIONS):
            candidates = [v for monomial in p for v in monomial if self.definition[v] is not None]
            if not candidates or len(p) > TERMS:
                return None
            v = max(candidates)
            p = self.put(p, v, self.definition[v])
            found = self.resolve(p, k)
            if found is not None:
                return found
        return None

    def new_floor(self, p, k):
        """The same number, computed twice, has the same floor."""
        n = 1 << k
        full = self.expand(p)
        whole = {monomial: c // n for monomial, c in full.items() if c // n}
        key = frozenset((monomial, c % n) for monomial, c in full.items() if c % n), k
        if key in self.floor_of:
            low, high = self.range(p)
            return self.bounded(add(whole, self.floor_of[key]), low >> k, high >> k)
        above = {monomial: c // n for monomial, c in p.items() if c % n == 0}
        rest = {monomial: c for monomial, c in p.items() if c % n}
        low, high = self.range(rest)
        f = self.variable('<%d' % len(self.name), low >> k, high >> k)
        self.floors.append((rest, k, f))
        self.floor_of[key] = add(add(above, f), whole, -1)
        return add(above, f)

    def remainder(self, p, k):
        """p mod 2^k, in [0, 2^k)."""
        n = 1 << k
        p = self.put_fixed(p)
        if self.range(p)[0] >= 0 and self.range(p)[1] < n:
            return p
        p = self.wider(p, n)
        zeros = trailing_zeros(p)
        if zeros >= k:
            return {}
        if zeros:
            return scale(self.remainder({monomial: c >> zeros for monomial, c in p.items()}, k - zeros), 1 << zeros)
        low = self.low_part(p, k)
        if low:
            return add(low, self.remainder(add(p, low, -1), k))
        return self.bounded(add(p, scale(self.floor(p, k), n), -1), 0, n - 1)

    def wider(self, p, n):
        """What p is a remainder of, if p is one modulo a multiple of n: it has the same remainder modulo n."""
        while len(p) == 1 and list(p.values()) == [1] and len(list(p)[0]) == 1 and self.definition[list(p)[0][0]] is not None:
            definition = self.definition[list(p)[0][0]]
            rest = {monomial: c for monomial, c in definition.items() if c % n}
            if len(rest) == len(definition):
                break
            p = rest
        return p

    def bounded(self, p, low, high):
        """p, which is known to be in [low, high], under a name that says so."""
        have = self.range(p)
        if have[0] >= low and have[1] <= high:
            return p
        key = frozenset(p.items()), low, high
        if key not in self.renamed:
            self.renamed[key] = self.variable('%%%d' % len(self.name), low, high, p)
        return self.renamed[key]
