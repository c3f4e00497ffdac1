"""EdDSA signatures with edge values of S and of R, and signatures made by a wrong step."""

import hashlib

from ..edwards import BASE, L, L448, SigningKey, encoded, number, torsion
from ..encoding import base64url
from ..keys import ed_key, seeded
from ..suite import Suite, assemble, claims, signature_of, signing_input, token, with_signature

RANGE = "RFC 8032 section 5.1.7"
SMALL = {  # identifier: encoding of a point of small order, or one that does not decode
    "neutral": "01" + "00" * 31, "order-two": "ec" + "ff" * 30 + "7f", "order-four": "00" * 32, "order-four-sign": "00" * 31 + "80",
    "order-eight": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "order-eight-other": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "neutral-with-sign": "01" + "00" * 30 + "80", "order-two-with-sign": "ec" + "ff" * 31, "prime": "ed" + "ff" * 30 + "7f",
    "prime-plus-one": "ee" + "ff" * 30 + "7f", "all-ff": "ff" * 32, "off-curve": "02" + "00" * 31,
}
STEPS = [  # identifier, arguments of the signature, what is wrong
    ("no-key", {"challenge": lambda r, a, m: r + m}, "the challenge does not hash the key"),
    ("no-r", {"challenge": lambda r, a, m: a + m}, "the challenge does not hash R"),
    ("key-first", {"challenge": lambda r, a, m: a + r + m}, "the challenge hashes the key first"),
    ("message-first", {"challenge": lambda r, a, m: m + r + a}, "the challenge hashes the message first"),
    ("message-twice", {"challenge": lambda r, a, m: r + a + m + m}, "the challenge hashes the message twice"),
    ("hashed-message", {"challenge": lambda r, a, m: r + a + hashlib.sha512(m).digest()}, "the challenge hashes the hash of the message"),
    ("context", {"domain": b"SigEd25519 no Ed25519 collisions\x00\x00"}, "it is of Ed25519ctx"),
    ("context-jws", {"domain": b"SigEd25519 no Ed25519 collisions\x00\x03JWS"}, "it is of Ed25519ctx with a context"),
    ("prehashed-domain", {"domain": b"SigEd25519 no Ed25519 collisions\x01\x00"}, "it has the domain of Ed25519ph"),
    ("big-endian-s", {"order": "big"}, "S is in big-endian order"),
]


def edge_s(signature, size, order, most):
    """S with a multiple of the order added, which only a check of its range refuses."""
    r, s = signature[:size], number(signature[size:])
    for factor in range(1, most + 1):
        if s + factor * order < 1 << 8 * size:
            yield f"s-plus-{factor}", r + (s + factor * order).to_bytes(size, "little"), f"S has {factor} times the order added"
    for value, name in ((order - s, "negated"), (order, "order"), (order - 1, "order-minus-one"), (order + 1, "order-plus-one"), (0,
                                                                                                                                  "zero"),
                        (1, "one"), ((1 << 8 * size) - 1, "all-ff")):
        yield f"s-{name}", r + value.to_bytes(size, "little"), f"S is {name.replace('-', ' ')}"
    for bit in (8 * size - 1, 8 * size - 2, 8 * size - 3, 252 if size == 32 else 446):
        yield f"s-bit-{bit}", r + (s ^ 1 << bit).to_bytes(size, "little"), f"bit {bit} of S is flipped"


def edwards_edges():
    key, wide = ed_key("ed25519-1"), ed_key("ed448-1", "Ed448")
    suite = Suite("eddsa-edges", "EdDSA signatures with edge values of S and R, and signatures made by a wrong step.",
                  [key.jwk(), wide.jwk(), *not_canonical()], reference=RANGE)
    for name, signer, size, order in (("ed25519", key, 32, L), ("ed448", wide, 57, L448)):
        good = token(signer)
        for identifier, octets, what in edge_s(signature_of(good), size, order, 15):
            suite.add(f"edge-{name}-{identifier}", with_signature(good, octets), "signature_invalid", f"In a good signature, {what}.")
    good = token(key)
    signature = signature_of(good)
    for identifier, text in SMALL.items():
        for kind, s in (("", signature[32:]), ("-s-zero", bytes(32))):
            suite.add(f"edge-ed25519-r-{identifier}{kind}", with_signature(good, bytes.fromhex(text) + s), "signature_invalid",
                      f"R is replaced ({identifier.replace('-', ' ')}){', and S is zero' if kind else ''}.", "RFC 8032 section 5.1.3")
    negated = signature[:31] + bytes([signature[31] ^ 0x80]) + signature[32:]
    suite.add("edge-ed25519-r-negated", with_signature(good, negated), "signature_invalid", "The sign of R is flipped.")
    signer, message = SigningKey(seeded("ed25519-1", 32)), signing_input(good).encode()
    assert signer.public == key.public and signer.sign(message) == signature
    for identifier, arguments, what in STEPS:
        suite.add(f"edge-ed25519-{identifier}", with_signature(good, signer.sign(message, **arguments)), "signature_invalid",
                  f"The signature is made by a wrong step: {what}.", "RFC 8032 section 5.1.6")
    for place, point in enumerate(torsion(), 1):
        suite.add(f"edge-ed25519-torsion-{place}", with_signature(good, signer.sign(message, shift=point)), "signature_invalid",
                  "R has a point of small order added: only a check with the cofactor accepts it.", RANGE, "hardening")
    for jwk in not_canonical():
        # R is the base point and S is one: this holds for every message where the key is taken for the neutral element.
        forged = assemble({"alg": "EdDSA", "kid": jwk["kid"]}, claims(), encoded(BASE) + (1).to_bytes(32, "little"))
        suite.add(f"edge-{jwk['kid']}", forged, "invalid_key", "The key does not decode. A verifier that reads it as the neutral element "
                  "accepts this signature for every message.", "RFC 8032 section 5.1.3")
    return suite


def not_canonical():
    """Spellings of the neutral element that RFC 8032 does not decode."""
    return [{"kty": "OKP", "kid": f"ed25519-{name}", "crv": "Ed25519", "x": base64url(bytes.fromhex(SMALL[name]))}
            for name in ("neutral-with-sign", "prime-plus-one")]


SUITES = [edwards_edges]
