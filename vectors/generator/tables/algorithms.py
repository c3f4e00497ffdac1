"""Each algorithm with each fault of a signature, and each algorithm's signature under the name of each other algorithm."""

from ..encoding import base64url
from ..keys import HASHES, ec_key, ed_key, hash_bits, hmac_key, rsa_key
from ..suite import Suite, claims, flipped, header_of, sign_parts, signature_of, signing_input, split, token, with_signature

RFC7515 = "RFC 7515 section 5.2"
CLAUSES = {"RS": "RFC 7518 section 3.3", "PS": "RFC 7518 section 3.5", "ES": "RFC 7518 section 3.4", "Ed": "RFC 8037 section 3.1",
           "HS": "RFC 7518 section 3.2"}


def asymmetric(number=1):
    """Algorithm and key, for each algorithm; both EdDSA curves under both of their names."""
    rsa = rsa_key(f"rsa-{number}")
    ed25519, ed448 = ed_key(f"ed25519-{number}"), ed_key(f"ed448-{number}", "Ed448")
    return [*((name, rsa) for name in ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")),
            ("ES256", ec_key(f"p256-{number}")), ("ES384", ec_key(f"p384-{number}", "P-384")),
            ("ES512", ec_key(f"p521-{number}", "P-521")), ("ES256K", ec_key(f"k256-{number}", "secp256k1")),
            ("EdDSA", ed25519), ("Ed25519", ed25519), ("EdDSA", ed448), ("Ed448", ed448)]


def symmetric(number=1):
    return [(name, hmac_key(f"secret-{number}", 64)) for name in ("HS256", "HS384", "HS512")]


def changed_octets(signature):
    """Octets that are not the signature: identifier, octets, what they are."""
    half = len(signature) // 2
    return [
        ("empty", b"", "is empty"),
        ("one-octet", signature[:1], "is its first octet"),
        ("first-bit", bytes([signature[0] ^ 0x80]) + signature[1:], "has its first bit flipped"),
        ("last-bit", flipped(signature, -1), "has its last bit flipped"),
        ("middle-bit", flipped(signature, half), "has a bit in its middle flipped"),
        ("end-cut", signature[:-1], "lacks its last octet"),
        ("front-cut", signature[1:], "lacks its first octet"),
        ("end-zero", signature + b"\0", "has a zero octet behind it"),
        ("front-zero", b"\0" + signature, "has a zero octet in front of it"),
        ("doubled", signature * 2, "is there twice"),
        ("first-half", signature[:half], "is its first half"),
        ("second-half", signature[half:], "is its second half"),
        ("halves-swapped", signature[half:] + signature[:half], "has its halves swapped"),
        ("reversed", signature[::-1], "has its octets in reverse order"),
        ("complement", bytes(octet ^ 0xFF for octet in signature), "has every bit flipped"),
        ("zeros", bytes(len(signature)), "is as many zero octets"),
        ("all-ff", b"\xff" * len(signature), "is as many octets FF"),
        ("hexadecimal", signature.hex().encode(), "is written in hexadecimal"),
        ("encoded-twice", base64url(signature).encode(), "is encoded twice"),
    ]


def other_inputs(text):
    """What a good signature may be of instead of the signing input: identifier, octets, what they are."""
    header, payload, _ = split(text)
    data = signing_input(text).encode()
    return [
        ("header-only", header.encode(), "the header part"),
        ("payload-only", payload.encode(), "the payload part"),
        ("no-dot", data.replace(b".", b""), "both parts without the dot"),
        ("two-dots", data + b".", "both parts and a second dot"),
        ("newline", data + b"\n", "both parts and a line feed"),
        ("parts-exchanged", f"{payload}.{header}".encode(), "the payload part and the header part, in this order"),
        ("padded-parts", ".".join(part + "=" * (-len(part) % 4) for part in (header, payload)).encode(), "both parts with padding"),
        ("empty-input", b"", "nothing"),
    ]


def prehashed(algorithm, data):
    bits = hash_bits(algorithm) if hash_bits(algorithm) in HASHES else "512"
    return HASHES[bits](data).digest()


def add_faults(suite, algorithm, key, other):
    good = token(key, None, algorithm)
    data, signature, clause = signing_input(good).encode(), signature_of(good), CLAUSES[algorithm[:2]]
    name = f"fault-{algorithm.lower()}" + ("-448" if (algorithm, key.name[:5]) == ("EdDSA", "ed448") else "")
    suite.valid(f"{name}-none", good, f"A good {algorithm} signature, which the next cases change.", clause)
    for identifier, octets, what in changed_octets(signature):
        suite.add(f"{name}-{identifier}", with_signature(good, octets), "signature_invalid",
                  f"The {algorithm} signature {what}.", clause)
    for identifier, octets, what in [*other_inputs(good), ("prehashed", prehashed(algorithm, data), "the hash of both parts")]:
        suite.add(f"{name}-of-{identifier}", with_signature(good, key.sign(algorithm, octets)), "signature_invalid",
                  f"The {algorithm} signature is of {what}.", RFC7515)
    suite.add(f"{name}-other-key", with_signature(good, other.sign(algorithm, data)), "signature_invalid",
              f"The {algorithm} signature is made with another key.", RFC7515)
    for part, changed in [("payload", token(key, claims(sub="user-2"), algorithm)), ("header", token(key, None, algorithm, x=1))]:
        suite.add(f"{name}-other-{part}", with_signature(good, signature_of(changed)), "signature_invalid",
                  f"The {algorithm} signature is of a token with another {part}.", RFC7515)


def distinct(pairs):
    return list({key.name: key.jwk() for _, key in pairs}.values())


def algorithm_faults():
    suite = Suite("algorithm-faults", "Each algorithm with each fault that a signature can have.", distinct(asymmetric()))
    for (algorithm, key), (_, other) in zip(asymmetric(), asymmetric(2)):
        add_faults(suite, algorithm, key, other)
    return suite


def algorithm_faults_hmac():
    suite = Suite("algorithm-faults-hmac", "Each HMAC algorithm with each fault that a code can have.", distinct(symmetric()),
                  {"algorithms": ["HS256", "HS384", "HS512"]})
    for (algorithm, key), (_, other) in zip(symmetric(), symmetric(2)):
        add_faults(suite, algorithm, key, other)
    return suite


def claimed(algorithm, key, name):
    """The code of a token that `key` has signed by `algorithm` and whose header says `name`."""
    if name.startswith("HS"):
        return "algorithm_not_allowed"
    if not any(name == other and key.name == fitting.name for other, fitting in asymmetric()):
        return "key_algorithm_mismatch"
    return "valid" if {algorithm, name} <= {"EdDSA", "Ed25519", "Ed448"} else "signature_invalid"


def algorithm_names():
    pairs = asymmetric()
    suite = Suite("algorithm-names", "A good signature of each algorithm, under the name of each other algorithm.", distinct(pairs),
                  reference="RFC 8725 section 3.1")
    names = list(dict.fromkeys([algorithm for algorithm, _ in pairs] + ["HS256", "HS384", "HS512"]))
    for algorithm, key in pairs:
        for name in names:
            if name == algorithm:
                continue
            code = claimed(algorithm, key, name)
            identifier = f"name-{algorithm.lower()}-of-{key.name}-as-{name.lower()}"
            text = sign_parts(key, header_of(key, name), claims(), algorithm)
            suite.add(identifier, text, code, f"A signature made by {algorithm}, and a header that says {name}.",
                      "RFC 9864" if code == "valid" else None, "should" if code == "valid" else None)
    return suite


SUITES = [algorithm_faults, algorithm_faults_hmac, algorithm_names]
