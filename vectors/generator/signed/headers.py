"""The two headers of a signature: what may stand where, and what an attacker changes in them."""

from ..encoding import base64url, raw
from ..keys import HmacKey, ec_key, hmac_key, public_forms, rsa_key
from ..suite import ABSENT
from .suite import (ALL, FIRST, GENERAL, KEYS, SECOND, STRANGER, THIRD, UNENCODED, DocumentSuite, entry, flattened, general,
                    protected_of)

CRITICAL = "RFC 7515 section 4.1.11"


def headers():
    suite = DocumentSuite("headers", "Protected and unprotected headers.", KEYS, ALL, reference=GENERAL)

    def ask(identifier, protected, header, expect, why, *rest, key=FIRST, **more):
        suite.ask(identifier, flattened(entry(key, protected=protected, header=header, **more)), expect, why, *rest)
    add_overlaps(ask)
    add_critical(ask)
    add_algorithms(ask)
    add_names(ask)
    ask("long", protected_of(FIRST, x="x" * 9000), None, "malformed_document", "A protected header has nine thousand octets.",
        "RFC 8725 section 2.4", "hardening")
    deep = raw('{"x":' + "[" * 40 + "]" * 40 + "}")
    ask("deep", protected_of(FIRST), deep, "malformed_document", "The unprotected header has forty arrays within each other.",
        "RFC 8725 section 2.4", "hardening")
    two = general(entry(), entry(SECOND, header={"alg": "EdDSA"}))
    suite.ask("overlap-second", two, "header_overlap", "The second signature has its algorithm in both headers.")
    apart = general(entry(header={"x": 1}), entry(SECOND, protected=protected_of(SECOND, x=1)))
    suite.ask("overlap-of-two-signatures", apart, [0, 1], "The same name in headers of different signatures is no overlap.")
    return suite


def add_overlaps(ask):
    for identifier, header in (("algorithm", {"alg": "ES256"}), ("other-algorithm", {"alg": "none"}), ("kid", {"kid": "p256-1"}),
                               ("other-kid", {"kid": "ed25519-1"}), ("null", {"alg": None})):
        ask(f"overlap-{identifier}", None, header, "header_overlap", f"A parameter is in both headers ({identifier}).")
    ask("overlap-unknown", protected_of(FIRST, x=1), {"x": 1}, "header_overlap", "A parameter that is not known is in both headers.")
    ask("overlap-escaped", None, raw('{"\\u0061lg":"none"}'), "header_overlap", "A parameter is in both headers, once with an escape.")
    ask("no-overlap-capital", None, {"ALG": "none"}, [0], "Capitals make another parameter.", "RFC 7515 section 4")


def add_critical(ask):
    ask("critical-unprotected", None, {"crit": ["x"], "x": 1}, "unprotected_parameter", "The list crit is not protected.", CRITICAL)
    ask("critical-unprotected-empty", None, {"crit": []}, "unprotected_parameter", "The list crit is not protected, and empty.", CRITICAL)
    unknown = protected_of(FIRST, crit=["x"], x=1)
    ask("critical-unknown", unknown, None, "0: unsupported_critical", "An extension is critical and not known.", CRITICAL)
    ask("critical-unknown-elsewhere", protected_of(FIRST, crit=["x"]), {"x": 1}, "0: unsupported_critical",
        "An extension is critical, not known, and not protected.", CRITICAL)
    for identifier, value in (("empty", []), ("null", None), ("string", "x"), ("object", {}), ("number", 1), ("of-number", [1])):
        ask(f"critical-{identifier}", protected_of(FIRST, crit=value), None, "invalid",
            f"The list crit is no list of names ({identifier}).",
            CRITICAL)
    for name in ("alg", "kid", "crit"):
        ask(f"critical-names-{name}", protected_of(FIRST, crit=[name]), None, "invalid",
            f"The list crit names {name}, which the RFC defines.",
            CRITICAL, "should")
    ask("critical-absent", protected_of(FIRST, crit=["b64"]), None, "invalid", "The list crit names what is not there.", CRITICAL)
    ask("critical-twice", protected_of(FIRST, crit=["b64", "b64"], b64=True), None, "invalid", "The list crit names something twice.",
        CRITICAL, "should")
    ask("unencoded-unprotected", protected_of(FIRST), {"b64": False}, "unprotected_parameter", "The parameter b64 is not protected.",
        f"{UNENCODED} 3")
    ask("unencoded-unprotected-critical", protected_of(FIRST, crit=["b64"]), {"b64": False}, "unprotected_parameter",
        "The parameter b64 is critical, and not protected.", f"{UNENCODED} 3")
    ask("encoded-unprotected", protected_of(FIRST), {"b64": True}, "unprotected_parameter", "The parameter b64 is true, and not protected.",
        f"{UNENCODED} 3")


def add_algorithms(ask):
    ask("algorithm-unprotected", {"kid": "p256-1"}, {"alg": "ES256"}, "0: algorithm_not_allowed", "The algorithm is not protected.",
        "RFC 7515 section 10.7", "hardening")
    ask("nothing-protected", b"", protected_of(FIRST), "0: algorithm_not_allowed", "Nothing is protected.", "RFC 7515 section 10.7",
        "hardening")
    ask("algorithm-absent", {"kid": "p256-1"}, None, "0: missing_algorithm", "There is no algorithm.", "RFC 7515 section 4.1.1")
    ask("algorithm-null", protected_of(FIRST, alg=None), None, "0: invalid_header", "The algorithm is null.", "RFC 7515 section 4.1.1")
    ask("algorithm-number", protected_of(FIRST, alg=256), None, "0: invalid_header", "The algorithm is a number.", "RFC 7515 section 4.1.1")
    for identifier, name in (("none", "none"), ("capital-none", "None"), ("space", "ES256 "), ("small", "es256"), ("empty", "")):
        code = "0: unsecured_token" if name == "none" else "0: unsupported_algorithm"
        ask(f"algorithm-{identifier}", protected_of(FIRST, alg=name), None, code, f"The algorithm is {name!r}.", "RFC 8725 section 3.2")
    ask("algorithm-of-other-key", protected_of(FIRST, "EdDSA"), None, "0: key_algorithm_mismatch", "The algorithm is not that of the key.",
        "RFC 7515 section 10.7")
    for identifier, secret in public_forms(THIRD).items():
        key = HmacKey(THIRD.name, secret)
        ask(f"confusion-{identifier}", None, None, "0: algorithm_not_allowed", f"An HMAC with the public key as its secret ({identifier}).",
            "CVE-2015-9235", key=key)


def add_names(ask):
    ask("stranger", None, None, "0: unknown_key", "A stranger signed, under its own name.", "RFC 7515 section 4.1.4", key=STRANGER)
    ask("stranger-as-ours", protected_of(FIRST), None, "0: signature_invalid", "A stranger signed, under the name of our key.",
        "RFC 7515 section 5.2", key=STRANGER)
    ask("stranger-without-name", {"alg": "ES256"}, None, "0: signature_invalid", "A stranger signed, without a name.",
        "RFC 7515 section 5.2", key=STRANGER)
    offers = {"jwk": STRANGER.jwk(), "jku": "https://attacker.example/jwks", "x5u": "https://attacker.example/x5u",
              "x5c": ["MIIB"], "x5t": "AAAAAAAAAAAAAAAAAAAAAAAAAAA"}
    for name, value in offers.items():
        ask(f"stranger-offers-{name}", protected_of(FIRST, **{name: value}), None, "0: signature_invalid",
            f"A stranger signed, and the protected header offers the key as {name}.", "CVE-2018-0114", key=STRANGER)
        ask(f"stranger-offers-{name}-unprotected", protected_of(FIRST), {name: value}, "0: signature_invalid",
            f"A stranger signed, and the unprotected header offers the key as {name}.", "CVE-2018-0114", key=STRANGER)
        ask(f"stranger-offers-{name}-alone", {"alg": "ES256"}, {name: value}, "0: signature_invalid",
            f"A stranger signed, and the unprotected header offers the key as {name} under no name.", "CVE-2018-0114", key=STRANGER)
    ask("offer-ignored", protected_of(FIRST), {"jwk": STRANGER.jwk()}, [0], "Our key signed, and a header offers another.",
        "RFC 7515 section 4.1.3", "should")
    ask("name-of-other", {"alg": "ES256"}, {"kid": "rsa-1"}, "0: key_algorithm_mismatch",
        "The unprotected header names another key of ours.",
        "RFC 7515 section 4.1.4", "should")
    ask("name-unknown", {"alg": "ES256"}, {"kid": "other"}, "0: unknown_key", "The unprotected header names a key that nobody has.",
        "RFC 7515 section 4.1.4", "should")
    for identifier, value in (("null", None), ("number", 1), ("array", ["p256-1"])):
        ask(f"name-{identifier}", {"alg": "ES256"}, {"kid": value}, "0: invalid_header",
            f"The name of the key is no string ({identifier}).",
            "RFC 7515 section 4.1.4", "should")


def types():
    suite = DocumentSuite("types", "The type of a document, where the verifier asks for one.", KEYS, {**ALL, "types": ["manifest+jws"]},
                          reference="RFC 8725 section 3.11")

    def ask(identifier, protected, expect, why, *rest, header=None):
        suite.ask(f"type-{identifier}", flattened(entry(protected=protected_of(FIRST, **protected), header=header)), expect, why, *rest)
    ask("good", {"typ": "manifest+jws"}, [0], "The type is the right one.")
    ask("media-type", {"typ": "application/manifest+jws"}, [0], "The type as a media type.", "RFC 7515 section 4.1.9", "should")
    ask("capitals", {"typ": "MANIFEST+JWS"}, [0], "The type in capitals.", "RFC 7515 section 4.1.9", "should")
    ask("unprotected", {}, "0: type_mismatch", "The type is not protected.", header={"typ": "manifest+jws"})
    for identifier, value in (("absent", ABSENT), ("jwt", "JWT"), ("jose", "JOSE+JSON"), ("empty", ""), ("longer", "manifest+jwsx")):
        ask(identifier, {"typ": value}, "0: type_mismatch", f"The type is another ({identifier}).")
    return suite


def unprotected():
    """Verifiers that take a signature whose algorithm is not protected, with a key that has one algorithm."""
    keys = [FIRST.jwk(alg="ES256"), THIRD.jwk(alg="PS256")]
    suite = DocumentSuite("unprotected-algorithm", "The algorithm may stand in the unprotected header.", keys,
                          {**ALL, "unprotected_algorithm": True}, reference="RFC 7515 section 10.7; RFC 7520 section 4.7")

    def ask(identifier, header, expect, why, *rest, key=FIRST, protected=b"", **more):
        suite.ask(f"unprotected-{identifier}", flattened(entry(key, protected=protected, header=header, **more)), expect, why, *rest)
    ask("algorithm", protected_of(FIRST), [0], "Nothing is protected.")
    ask("partly", {"alg": "ES256"}, [0], "The name of the key is protected, and the algorithm is not.", protected={"kid": "p256-1"})
    ask("none", {"alg": "none", "kid": "p256-1"}, "0: unsecured_token", "The algorithm became none.")
    ask("other", {"alg": "RS256", "kid": "rsa-1"}, "0: key_algorithm_mismatch", "The algorithm is another of the same key.", key=THIRD,
        algorithm="RS256")
    ask("secret", {"alg": "HS256", "kid": "rsa-1"}, "0: algorithm_not_allowed", "The algorithm became an HMAC.",
        key=HmacKey("rsa-1", public_forms(THIRD)["spki-pem"]))
    ask("critical", {**protected_of(FIRST), "crit": ["x"], "x": 1}, "unprotected_parameter", "The list crit is not protected.", CRITICAL)
    return suite


def secrets():
    key = hmac_key("hmac-32")
    suite = DocumentSuite("secrets", "Documents with an HMAC, where the verifier allows it.", [key.jwk()], {**ALL, "algorithms": ["HS256"]},
                          reference="RFC 7515 section 7.2")
    suite.ask("secret-good", flattened(entry(key)), [0], "The HMAC is good.")
    suite.ask("secret-other", flattened(entry(hmac_key("hmac-other"), protected=protected_of(key))), "0: signature_invalid",
              "The HMAC has another secret.")
    suite.ask("secret-algorithm", flattened(entry(FIRST)), "0: algorithm_not_allowed", "The algorithm is not allowed.")
    suite.ask("secret-none", flattened(entry(key, protected=protected_of(key, "none"))), "0: unsecured_token",
              "The algorithm is none, under a good HMAC.")
    return suite


def keys():
    weak, off = rsa_key("rsa-1024", (512, 512)), ec_key("p256-other")
    broken = {**off.jwk(), "y": base64url(bytes(31) + b"\1")}
    encryption = ec_key("p256-encryption")
    suite = DocumentSuite("keys", "Keys that must not verify.", [FIRST.jwk(), weak.jwk(), broken, encryption.jwk(use="enc")], ALL,
                          reference="RFC 7517 section 4.2")
    suite.ask("key-weak", flattened(entry(weak)), "0: weak_key", "The RSA key has 1024 bits.", "RFC 7518 section 3.3")
    suite.ask("key-off-curve", flattened(entry(off)), "0: invalid_key", "The key is no point of its curve.", "RFC 7518 section 6.2.1")
    suite.ask("key-encryption", flattened(entry(encryption)), "0: key_use_mismatch", "The key is for encryption.", None, "should")
    suite.ask("key-good", flattened(), [0], "A broken key beside it does not spoil a good one.", "RFC 7517 section 5")
    return suite


def no_keys():
    suite = DocumentSuite("keys-not-there", "No keys could be had.", None, ALL, reference="RFC 7515 section 5.2")
    suite.ask("no-keys", flattened(), "keys_unavailable", "Without keys, nothing can be said.")
    suite.ask("no-keys-malformed", {}, "malformed_document", "Without keys, what is no document is refused for good.")
    return suite


SUITES = [headers, types, unprotected, secrets, keys, no_keys]
