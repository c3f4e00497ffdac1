"""Suites about signatures: every algorithm, and every way of getting one wrong."""

import hashlib

from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from .encoding import base64url, dump, unbase64url, unsigned, unused_bits_set
from .keys import (DIGEST_INFO, HmacKey, digest, ec_key, ed_key, hmac_key, mldsa_key, pkcs1_encoded, pss_encoded,
                   rsa_key, seeded)
from .suite import (ABSENT, Suite, claims, flipped, header_of, octets, signature_of, signing_input, split, token,
                    with_signature)

RFC7518_RSA = "RFC 7518 section 3.3"
RFC7518_EC = "RFC 7518 section 3.4"
EDWARDS_ORDER = {"Ed25519": (1 << 252) + 27742317777372353535851937790883648493,
                 "Ed448": (1 << 446) - 13818066809895115352007386748515426880336692474882178609894547503885}
RSA_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]
EC_KEYS = {"ES256": ("p256-1", "P-256"), "ES384": ("p384-1", "P-384"), "ES512": ("p521-1", "P-521"),
           "ES256K": ("k256-1", "secp256k1")}


def forged(key, make_signature, algorithm=None, payload=None):
    """A token whose signature is made by the given function of the signing input."""
    header = header_of(key, algorithm)
    data = f"{base64url(dump(header))}.{base64url(octets(claims() if payload is None else payload))}"
    return f"{data}.{base64url(make_signature(data.encode()))}"


def valid_algorithms():
    rsa, large = rsa_key("rsa-1"), rsa_key("rsa-3072", (1024,) * 3)
    largest, cubic = rsa_key("rsa-4096", (1024,) * 4), rsa_key("rsa-e3", exponent=3)
    curves = {algorithm: ec_key(*arguments) for algorithm, arguments in EC_KEYS.items()}
    ed25519, ed448 = ed_key("ed25519-1"), ed_key("ed448-1", "Ed448")
    keys = [rsa.jwk(), large.jwk(use="sig"), largest.jwk(key_ops=["verify"]), cubic.jwk()]
    keys += [key.jwk(use="sig", alg=algorithm) for algorithm, key in curves.items()]
    keys += [ed25519.jwk(use="sig"), ed448.jwk(use="sig")]
    suite = Suite("valid-algorithms", "Without an allow-list every asymmetric algorithm is allowed.", keys,
                  reference="RFC 7518 section 3.1")
    for key in (rsa, large, largest):
        for algorithm in RSA_ALGORITHMS:
            suite.valid(f"valid-{algorithm.lower()}-{key.n.bit_length()}", token(key, None, algorithm),
                        f"{algorithm} with a key of {key.n.bit_length()} bits.", RFC7518_RSA)
    for algorithm in ("RS256", "PS256"):
        suite.valid(f"valid-{algorithm.lower()}-e3", token(cubic, None, algorithm),
                    f"{algorithm} with the public exponent three.", RFC7518_RSA)
    for algorithm, key in curves.items():
        reference = "RFC 8812 section 3.2" if algorithm == "ES256K" else RFC7518_EC
        suite.valid(f"valid-{algorithm.lower()}", token(key), f"{algorithm} with a {key.crv} key.", reference)
        suite.valid(f"valid-{algorithm.lower()}-no-kid", token(key, kid=ABSENT),
                    f"{algorithm} without a kid, one key of the set fits.", reference)
    for key in (ed25519, ed448):
        name = key.crv.lower()
        suite.valid(f"valid-eddsa-{name}", token(key), f"EdDSA with an {key.crv} key.", "RFC 8037 section 3.1")
        suite.valid(f"valid-{name}", token(key, None, key.crv), f"{key.crv}, by the fully specified name.",
                    "RFC 9864 section 2.2")
        suite.valid(f"valid-eddsa-{name}-no-kid", token(key, kid=ABSENT),
                    "EdDSA without a kid, the keys of both curves being candidates.", "RFC 8037 section 3.1")
    return suite


def eddsa():
    names = [("ed25519-1", "Ed25519"), ("ed448-1", "Ed448")]
    keys = [ed_key(*arguments) for arguments in names]
    bound = [(ed_key("ed25519-bound-eddsa"), "EdDSA"), (ed_key("ed25519-bound-ed25519"), "Ed25519"),
             (ed_key("ed448-bound-eddsa", "Ed448"), "EdDSA"), (ed_key("ed448-bound-ed448", "Ed448"), "Ed448")]
    wrong = ed_key("ed25519-bound-ed448")
    suite = Suite("eddsa", "EdDSA, Ed25519 and Ed448: names, key binding, malleability, wrong lengths.",
                  [key.jwk() for key in keys] + [key.jwk(alg=name) for key, name in bound] + [wrong.jwk(alg="Ed448")],
                  reference="RFC 8037 section 3.1")
    for key, name in bound:
        for algorithm in ("EdDSA", key.crv):
            suite.valid(f"eddsa-{key.name}-as-{algorithm.lower()}", token(key, None, algorithm),
                        f"A key of curve {key.crv} bound to {name} verifies a token of {algorithm}.", "RFC 9864")
    for algorithm in ("EdDSA", "Ed25519"):
        suite.add(f"eddsa-wrongly-bound-as-{algorithm.lower()}", token(wrong, None, algorithm),
                  "key_algorithm_mismatch", "A key of curve Ed25519 is bound to Ed448.", "RFC 9864")
    ed25519, ed448 = keys
    suite.add("eddsa-ed448-name-over-ed25519-key", token(ed25519, alg="Ed448"), "key_algorithm_mismatch",
              "The name Ed448 does not fit an Ed25519 key.", "RFC 9864 section 2.2")
    suite.add("eddsa-ed25519-name-over-ed448-key", token(ed448, alg="Ed25519"), "key_algorithm_mismatch",
              "The name Ed25519 does not fit an Ed448 key.", "RFC 9864 section 2.2")
    for key in keys:
        good, name = token(key), key.crv.lower()
        signature = signature_of(good)
        half = len(signature) // 2
        point, scalar = signature[:half], int.from_bytes(signature[half:], "little")
        other = signature_of(token(key, claims(sub="user-2")))
        identity = b"\x01" + bytes(half - 1)
        bad = [
            ("s-plus-l", point + (scalar + EDWARDS_ORDER[key.crv]).to_bytes(half, "little"),
             "S has the order of the group added to it", "RFC 8032 section 5.1.7"),
            ("s-is-l", point + EDWARDS_ORDER[key.crv].to_bytes(half, "little"), "S is the order of the group",
             "RFC 8032 section 5.1.7"),
            ("s-zero", point + bytes(half), "S is zero", None),
            ("all-zero", bytes(2 * half), "all octets are zero", "CVE-2022-21449"),
            ("all-ff", b"\xff" * 2 * half, "all octets are FF", None),
            ("identity-r", identity + signature[half:], "R is the neutral element", None),
            ("identity-r-s-zero", identity + bytes(half), "R is the neutral element and S is zero", "CVE-2022-21449"),
            ("other-message", other, "the signature is of another payload", None),
            ("swapped-halves", signature[half:] + point, "R and S are swapped", None),
            ("flipped-r", flipped(signature), "a bit of R is flipped", None),
            ("flipped-s", flipped(signature, half), "a bit of S is flipped", None),
            ("short", signature[:-1], "one octet is missing", None),
            ("long", signature + b"\0", "there is one octet too many", None),
            ("doubled", signature * 2, "the signature is there twice", None),
            ("empty", b"", "the signature is empty", None),
        ]
        for identifier, octet_string, what, reference in bad:
            suite.add(f"eddsa-{name}-{identifier}", with_signature(good, octet_string), "signature_invalid",
                      f"Of a token of {key.crv} {what}.", reference)
        prehashed = key.private.sign(hashlib.sha512(signing_input(good).encode()).digest())
        suite.add(f"eddsa-{name}-prehashed", with_signature(good, prehashed), "signature_invalid",
                  "The signature is of the hash of the signing input.", "RFC 8037 section 3.1")
    suite.add("eddsa-ed25519-signature-for-ed448-key", with_signature(token(ed448), signature_of(token(ed25519))),
              "signature_invalid", "The signature has the length of the other curve.")
    return suite


def ecdsa():
    keys = {algorithm: ec_key(*arguments) for algorithm, arguments in EC_KEYS.items()}
    suite = Suite("ecdsa-signatures", "ECDSA: r and s out of range, DER, wrong lengths, wrong hashes.",
                  [key.jwk() for key in keys.values()], reference=RFC7518_EC)
    for algorithm, key in keys.items():
        name, good = algorithm.lower(), token(key)
        size, order, data = key.size, key.order, signing_input(token(key)).encode()
        r, s = key.scalars(data)
        top = (1 << 8 * size) - 1
        psychic = [("zeros", 0, 0), ("r-zero", 0, s), ("s-zero", r, 0), ("r-order", order, s), ("s-order", r, order),
                   ("both-order", order, order), ("r-order-plus-1", order + 1, s), ("s-order-plus-1", r, order + 1),
                   ("all-ff", top, top), ("ones", 1, 1)]
        for identifier, left, right in psychic:
            suite.add(f"ecdsa-{name}-{identifier}", with_signature(good, key.joined(left, right)), "signature_invalid",
                      f"{algorithm} with r and s out of range or made up ({identifier.replace('-', ' ')}).",
                      "CVE-2022-21449")
        signature = key.joined(r, s)
        shapes = [
            ("der", encode_dss_signature(r, s), "is in DER", RFC7518_EC),
            ("zero-padded", unsigned(r, size + 1) + unsigned(s, size + 1),
             "has r and s with a zero octet in front", None),
            ("doubled-width", unsigned(r, 2 * size) + unsigned(s, 2 * size),
             "has r and s at twice their length", None),
            ("empty", b"", "is empty", "RFC 7518 section 3.4; HAProxy commit 648b0e7be"),
            ("one-octet", signature[:1], "is a single octet", "RFC 7518 section 3.4; HAProxy commit 648b0e7be"),
            ("one-short", signature[:-1], "is an octet short", "RFC 7518 section 3.4; HAProxy commit 648b0e7be"),
            ("one-long", signature + b"\0", "is an octet too long", "RFC 7518 section 3.4; HAProxy commit 648b0e7be"),
            ("leading-zero", b"\0" + signature, "has a zero octet in front", None),
            ("half", signature[:size], "is r alone", None),
            ("swapped", key.joined(s, r), "has r and s swapped", None),
            ("flipped", flipped(signature, size - 1), "has a bit flipped", None),
        ]
        for identifier, octet_string, what, reference in shapes:
            suite.add(f"ecdsa-{name}-{identifier}", with_signature(good, octet_string), "signature_invalid",
                      f"The {algorithm} signature {what}.", reference)
        for bits in ("256", "384", "512"):
            if bits != key.bits:
                suite.add(f"ecdsa-{name}-sha{bits}", with_signature(good, key.joined(*key.scalars(data, bits))),
                          "signature_invalid", f"The {algorithm} signature is made with SHA-{bits}.")
    p256, p521 = keys["ES256"], keys["ES512"]
    good = token(p256)
    r, s = p256.scalars(signing_input(good).encode())
    for identifier, value in (("s-high", max(s, p256.order - s)), ("s-low", min(s, p256.order - s))):
        suite.valid(f"ecdsa-es256-{identifier}", with_signature(good, p256.joined(r, value)),
                    "JOSE asks for no particular one of the two values of s.")
    r, s = p521.scalars(signing_input(token(p521)).encode())
    for identifier, left, right in (("r-plus-order", r + p521.order, s), ("s-plus-order", r, s + p521.order)):
        suite.add(f"ecdsa-es512-{identifier}", with_signature(token(p521), p521.joined(left, right)),
                  "signature_invalid", "A good signature with the order added to r or s, which still fits the octets.")
    for number in range(1 << 14):
        text = token(p256, claims(n=number))
        r, s = p256.scalars(signing_input(text).encode())
        if r < 1 << 248:
            break
    suite.valid("ecdsa-es256-short-r", text, "An r that begins with a zero octet is padded to 32 octets.")
    suite.add("ecdsa-es256-short-r-unpadded", with_signature(text, unsigned(r) + unsigned(s, 32)),
              "signature_invalid", "An r that begins with a zero octet is not padded.")
    suite.add("ecdsa-es256-other-payload", ".".join([split(good)[0], base64url(dump(claims(sub="admin"))),
                                                     split(good)[2]]), "signature_invalid",
              "The payload is replaced by another.", "RFC 7515 section 5.2")
    suite.add("ecdsa-es256-other-header", ".".join([base64url(dump(header_of(p256, typ="x"))), *split(good)[1:]]),
              "signature_invalid", "The header is replaced by another.", "RFC 7515 section 5.2")
    return suite


def ends_with_zero_octet(key, algorithm):
    """A token whose RSA signature begins with a zero octet."""
    return next(text for text in (token(key, claims(n=number), algorithm) for number in range(1 << 14))
                if signature_of(text)[0] == 0)


def der_length(tag, content):
    return bytes([tag, len(content)]) + content


def cube_root(number):
    low, high = 0, 1 << (number.bit_length() // 3 + 2)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if middle ** 3 < number else (low, middle)
    return low


def bleichenbacher_forgery(key, data):
    """A signature made without the private key: a cube that begins like an encoding with short padding."""
    start = b"\x00\x01" + b"\xff" * 8 + b"\x00" + DIGEST_INFO["256"] + digest("256", data)
    root = cube_root(int.from_bytes(start + bytes(key.size - len(start)), "big"))
    assert unsigned(root ** 3, key.size).startswith(start)
    return unsigned(root, key.size)


def rsa_pkcs1():
    key, other, cubic = rsa_key("rsa-1"), rsa_key("rsa-2"), rsa_key("rsa-e3", exponent=3)
    suite = Suite("rsa-pkcs1", "RSASSA-PKCS1-v1_5: wrong encodings, wrong hashes, wrong lengths.",
                  [key.jwk(), cubic.jwk()], reference="RFC 8017 section 8.2.2")
    size = key.size

    def padded(tail, block_type=1, filler=b"\xff"):
        return bytes([0, block_type]) + filler * (size - len(tail) - 3) + b"\0" + tail

    def info(data, bits="256"):
        return DIGEST_INFO[bits] + digest(bits, data)

    def no_null(data):
        return der_length(0x30, der_length(0x30, DIGEST_INFO["256"][4:15]) + der_length(4, digest("256", data)))

    def long_form(data):
        return b"\x30\x81" + info(data)[1:]

    def with_rest(data):
        start = b"\x00\x01" + b"\xff" * 8 + b"\x00" + info(data)
        return start + seeded("garbage", size - len(start))

    encodings = [
        ("no-null", lambda data: padded(no_null(data)), "the NULL of the hash parameters is missing",
         "RFC 8017 section 8.2.2; Wycheproof rsa_signature"),
        ("long-form-length", lambda data: padded(long_form(data)), "a length is in the long form",
         "RFC 8017 section 8.2.2; Wycheproof rsa_signature"),
        ("garbage-after-hash", with_rest, "garbage follows the hash and the padding is short", "CVE-2006-4339"),
        ("garbage-octet", lambda data: padded(info(data) + b"\0"), "one octet follows the hash", "CVE-2006-4339"),
        ("no-digest-info", lambda data: padded(digest("256", data)), "the hash is there without its identifier", None),
        ("block-type-2", lambda data: padded(info(data), 2, b"\x5a"), "the block type is that of encryption", None),
        ("block-type-0", lambda data: padded(info(data), 0, b"\0"), "the block type is zero", None),
        ("zero-padding", lambda data: padded(info(data), 1, b"\0"), "the padding is of zeros", None),
        ("wrong-padding-octet", lambda data: padded(info(data))[:20] + b"\xfe" + padded(info(data))[21:],
         "one octet of the padding is not FF", None),
        ("no-separator", lambda data: padded(info(data)).replace(b"\0" + info(data), b"\xff" + info(data)),
         "the zero octet before the hash is missing", None),
        ("sha1", lambda data: pkcs1_encoded(size, "1", data), "the hash is SHA-1", None),
        ("sha384", lambda data: pkcs1_encoded(size, "384", data), "the hash is SHA-384", None),
        ("sha512", lambda data: pkcs1_encoded(size, "512", data), "the hash is SHA-512", None),
        ("wrong-identifier", lambda data: padded(DIGEST_INFO["512"] + digest("256", data)),
         "the hash is SHA-256 and called SHA-512", None),
        ("hash-of-hash", lambda data: pkcs1_encoded(size, "256", digest("256", data)),
         "the hash is taken of the hash", None),
        ("pss", lambda data: pss_encoded(2048, "256", data), "the encoding is PSS", RFC7518_RSA),
        ("all-zero", lambda data: bytes(size), "the encoding is all zeros", None),
    ]
    for identifier, encode, what, reference in encodings:
        suite.add(f"pkcs1-{identifier}", forged(key, lambda data: key.power(encode(data))), "signature_invalid",
                  f"In an RS256 signature {what}.", reference)
    good = token(key)
    signature = signature_of(good)
    wraparound = int.from_bytes(signature, "big") + key.n
    short = ends_with_zero_octet(key, "RS256")
    suite.valid("pkcs1-leading-zero", short, "A signature that begins with a zero octet has its full length.")
    octet_strings = [
        ("leading-zero-stripped", short, signature_of(short)[1:], "lacks its leading zero octet", None),
        ("zero-prefixed", good, b"\0" + signature, "has a zero octet in front", None),
        ("plus-modulus", good, unsigned(wraparound), "has the modulus added to it", None),
        ("one-short", good, signature[:-1], "is an octet short", None),
        ("one-long", good, signature + b"\0", "is an octet too long", None),
        ("empty", good, b"", "is empty", "CVE-2026-102946"),
        ("zero", good, bytes(size), "is zero", None),
        ("one", good, unsigned(1, size), "is one", None),
        ("minus-one", good, unsigned(key.n - 1, size), "is the modulus less one", None),
        ("modulus", good, unsigned(key.n, size), "is the modulus", None),
        ("all-ff", good, b"\xff" * size, "is all FF", None),
        ("negated", good, unsigned(key.n - int.from_bytes(signature, "big"), size), "is negated", None),
        ("flipped", good, flipped(signature, size - 1), "has a bit flipped", None),
        ("hash-only", good, digest("256", signing_input(good).encode()), "is the hash, not signed at all", None),
        ("encoding-unsigned", good, pkcs1_encoded(size, "256", signing_input(good).encode()),
         "is the encoded hash, not signed at all", None),
    ]
    for identifier, text, octet_string, what, reference in octet_strings:
        suite.add(f"pkcs1-{identifier}", with_signature(text, octet_string), "signature_invalid",
                  f"The RS256 signature {what}.", reference)
    for algorithm, bits in (("RS256", "512"), ("RS384", "256"), ("RS512", "256")):
        suite.add(f"pkcs1-{algorithm.lower()}-with-sha{bits}",
                  forged(key, lambda data: key.power(pkcs1_encoded(size, bits, data)), algorithm), "signature_invalid",
                  f"{algorithm} with a signature over SHA-{bits}.", RFC7518_RSA)
    suite.add("pkcs1-other-key", forged(key, lambda data: other.sign("RS256", data)), "signature_invalid",
              "The signature is made with another key.", "RFC 7515 section 5.2")
    suite.add("pkcs1-cube-root-forgery", forged(cubic, lambda data: bleichenbacher_forgery(cubic, data)),
              "signature_invalid", "A cube root passes for a signature where the padding is not checked to its end.",
              "CVE-2006-4339")
    suite.valid("pkcs1-e3", token(cubic), "The public exponent three is no fault where the padding is checked.")
    suite.valid("pkcs1-rs384", token(key, None, "RS384"), "RS384 with SHA-384.", RFC7518_RSA)
    suite.valid("pkcs1-rs512", token(key, None, "RS512"), "RS512 with SHA-512.", RFC7518_RSA)
    return suite


def rsa_pss():
    key = rsa_key("rsa-1")
    suite = Suite("rsa-pss", "RSASSA-PSS: the salt has the length of the hash, and everything else is as it must be.",
                  [key.jwk()], reference="RFC 7518 section 3.5")
    size = key.size

    def encoded(algorithm="PS256", bits="256", **parameters):
        return forged(key, lambda data: key.power(pss_encoded(2048, bits, data, **parameters)), algorithm)

    for algorithm, bits, maximum in (("PS256", "256", 222), ("PS384", "384", 206), ("PS512", "512", 190)):
        name, natural = algorithm.lower(), int(bits) // 8
        for salt_size in (0, 20, natural - 1, natural + 1, maximum):
            suite.add(f"pss-{name}-salt-{salt_size}", encoded(algorithm, bits, salt_size=salt_size),
                      "signature_invalid", f"{algorithm} with a salt of {salt_size} octets.")
        suite.valid(f"pss-{name}-salt-{natural}", encoded(algorithm, bits),
                    f"{algorithm} with a salt of {natural} octets.")
        suite.add(f"pss-{name}-mgf1-sha1", encoded(algorithm, bits, mask_bits="1"), "signature_invalid",
                  f"{algorithm} with a mask made by SHA-1.")
    wrong = [
        ("mgf1-sha512", {"mask_bits": "512"}, "the mask is made by SHA-512"),
        ("trailer-cc", {"trailer": 0xCC}, "the trailer is CC"),
        ("trailer-zero", {"trailer": 0}, "the trailer is zero"),
        ("separator-zero", {"separator": 0}, "the octet before the salt is zero"),
        ("separator-two", {"separator": 2}, "the octet before the salt is two"),
        ("padding-not-zero", {"padding": 1}, "the padding is not of zeros"),
    ]
    for identifier, parameters, what in wrong:
        suite.add(f"pss-{identifier}", encoded(**parameters), "signature_invalid", f"In a PS256 signature {what}.",
                  "RFC 8017 section 9.1.2")
    suite.add("pss-top-bit", with_top_bit(key), "signature_invalid", "The unused top bit of the encoding is set.",
              "RFC 8017 section 9.1.2")
    for algorithm, bits in (("PS256", "384"), ("PS256", "512"), ("PS384", "256"), ("PS512", "256")):
        suite.add(f"pss-{algorithm.lower()}-with-sha{bits}", encoded(algorithm, bits), "signature_invalid",
                  f"{algorithm} with a signature over SHA-{bits}.")
    for algorithm in ("PS256", "PS384", "PS512"):
        suite.add(f"pss-{algorithm.lower()}-pkcs1", forged(key, lambda data: key.sign("RS" + algorithm[2:], data),
                                                           algorithm), "signature_invalid",
                  f"{algorithm} with a PKCS #1 v1.5 signature.", RFC7518_RSA)
    good = token(key, None, "PS256")
    signature = signature_of(good)
    short = ends_with_zero_octet(key, "PS256")
    suite.valid("pss-leading-zero", short, "A signature that begins with a zero octet has its full length.")
    octet_strings = [
        ("leading-zero-stripped", short, signature_of(short)[1:], "lacks its leading zero octet"),
        ("zero-prefixed", good, b"\0" + signature, "has a zero octet in front"),
        ("one-short", good, signature[:-1], "is an octet short"),
        ("one-long", good, signature + b"\0", "is an octet too long"),
        ("empty", good, b"", "is empty"),
        ("zero", good, bytes(size), "is zero"),
        ("flipped", good, flipped(signature, 100), "has a bit flipped"),
        ("plus-modulus", good, unsigned(int.from_bytes(signature, "big") + key.n), "has the modulus added to it"),
    ]
    for identifier, text, octet_string, what in octet_strings:
        suite.add(f"pss-{identifier}", with_signature(text, octet_string), "signature_invalid",
                  f"The PS256 signature {what}.", "RFC 8017 section 8.1.2")
    return suite


def with_top_bit(key):
    """A PS256 token whose encoding has its unused top bit set and is still below the modulus."""
    for number in range(1 << 10):
        def sign(data):
            encoding = pss_encoded(2048, "256", data, top_bit=1)
            return key.power(encoding) if int.from_bytes(encoding, "big") < key.n else b""
        text = forged(key, sign, "PS256", claims(n=number))
        if signature_of(text):
            return text
    raise AssertionError("no such token")


def hmac_suite():
    sizes = {"HS256": 32, "HS384": 48, "HS512": 64}
    keys = {name: hmac_key(f"{name.lower()}-exact", size) for name, size in sizes.items()}
    short = {name: hmac_key(f"{name.lower()}-short", size - 1) for name, size in sizes.items()}
    long, bound = hmac_key("hmac-long", 200), hmac_key("hs256-bound", 64)
    empty, one = hmac_key("hmac-empty", 0), hmac_key("hmac-one", 1)
    twin = hmac_key("hmac-pair-second", 64)
    base = keys["HS256"].jwk()
    broken = [
        ("padded", {"k": base["k"] + "="}), ("standard-alphabet", {"k": "+/" + base["k"][2:]}),
        ("unused-bits", {"k": unused_bits_set(base["k"])}), ("white-space", {"k": base["k"] + "\n"}),
        ("number", {"k": 1}), ("null", {"k": None}), ("missing", {}),
    ]
    jwks = [key.jwk() for key in (*keys.values(), *short.values(), long, empty, one)]
    jwks += [bound.jwk(alg="HS256"), {**hmac_key("hmac-pair-first", 64).jwk(), "kid": "hmac-pair"},
             {**twin.jwk(), "kid": "hmac-pair"}]
    jwks += [{"kty": "oct", "kid": f"hmac-{name}", **members} for name, members in broken]
    suite = Suite("hmac", "HMAC with symmetric keys, which the policy has to allow by name.", jwks,
                  {"algorithms": list(sizes)}, reference="RFC 7518 section 3.2")
    for name, key in keys.items():
        text = token(key, None, name)
        suite.valid(f"hmac-{name.lower()}-exact-secret", text, f"{name} with a secret as long as the hash.")
        suite.valid(f"hmac-{name.lower()}-long-secret", token(long, None, name), f"{name} with a secret of 200 octets.")
        suite.add(f"hmac-{name.lower()}-short-secret", token(short[name], None, name), "weak_key",
                  f"{name} with a secret one octet shorter than the hash.", "CVE-2026-44351")
        for other in ("HS384", "HS512"):
            if sizes[other] > sizes[name]:
                suite.add(f"hmac-{other.lower()}-with-{sizes[name]}-octets", token(key, None, other), "weak_key",
                          f"{other} with a secret of {sizes[name]} octets.", "CVE-2026-44351")
        mac = signature_of(text)
        bad = [("truncated-16", mac[:16], "is cut to 16 octets"), ("truncated-1", mac[:-1], "is cut by one octet"),
               ("long", mac + b"\0", "is an octet too long"), ("empty", b"", "is empty"),
               ("flipped", flipped(mac), "has its first octet changed"),
               ("flipped-last", flipped(mac, len(mac) - 1), "has its last octet changed"),
               ("zero", bytes(len(mac)), "is zero")]
        for identifier, octet_string, what in bad:
            suite.add(f"hmac-{name.lower()}-{identifier}", with_signature(text, octet_string), "signature_invalid",
                      f"The {name} code {what}.", "CVE-2024-25189")
    suite.add("hmac-empty-secret", token(empty), "weak_key", "A secret of no octets.", "CVE-2026-102266")
    suite.add("hmac-one-octet-secret", token(one), "weak_key", "A secret of one octet.", "CVE-2026-45363")
    suite.add("hmac-wrong-secret", forged(keys["HS256"], lambda data: long.sign("HS256", data)), "signature_invalid",
              "The code is made with another secret.", "CVE-2015-10004")
    suite.add("hmac-code-of-empty-secret", forged(keys["HS256"], lambda data: empty.sign("HS256", data)),
              "signature_invalid", "The code is made with the empty secret.", "CVE-2026-107720")
    encoded = HmacKey("encoded", base["k"].encode())
    suite.add("hmac-encoded-secret", forged(keys["HS256"], lambda data: encoded.sign("HS256", data)),
              "signature_invalid", "The code is made with the text of k instead of what it decodes to.",
              "RFC 7518 section 6.4.1")
    suite.valid("hmac-bound", token(bound), "A secret bound to HS256.")
    suite.add("hmac-bound-hs512", token(bound, None, "HS512"), "key_algorithm_mismatch",
              "A secret bound to HS256, long enough for HS512.", "CVE-2026-57997")
    suite.valid("hmac-second-of-pair", token(twin, kid="hmac-pair"), "The second of two secrets of the same kid.")
    for name, _ in broken:
        suite.add(f"hmac-key-{name}", token(keys["HS256"], kid=f"hmac-{name}"), "invalid_key",
                  f"The member k of the key is not as it must be ({name.replace('-', ' ')}).", "RFC 7518 section 6.4.1")
    for algorithm in ("RS256", "ES256", "EdDSA"):
        suite.add(f"hmac-only-{algorithm.lower()}", token(keys["HS256"], alg=algorithm), "algorithm_not_allowed",
                  f"A token that claims {algorithm}, where only HMAC is allowed.", "RFC 8725 section 3.1")
    return suite


def module_lattice():
    names = {"ML-DSA-44": "mldsa-44", "ML-DSA-65": "mldsa-65", "ML-DSA-87": "mldsa-87"}
    keys = {name: mldsa_key(kid, name) for name, kid in names.items()}
    base = keys["ML-DSA-44"].jwk()
    public = unbase64url(base["pub"])
    broken = {"short": {"pub": base64url(public[:-1])}, "long": {"pub": base64url(public + b"\0")},
              "empty": {"pub": ""}, "number": {"pub": 1}, "padded": {"pub": base["pub"] + "="}}
    jwks = [key.jwk() for key in keys.values()]
    jwks += [{**base, "kid": f"mldsa-{name}", **members} for name, members in broken.items()]
    jwks += [{name: value for name, value in {**base, "kid": "mldsa-no-alg"}.items() if name != "alg"},
             {**base, "kid": "mldsa-kty", "kty": "OKP"}]
    suite = Suite("mldsa", "ML-DSA with keys of type AKP. A verifier that lacks the algorithm skips this file.", jwks,
                  {"algorithms": list(names)}, reference="FIPS 204; RFC 9964")
    for name, key in keys.items():
        good, kid = token(key), names[name]
        signature = signature_of(good)
        suite.valid(f"{kid}-valid", good, f"A good {name} signature.")
        bad = [("flipped", flipped(signature, 100), "has a bit flipped"),
               ("hint", flipped(signature, len(signature) - 1), "has a count of its hints changed"),
               ("short", signature[:-1], "is an octet short"), ("long", signature + b"\0", "is an octet too long"),
               ("empty", b"", "is empty"),
               ("context", key.sign(name, signing_input(good).encode(), b"JWS"), "is made with a context string"),
               ("other-payload", signature_of(token(key, claims(sub="user-2"))), "is of another payload")]
        for identifier, octet_string, what in bad:
            suite.add(f"{kid}-{identifier}", with_signature(good, octet_string), "signature_invalid",
                      f"The {name} signature {what}.")
    key44, key65 = keys["ML-DSA-44"], keys["ML-DSA-65"]
    suite.valid("mldsa-no-kid", token(key65, kid=ABSENT), "A token without a kid, one key of the set fits.")
    suite.add("mldsa-44-with-65-key", token(key65, alg="ML-DSA-44"), "key_algorithm_mismatch",
              "A token of ML-DSA-44 with the kid of an ML-DSA-65 key.")
    suite.add("mldsa-65-with-44-key", token(key44, alg="ML-DSA-65"), "key_algorithm_mismatch",
              "A token of ML-DSA-65 with the kid of an ML-DSA-44 key.")
    for name in broken:
        suite.add(f"mldsa-key-{name}", token(key44, kid=f"mldsa-{name}"), "invalid_key",
                  f"The public key is not as it must be ({name}).")
    suite.add("mldsa-key-no-alg", token(key44, kid="mldsa-no-alg"), "invalid",
              "A key of type AKP needs the member alg.")
    suite.add("mldsa-key-kty", token(key44, kid="mldsa-kty"), "key_algorithm_mismatch",
              "An ML-DSA key that is called an OKP key.")
    suite.add("mldsa-not-in-list", token(key44, alg="ES256"), "algorithm_not_allowed",
              "A token that claims ES256, where only ML-DSA is allowed.")
    return suite


SUITES = [valid_algorithms, eddsa, ecdsa, rsa_pkcs1, rsa_pss, hmac_suite, module_lattice]
