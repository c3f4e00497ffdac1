"""Polynomials with integer coefficients: {monomial: coefficient}, a monomial being a sorted tuple of the numbers of its variables."""


def constant(c):
    return {(): c} if c else {}


def add(p, q, factor=1):
    """p + factor q."""
    if not factor:
        return p
    r = dict(p)
    for monomial, c in q.items():
        total = r.get(monomial, 0) + factor * c
        if total:
            r[monomial] = total
        else:
            r.pop(monomial, None)
    return r


def scale(p, factor):
    return {monomial: factor * c for monomial, c in p.items()} if factor else {}


def multiply(p, q):
    r = {}
    for m, c in p.items():
        for n, d in q.items():
            monomial = tuple(sorted(m + n)) if m and n else m or n
            total = r.get(monomial, 0) + c * d
            if total:
                r[monomial] = total
            else:
                del r[monomial]
    return r


def is_constant(p):
    return not p or (len(p) == 1 and () in p)


def value_of(p):
    """The number that a constant polynomial is."""
    return p.get((), 0)


def value(digits, bits):
    """The number with these digits, the lowest first."""
    p = {}
    for i, digit in enumerate(digits):
        p = add(p, scale(digit, 1 << (bits * i)))
    return p


def trailing_zeros(p):
    """The power of two that divides every coefficient."""
    return min([(c & -c).bit_length() - 1 for c in p.values()], default=0)
