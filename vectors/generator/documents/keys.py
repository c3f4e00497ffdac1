"""One key with one fault, beside a good key: which of the two a verifier may use."""

from ..curve import CURVES
from ..encoding import ALPHABET, Raw, base64url, unbase64url, unsigned
from ..keys import ec_key, ed_key, hmac_key, rsa_key, seeded
from .suite import DocumentSuite, refused, usable

TOLERANT = "RFC 7517 section 5"
WRONG_TYPES = {"null": None, "true": True, "false": False, "number": 5, "fraction": 0.5, "array": [], "array-of-text": ["x"], "object": {}}
KINDS = {  # name: key, members that are base64url with their clauses
    "rsa": (rsa_key("rsa-1"), {"n": "RFC 7518 section 6.3.1.1", "e": "RFC 7518 section 6.3.1.2"}),
    "p256": (ec_key("p256-1"), {"x": "RFC 7518 section 6.2.1.2", "y": "RFC 7518 section 6.2.1.3"}),
    "p384": (ec_key("p384-1", "P-384"), {"x": "RFC 7518 section 6.2.1.2", "y": "RFC 7518 section 6.2.1.3"}),
    "p521": (ec_key("p521-1", "P-521"), {"x": "RFC 7518 section 6.2.1.2", "y": "RFC 7518 section 6.2.1.3"}),
    "k256": (ec_key("k256-1", "secp256k1"), {"x": "RFC 7518 section 6.2.1.2", "y": "RFC 7518 section 6.2.1.3"}),
    "ed25519": (ed_key("ed25519-1"), {"x": "RFC 8037 section 2"}),
    "ed448": (ed_key("ed448-1", "Ed448"), {"x": "RFC 8037 section 2"}),
    "oct": (hmac_key("secret-1", 64), {"k": "RFC 7518 section 6.4.1"}),
}


def texts(part):
    """Faults of base64url: identifier, changed text, what is wrong."""
    half = len(part) // 2
    yield "empty", "", "is empty"
    yield "padded", part + "=" * (-len(part) % 4 or 4), "is padded"
    for name, text in (("space", " "), ("line-feed", "\n"), ("nul", "\0"), ("plus", "+"), ("slash", "/"), ("letter", "\u00e9"),
                       ("percent", "%2D"), ("comma", ",")):
        yield f"inside-{name}", part[:half] + text + part[half:], f"has a fault inside ({name.replace('-', ' ')})"
    yield "space-before", " " + part, "has a space in front"
    yield "space-after", part + " ", "has a space behind it"
    yield "one-over", part[:len(part) // 4 * 4] + "A", "has a length of one modulo four"
    if part[-1] in ALPHABET and len(part) % 4:
        yield "unused-bits", part[:-1] + ALPHABET[ALPHABET.index(part[-1]) | 1], "has unused bits that are not zero"
    if len(part) > 4:  # the hexadecimal text of 65537 is base64url of another exponent
        yield "hexadecimal", unbase64url(part).hex() + "0", "is in hexadecimal"
    yield "decimal", str(int.from_bytes(unbase64url(part), "big")) + ".0", "is a decimal number"


def text_severity(identifier):
    """RFC 7517 says how the text is written, and not that a reader refuses white space and padding in the document of a trusted issuer."""
    if identifier == "unused-bits":
        return "hardening"
    return "should" if identifier in ("padded", "inside-space", "inside-line-feed", "space-before", "space-after") else "must"


def member_faults():
    good = ed_key("ed25519-good").jwk()
    suite = DocumentSuite("members", "Each member that holds a key's material, with each fault, beside a good key.")
    for kind, (key, members) in KINDS.items():
        jwk = key.jwk()
        for name, clause in members.items():
            def add(identifier, changed, what, severity="must", kind=kind, name=name, clause=clause):
                suite.add(f"jwk-{kind}-{name}-{identifier}", {"keys": [changed, good]}, "valid",
                          [refused(changed.get("kid"), "invalid"), usable(good)], f"The member {name} of a key of kind {kind} {what}.",
                          clause, severity)
            add("missing", {other: value for other, value in jwk.items() if other != name}, "is missing")
            for identifier, value in WRONG_TYPES.items():
                add(identifier, {**jwk, name: value}, f"is no string ({identifier.replace('-', ' ')})")
            for identifier, text, what in texts(jwk[name]):
                if text != jwk[name]:
                    add(f"text-{identifier}", {**jwk, name: text}, what, text_severity(identifier))
    return suite


def octet_faults():
    """Material of a wrong length, or that is no point."""
    good = ed_key("ed25519-good").jwk()
    suite = DocumentSuite("octets", "Points and secrets of a wrong length, and what is no point of its curve, beside a good key.")

    def add(identifier, jwk, what, clause, severity="must"):
        suite.add(f"material-{identifier}", {"keys": [jwk, good]}, "valid", [refused(jwk["kid"], "invalid"), usable(good)],
                  f"A key: {what}.", clause, severity)
    for kind in ("p256", "p384", "p521", "k256"):
        jwk, curve = KINDS[kind][0].jwk(), CURVES[KINDS[kind][0].crv]
        for name in ("x", "y"):
            octets = unbase64url(jwk[name])
            for identifier, changed, what in [
                ("short", octets[1:], "lacks its first octet"), ("cut", octets[:-1], "lacks its last octet"),
                ("front-zero", b"\0" + octets, "has a zero octet in front"), ("end-zero", octets + b"\0", "has a zero octet behind it"),
                ("twice", octets * 2, "is there twice"), ("zeros", bytes(len(octets)), "is zero"), ("all-ff", b"\xff" * len(octets),
                                                                                                    "is all FF"),
                ("bit", octets[:-1] + bytes([octets[-1] ^ 1]), "has its last bit flipped"),
                ("prime", unsigned(curve.p, len(octets)), "is the prime"),
                ("reversed", octets[::-1], "is in little-endian order"),
            ]:
                add(f"{kind}-{name}-{identifier}", {**jwk, name: base64url(changed)}, f"{name} of {kind} {what}",
                    "RFC 7518 section 6.2.1; CVE-2017-12974")
        add(f"{kind}-swapped", {**jwk, "x": jwk["y"], "y": jwk["x"]}, f"x and y of {kind} are swapped",
            "RFC 7518 section 6.2.1; CVE-2016-9121")
        add(f"{kind}-uncompressed", {**jwk, "x": base64url(b"\x04" + unbase64url(jwk["x"]) + unbase64url(jwk["y"]))},
            f"x of {kind} is a whole point", "RFC 7518 section 6.2.1.2")
        add(f"{kind}-compressed", {**jwk, "x": base64url(b"\x02" + unbase64url(jwk["x"]))}, f"x of {kind} is a compressed point",
            "RFC 7518 section 6.2.1.2")
    for kind, (key, _) in KINDS.items():
        for other, (donor, _) in KINDS.items():
            jwk, foreign = key.jwk(), donor.jwk()
            if "crv" in jwk and "crv" in foreign and jwk["kty"] == foreign["kty"] and kind != other:
                add(f"{kind}-called-{other}", {**jwk, "crv": foreign["crv"]}, f"material of {kind} under the curve of {other}",
                    "RFC 7518 section 6.2.1.1; CVE-2017-12974")
    for kind in ("ed25519", "ed448"):
        jwk = KINDS[kind][0].jwk()
        octets = unbase64url(jwk["x"])
        for identifier, changed in (("short", octets[:-1]), ("long", octets + b"\0"), ("front-zero", b"\0" + octets), ("twice",
                                                                                                                       octets * 2)):
            add(f"{kind}-{identifier}", {**jwk, "x": base64url(changed)}, f"x of {kind} has a wrong length ({identifier})",
                "RFC 8037 section 2")
    not_canonical_keys(add)
    return suite


def not_canonical_keys(add):
    """Encodings of Ed25519 that do not decode: y is the prime or more, or x is zero and has a sign."""
    jwk, prime = KINDS["ed25519"][0].jwk(), 2**255 - 19
    for sign in (0, 1 << 255):
        encodings = [(f"prime-plus-{number}", prime + number) for number in range(19)] + [("one", 1), ("minus-one", prime - 1)] * (sign > 0)
        for name, y in encodings:
            add(f"ed25519-{name}{'-sign' if sign else ''}", {**jwk, "x": base64url((y | sign).to_bytes(32, "little"))},
                f"the encoding of an Ed25519 key does not decode ({name.replace('-', ' ')}{', with a sign' if sign else ''})",
                "RFC 8032 section 5.1.3")


def names_of_kinds():
    """kty, crv and alg that are unknown, in another spelling, of a wrong type, or of another kind."""
    good = ed_key("ed25519-good").jwk()
    suite = DocumentSuite("kinds", "kty, crv and alg that are unknown, misspelled or of another kind, beside a good key.")
    spelled = {
        "kty": ["", "ec", "rsa", "Rsa", "okp", "OCT", "Oct", "EC ", " EC", "EC\0", "RSA\n", "PBC", "EC2", "ECDSA", "\uff25\uff23",
                "public"],
        "crv": ["", "p-256", "P256", "P-256 ", "P-256\0", "secp256r1", "prime256v1", "P-224", "P-192", "P-257", "BP-256", "Secp256k1",
                "K-256",
                "ed25519", "ED25519", "Curve25519", "X25519", "X448", "Ed448\0", "1.2.840.10045.3.1.7"],
        "alg": ["", "none", "rs256", "RS257", "RS256 ", "RS256\0", "SHA256withRSA", "ES256K ", "es256", "Es256", "EDDSA", "eddsa",
                "RSA-OAEP",
                "RSA1_5", "ECDH-ES", "A128KW", "dir", "HS256", "ES521", "PS128", "RSA", "Ed25519 "],
    }
    clauses = {"kty": "RFC 7517 section 4.1", "crv": "RFC 7518 section 6.2.1.1", "alg": "RFC 7517 section 4.4"}
    for kind in ("rsa", "p256", "ed25519"):
        jwk = KINDS[kind][0].jwk()
        for name, values in spelled.items():
            if name == "crv" and kind == "rsa":
                continue
            listed = [*((f"text-{number}", value) for number, value in enumerate(values)), *WRONG_TYPES.items()]
            for identifier, value in listed:
                changed = {**jwk, name: value}
                suite.add(f"kind-{kind}-{name}-{identifier}", {"keys": [changed, good]}, "valid", [refused(jwk["kid"], "invalid"),
                                                                                                   usable(good)],
                          f"A key of kind {kind} whose {name} is {Raw(str(value).encode()).decode()!r}.", clauses[name],
                          "must" if isinstance(value, str) else "should")
            missing = {other: value for other, value in jwk.items() if other != name}
            expected = usable(jwk) if name == "alg" else refused(jwk["kid"], "invalid")
            suite.add(f"kind-{kind}-{name}-missing", {"keys": [missing, good]}, "valid", [expected, usable(good)],
                      f"A key of kind {kind} without {name}.", clauses[name])
    return suite


def remarks():
    """Members that say what a key is for, or that are not read."""
    suite = DocumentSuite("purposes", "use, key_ops, kid and members that are not read, with each type of JSON.")
    good, jwk = ed_key("ed25519-good").jwk(), rsa_key("rsa-1").jwk()
    wrong = {**WRONG_TYPES, "huge": Raw(b"12345678901234567890123"), "empty": "", "text": "x"}
    for name, clause in (("use", "RFC 7517 section 4.2"), ("key_ops", "RFC 7517 section 4.3"), ("kid", "RFC 7517 section 4.5")):
        for identifier, value in wrong.items():
            changed = {**jwk, name: value}
            is_named = name == "kid" and isinstance(value, str)
            expected = usable(changed) if is_named else refused(None if name == "kid" else jwk["kid"], "invalid")
            suite.add(f"purpose-of-{name.replace('_', '-')}-{identifier}", {"keys": [changed, good]}, "valid", [expected, usable(good)],
                      f"The member {name} is {identifier.replace('-', ' ')}.", clause, "must" if is_named else "should")
    for name in ("x5c", "x5t", "x5t#S256", "x5u", "ext", "iat", "exp", "nbf", "issuer", "status", "unknown"):
        for identifier, value in wrong.items():
            changed = {**jwk, name: value}
            suite.add(f"unread-{name.lower().replace('#', '-')}-{identifier}", {"keys": [changed, good]}, "valid", [usable(jwk),
                                                                                                                    usable(good)],
                      f"The member {name}, which is not read, is {identifier.replace('-', ' ')}.", TOLERANT, "should")
    return suite


def sizes():
    """Sizes of RSA keys and of secrets, and exponents."""
    suite = DocumentSuite("sizes", "Sizes of RSA moduli, exponents and secrets.", reference="RFC 7518 section 3.3")

    def modulus(bits):
        number = int.from_bytes(seeded(f"modulus {bits}", (bits + 7) // 8), "big") % (1 << bits - 1) | 1 << bits - 1 | 1
        return {"kty": "RSA", "kid": f"rsa-{bits}", "n": base64url(unsigned(number)), "e": "AQAB"}
    for bits in (8, 256, 512, 768, 1023, 1024, 1536, 2040, 2046, 2047):
        suite.add(f"size-rsa-{bits}", {"keys": [modulus(bits)]}, "valid", [refused(f"rsa-{bits}", "weak_key")],
                  f"An RSA key of {bits} bits.")
    for bits in (2048, 2049, 2056, 3072, 4095, 4096, 8192):
        suite.add(f"size-rsa-{bits}", {"keys": [modulus(bits)]}, "valid", [usable(modulus(bits))], f"An RSA key of {bits} bits.", None,
                  "must" if bits <= 4096 else "should")
    for bits in (8193, 16384):
        suite.add(f"size-rsa-{bits}", {"keys": [modulus(bits)]}, "valid", [refused(f"rsa-{bits}", "invalid_key")],
                  f"An RSA key of {bits} bits.", "CVE-2017-15361", "hardening")
    jwk = rsa_key("rsa-1").jwk()
    for exponent in (3, 5, 17, 257, 65537, 65539, 2**32 + 1, 2**64 - 59):
        changed = {**jwk, "e": base64url(unsigned(exponent))}
        suite.add(f"size-exponent-{exponent}", {"keys": [changed]}, "valid", [usable(changed)], f"The public exponent {exponent}.", None,
                  "must" if exponent == 65537 else "should")
    for exponent, severity in ((0, "must"), (1, "must"), (2, "must"), (4, "must"), (65536, "must"), (2**64 + 13, "hardening"),
                               (2**256 + 297, "hardening")):
        changed = {**jwk, "e": base64url(unsigned(exponent) or b"\0")}
        suite.add(f"size-exponent-{exponent if exponent < 2**70 else 'two-to-256'}", {"keys": [changed]}, "valid",
                  [refused(jwk["kid"], "invalid_key")], f"The public exponent {exponent}.", "RFC 8017 section 3.1", severity)
    for size in (0, 1, 8, 16, 24, 31):
        secret = {"kty": "oct", "kid": f"oct-{size}", "k": base64url(seeded("secret", size))}
        suite.add(f"size-secret-{size}", {"keys": [secret]}, "valid", [refused(secret["kid"], "weak_key")], f"A secret of {size} octets.",
                  "RFC 7518 section 3.2")
    for size in (32, 48, 64, 256, 1024):
        secret = {"kty": "oct", "kid": f"oct-{size}", "k": base64url(seeded("secret", size))}
        suite.add(f"size-secret-{size}", {"keys": [secret]}, "valid", [usable(secret)], f"A secret of {size} octets.",
                  "RFC 7518 section 3.2")
    for bits, size in ((256, 31), (384, 32), (384, 47), (512, 32), (512, 63)):
        secret = {"kty": "oct", "kid": f"oct-hs{bits}-{size}", "alg": f"HS{bits}", "k": base64url(seeded("secret", size))}
        suite.add(f"size-secret-hs{bits}-{size}", {"keys": [secret]}, "valid", [refused(secret["kid"], "weak_key")],
                  f"A secret of {size} octets for HS{bits}.", "RFC 7518 section 3.2")
    return suite


def published():
    """What an issuer publishes: a secret is no secret any more, and a private key is an accident."""
    suite = DocumentSuite("published", "Sets that an issuer publishes.", published=True, reference="RFC 7517 section 9.2")
    good, rsa, secret = ed_key("ed25519-good").jwk(), rsa_key("rsa-1").jwk(), hmac_key("secret-1", 64).jwk()
    suite.add("published-secret", {"keys": [secret, good]}, "valid", [refused("secret-1", "invalid"), usable(good)],
              "A shared secret that is published verifies nothing.", "RFC 8725 section 3.1")
    suite.add("published-secret-with-alg", {"keys": [{**secret, "alg": "HS256", "use": "sig"}, good]}, "valid",
              [refused("secret-1", "invalid"), usable(good)], "A shared secret with alg and use.", "RFC 8725 section 3.1")
    suite.add("published-same-key-twice", {"keys": [good, good]}, "valid", [usable(good)], "A key that is listed twice counts once.",
              "RFC 7517 section 5", "hardening")
    suite.add("published-same-key-two-names", {"keys": [good, {**good, "kid": "other"}]}, "valid", [usable(good), usable({**good,
                                                                                                                          "kid": "other"})],
              "A key under two names is two keys.", "RFC 7517 section 4.5")
    suite.add("published-same-name", {"keys": [rsa, {**rsa_key("rsa-2").jwk(), "kid": "rsa-1"}]}, "valid", [usable(rsa), usable(rsa)],
              "Two keys under one name are both candidates.", "RFC 7517 section 4.5", "should")
    suite.add("published-same-name-other-kind", {"keys": [rsa, {**good, "kid": "rsa-1"}]}, "valid", [usable(rsa), usable({**good,
                                                                                                                          "kid": "rsa-1"})],
              "Two keys of different kinds under one name.", "RFC 7517 section 4.5")
    for use, operations, is_usable in (("sig", None, True), ("enc", None, False), (None, ["verify"], True), (None, ["sign"], False),
                                       ("sig", ["encrypt"], False)):
        jwk = {**rsa, **({"use": use} if use else {}), **({"key_ops": operations} if operations else {})}
        suite.add(f"published-use-{use or 'none'}-{'-'.join(operations or ['none'])}", {"keys": [jwk]}, "valid",
                  [usable(jwk) if is_usable else refused("rsa-1", "key_use_mismatch")], f"A key with use {use} and key_ops {operations}.",
                  "RFC 7517 sections 4.2 and 4.3", "should")
    suite.add("published-no-names", {"keys": [{k: v for k, v in jwk.items() if k != "kid"} for jwk in (rsa, good)]}, "valid",
              [{**usable(rsa), "kid": None}, {**usable(good), "kid": None}], "Keys without names are keys.", "RFC 7517 section 4.5")
    return suite


SUITES = [member_faults, octet_faults, names_of_kinds, remarks, sizes, published]
