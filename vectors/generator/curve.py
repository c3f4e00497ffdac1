"""Points of the short Weierstrass curves of JOSE, in affine coordinates. Slow and plain: only edge values are computed with it."""

from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec


@dataclass(frozen=True)
class Curve:
    kind: ec.EllipticCurve
    p: int
    a: int
    b: int
    n: int
    base: tuple

    def lifted(self, x):
        """A point with this x, or None."""
        square = (x ** 3 + self.a * x + self.b) % self.p
        root = pow(square, (self.p + 1) // 4, self.p)
        return (x, root) if x < self.p and root * root % self.p == square else None

    def negated(self, point):
        return point and (point[0], -point[1] % self.p)

    def add(self, left, right):
        """The sum; None is the point at infinity."""
        if left is None or right is None:
            return left or right
        if left == self.negated(right):
            return None
        if left == right:
            slope = (3 * left[0] ** 2 + self.a) * pow(2 * left[1], -1, self.p)
        else:
            slope = (right[1] - left[1]) * pow(right[0] - left[0], -1, self.p)
        x = (slope ** 2 - left[0] - right[0]) % self.p
        return x, (slope * (left[0] - x) - left[1]) % self.p

    def multiple(self, scalar):
        """A multiple of the base point, by the cryptography package."""
        scalar %= self.n
        if scalar == 0:
            return None
        point = ec.derive_private_key(scalar, self.kind).public_key().public_numbers()
        return point.x, point.y

    def times(self, scalar, point):
        total = None
        for bit in bin(scalar % self.n)[2:]:
            total = self.add(total, total)
            if bit == "1":
                total = self.add(total, point)
        return total


def named(kind, prime, a):
    """A curve of the cryptography package: its order, its base point, and the b that puts the point on it."""
    base = ec.derive_private_key(1, kind).public_key().public_numbers()
    return Curve(kind, prime, a, (base.y ** 2 - base.x ** 3 - a * base.x) % prime, kind.group_order, (base.x, base.y))


CURVES = {
    "P-256": named(ec.SECP256R1(), 2**256 - 2**224 + 2**192 + 2**96 - 1, -3),
    "P-384": named(ec.SECP384R1(), 2**384 - 2**128 - 2**96 + 2**32 - 1, -3),
    "P-521": named(ec.SECP521R1(), 2**521 - 1, -3),
    "secp256k1": named(ec.SECP256K1(), 2**256 - 2**32 - 977, 0),
}
