"""Tokens that were changed on their way: one code for all that depends on a key."""

import json

from ..encoding import base64url, dump, unbase64url
from ..keys import seeded
from ..suite import ABSENT, flipped
from .ciphers import cbc_tag, oaep_encoded, rsa_encrypted, sealed_padded, wrapped
from .suite import INNER, JWA, JWE, OTHER_INNER, RSA, EncryptedSuite, jwe, sealer

FAILED = "decryption_failed"
PARTS = ("header", "key", "vector", "ciphertext", "tag")


def tampering():
    suite = EncryptedSuite("tampering", "Tokens that were changed.", f"{JWE} 5.2")
    for algorithm, encryptions in (("RSA-OAEP", ("A256GCM", "A128CBC-HS256")), ("ECDH-ES+A128KW", ("A128GCM", "A256CBC-HS512")),
                                   ("dir", ("A256GCM", "A128CBC-HS256"))):
        for encryption in encryptions:
            add_changes(suite, algorithm, encryption)
    add_mixtures(suite)
    return suite


def add_changes(suite, algorithm, encryption):
    """Each part with one bit changed, cut, longer, and empty."""
    parts = jwe(algorithm, encryption).split(".")
    place = f"{algorithm}-{encryption}".lower().replace("+", "-")

    def ask(identifier, number, octets, expect, why, severity="must"):
        changed = [*parts[:number], base64url(octets), *parts[number + 1:]]
        suite.ask(f"changed-{place}-{PARTS[number]}-{identifier}", ".".join(changed), expect, f"{why} ({algorithm}, {encryption}).",
                  severity=severity)
    for number in range(2 if algorithm == "dir" else 1, 5):
        octets = unbase64url(parts[number])
        for where, index in (("first", 0), ("last", -1)):
            ask(f"bit-{where}", number, flipped(octets, index), FAILED, f"A bit of the {PARTS[number]} is wrong")
        if number in (2, 4):
            ask("cut", number, octets[:-1], "malformed_token", f"The {PARTS[number]} lacks an octet")
            ask("longer", number, octets + b"\0", "malformed_token", f"The {PARTS[number]} has an octet too many")
        elif number == 3:
            ask("cut", number, octets[:-1], FAILED, "The ciphertext lacks an octet")
            ask("longer", number, octets + b"\0", FAILED, "The ciphertext has an octet too many")
        else:
            ask("cut", number, octets[:-1], FAILED, "The encrypted key lacks an octet")
            ask("zero", number, bytes(len(octets)), FAILED, "The encrypted key is zero")
    tag = unbase64url(parts[4])
    for size in (1, 4, 12 if encryption.endswith("GCM") else len(tag) // 2):
        ask(f"only-{size}", 4, tag[:size], "malformed_token", f"The tag has {size} octets only")
    ask("zero", 4, bytes(len(tag)), FAILED, "The tag is zero")
    header = json.loads(unbase64url(parts[0]))
    for identifier, members in (("more", {"x": 1}), ("cty", {"cty": "jwt"}), ("order", {})):
        changed = {**dict(reversed(header.items())), **members} if identifier == "order" else {**header, **members}
        suite.ask(f"changed-{place}-header-{identifier}", ".".join([base64url(dump(changed)), *parts[1:]]), FAILED,
                  f"The header is another than was authenticated ({algorithm}, {encryption}).")


def add_mixtures(suite):
    """Parts of two good tokens, and algorithms that were switched."""
    for algorithm in ("RSA-OAEP", "ECDH-ES+A128KW", "dir"):
        first, second = (sealer(algorithm, label=label).seal(content).split(".") for label, content in (("a", INNER), ("b", OTHER_INNER)))
        for number in range(2 if algorithm == "dir" else 1, 5):
            mixed = [*first[:number], second[number], *first[number + 1:]]
            suite.ask(f"mixed-{algorithm.lower().replace('+', '-')}-{PARTS[number]}", ".".join(mixed), FAILED,
                      f"The {PARTS[number]} is that of another token ({algorithm}).")
    parts = jwe("RSA-OAEP").split(".")
    ecdh = jwe("ECDH-ES+A128KW").split(".")

    def ask(identifier, parts, expect, why, *rest, **header):
        members = {name: value for name, value in {**json.loads(unbase64url(parts[0])), **header}.items() if value is not ABSENT}
        suite.ask(f"switched-{identifier}", ".".join([base64url(dump(members)), *parts[1:]]), expect, why, *rest)
    ask("rsa-to-dir", parts, "key_algorithm_mismatch", "The algorithm was switched to dir, for the same RSA key.", alg="dir")
    ask("rsa-to-dir-secret", parts, "malformed_token", "The algorithm was switched to dir, and an encrypted key is there.", alg="dir",
        kid="secret-a256gcm")
    ask("rsa-to-dir-empty", [parts[0], "", *parts[2:]], FAILED, "The algorithm was switched to dir, and the encrypted key taken out.",
        alg="dir", kid="secret-a256gcm")
    ask("oaep-to-256", parts, FAILED, "RSA-OAEP was switched to RSA-OAEP-256.", alg="RSA-OAEP-256")
    ask("oaep-to-rsa1-5", parts, "unsupported_algorithm", "RSA-OAEP was switched to RSA1_5.", "RFC 8725 section 3.2", alg="RSA1_5")
    ask("wrap-to-direct", ecdh, "malformed_token", "ECDH-ES+A128KW was switched to ECDH-ES, and an encrypted key is there.", alg="ECDH-ES")
    ask("wrap-to-direct-empty", [ecdh[0], "", *ecdh[2:]], FAILED, "ECDH-ES+A128KW was switched to ECDH-ES, and the key taken out.",
        alg="ECDH-ES")
    ask("wrap-size", ecdh, FAILED, "ECDH-ES+A128KW was switched to ECDH-ES+A256KW.", alg="ECDH-ES+A256KW")
    ask("gcm-size", parts, FAILED, "A256GCM was switched to A128GCM.", enc="A128GCM")
    ask("gcm-to-cbc", parts, "malformed_token", "A256GCM was switched to A128CBC-HS256, which has a longer vector.", enc="A128CBC-HS256")
    ask("name-to-other", parts, "key_algorithm_mismatch", "The name was switched to that of a key on a curve.", kid="jwe-p256")
    ask("apu-added", jwe().split("."), FAILED, "A party was added to the header.", apu="QQ")


def paddings():
    """Good tags over bad content, and encrypted keys with wrong encodings. All have the code of a wrong tag (RFC 7516 section 11.5)."""
    suite = EncryptedSuite("paddings", "Wrong paddings, which no error tells apart.", f"{JWE} 11.5")
    for encryption in ("A128CBC-HS256", "A256CBC-HS512"):
        content = INNER.encode()
        size = 16 - len(content) % 16
        for identifier, padding in (("zero", bytes(size)), ("too-large", bytes([17]) * size), ("mixed", bytes(size - 1) + bytes([size])),
                                    ("largest", b"\xff" * size), ("one-more", bytes([size]) * (size + 1)), ("none", b"")):
            made = sealer("dir", encryption)
            head = base64url(dump(made.header))
            padded = content + padding
            if identifier == "none":
                padded = content[:len(content) // 16 * 16]
            if identifier == "mixed" and size == 1 or identifier == "one-more":
                continue
            ciphertext, tag = sealed_padded(encryption, made.content_key, made.vector, padded, head.encode())
            suite.ask(f"padding-{encryption.lower()}-{identifier}", made.joined(head, ciphertext, tag), FAILED,
                      f"The tag is good, and the padding of the content is not ({identifier}, {encryption}).", f"{JWA} 5.2.2.2")
        add_lengths(suite, encryption)
    for algorithm, bits in (("RSA-OAEP", "1"), ("RSA-OAEP-256", "256")):
        add_encodings(suite, algorithm, bits)
    add_wrappings(suite)
    return suite


def add_lengths(suite, encryption):
    made = sealer("dir", encryption)
    head = base64url(dump(made.header))
    for identifier, ciphertext in (("empty", b""), ("octet", b"x"), ("fifteen", bytes(15)), ("seventeen", bytes(17))):
        tag = cbc_tag(encryption, made.content_key, made.vector, ciphertext, head.encode())
        suite.ask(f"padding-{encryption.lower()}-length-{identifier}", made.joined(head, ciphertext, tag), FAILED,
                  f"The tag is good, and the ciphertext has not whole blocks ({identifier}, {encryption}).", f"{JWA} 5.2.2.2")


def add_encodings(suite, algorithm, bits):
    """What is wrong inside of RSAES-OAEP (RFC 8017 section 7.1.2)."""
    made, name = sealer(algorithm), algorithm.lower()
    key, size = made.content_key, RSA.size
    good = oaep_encoded(size, bits, key, seeded("oaep seed", 32))
    number = int.from_bytes(rsa_encrypted(RSA, good), "big")
    cases = {
        "first-octet": rsa_encrypted(RSA, b"\x01" + good[1:]),
        "seed-bit": rsa_encrypted(RSA, flipped(good, 1)),
        "last-bit": rsa_encrypted(RSA, flipped(good, -1)),
        "zero": bytes(size),
        "one": bytes(size - 1) + b"\x01",
        "modulus": RSA.n.to_bytes(size, "big"),
        "pkcs1": rsa_encrypted(RSA, b"\0\x02" + b"\x55" * (size - 3 - len(key)) + b"\0" + key),
        "plain": rsa_encrypted(RSA,
                               bytes(size - len(key)) + key),
        "key-short": rsa_encrypted(RSA, oaep_encoded(size, bits, key[:-1], bytes(32))),
        "key-long": rsa_encrypted(RSA, oaep_encoded(size, bits, key + b"\0", bytes(32))),
        "key-half": rsa_encrypted(RSA, oaep_encoded(size, bits, key[:16], bytes(32))),
        "key-empty": rsa_encrypted(RSA, oaep_encoded(size, bits, b"", bytes(32))),
        "other-hash": rsa_encrypted(RSA, oaep_encoded(size, "256" if bits == "1" else "1", key, bytes(32)))
    }
    if number + RSA.n < 256**size:
        cases["beyond-modulus"] = (number + RSA.n).to_bytes(size, "big")
    head = base64url(dump(made.header))
    _, _, _, ciphertext, tag = made.seal().split(".")
    for identifier, encrypted in cases.items():
        suite.ask(f"encoding-{name}-{identifier}", made.joined(head, unbase64url(ciphertext), unbase64url(tag), encrypted), FAILED,
                  f"The encoding of the content key is wrong ({identifier}, {algorithm}).", "RFC 8017 section 7.1.2")


def add_wrappings(suite):
    for algorithm in ("ECDH-ES+A128KW", "ECDH-ES+A256KW"):
        made = sealer(algorithm)
        head = base64url(dump(made.header))
        _, _, _, ciphertext, tag = made.seal().split(".")
        encrypted = made.encrypted_key
        for identifier, octets in (("bit", flipped(encrypted, 9)), ("zero", bytes(len(encrypted))), ("short", encrypted[:-8]),
                                   ("long", encrypted + bytes(8)), ("odd", encrypted[:-1]), ("plain", made.content_key),
                                   ("other-kek", wrapped(seeded("other kek", 16), made.content_key))):
            suite.ask(f"wrapping-{algorithm.lower().replace('+', '-')}-{identifier}",
                      made.joined(head, unbase64url(ciphertext), unbase64url(tag), octets), FAILED,
                      f"The wrapped key is wrong ({identifier}, {algorithm}).", "RFC 3394 section 2.2.3")


SUITES = [tampering, paddings]
