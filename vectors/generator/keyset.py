"""Suites about keys: which one is chosen, what it may be used for, and which keys are too weak or broken."""

import textwrap

from .encoding import base64url, dump, raw, unsigned, unused_bits_set
from .keys import (HmacKey, certificate, ec_key, ec_key_with_short_x, ed_key, hmac_key, mldsa_key, public_forms,
                   rsa_key, seeded)
from .suite import ABSENT, Suite, claims, header_of, sign_parts, token

RFC8725_ALGORITHM = "RFC 8725 section 3.1"
P256_PRIME = 2**256 - 2**224 + 2**192 + 2**96 - 1
P256_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
P521_PRIME = 2**521 - 1


def renamed(jwk, kid, **members):
    """The key under another kid, with members changed, or left out with ABSENT."""
    changed = {**jwk, "kid": kid, **members}
    return {name: value for name, value in changed.items() if value is not ABSENT}


def certificate_pem(key):
    lines = textwrap.wrap(certificate(key), 64)
    return "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""]).encode()


def confusion_secrets(key):
    """What an attacker may use as the HMAC secret, all of it public: identifier, octets, what it is, reference."""
    forms = public_forms(key)
    pem = forms["spki-pem"]
    return [
        ("spki-pem", pem, "the public key in PEM", "CVE-2016-10555"),
        ("spki-pem-no-newline", pem.rstrip(), "the public key in PEM without its last line feed", "CVE-2022-29217"),
        ("spki-pem-crlf", pem.replace(b"\n", b"\r\n"), "the public key in PEM with CR LF", "CVE-2026-34950"),
        ("spki-pem-leading-space", b" \n" + pem, "the public key in PEM with white space in front", "CVE-2026-48526"),
        ("spki-pem-bom", b"\xef\xbb\xbf" + pem, "the public key in PEM with a byte order mark", "CVE-2026-102268"),
        ("pkcs1-pem", forms["pkcs1-pem"], "the public key in PEM of PKCS #1", "CVE-2023-48223"),
        ("certificate", certificate_pem(key), "a certificate of the key", "CVE-2024-54150"),
        ("spki-der", forms["spki-der"], "the public key in DER", "CVE-2024-33663"),
        ("ssh-rsa", forms["ssh-rsa"], "the public key as SSH writes it", "CVE-2017-11424"),
        ("jwk", dump(key.jwk()), "the JWK as JSON", "CVE-2023-48238"),
        ("modulus", forms["modulus"], "the modulus", "CVE-2026-5430"),
        ("modulus-text", base64url(forms["modulus"]).encode(), "the text of the member n", "CVE-2026-5430"),
        ("empty", b"", "nothing at all", "CVE-2026-44699"),
    ]


def confusion_tokens(key):
    """HS256 tokens under the kid of an RSA key, one for each secret that is public."""
    for identifier, secret, what, reference in confusion_secrets(key):
        header = {"alg": "HS256", "typ": "JWT", "kid": key.name}
        yield identifier, sign_parts(HmacKey(key.name, secret), header, claims()), what, reference


def algorithm_confusion():
    key = rsa_key("rsa-1")
    suite = Suite("algorithm-confusion", "HMAC with a public key as the secret, under the default allow-list.",
                  [key.jwk()], reference=RFC8725_ALGORITHM)
    for identifier, text, what, reference in confusion_tokens(key):
        suite.add(f"confusion-default-{identifier}", text, "algorithm_not_allowed",
                  f"The secret of an HS256 token is {what}.", reference)
    for algorithm in ("HS384", "HS512"):
        attacker = HmacKey(key.name, public_forms(key)["spki-pem"])
        suite.add(f"confusion-default-{algorithm.lower()}", token(attacker, None, algorithm), "algorithm_not_allowed",
                  f"The secret of an {algorithm} token is the public key in PEM.", "CVE-2016-10555")
    suite.valid("confusion-default-rs256", token(key), "The key verifies what it is for.")
    return suite


def algorithm_confusion_hmac_only():
    key = rsa_key("rsa-1")
    suite = Suite("algorithm-confusion-hmac-only", "Only HMAC is allowed and the set holds only public keys.",
                  [key.jwk(), ec_key("p256-1").jwk()], {"algorithms": ["HS256", "HS384", "HS512"]},
                  reference=RFC8725_ALGORITHM)
    for identifier, text, what, reference in confusion_tokens(key):
        suite.add(f"confusion-hmac-only-{identifier}", text, "key_algorithm_mismatch",
                  f"The secret of an HS256 token is {what}; an RSA key never becomes a secret.", reference)
    suite.add("confusion-hmac-only-no-kid", sign_parts(HmacKey("x", b""), {"alg": "HS256"}, claims()),
              "key_algorithm_mismatch", "No kid, the empty secret, and no key that fits.", "CVE-2026-44699")
    coordinate = HmacKey("p256-1", unsigned(ec_key("p256-1").x, 32))
    suite.add("confusion-hmac-only-coordinate", token(coordinate), "key_algorithm_mismatch",
              "The secret is a coordinate of an elliptic curve key.", "CVE-2026-102271")
    suite.add("confusion-hmac-only-rs256", token(key), "algorithm_not_allowed",
              "A good RS256 token where only HMAC is allowed.")
    return suite


def algorithm_confusion_mixed():
    key, secret = rsa_key("rsa-1"), hmac_key("secret-1", 64)
    suite = Suite("algorithm-confusion-mixed", "A policy and a set that mix HMAC and public keys: HMAC is refused.",
                  [key.jwk(), secret.jwk()], {"algorithms": ["RS256", "HS256", "PS256"]}, reference=RFC8725_ALGORITHM)
    for identifier, text, what, reference in confusion_tokens(key):
        suite.add(f"confusion-mixed-{identifier}", text, "algorithm_not_allowed",
                  f"The secret of an HS256 token is {what}.", reference)
    suite.add("confusion-mixed-true-secret", token(secret), "algorithm_not_allowed",
              "Even a code made with the true secret is refused in such a mixture.", "CVE-2026-102272")
    suite.add("confusion-mixed-true-secret-no-kid", token(secret, kid=ABSENT), "algorithm_not_allowed",
              "The same without a kid.", "CVE-2026-102273")
    suite.add("confusion-mixed-hs512", token(secret, None, "HS512"), "algorithm_not_allowed",
              "HS512 is not in the list at all.", "CVE-2026-57997")
    for algorithm in ("RS256", "PS256"):
        suite.valid(f"confusion-mixed-{algorithm.lower()}", token(key, None, algorithm),
                    "The public key verifies what it is for.")
    return suite


def mixed_sets_apart():
    key, secret = rsa_key("rsa-1"), hmac_key("secret-1", 64)
    suite = Suite("mixed-key-set", "A set with a secret beside a public key, and only HMAC allowed.",
                  [key.jwk(), secret.jwk()], {"algorithms": ["HS256"]}, reference=RFC8725_ALGORITHM)
    suite.valid("mixed-set-secret", token(secret), "The secret verifies, as no public key can be meant.")
    suite.valid("mixed-set-secret-no-kid", token(secret, kid=ABSENT), "The secret is found without a kid.")
    suite.add("mixed-set-public-kid", token(secret, kid=key.name), "key_algorithm_mismatch",
              "The kid is that of the public key.")
    suite.add("mixed-set-rs256", token(key), "algorithm_not_allowed", "RS256 is not allowed.")
    return suite


def mixed_policy():
    secret = hmac_key("secret-1", 64)
    suite = Suite("mixed-policy", "HMAC and public-key algorithms allowed, and a set that holds secrets only.",
                  [secret.jwk(), hmac_key("secret-2").jwk()], {"algorithms": ["HS256", "RS256"]},
                  reference=RFC8725_ALGORITHM)
    suite.valid("mixed-policy-secret", token(secret), "The secret verifies, as there is no public key to confuse.")
    suite.valid("mixed-policy-second", token(hmac_key("secret-2")), "So does the other one.")
    suite.add("mixed-policy-rs256", token(rsa_key("rsa-1"), kid=secret.name), "key_algorithm_mismatch",
              "An RS256 token under the kid of a secret.", "CVE-2026-22817")
    return suite


def key_algorithm():
    rsa, bound = rsa_key("rsa-1"), rsa_key("rsa-2")
    p256, p384, p521 = ec_key("p256-1"), ec_key("p384-1", "P-384"), ec_key("p521-1", "P-521")
    k256, ed25519, secret = ec_key("k256-1", "secp256k1"), ed_key("ed25519-1"), hmac_key("secret-1", 64)
    odd = [("rsa-oaep", rsa, "RSA-OAEP"), ("rsa-lower", rsa, "rs256"), ("rsa-hs256", rsa, "HS256"),
           ("rsa-none", rsa, "none"), ("rsa-es256", rsa, "ES256"), ("p521-es521", p521, "ES521"),
           ("p256-es384", p256, "ES384"), ("p256-ecdh", p256, "ECDH-ES"), ("rsa-empty", rsa, "")]
    keys = [key.jwk() for key in (rsa, p256, p384, p521, k256, ed25519, secret)]
    keys += [bound.jwk(alg="RS256"), renamed(bound.jwk(), "rsa-ps256", alg="PS256")]
    keys += [renamed(key.jwk(), kid, alg=algorithm) for kid, key, algorithm in odd]
    keys += [renamed(rsa.jwk(), "rsa-null", alg=None), renamed(rsa.jwk(), "rsa-number", alg=256)]
    keys += [renamed(p256.jwk(), "kty-missing", kty=ABSENT), renamed(p256.jwk(), "kty-number", kty=1),
             renamed(p256.jwk(), "kty-lower", kty="ec"), renamed(p256.jwk(), "kty-unknown", kty="XYZ"),
             renamed(p256.jwk(), "crv-unknown", crv="P-257"), renamed(p256.jwk(), "crv-lower", crv="p-256"),
             renamed(p256.jwk(), "crv-missing", crv=ABSENT), renamed(p256.jwk(), "crv-number", crv=256),
             renamed(ed25519.jwk(), "x25519", crv="X25519"), renamed(p256.jwk(), "kty-swapped", kty="RSA"),
             renamed(p256.jwk(), "brainpool", crv="BP-256")]
    suite = Suite("key-algorithm", "The algorithm of a token has to fit type, curve and alg of the key.", keys,
                  reference=RFC8725_ALGORITHM)
    mismatches = [(rsa, "ES256"), (rsa, "EdDSA"), (p256, "RS256"), (p256, "ES384"), (p256, "ES256K"), (p256, "EdDSA"),
                  (p256, "PS256"), (p384, "ES256"), (p384, "ES512"), (p521, "ES384"), (k256, "ES256"),
                  (ed25519, "ES256"), (ed25519, "Ed448"), (secret, "RS256"), (secret, "ES256")]
    for key, algorithm in mismatches:
        suite.add(f"key-algorithm-{key.name}-{algorithm.lower()}", token(key, alg=algorithm), "key_algorithm_mismatch",
                  f"A token that claims {algorithm} under the kid of another kind of key.", "CVE-2026-22818")
    for algorithm in ("RS384", "RS512", "PS256"):
        suite.add(f"key-algorithm-bound-{algorithm.lower()}", token(bound, None, algorithm), "key_algorithm_mismatch",
                  f"A good {algorithm} signature of a key bound to RS256.", "RFC 8725 section 3.1; Wycheproof json_web_signature 346")
    suite.add("key-algorithm-bound-ps256-as-rs256", token(bound, kid="rsa-ps256"), "key_algorithm_mismatch",
              "A good RS256 signature of a key bound to PS256.")
    suite.valid("key-algorithm-bound-rs256", token(bound), "A key bound to RS256 verifies RS256.")
    suite.valid("key-algorithm-bound-to-ps256", token(bound, None, "PS256", kid="rsa-ps256"),
                "A key bound to PS256 verifies PS256.")
    for kid, key, _ in odd:
        suite.add(f"key-algorithm-odd-{kid}", token(key, kid=kid), "key_algorithm_mismatch",
                  "The key is bound to an algorithm that is unknown or does not fit it.",
                  "RFC 8725 section 3.1; Wycheproof json_web_signature 347")
    for kid in ("rsa-null", "rsa-number"):
        suite.add(f"key-algorithm-{kid}", token(rsa, kid=kid), "invalid", "The member alg of the key is not a string.",
                  "RFC 7517 section 4.4")
    for kid in ("kty-missing", "kty-number", "kty-lower", "kty-unknown", "kty-swapped", "crv-unknown", "crv-lower",
                "brainpool"):
        suite.add(f"key-algorithm-{kid}", token(p256, kid=kid), "key_algorithm_mismatch",
                  "The key is of a type or curve that ES256 is not for.", "RFC 7517 section 5")
    for kid in ("crv-missing", "crv-number"):
        suite.add(f"key-algorithm-{kid}", token(p256, kid=kid), "invalid", "The key does not name its curve.",
                  "RFC 7518 section 6.2.1.1")
    suite.add("key-algorithm-x25519", token(ed25519, kid="x25519"), "key_algorithm_mismatch",
              "An X25519 key is for key agreement only.", "RFC 8037 section 2")
    forged = sign_parts(bound, header_of(rsa, "RS512"), claims(), "RS512")
    suite.add("key-algorithm-forged-rs512-first", forged, "signature_invalid",
              "A forged RS512 token comes first to a key without alg.")
    suite.valid("key-algorithm-rs256-after-forged-rs512", token(rsa),
                "The forged token has not bound the key to RS512.")
    suite.valid("key-algorithm-unbound-ps512", token(rsa, None, "PS512"),
                "A key without alg verifies every algorithm of its type.")
    return suite


def key_selection():
    rsa, second, third = rsa_key("rsa-1"), rsa_key("rsa-2"), rsa_key("rsa-3")
    p384 = [ec_key(f"p384-{index}", "P-384") for index in range(1, 5)]
    p256 = [ec_key(f"p256-{index}") for index in range(1, 6)]
    p521 = [ec_key(f"p521-{index}", "P-521") for index in range(1, 3)]
    empty, nul, unicode_key = ec_key("k256-empty", "secp256k1"), ed_key("ed25519-nul"), ed_key("ed25519-unicode")
    without = ed_key("ed448-without", "Ed448")
    keys = [rsa.jwk(), second.jwk(), *(renamed(key.jwk(), "four") for key in p384),
            *(renamed(key.jwk(), "five") for key in p256), renamed(p521[0].jwk(), "shared"),
            renamed(third.jwk(), "shared"), renamed(empty.jwk(), ""), renamed(nul.jwk(), "h"),
            renamed(unicode_key.jwk(), "caf\u00e9"), renamed(without.jwk(), ABSENT),
            renamed(p521[1].jwk(), "../../dev/null")]
    suite = Suite("key-selection", "A kid chooses by exact comparison; without one every key that fits is tried.",
                  keys, reference="RFC 7515 section 4.1.4")
    suite.valid("kid-first", token(rsa), "The first key of the set.")
    suite.valid("kid-second", token(second), "The second key of the set.")
    suite.valid("kid-escaped", sign_parts(rsa, {"alg": "RS256", "kid": raw(r'"\u0072sa\u002d1"')}, claims()),
                "The kid is written with escapes.")
    suite.valid("kid-shared-by-types-rsa", token(third, kid="shared"), "Two keys share a kid; the type decides (RSA).")
    suite.valid("kid-shared-by-types-ec", token(p521[0], kid="shared"), "Two keys share a kid; the type decides (EC).")
    for index, key in enumerate(p384, 1):
        suite.valid(f"kid-shared-by-four-{index}", token(key, kid="four"),
                    f"Four keys share a kid and a type; number {index} verifies.")
    for index, key in enumerate(p256, 1):
        suite.add(f"kid-shared-by-five-{index}", token(key, kid="five"), "ambiguous_key",
                  f"Five keys share a kid and a type; number {index} would verify.", "RFC 7517 section 4.5")
    suite.valid("kid-empty", token(empty, kid=""), "An empty kid is a kid like any other.")
    suite.valid("kid-path-existing", token(p521[1], kid="../../dev/null"), "A kid that looks like a path is only text.")
    suite.valid("kid-unicode", token(unicode_key, kid="caf\u00e9"), "A kid outside of ASCII.")
    unknown = [
        ("unknown", "other", "names no key", None), ("case", "RSA-1", "differs in case", None),
        ("prefix", "rsa", "is the beginning of one", None), ("longer", "rsa-1 ", "has a space at its end", None),
        ("leading-space", " rsa-1", "has a space in front", None),
        ("nul", "h\0x", "has a NUL after the kid of a key", None), ("nul-end", "h\0", "ends with a NUL", None),
        ("path", "../../dev/null/", "is nearly a path that is there", None),
        ("sql", "' OR 1=1 --", "is an attempt at SQL", None), ("command", "|id", "is an attempt at a command", None),
        ("url", "https://evil.example/key.pem", "is an address", "CVE-2026-32301"),
        ("normalized", "cafe\u0301", "is another normalization", None), ("null-word", "null", "is the word null", None),
        ("wildcard", "*", "is an asterisk", None), ("index", "0", "is the index of a key", None),
        ("undefined", "undefined", "is the word undefined", None),
    ]
    for identifier, kid, what, reference in unknown:
        suite.add(f"kid-{identifier}", token(rsa, kid=kid), "unknown_key", f"The kid {what}.", reference)
    suite.add("kid-number", token(rsa, kid=0), "invalid_header", "The kid is a number.")
    suite.add("kid-object", token(rsa, kid={"kid": "rsa-1"}), "invalid_header", "The kid is an object.")
    suite.add("kid-duplicate", sign_parts(rsa, raw('{"alg":"RS256","kid":"rsa-1","kid":"rsa-2"}'), claims()),
              "duplicate_member", "The kid is there twice.", "RFC 7515 section 4")
    suite.add("kid-of-other-key", token(second, kid="rsa-1"), "signature_invalid",
              "Another key of the set verifies, but it is not the one named.")
    suite.add("kid-of-key-without", token(without, kid="ed448-without"), "unknown_key",
              "The key that verifies has no kid, and the token has one.")
    suite.valid("no-kid-first", token(rsa, kid=ABSENT), "Without a kid the first key of the type verifies.")
    suite.valid("no-kid-third", token(third, kid=ABSENT), "Without a kid the third key of the type verifies.")
    suite.valid("no-kid-key-without", token(without, kid=ABSENT), "Neither key nor token has a kid.")
    suite.valid("no-kid-fourth", token(p384[3], kid=ABSENT), "Without a kid the fourth of four keys verifies.")
    suite.add("no-kid-five", token(p256[0], kid=ABSENT), "ambiguous_key", "Without a kid five keys fit.")
    suite.add("no-kid-none-verifies", token(rsa_key("rsa-e3", exponent=3), kid=ABSENT), "signature_invalid",
              "Without a kid three keys fit and none verifies.")
    suite.add("no-kid-no-type", token(hmac_key("secret-1"), kid=ABSENT), "algorithm_not_allowed",
              "Without a kid and with HMAC, which is not allowed.")
    return suite


def key_set_tolerance():
    good, weak = rsa_key("rsa-1"), rsa_key("rsa-1024", (512, 512))
    p256, module_lattice = ec_key("p256-1"), mldsa_key("mldsa-44", "ML-DSA-44")
    keys = [
        None, "key", 1, True, [], {}, {"kid": "empty"}, module_lattice.jwk(),
        {"kty": "AKP", "kid": "akp", "alg": "ML-DSA-99", "pub": "AA"}, {"kty": "AKP", "kid": "akp-no-alg", "pub": "AA"},
        {"kty": "oct", "kid": "oct", "k": base64url(seeded("oct", 32))}, {"kty": "XYZ", "kid": "unknown-type"},
        {"kid": "no-type", "n": good.jwk()["n"], "e": "AQAB"}, renamed(good.jwk(), "no-modulus", n=""),
        renamed(good.jwk(), "bad-modulus", n="!"), renamed(good.jwk(), "number-modulus", n=5),
        renamed(good.jwk(), "null-use", use=None), renamed(good.jwk(), 5), renamed(good.jwk(), None),
        weak.jwk(), renamed(p256.jwk(), "off-curve", y=p256.jwk()["x"]),
        {"kty": "OKP", "kid": "x25519", "crv": "X25519", "x": base64url(seeded("x25519", 32))},
        renamed(good.jwk(), "encryption", use="enc"),
        {**good.jwk(), "x5c": ["!"], "x5t": 5, "x5u": "", "ext": True, "unknown": {"a": [None]}},
        p256.jwk(key_ops=["verify"], use="sig"),
    ]
    suite = Suite("key-set-tolerance", "Keys that are broken or of unknown kinds do not cost the others.", keys,
                  reference="RFC 7517 section 5; GHSA-w6j9-cwv2-h6wq")
    suite.valid("tolerance-rs256", token(good), "A good RSA key among broken ones, its unknown members ignored.",
                "RFC 7517 section 5; jwt-kit issue 246")
    suite.valid("tolerance-ps256", token(good, None, "PS256"), "The same key with another algorithm.")
    suite.valid("tolerance-es256", token(p256), "A good elliptic curve key among broken ones.", "CVE-2026-102274")
    suite.valid("tolerance-es256-no-kid", token(p256, kid=ABSENT), "Without a kid the broken keys are passed over.",
                "CVE-2026-102274")
    failing = [("empty", "key_algorithm_mismatch"), ("akp", "key_algorithm_mismatch"),
               ("akp-no-alg", "key_algorithm_mismatch"), ("oct", "key_algorithm_mismatch"),
               ("unknown-type", "key_algorithm_mismatch"), ("no-type", "key_algorithm_mismatch"),
               ("bad-modulus", "invalid_key"), ("number-modulus", "invalid_key"), ("no-modulus", "invalid"),
               ("null-use", "invalid"), ("encryption", "key_use_mismatch"), ("x25519", "key_algorithm_mismatch"),
               ("mldsa-44", "key_algorithm_mismatch")]
    for kid, code in failing:
        suite.add(f"tolerance-{kid}", token(good, kid=kid), code, "The kid is that of a broken or foreign key.")
    suite.add("tolerance-weak", token(weak), "weak_key", "The kid is that of an RSA key of 1024 bits.")
    suite.add("tolerance-off-curve", token(p256, kid="off-curve"), "invalid_key",
              "The kid is that of a point that is not on the curve.", "CVE-2017-12974")
    suite.add("tolerance-numeric-kid", token(good, kid="5"), "unknown_key", "A numeric kid in the set is not its text.")
    return suite


def on_p256(x):
    """The y coordinate of a point of P-256 with this x, or None."""
    square = (x ** 3 - 3 * x + P256_B) % P256_PRIME
    root = pow(square, (P256_PRIME + 1) // 4, P256_PRIME)
    return root if root * root % P256_PRIME == square else None


def rsa_key_cases():
    """Weak and broken RSA keys: kid, JWK, key to sign with, code, what it is, reference."""
    good, cubic = rsa_key("rsa-1"), rsa_key("rsa-e3", exponent=3)
    weak = [(rsa_key("rsa-512", (256, 256)), 512), (rsa_key("rsa-1024", (512, 512)), 1024),
            (rsa_key("rsa-2047", (1024, 1023)), 2047)]
    largest, beyond = rsa_key("rsa-8192", (1024,) * 8), rsa_key("rsa-9216", (1024,) * 9)
    wide, wider = rsa_key("rsa-e64", exponent=2**64 - 59), rsa_key("rsa-e65", exponent=2**64 + 13)
    jwk = good.jwk()
    reference = "RFC 7518 section 3.3"
    for key, bits in weak:
        assert key.n.bit_length() == bits
        yield key.name, key.jwk(), key, "weak_key", f"an RSA key of {bits} bits", reference
    yield good.name, jwk, good, "valid", "an RSA key of 2048 bits", reference
    yield largest.name, largest.jwk(), largest, "valid", "an RSA key of 8192 bits", reference
    yield beyond.name, beyond.jwk(), beyond, "invalid_key", "an RSA key of 9216 bits", "CVE-2017-15361"
    yield cubic.name, cubic.jwk(), cubic, "valid", "an RSA key with the exponent three", reference
    yield wide.name, wide.jwk(), wide, "valid", "an RSA key with an exponent of 64 bits", reference
    yield wider.name, wider.jwk(), wider, "invalid_key", "an RSA key with an exponent of 65 bits", reference
    huge = int.from_bytes(seeded("huge", 4096), "big") | 1 << 32767 | 1
    changes = [
        ("rsa-32768", {"n": base64url(unsigned(huge))}, "an RSA key of 32768 bits"),
        ("rsa-even", {"n": base64url(unsigned(good.n - 1))}, "an RSA key with an even modulus"),
        ("rsa-exponent-0", {"e": "AA"}, "an RSA key with the exponent zero"),
        ("rsa-exponent-1", {"e": "AQ"}, "an RSA key with the exponent one"),
        ("rsa-exponent-2", {"e": "Ag"}, "an RSA key with the exponent two"),
        ("rsa-exponent-even", {"e": "AQAA"}, "an RSA key with the exponent 65536"),
        ("rsa-exponent-padded", {"e": "AQAB===="}, "an RSA key whose exponent is padded"),
        ("rsa-exponent-missing", {"e": ABSENT}, "an RSA key without an exponent"),
        ("rsa-exponent-number", {"e": 65537}, "an RSA key whose exponent is a number"),
        ("rsa-exponent-null", {"e": None}, "an RSA key whose exponent is null"),
        ("rsa-modulus-missing", {"n": ABSENT}, "an RSA key without a modulus"),
        ("rsa-modulus-number", {"n": 5}, "an RSA key whose modulus is a number"),
        ("rsa-modulus-array", {"n": [jwk["n"]]}, "an RSA key whose modulus is an array"),
        ("rsa-modulus-padded", {"n": jwk["n"] + "=="}, "an RSA key whose modulus is padded"),
        ("rsa-modulus-standard", {"n": jwk["n"].replace("-", "+").replace("_", "/")},
         "an RSA key whose modulus is in the standard alphabet"),
        ("rsa-modulus-unused-bits", {"n": unused_bits_set(jwk["n"])},
         "an RSA key with unused bits in its modulus that are not zero"),
        ("rsa-modulus-white-space", {"n": jwk["n"][:64] + "\n" + jwk["n"][64:]},
         "an RSA key with a line feed in its modulus"),
    ]
    for kid, members, what in changes:
        yield kid, renamed(jwk, kid, **members), good, "invalid_key", what, "RFC 7518 section 6.3.1"
    yield ("rsa-modulus-empty", renamed(jwk, "rsa-modulus-empty", n=""), good, "invalid",
           "an RSA key with an empty modulus", "RFC 7518 section 6.3.1")
    yield ("rsa-modulus-leading-zero", renamed(jwk, "rsa-modulus-leading-zero", n=base64url(b"\0" + unsigned(good.n))),
           good, "valid", "an RSA key whose modulus has a zero octet in front, as some providers publish it",
           "RFC 7518 section 6.3.1.1")


def ec_key_cases():
    """Broken elliptic curve keys, in the same form."""
    key, short = ec_key("p256-1"), ec_key_with_short_x("p256-short-x")
    p384, p521, k256 = ec_key("p384-1", "P-384"), ec_key("p521-1", "P-521"), ec_key("k256-1", "secp256k1")
    jwk, x = key.jwk(), unsigned(key.x, 32)
    small = next(candidate for candidate in range(5, 100) if on_p256(candidate))
    yield short.name, short.jwk(), short, "valid", "a key whose x begins with a zero octet", "RFC 7518 section 6.2.1.2"
    changes = [
        ("p256-off-curve", key, {"y": base64url(unsigned(key.y ^ 1, 32))}, "a point off the curve", "CVE-2017-12974"),
        ("p256-swapped", key, {"x": jwk["y"], "y": jwk["x"]}, "a point with x and y swapped", "CVE-2016-9121"),
        ("p256-origin", key, {"x": base64url(bytes(32)), "y": base64url(bytes(32))}, "the point (0, 0)",
         "CVE-2016-9121"),
        ("p256-all-ff", key, {"x": base64url(b"\xff" * 32), "y": base64url(b"\xff" * 32)}, "coordinates all FF",
         "CVE-2017-12974"),
        ("p256-x-plus-prime", key, {"x": base64url(unsigned(small + P256_PRIME, 32)),
                                    "y": base64url(unsigned(on_p256(small), 32))},
         "a point on the curve with the prime added to x", "CVE-2017-12974"),
        ("p521-x-plus-prime", p521, {"x": base64url(unsigned(p521.x + P521_PRIME, 66))},
         "a good key with the prime added to x", "CVE-2017-12974"),
        ("p256-short-stripped", short, {"x": base64url(unsigned(short.x))}, "an x without its leading zero octet",
         "RFC 7518 section 6.2.1.2"),
        ("p256-x-long", key, {"x": base64url(b"\0" + x)}, "an x of 33 octets", "RFC 7518 section 6.2.1.2"),
        ("p256-y-long", key, {"y": base64url(b"\0" + unsigned(key.y, 32))}, "a y of 33 octets",
         "RFC 7518 section 6.2.1.3"),
        ("p521-x-short", p521, {"x": base64url(unsigned(p521.x, 66)[1:])}, "an x of 65 octets on P-521",
         "RFC 7518 section 6.2.1.2"),
        ("p384-under-p256", key, {"x": p384.jwk()["x"], "y": p384.jwk()["y"]}, "a point of P-384 called P-256",
         "CVE-2017-12974"),
        ("p256-under-p384", p384, {"x": jwk["x"], "y": jwk["y"]}, "a point of P-256 called P-384", "CVE-2017-12974"),
        ("k256-under-p256", key, {"x": k256.jwk()["x"], "y": k256.jwk()["y"]}, "a point of secp256k1 called P-256",
         "CVE-2017-12974"),
        ("p256-under-k256", k256, {"x": jwk["x"], "y": jwk["y"]}, "a point of P-256 called secp256k1",
         "CVE-2017-12974"),
        ("p256-y-missing", key, {"y": ABSENT}, "no y", "RFC 7518 section 6.2.1.3"),
        ("p256-x-missing", key, {"x": ABSENT}, "no x", "RFC 7518 section 6.2.1.2"),
        ("p256-x-number", key, {"x": 5}, "an x that is a number", "RFC 7518 section 6.2.1.2"),
        ("p256-x-null", key, {"x": None}, "an x that is null", "RFC 7518 section 6.2.1.2"),
        ("p256-x-empty", key, {"x": ""}, "an empty x", "RFC 7518 section 6.2.1.2"),
        ("p256-x-padded", key, {"x": jwk["x"] + "="}, "an x that is padded", "RFC 7518 section 6.2.1.2"),
        ("p256-x-white-space", key, {"x": " " + jwk["x"]}, "an x with white space", "RFC 7518 section 6.2.1.2"),
        ("p256-x-unused-bits", key, {"x": unused_bits_set(jwk["x"])},
         "an x with unused bits that are not zero", "RFC 7518 section 6.2.1.2"),
    ]
    for kid, signer, members, what, reference in changes:
        yield kid, renamed(signer.jwk(), kid, **members), signer, "invalid_key", f"an EC key with {what}", reference
    negated = renamed(jwk, "p256-negated", y=base64url(unsigned(P256_PRIME - key.y, 32)))
    yield ("p256-negated", negated, key, "signature_invalid", "an EC key whose point is the negative of the signer's",
           "RFC 7518 section 6.2.1")


def edwards_key_cases():
    """Broken Edwards curve keys, in the same form."""
    ed25519, ed448 = ed_key("ed25519-1"), ed_key("ed448-1", "Ed448")
    x = ed25519.public
    changes = [
        ("ed25519-short", ed25519, {"x": base64url(x[:-1])}, "an x of 31 octets"),
        ("ed25519-long", ed25519, {"x": base64url(x + b"\0")}, "an x of 33 octets"),
        ("ed25519-empty", ed25519, {"x": ""}, "an empty x"),
        ("ed25519-missing", ed25519, {"x": ABSENT}, "no x"),
        ("ed25519-number", ed25519, {"x": 5}, "an x that is a number"),
        ("ed25519-padded", ed25519, {"x": base64url(x) + "="}, "an x that is padded"),
        ("ed448-short", ed448, {"x": base64url(ed448.public[:-1])}, "an x of 56 octets"),
        ("ed448-long", ed448, {"x": base64url(ed448.public + b"\0")}, "an x of 58 octets"),
        ("ed25519-under-ed448", ed448, {"x": base64url(x)}, "an Ed25519 key called Ed448"),
        ("ed448-under-ed25519", ed25519, {"x": base64url(ed448.public)}, "an Ed448 key called Ed25519"),
    ]
    for kid, signer, members, what in changes:
        yield (kid, renamed(signer.jwk(), kid, **members), signer, "invalid_key", f"an OKP key with {what}",
               "RFC 8037 section 2")
    unrelated = base64url(seeded("not the private part of any key here", 32))
    yield ("ed25519-other-d", renamed(ed25519.jwk(), "ed25519-other-d", d=unrelated), ed25519, "invalid_key",
           "an OKP key whose private part does not belong to its public part", "CVE-2026-102275")


def invalid_keys():
    cases = [*rsa_key_cases(), *ec_key_cases(), *edwards_key_cases()]
    p256, weak, good = ec_key("p256-1"), rsa_key("rsa-1024", (512, 512)), rsa_key("rsa-1")
    even, off_curve = base64url(unsigned(good.n - 1)), p256.jwk()["x"]
    groups = {  # kid: (keys, code, what)
        "rank-weak-over-use": ([good.jwk(use="enc"), weak.jwk()], "weak_key", "one for encryption, one weak"),
        "rank-weak-over-invalid": ([{**good.jwk(), "n": even}, weak.jwk()], "weak_key", "one invalid, one weak"),
        "rank-weak-first": ([weak.jwk(), {**good.jwk(), "n": even}], "weak_key", "one weak, one invalid"),
        "rank-invalid-over-use": ([good.jwk(use="enc"), {**good.jwk(), "n": even}], "invalid_key",
                                  "one for encryption, one invalid"),
        "rank-use-over-algorithm": ([p256.jwk(), good.jwk(use="enc")], "key_use_mismatch",
                                    "one of another type, one for encryption"),
        "rank-algorithm-only": ([p256.jwk(), good.jwk(alg="RS512")], "key_algorithm_mismatch",
                                "one of another type, one bound to another algorithm"),
        "rank-use-before-weak": ([weak.jwk(use="enc")], "key_use_mismatch", "one, weak and for encryption"),
        "rank-algorithm-before-use": ([good.jwk(alg="RS512", use="enc")], "key_algorithm_mismatch",
                                      "one, bound to another algorithm and for encryption"),
        "rank-algorithm-before-invalid": ([{**p256.jwk(), "y": off_curve}], "key_algorithm_mismatch",
                                          "one, of another type and off its curve"),
    }
    keys = [jwk for _, jwk, *_ in cases]
    keys += [renamed(jwk, kid) for kid, (members, _, _) in groups.items() for jwk in members]
    suite = Suite("weak-and-invalid-keys", "Keys that are too weak, too large, off the curve or badly written.", keys,
                  reference="RFC 8725 section 3.5")
    for kid, _, signer, code, what, reference in cases:
        suite.add(f"key-{kid}", token(signer, kid=kid), code, f"The kid names {what}.", reference)
    for kid, (_, code, what) in groups.items():
        suite.add(f"key-{kid}", token(good, kid=kid), code, f"The keys of the kid: {what}; the reason of highest rank.")
    return suite


def key_use():
    rsa, p256 = rsa_key("rsa-1"), ec_key("p256-1")
    good = {"use-sig": {"use": "sig"}, "ops-verify": {"key_ops": ["verify"]},
            "ops-both": {"key_ops": ["sign", "verify"]}, "use-and-ops": {"use": "sig", "key_ops": ["verify"]},
            "ops-unknown-beside": {"key_ops": ["verify", "https://example.com/op"]}, "none": {}}
    bad = {"use-enc": {"use": "enc"}, "use-upper": {"use": "SIG"}, "use-empty": {"use": ""},
           "use-spiffe": {"use": "jwt-svid"}, "use-space": {"use": "sig "}, "ops-sign": {"key_ops": ["sign"]},
           "ops-encrypt": {"key_ops": ["encrypt", "wrapKey"]}, "ops-empty": {"key_ops": []},
           "ops-joined": {"key_ops": ["sign, verify"]}, "ops-upper": {"key_ops": ["Verify"]},
           "use-enc-ops-verify": {"use": "enc", "key_ops": ["verify"]},
           "use-sig-ops-sign": {"use": "sig", "key_ops": ["sign"]}}
    broken = {"use-null": {"use": None}, "use-number": {"use": 1}, "use-array": {"use": ["sig"]},
              "ops-string": {"key_ops": "verify"}, "ops-null": {"key_ops": None},
              "ops-object": {"key_ops": {"verify": True}}}
    keys = [renamed(rsa.jwk(), kid, **members) for kid, members in {**good, **bad, **broken}.items()]
    keys += [renamed(p256.jwk(), "p256-enc", use="enc"), renamed(p256.jwk(), "pair", use="enc"),
             renamed(p256.jwk(), "pair", use="sig")]
    suite = Suite("key-use", "A key that is for something else does not verify.", keys,
                  reference="RFC 7517 sections 4.2 and 4.3")
    for kid in good:
        suite.valid(f"key-use-{kid}", token(rsa, kid=kid), f"A key that may verify ({kid}).")
    for kid in bad:
        suite.add(f"key-use-{kid}", token(rsa, kid=kid), "key_use_mismatch", f"A key that may not verify ({kid}).",
                  "RFC 7517 sections 4.2 and 4.3; Wycheproof json_web_signature 355 and 356")
    for kid in broken:
        suite.add(f"key-use-{kid}", token(rsa, kid=kid), "invalid", f"The use of the key is of a wrong type ({kid}).")
    suite.add("key-use-p256-enc", token(p256, kid="p256-enc"), "key_use_mismatch", "An EC key for encryption.")
    suite.valid("key-use-pair", token(p256, kid="pair"), "Two keys of a kid, the one for signatures verifies.")
    return suite


def keys_unavailable():
    key = rsa_key("rsa-1")
    suite = Suite("keys-unavailable", "There is no key set, which is not the same as an unknown key.", None,
                  reference="RFC 7515 section 5.2")
    suite.add("keys-unavailable-kid", token(key), "keys_unavailable", "A good token with a kid.")
    suite.add("keys-unavailable-no-kid", token(key, kid=ABSENT), "keys_unavailable", "A good token without a kid.")
    suite.add("keys-unavailable-expired", token(key, claims(exp=1)), "keys_unavailable",
              "An expired token: its claims are not looked at without a key.")
    suite.add("keys-unavailable-none", token(key, alg="none"), "unsecured_token",
              "The header is checked before keys are asked for.")
    suite.add("keys-unavailable-hs256", token(key, alg="HS256"), "algorithm_not_allowed",
              "The allow-list is checked before keys are asked for.")
    suite.add("keys-unavailable-malformed", "x", "malformed_token", "The form is checked before keys are asked for.")
    return suite


def empty_key_set():
    key = rsa_key("rsa-1")
    suite = Suite("empty-key-set", "A key set without any key.", [], reference="RFC 7517 section 5.1")
    suite.add("empty-set-kid", token(key), "unknown_key", "A good token with a kid.")
    suite.add("empty-set-no-kid", token(key, kid=ABSENT), "unknown_key", "A good token without a kid.")
    suite.add("empty-set-hs256", token(HmacKey("x", b"")), "algorithm_not_allowed",
              "HMAC with the empty secret.", "CVE-2026-107720")
    return suite


SUITES = [algorithm_confusion, algorithm_confusion_hmac_only, algorithm_confusion_mixed, mixed_sets_apart,
          mixed_policy, key_algorithm, key_selection, key_set_tolerance, invalid_keys, key_use, keys_unavailable,
          empty_key_set]
