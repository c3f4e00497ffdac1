"""The recipient's keys, and the sender's key on a curve."""

from ..curve import CURVES
from ..encoding import base64url, unbase64url, unsigned
from ..keys import ec_key, rsa_key
from ..suite import ABSENT
from .suite import (CURVE_KEYS, JWA, JWE, RSA, SECRETS, EncryptedSuite, Sealer, X25519Key, ephemeral, jwe, private_jwk, public_members,
                    sealer)

ATTACK = "RFC 8725 section 3.4"


def ephemerals():
    suite = EncryptedSuite("ephemeral-keys", "The sender's key, epk.", f"{JWA} 4.6.1.1")
    bad = "invalid_ephemeral_key"
    for algorithm in ("ECDH-ES", "ECDH-ES+A128KW"):
        for identifier, value in (("absent", ABSENT), ("null", None), ("string", "x"), ("array", []), ("empty", {})):
            suite.ask(f"epk-{algorithm.lower().replace('+', '-')}-{identifier}", jwe(algorithm, epk=value), bad,
                      f"The sender's key is no JWK ({identifier}).")
    for name, key in CURVE_KEYS.items():
        good = public_members(ephemeral(key))
        for member in good:
            for identifier, value in (("absent", ABSENT), ("number", 1), ("empty", "")):
                changed = {what: part for what, part in {**good, member: value}.items() if part is not ABSENT}
                suite.ask(f"epk-{name.lower()}-{member}-{identifier}", sealer(key=key, epk=changed).seal(), bad,
                          f"The member {member} of the sender's key is no text that it needs ({identifier}).", None,
                          "should" if member == "kty" else "must")
        suite.ask(f"epk-{name.lower()}-crv-other", sealer(key=key, epk={**good, "crv": "P-192"}).seal(), bad, "The curve is not known.")
        suite.ask(f"epk-{name.lower()}-more", sealer(key=key, epk={**good, "kid": "x", "use": "enc"}).seal(), "valid",
                  "The sender's key has more members.", f"{JWA} 4.6.1.1", "should")
        for other, stranger in CURVE_KEYS.items():
            if other != name:
                suite.ask(f"epk-{name.lower()}-as-{other.lower()}", sealer(key=key, epk=public_members(ephemeral(stranger))).seal(), bad,
                          f"The recipient's key is on {name}, and the sender's on {other}.", ATTACK)
        other = X25519Key("other sender") if name == "X25519" else ec_key(f"other sender {name}", name)
        for algorithm in ("ECDH-ES", "ECDH-ES+A256KW"):
            suite.ask(f"epk-{name.lower()}-swapped-{algorithm.lower().replace('+', '-')}",
                      sealer(algorithm, key=key, epk=public_members(other)).seal(), "decryption_failed",
                      "The sender's key is another than the one that was used.")
    return suite


def points():
    suite = EncryptedSuite("invalid-curves", "Sender's keys that are no point of the recipient's curve.", f"{ATTACK}; CVE-2017-16007")
    for name in ("P-256", "P-384", "P-521"):
        add_points(suite, CURVE_KEYS[name])
    bad, key = "invalid_ephemeral_key", CURVE_KEYS["X25519"]
    for identifier, octets in SMALL_ORDER.items():
        epk = {"kty": "OKP", "crv": "X25519", "x": base64url(octets)}
        for algorithm in ("ECDH-ES", "ECDH-ES+A128KW"):
            suite.ask(f"point-x25519-{identifier}{'-wrap' if 'KW' in algorithm else ''}",
                      sealer(algorithm, key=key, agreed=bytes(32), epk=epk).seal(), bad,
                      f"The shared secret is zero, and the content is encrypted with it ({identifier}).",
                      "RFC 7748 section 6.1; RFC 8037 section 3.2", "should")
    good = public_members(ephemeral(key))
    x = unbase64url(good["x"])
    for identifier, octets in (("short", x[1:]), ("long", x + b"\0"), ("empty", b"")):
        suite.ask(f"point-x25519-{identifier}", sealer(key=key, epk={**good, "x": base64url(octets)}).seal(), bad,
                  f"The key has not 32 octets ({identifier}).", "RFC 7748 section 5")
    return suite


def add_points(suite, key):
    """Where a reader that does not check the point would come to a secret, the content is encrypted with that secret."""
    name, curve, size = key.crv, CURVES[key.crv], key.size
    good, (x, y) = public_members(ephemeral(key)), (ephemeral(key).x, ephemeral(key).y)
    attacks = {"off": (x, y ^ 1), "swapped": (y, x), "zero": (0, 0), "x-zero": (0, y), "y-zero": (x, 0), "one": (1, 1), "order-two": (2, 0),
               "negated-x": (curve.p - x, y)}
    for identifier, point in attacks.items():
        epk = {**good, "x": base64url(unsigned(point[0], size)), "y": base64url(unsigned(point[1], size))}
        for algorithm in ("ECDH-ES", "ECDH-ES+A128KW") if identifier in ("off", "order-two", "zero") else ("ECDH-ES",):
            suite.ask(f"point-{name.lower()}-{identifier}{'-wrap' if 'KW' in algorithm else ''}",
                      sealer(algorithm, key=key, agreed=unchecked(curve, key, point), epk=epk).seal(), "invalid_ephemeral_key",
                      f"The point is not on {name}, and the content is encrypted with what it gives without a check ({identifier}).")
    spellings = {
        "x-prime": {"x": base64url(unsigned(curve.p, size))}, "y-prime": {"y": base64url(unsigned(curve.p, size))},
        "largest": {member: base64url(b"\xff" * size) for member in "xy"}, "short": {"x": base64url(unsigned(x, size)[1:])},
        "long": {"x": base64url(b"\0" + unsigned(x, size))}, "joined": {"x": base64url(unsigned(x, size) + unsigned(y, size)), "y": ""},
        "compressed": {"x": base64url(b"\x02" + unsigned(x, size))}}
    for identifier, members in spellings.items():
        suite.ask(f"point-{name.lower()}-{identifier}", sealer(key=key, epk={**good, **members}).seal(), "invalid_ephemeral_key",
                  f"The coordinates are not those of a point, in their only form ({identifier}).", f"{JWA} 6.2.1.2",
                  "should" if identifier == "long" else "must")


def unchecked(curve, key, point):
    """The shared secret of a reader that multiplies any point."""
    try:
        product = curve.times(key.private.private_numbers().private_value, point)
    except ValueError:  # a slope without an inverse
        product = None
    return unsigned(product[0] if product else 0, key.size)


PRIME = 2**255 - 19
SMALL_ORDER = {"zero": bytes(32), "one": b"\x01" + bytes(31), "order-eight": bytes.fromhex(
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"), "minus-one": (PRIME - 1).to_bytes(32, "little"),
    "prime": PRIME.to_bytes(32, "little"), "prime-and-one": (PRIME + 1).to_bytes(32, "little")}


def recipients():
    suite = EncryptedSuite("recipients", "The key that a token is encrypted for.", f"{JWE} 5.2")
    unknown = "unknown_decryption_key"
    for algorithm in ("ECDH-ES", "RSA-OAEP", "dir"):
        for identifier, name in (("unknown", "x"), ("case", sealer(algorithm).key.name.upper()), ("longer",
                                                                                                  sealer(algorithm).key.name + "2"),
                                 ("path", "../../dev/null"), ("empty", ""), ("space", sealer(algorithm).key.name + " ")):
            suite.ask(f"kid-{algorithm.lower()}-{identifier}", jwe(algorithm, kid=name), unknown, f"No key has the name {name!r}.",
                      f"{JWE} 4.1.6", "should")
    for algorithm, other in (("RSA-OAEP", CURVE_KEYS["P-256"]), ("ECDH-ES", RSA), ("dir", RSA), ("RSA-OAEP", SECRETS["A256GCM"]),
                             ("ECDH-ES", SECRETS["A256GCM"]), ("dir", CURVE_KEYS["P-256"])):
        suite.ask(f"kid-{algorithm.lower()}-names-{other.name}", jwe(algorithm, kid=other.name), "key_algorithm_mismatch",
                  f"The named key is none for {algorithm}.", "RFC 8725 section 3.1")
    for encryption, other in (("A256GCM", "A128CBC-HS256"), ("A128CBC-HS256", "A256GCM"), ("A128GCM", "A256GCM")):
        suite.ask(f"kid-dir-{encryption.lower()}-names-{other.lower()}", jwe("dir", encryption, kid=SECRETS[other].name),
                  "key_algorithm_mismatch", f"The named secret is for {other}, and the token for {encryption}.", f"{JWA} 4.5")
    made = Sealer(SECRETS["A128CBC-HS256"], "dir", "A256GCM")
    suite.ask("dir-secret-of-other", made.seal(), "key_algorithm_mismatch",
              "The content is encrypted with a secret that is for another encryption of the same length.", "RFC 8725 section 3.1", "should")
    return suite


def bound():
    """Keys whose alg is for one algorithm."""
    suite = EncryptedSuite("bound-keys", "Keys that are for one algorithm.", "RFC 7517 section 4.4",
                           recipients=[private_jwk(RSA, alg="RSA-OAEP-256"), private_jwk(CURVE_KEYS["P-256"], alg="ECDH-ES+A128KW")])
    for algorithm, good in (("RSA-OAEP", False), ("RSA-OAEP-256", True), ("ECDH-ES", False), ("ECDH-ES+A128KW", True),
                            ("ECDH-ES+A256KW", False)):
        suite.ask(f"bound-{algorithm.lower().replace('+', '-')}", jwe(algorithm), "valid" if good else "key_algorithm_mismatch",
                  f"The key is {'' if good else 'not '}for {algorithm}.")
    return suite


def crowds():
    keys = [rsa_key(f"jwe-crowd-{number}") for number in range(5)]
    suite = EncryptedSuite("crowd", "Five keys for one algorithm.", f"{JWE} 5.2", recipients=[private_jwk(key) for key in keys])
    for algorithm in ("RSA-OAEP", "RSA-OAEP-256"):
        suite.ask(f"crowd-no-name-{algorithm.lower()}",
                  Sealer(keys[0], algorithm, "A256GCM", kid=ABSENT).seal(), "ambiguous_decryption_key",
                  "The token names no key, and five would have to be tried.", None, "hardening")
    for number in (0, 4):
        suite.ask(f"crowd-named-{number}", Sealer(keys[number], "RSA-OAEP", "A256GCM").seal(), "valid", "The token names one of five keys.",
                  f"{JWE} 4.1.6")
    suite.ask("crowd-other", Sealer(keys[0], "RSA-OAEP", "A256GCM", kid=keys[1].name).seal(), "decryption_failed",
              "The token names another of the five keys.", f"{JWE} 4.1.6", "should")
    return suite


SUITES = [ephemerals, points, recipients, bound, crowds]
