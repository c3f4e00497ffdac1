"""Tokens whose author has only public things: the algorithm none in every case of its letters, HMAC with each form of a public key."""

import itertools

from cryptography.hazmat.primitives import serialization

from ..encoding import dump, unbase64url
from ..keys import HmacKey, ec_key, ed_key, rsa_key
from ..suite import Suite, assemble, claims, header_of, sign_parts, signature_of, token

REFERENCE = "RFC 8725 section 3.1; CVE-2016-10555"
NEAR_NONE = ["none\t", "none\r\n", "none\u00a0", "\ufeffnone", "none;", '"none"', "no\u200bne", "n0ne", "\u043done", "nonE\0", "null",
             "undefined",
             "unsecured", "plain", "-", "0", "false", "[]", "{}", "NULL", "nil", "dir", "identity"]


def none_spellings():
    key = ec_key("p256-1")
    suite = Suite("none-spellings", "The name none in every case of its letters, and names like it.", [key.jwk()],
                  reference="RFC 8725 section 3.2; CVE-2015-9235")
    signature = signature_of(token(key))
    spelled = ["".join(letters) for letters in itertools.product(*((letter, letter.upper()) for letter in "none"))]
    for name in spelled:
        code = "unsecured_token" if name == "none" else "unsupported_algorithm"
        marks = "".join("u" if letter.isupper() else "l" for letter in name)
        for identifier, octets, what in (("empty", b"", "an empty signature"), ("zero", b"\0", "a signature of a zero octet"),
                                         ("signature", signature, "a signature of another token")):
            suite.add(f"none-{marks}-{identifier}", assemble({"alg": name, "kid": key.name}, claims(), octets), code,
                      f"The algorithm {name} and {what}.", "CVE-2022-23540" if name != "none" else None)
    for number, name in enumerate(NEAR_NONE):
        suite.add(f"none-like-{number}", assemble({"alg": name}, claims(), b""), "unsupported_algorithm",
                  "A name that is not an algorithm, and an empty signature.", "CVE-2022-23540")
    return suite


def ssh_text(key):
    return key.private.public_key().public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)


def public_octets(key):
    """Forms of a public key that libraries have taken for an HMAC secret: identifier, octets, what they are."""
    public, jwk, formats = key.private.public_key(), key.jwk(), serialization.PublicFormat
    pem = public.public_bytes(serialization.Encoding.PEM, formats.SubjectPublicKeyInfo)
    der = public.public_bytes(serialization.Encoding.DER, formats.SubjectPublicKeyInfo)
    yield "pem", pem, "in PEM"
    yield "pem-no-newline", pem.rstrip(b"\n"), "in PEM without its last line feed"
    yield "pem-crlf", pem.replace(b"\n", b"\r\n"), "in PEM with CR LF"
    yield "pem-one-line", pem.replace(b"\n", b""), "in PEM without line feeds"
    yield "pem-body", b"".join(pem.splitlines()[1:-1]), "as the base64 text of its PEM form"
    yield "der", der, "in DER"
    yield "der-hexadecimal", der.hex().encode(), "in DER, in hexadecimal"
    yield "jwk", dump(jwk), "as a JWK"
    yield "jwk-sorted", dump(dict(sorted(jwk.items()))), "as a JWK with its members in order"
    yield "jwks", dump({"keys": [jwk]}), "as a JWK Set"
    yield "kid", key.name.encode(), "by its kid"
    for member in ("n", "e", "x", "y"):
        if member in jwk:
            yield f"member-{member}", jwk[member].encode(), f"by the text of its member {member}"
            yield f"octets-{member}", unbase64url(jwk[member]), f"by the octets of its member {member}"
    if jwk["kty"] == "EC":
        for form, name in ((formats.UncompressedPoint, "uncompressed"), (formats.CompressedPoint, "compressed")):
            yield name, public.public_bytes(serialization.Encoding.X962, form), f"as {name} point"
    if jwk["kty"] == "OKP":
        yield "raw", public.public_bytes_raw(), "as its octets"
    if key.name.startswith(("rsa", "ed25519", "p256")):
        yield "ssh", ssh_text(key), "as SSH writes it"


CONFUSED = [rsa_key("rsa-1"), ec_key("p256-1"), ec_key("p384-1", "P-384"), ec_key("p521-1", "P-521"), ec_key("k256-1", "secp256k1"),
            ed_key("ed25519-1"), ed_key("ed448-1", "Ed448")]


def public_key_as_secret(name, policy, code, description):
    suite = Suite(name, description, [key.jwk() for key in CONFUSED], policy, reference=REFERENCE)
    for key in CONFUSED:
        for identifier, secret, what in public_octets(key):
            for algorithm in ("HS256",) if identifier not in ("pem", "der") else ("HS256", "HS384", "HS512"):
                text = sign_parts(HmacKey(key.name, secret), header_of(key, algorithm), claims(), algorithm)
                suite.add(f"{name}-{key.name}-{identifier}-{algorithm.lower()}", text, code,
                          f"An {algorithm} code made with the public key {key.name} {what}.")
    return suite


def default_policy():
    return public_key_as_secret("confused-default", {}, "algorithm_not_allowed",
                                "HMAC with each form of each public key as the secret, under the default allow-list.")


def hmac_policy():
    return public_key_as_secret("confused-hmac", {"algorithms": ["HS256", "HS384", "HS512"]}, "key_algorithm_mismatch",
                                "HMAC with each form of each public key as the secret, and only HMAC allowed.")


SUITES = [none_spellings, default_policy, hmac_policy]
