"""Residues modulo a prime as polynomials in named unknowns; an exponent may be negative where the unknown is not zero."""
from machine.values import Unproven


class Residue:
    """`terms` is {monomial: coefficient}; a monomial is a frozenset of (name, exponent), exponents not zero."""
    __slots__ = ('modulus', 'terms')

    def __init__(self, modulus, terms):
        self.modulus = modulus
        self.terms = {monomial: c % modulus for monomial, c in terms.items() if c % modulus}

    def number(self, n):
        return Residue(self.modulus, {frozenset(): n})

    def __add__(self, other):
        other = other if isinstance(other, Residue) else self.number(other)
        terms = dict(self.terms)
        for monomial, c in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + c
        return Residue(self.modulus, terms)

    def __neg__(self):
        return Residue(self.modulus, {monomial: -c for monomial, c in self.terms.items()})

    def __sub__(self, other):
        return self + (-other if isinstance(other, Residue) else -other)

    def __mul__(self, other):
        if not isinstance(other, Residue):
            return Residue(self.modulus, {monomial: c * other for monomial, c in self.terms.items()})
        terms = {}
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                monomial = product(m, n)
                terms[monomial] = terms.get(monomial, 0) + c * d
        return Residue(self.modulus, terms)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return -self + other

    def __pow__(self, exponent):
        if len(self.terms) == 1:
            (monomial, c), = self.terms.items()
            power = frozenset((name, e * exponent) for name, e in monomial) if exponent else frozenset()
            return Residue(self.modulus, {power: pow(c, exponent, self.modulus)})
        if exponent < 0:
            raise Unproven('an inverse of a sum')
        result = self.number(1)
        for _ in range(exponent):
            result = result * self
        return result

    def __eq__(self, other):
        return not (self - other).terms

    __hash__ = None

    def constant(self):
        """The number that it is, or None."""
        return self.terms.get(frozenset(), 0) if set(self.terms) <= {frozenset()} else None

    def has_factor(self, name):
        """Whether every term has this unknown."""
        return all(any(n == name and e > 0 for n, e in monomial) for monomial in self.terms)

    def __str__(self):
        def monomial_text(monomial):
            return ' '.join(name if e == 1 else '%s^%d' % (name, e) for name, e in sorted(monomial)) or '1'
        shown = ['%d %s' % (c if 2 * c < self.modulus else c - self.modulus, monomial_text(m)) for m, c in list(self.terms.items())[:4]]
        return (' + '.join(shown) or '0') + (' + ...' if len(self.terms) > 4 else '')


def product(m, n):
    if not m or not n:
        return m or n
    exponents = dict(m)
    for name, e in n:
        total = exponents.get(name, 0) + e
        if total:
            exponents[name] = total
        else:
            del exponents[name]
    return frozenset(exponents.items())


def unknowns(modulus, names):
    return [Residue(modulus, {frozenset([(name, 1)]): 1}) for name in names.split()]


def number(modulus, n):
    return Residue(modulus, {frozenset(): n})


def need(holds, claim):
    if not holds:
        raise Unproven(claim)


def same(a, b, claim):
    need(a == b, '%s: the difference is %s' % (claim, a - b))
