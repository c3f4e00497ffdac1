"""ECDSA signatures with edge values: of r, of s, of the two scalars that a verifier multiplies by, and of the points that it adds.

A signature (r, s) of the hash e is checked by R = u1 G + u2 Q with u1 = e/s and u2 = r/s. The key Q is calculated so that the edge value
verifies: Q = (s R - e G)/r. So a verifier that mishandles the edge refuses a good signature, or accepts a bad one.
"""

from ..curve import CURVES
from ..encoding import base64url, dump, unsigned
from ..keys import CURVES as JOSE, digest, seeded
from ..suite import Suite, claims

SHORT = {"P-256": "p256", "P-384": "p384", "P-521": "p521", "secp256k1": "k256"}
NEAR = "RFC 7518 section 3.4; SEC 1 section 4.1.4"


class Case:
    """One token to be made: its key's name decides its signing input, and so its hash."""

    def __init__(self, crv, name, filler=0):
        self.crv, self.curve = crv, CURVES[crv]
        _, self.size, self.algorithm, bits = JOSE[crv]
        self.kid = f"{SHORT[crv]}-{name}"
        header = dump({"alg": self.algorithm, "kid": self.kid, **({"x": filler} if filler else {})})
        self.input = f"{base64url(header)}.{base64url(dump(claims()))}"
        hashed = digest(bits, self.input.encode())
        order_bits = self.curve.n.bit_length()
        self.e = int.from_bytes(hashed, "big") >> max(0, 8 * len(hashed) - order_bits)

    def scalar(self, label):
        return int.from_bytes(seeded(f"{self.kid}/{label}", 80), "big") % (self.curve.n - 1) + 1

    def inverse(self, number):
        return pow(number, -1, self.curve.n)

    def recovered(self, point, s):
        """The key under which s verifies, R being `point`."""
        difference = self.curve.add(self.curve.times(s, point), self.curve.negated(self.curve.multiple(self.e)))
        return self.curve.times(self.inverse(point[0] % self.curve.n), difference)

    def recovered_by(self, k, s):
        """The same for R = k G, and r."""
        r = self.curve.multiple(k)[0] % self.curve.n
        return self.curve.multiple((s * k - self.e) * self.inverse(r)), r

    def jwk(self, point):
        x, y = (base64url(unsigned(coordinate, self.size)) for coordinate in point)
        return {"kty": "EC", "kid": self.kid, "crv": self.crv, "x": x, "y": y}

    def text(self, r, s):
        return f"{self.input}.{base64url(unsigned(r, self.size) + unsigned(s, self.size))}"


def lowest(curve, start, step=1):
    """The first point at or after an x, in steps."""
    x = start
    while curve.lifted(x) is None:
        x += step
    return curve.lifted(x)


def small_values(curve):
    n = curve.n
    return {"one": 1, "two": 2, "three": 3, "minus-one": n - 1, "minus-two": n - 2, "half": (n + 1) // 2, "half-below": (n - 1) // 2,
            "top-bit": 1 << (n.bit_length() - 1), "low-half-zero": (n >> n.bit_length() // 2) << n.bit_length() // 2,
            "low-half": (1 << n.bit_length() // 2) - 1}


def edge_s(crv):
    """s is an edge value."""
    for name, s in small_values(CURVES[crv]).items():
        case = Case(crv, f"s-{name}")
        yield case, *case.recovered_by(case.scalar("k"), s), s, f"s is an edge value ({name.replace('-', ' ')})"


def edge_r(crv):
    """r is an edge value, and the point R has an edge value as x."""
    curve = CURVES[crv]
    points = {"lowest": lowest(curve, 1), "lowest-other-y": curve.negated(lowest(curve, 1)), "highest": lowest(curve, curve.n - 1, -1),
              "beyond-order": lowest(curve, curve.n + 1), "beyond-order-other-y": curve.negated(lowest(curve, curve.n + 1)),
              "below-prime": lowest(curve, curve.p - 1, -1), "middle": lowest(curve, curve.n // 2)}
    for name, point in points.items():
        case = Case(crv, f"r-{name}")
        s = case.scalar("s")
        yield case, case.recovered(point, s), point[0] % curve.n, s, f"R has an edge value as x ({name.replace('-', ' ')})"


def edge_nonces(crv):
    """R is a small multiple of the base point."""
    for name, k in {"one": 1, "two": 2, "three": 3, "minus-one": -1, "minus-two": -2, "half": (CURVES[crv].n + 1) // 2}.items():
        case = Case(crv, f"k-{name}")
        s = case.scalar("s")
        yield case, *case.recovered_by(k, s), s, f"R is a small multiple of G ({name.replace('-', ' ')})"


def edge_keys(crv):
    """The private key is a small number, so the tables of G and of Q have points in common."""
    scalars = {f"{number}": number for number in (1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33)}
    scalars |= {"minus-1": -1, "minus-2": -2, "minus-3": -3, "half": (CURVES[crv].n + 1) // 2, "power": 1 << 128}
    for name, d in scalars.items():
        case = Case(crv, f"d-{name}")
        k = case.scalar("k")
        r = case.curve.multiple(k)[0] % case.curve.n
        yield case, case.curve.multiple(d), r, case.inverse(k) * (case.e + r * d) % case.curve.n, f"Q is G times {name.replace('-', ' ')}"


def edge_scalars(crv):
    """u1 or u2 is an edge value."""
    for name, make in {
        "u1-one": lambda case, r: case.e, "u1-minus-one": lambda case, r: -case.e, "u1-two": lambda case, r: case.e * case.inverse(2),
        "u2-one": lambda case, r: r, "u2-minus-one": lambda case, r: -r, "u2-two": lambda case, r: r * case.inverse(2),
        "u2-half": lambda case, r: 2 * r, "u1-half": lambda case, r: 2 * case.e,
    }.items():
        case = Case(crv, name)
        k = case.scalar("k")
        s = make(case, case.curve.multiple(k)[0] % case.curve.n) % case.curve.n
        yield case, *case.recovered_by(k, s), s, f"a scalar is an edge value ({name.replace('-', ' ')})"


def edge_sums(crv):
    """u1 = u2, and u1 G = u2 Q: the sum is a doubling."""
    filler = 0
    while True:
        case = Case(crv, "equal-scalars", filler)
        if (point := case.curve.lifted(case.e % case.curve.n)) is not None:
            break
        filler += 1
    s = case.scalar("s")
    yield case, case.recovered(point, s), case.e % case.curve.n, s, "both scalars are equal, r being the hash"
    case = Case(crv, "doubling")
    k = case.scalar("k")
    r, u1 = case.curve.multiple(k)[0] % case.curve.n, k * case.inverse(2) % case.curve.n
    s = case.e * case.inverse(u1) % case.curve.n
    key = case.curve.multiple(u1 * case.inverse(r * case.inverse(s)))
    yield case, key, r, s, "both points are equal, so that their sum is a doubling"


def infinite(crv):
    """u1 G = -u2 Q: the sum is infinity, and there is no x to compare."""
    n = CURVES[crv].n
    for name, r, s in [("random", None, None), ("r-one", 1, None), ("s-one", None, 1), ("both-one", 1, 1), ("both-last", n - 1, n - 1)]:
        case = Case(crv, f"infinity-{name}")
        r, s = r or case.scalar("r"), s or case.scalar("s")
        key = case.curve.multiple(-case.e * case.inverse(r))
        yield case, key, r, s, f"the sum is infinity ({name.replace('-', ' ')})"


def neighbours(case, r, s):
    """Values near those that verify: identifier, r, s, whether they verify, what they are."""
    n, limit = case.curve.n, 1 << 8 * case.size
    yield "negative-s", r, n - s, True, "with s negated, which verifies as well"
    for name, changed in {"r-plus-one": ((r + 1) % n, s), "s-plus-one": (r, (s + 1) % n), "negative-r": (n - r, s), "swapped": (s, r),
                          "r-plus-order": (r + n, s), "s-plus-order": (r, s + n), "r-twice-order": (r + 2 * n, s)}.items():
        if max(changed) < limit and changed != (r, s) and 0 not in changed:
            yield name, *changed, False, f"with other values ({name.replace('-', ' ')})"


def ecdsa_edges(crv):
    keys, cases = {}, []
    prefix = f"edge-{SHORT[crv]}"

    def note(case, key, identifier, r, s, code, why):
        keys[case.kid] = case.jwk(key)
        cases.append((f"{prefix}-{identifier}", case.text(r, s), code, why))
    for family in (edge_s, edge_r, edge_nonces, edge_keys, edge_scalars, edge_sums):
        for case, key, r, s, what in family(crv):
            name = case.kid.partition("-")[2]
            note(case, key, name, r, s, "valid", f"A good {case.algorithm} signature where {what}.")
            if name in ("s-one", "s-minus-one", "r-lowest", "r-beyond-order", "d-1", "doubling", "u2-one"):
                for identifier, other_r, other_s, verifies, how in neighbours(case, r, s):
                    note(case, key, f"{name}-{identifier}", other_r, other_s, "valid" if verifies else "signature_invalid",
                         f"The signature where {what}, {how}.")
            if name == "r-beyond-order":
                note(case, key, f"{name}-unreduced", r + case.curve.n, s, "signature_invalid", "The x of R, not reduced by the order.")
    for case, key, r, s, what in infinite(crv):
        note(case, key, case.kid.partition("-")[2], r, s, "signature_invalid", f"An {case.algorithm} signature where {what}.")
    suite = Suite(f"ecdsa-edges-{SHORT[crv]}", f"ECDSA on {crv} with edge values; the keys are made for them.", list(keys.values()),
                  reference=NEAR)
    seen = set()
    for identifier, text, code, why in cases:
        if identifier not in seen and text not in seen:
            suite.add(identifier, text, code, why)
        seen |= {identifier, text}
    return suite


SUITES = [lambda crv=crv: ecdsa_edges(crv) for crv in SHORT]
