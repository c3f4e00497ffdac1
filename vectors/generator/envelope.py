"""How the token around a list or an event is signed: the same attacks for both kinds."""

from .encoding import base64url, dump, raw, unbase64url
from .keys import HmacKey, ec_key, ed_key, hmac_key, public_forms, rsa_key
from .suite import ABSENT, assemble, flipped, octets, signature_of, signing_input, split, with_signature

RSA = rsa_key("rsa-1")
KEYS = {"ES256": ec_key("p256-1"), "ES384": ec_key("p384-1", "P-384"), "ES512": ec_key("p521-1", "P-521"),
        "ES256K": ec_key("k256-1", "secp256k1"), "EdDSA": ed_key("ed25519-1"), "RS256": RSA, "PS512": RSA}
JWKS = [key.jwk() for key in dict.fromkeys(KEYS.values())]


def attacks(make, payload, other, header):
    """Tokens and their codes, as identifier, text, code, sentence and reference, and perhaps a severity.

    `make` signs: it takes a payload, a key, an algorithm and members of the header. `payload` is a good one, and `other` one that an
    attacker wants. `header` has the type.
    """
    key = KEYS["ES256"]
    good = make(payload, key)
    yield from unsecured(good, payload, header)
    yield from confused(payload, header)
    yield from foreign(make, payload)
    yield from changed(make, good, other, key)
    yield from shapes(good)
    yield from headers(make, payload, key)


def unsecured(good, payload, header):
    def without(name, signature=b""):
        return assemble({"alg": name, **header}, payload, signature)
    why = "The token is not signed."
    yield "none", without("none"), "unsecured_token", why, "RFC 8725 section 3.2"
    yield "none-with-kid", assemble({"alg": "none", "kid": "p256-1", **header}, payload,
                                    b""), "unsecured_token", why, "RFC 8725 section 3.2"
    yield "none-signed", without("none", signature_of(good)), "unsecured_token", "The algorithm is none, and there is a signature.", \
        "CVE-2022-23540"
    for identifier, name in (("capital", "None"), ("upper", "NONE"), ("mixed", "nOnE"), ("space", "none "), ("empty", ""),
                             ("nul", "none\0")):
        yield f"none-{identifier}", without(name), "unsupported_algorithm", f"The algorithm is {name!r}, and there is no signature.", \
            "CVE-2022-23540"
    yield "no-signature", good.rpartition(".")[0] + ".", "signature_invalid", "The signature is empty.", "CVE-2018-1000531"
    yield "two-parts", good.rpartition(".")[0], "malformed_token", "The signature and its dot are missing.", "GHSA-88q6-jcjg-hvmw"


def confused(payload, header):
    """An HMAC whose secret is the public key."""
    for identifier, secret in public_forms(RSA).items():
        data = f"{base64url(dump({'alg': 'HS256', 'kid': RSA.name, **header}))}.{base64url(octets(payload))}"
        text = f"{data}.{base64url(HmacKey(RSA.name, secret).sign('HS256', data.encode()))}"
        yield f"confusion-{identifier}", text, "algorithm_not_allowed", f"An HMAC with the public key as its secret ({identifier}).", \
            "CVE-2015-9235"


def foreign(make, payload):
    for algorithm, key in KEYS.items():
        other = type(key) is type(RSA) and rsa_key("rsa-2") or (
            ed_key("ed25519-2") if algorithm == "EdDSA" else ec_key(f"foreign-{key.crv.lower()}", key.crv))
        text = make(payload, other, algorithm, kid=key.name)
        yield f"foreign-{algorithm.lower()}", text, "signature_invalid", f"Another key signed, under the name of ours ({algorithm}).", \
            "RFC 7515 section 5.2"
    stranger = ec_key("foreign-p-256")
    for identifier, members in (("jwk", {"jwk": stranger.jwk()}), ("jku", {"jku": "https://attacker.example/jwks"}),
                                ("x5u", {"x5u": "https://attacker.example/x5u"})):
        yield f"foreign-with-{identifier}", make(payload, stranger, kid="p256-1", **members), "signature_invalid", \
            f"Another key signed, and the header offers it as {identifier}.", "CVE-2018-0114"
    yield "foreign-name", make(payload, stranger, kid="stranger"), "unknown_key", "Another key signed, under its own name.", \
        "RFC 7515 section 4.1.4"
    yield "foreign-path", make(payload, stranger, kid="../../dev/null"), "unknown_key", "The name of the key is a path.", \
        "RFC 8725 section 3.10"
    yield "no-name", make(payload, stranger, kid=ABSENT), "signature_invalid", "Another key signed, and no name is given.", \
        "RFC 7515 section 5.2"
    yield "other-algorithm", make(payload, KEYS["ES384"], "ES384", kid="p256-1"), "key_algorithm_mismatch", \
        "The key has another curve than the algorithm.", "RFC 7515 section 10.7"
    yield "secret", make(payload, hmac_key("hmac-32"), kid="p256-1"), "algorithm_not_allowed", "An HMAC with a secret of the sender.", \
        "RFC 8725 section 3.1"


def changed(make, good, other, key):
    head, payload, _ = split(good)
    wanted, signature = base64url(octets(other)), signature_of(good)
    fault = "RFC 7515 section 5.2"
    yield "payload-changed", f"{head}.{wanted}.{base64url(signature)}", "signature_invalid", \
        "The payload is another than was signed.", fault
    header = base64url(unbase64url(head).replace(b'"p256-1"', b'"p256-1","x":1'))
    yield "header-changed", f"{header}.{payload}.{base64url(signature)}", "signature_invalid", \
        "The header is another than was signed.", fault
    for place in (0, 31, 32, 63):
        yield f"signature-bit-{place}", with_signature(good, flipped(signature, place)), "signature_invalid", \
            f"One bit of the signature is wrong, in octet {place}.", fault
    yield "signature-zero", with_signature(good, bytes(64)), "signature_invalid", "The numbers in the signature are zero.", "CVE-2022-21449"
    yield "signature-cut", with_signature(good, signature[:-1]), "signature_invalid", "The signature lacks an octet.", fault
    yield "signature-longer", with_signature(good, signature + b"\0"), "signature_invalid", "The signature has an octet too many.", fault
    plain = make(good.encode(), key, cty="JWT")
    yield "nested", plain, "type_mismatch", "The payload is a good token: a signature around a signature.", "RFC 7519 section 7.2"


def shapes(good):
    head, payload, signature = split(good)
    flattened = dump({"payload": payload, "protected": head, "signature": signature}).decode()
    form = "RFC 7515 section 7.1"
    yield "empty", "", "malformed_token", "The token is empty.", form
    yield "json", flattened, "malformed_token", "The token is in the JSON serialization.", "RFC 7515 section 7.2.2"
    yield "four-parts", f"{good}.x", "malformed_token", "The token has a fourth part.", form
    yield "five-parts", f"{head}..AAAA.AAAA.AAAA", "encrypted_token", \
        "The token has the five parts of an encrypted one.", "RFC 7516 section 7.1"
    yield "line-feed", f"{good}\n", "invalid_base64url", "A line feed comes after the token.", "RFC 7515 section 2", "should"
    yield "quotes", f'"{good}"', "invalid_base64url", "The token is in quotation marks.", form
    yield "tilde", f"{good}~", "invalid_base64url", "The token ends as an SD-JWT.", form
    yield "html", "<html><body>Sign in</body></html>", "malformed_token", "A page came in place of a token.", form
    yield "payload-padded", f"{head}.{payload}{'=' * (-len(payload) % 4 or 4)}.{signature}", "invalid_base64url", \
        "The payload is padded.", "RFC 7515 section 2"


def headers(make, payload, key):
    def token(**members):
        return make(payload, key, **members)
    yield "critical", token(crit=["x"], x=1), "unsupported_critical", "An extension is critical and not known.", "RFC 7515 section 4.1.11"
    yield "critical-b64", token(crit=["b64"], b64=False), "unsupported_critical", "The payload would not be encoded.", "RFC 7797 section 7"
    yield "zip", token(zip="DEF"), "invalid_header", "The header says that the payload is compressed.", "CVE-2024-28180", "hardening"
    yield "algorithm-absent", token(alg=ABSENT), "missing_algorithm", "The header has no algorithm.", "RFC 7515 section 4.1.1"
    yield "algorithm-number", token(alg=256), "invalid_header", "The algorithm is a number.", "RFC 7515 section 4.1.1"
    yield "algorithm-twice", make(payload, key, alg=raw('"ES256","alg":"none"')), "duplicate_member", "The header has two algorithms.", \
        "RFC 7515 section 4"


def good(make, payload):
    """Tokens of each algorithm."""
    for algorithm, key in KEYS.items():
        yield f"signed-{algorithm.lower()}", make(payload, key,
                                                  algorithm), f"A token with a signature of {algorithm}.", "RFC 7518 section 3.1"
    yield "signed-without-name", make(payload, KEYS["ES256"], kid=ABSENT), "The token does not name its key.", "RFC 7515 section 4.1.4"
