"""Points of Ed25519's curve in affine coordinates (RFC 8032 section 5.1), and signatures step by step, so that a step can be wrong."""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
L448 = 2**446 - 13818066809895115352007386748515426880336692474882178609894547503885


def add(left, right):
    (x1, y1), (x2, y2) = left, right
    product = D * x1 * x2 * y1 * y2
    return (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P


def times(scalar, point):
    total = (0, 1)
    for bit in bin(scalar)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, point)
    return total


def lifted(y, sign):
    """The point with this y whose x has this lowest bit, or None."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    if x * x % P != square or (x == 0 and sign):
        return None
    return (x if x & 1 == sign else P - x), y


BASE = lifted(4 * pow(5, -1, P) % P, 0)


def encoded(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def torsion():
    """The seven points of small order but the neutral one: multiples of a point of order eight."""
    y = next(y for y in range(2, 100) if (point := lifted(y, 0)) and times(4 * L, point) != (0, 1))
    eighth = times(L, lifted(y, 0))
    return [times(number, eighth) for number in range(1, 8)]


def number(octets):
    return int.from_bytes(octets, "little")


class SigningKey:
    """A private key whose signatures are made from named steps."""

    def __init__(self, seed):
        hashed = hashlib.sha512(seed).digest()
        self.scalar = number(hashed[:32]) & (1 << 254) - 8 | 1 << 254
        self.prefix = hashed[32:]
        self.public = encoded(times(self.scalar, BASE))

    def sign(self, message, *, challenge=None, shift=None, domain=b"", order="little"):
        """A signature; the arguments change the challenge, move R by a point, add a domain, or turn S round."""
        nonce = number(hashlib.sha512(domain + self.prefix + message).digest()) % L
        point = times(nonce, BASE)
        r = encoded(add(point, shift) if shift else point)
        parts = challenge(r, self.public, message) if challenge else domain + r + self.public + message
        s = (nonce + number(hashlib.sha512(parts).digest()) * self.scalar) % L
        return r + s.to_bytes(32, order)
