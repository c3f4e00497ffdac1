"""The group laws, and what a formula must give. Affine points are pairs of residues."""
from points.residue import need, same


def chord(p, q):
    """The sum of points with different x on y^2 = x^3 - 3 x + b: its x and y times d^2 and d^3, for d = x2 - x1."""
    (x1, y1), (x2, y2) = p, q
    d, n = x2 - x1, y2 - y1
    x3 = n * n - (x1 + x2) * d * d
    return d, x3, n * (x1 * d * d - x3) - y1 * d ** 3


def tangent(p):
    """The double of a point with y not 0, in the same form, for d = 2 y."""
    x, y = p
    d, n = 2 * y, 3 * x * x - 3
    x3 = n * n - 2 * x * d * d
    return d, x3, n * (x * d * d - x3) - y * d ** 3


def is_law(coordinates, law, factors):
    """X / ZZ and Y / ZZZ are the law's point, and ZZ and ZZZ the square and the cube of the product of the factors.

    So ZZ is zero exactly where a factor is: where an operand has no affine form, or where the law divides by zero.
    """
    x, y, zz, zzz = coordinates
    d, x3, y3 = law
    same(x * d * d, zz * x3, 'X / ZZ is x of the sum')
    same(y * d ** 3, zzz * y3, 'Y / ZZZ is y of the sum')
    z = factors[0]
    for factor in factors[1:]:
        z = z * factor
    same(zz, z * z, 'ZZ is the square of the factors')
    same(zzz, z ** 3, 'ZZZ is their cube')


def is_edwards(coordinates, p, q, d):
    """(X : Y : Z), T is the sum of any two points of -x^2 + y^2 = 1 + d x^2 y^2.

    Z has the factors 1 + D and 1 - D, which are never zero, because d is not a square (Bernstein et al., Twisted Edwards curves).
    """
    (x1, y1), (x2, y2) = p, q
    x, y, z, t = coordinates
    D = d * x1 * x2 * y1 * y2
    same(x * (1 + D), z * (x1 * y2 + y1 * x2), 'X / Z is x of the sum')
    same(y * (1 - D), z * (y1 * y2 + x1 * x2), 'Y / Z is y of the sum')
    same(x * y, z * t, 'T is X Y / Z')
    return D


def stays_zero(coordinate, name, what):
    """Whatever the other coordinates are: a zero stays a zero."""
    need(coordinate.has_factor(name), '%s: zero for %s = 0' % (what, name))
