"""The form of an encrypted token: its algorithms, its parts and its header."""

from ..encoding import Members, Raw, base64url, dump, raw, unbase64url, unused_bits_set
from ..keys import rsa_key, seeded
from ..suite import ABSENT
from .suite import (ALGORITHMS, CURVE_KEYS, ENCRYPTIONS, INNER, JWA, JWE, NESTED, RSA, SECRETS, EncryptedSuite, Sealer, jwe, sealer)


def good():
    suite = EncryptedSuite("good", "Each algorithm, with each content encryption.", f"{JWA} 4.1")
    for algorithm in ALGORITHMS:
        keys = {"": None} if not algorithm.startswith("ECDH-ES") else {f"-{name.lower()}": key for name, key in CURVE_KEYS.items()}
        for name, key in keys.items():
            for encryption in ENCRYPTIONS if algorithm != "ECDH-ES+A256KW" else ENCRYPTIONS[1:3]:
                identifier = f"{algorithm}{name}-{encryption}".lower().replace("+", "-")
                suite.ask(f"good-{identifier}", sealer(algorithm, encryption, key).seal(), "valid",
                          f"A token with {algorithm}{' on ' + key.crv if key else ''} and {encryption}.")
    suite.ask("good-no-kid-dir", jwe("dir", kid=ABSENT), "valid", "The token names no key, and one fits.", f"{JWE} 4.1.6")
    suite.ask("good-no-kid-rsa", jwe("RSA-OAEP", kid=ABSENT), "valid", "The token names no key, and one fits.", f"{JWE} 4.1.6")
    suite.ask("good-no-kid-ecdh", sealer("ECDH-ES", kid=ABSENT).seal(), "valid", "The token names no key, and one curve fits.",
              f"{JWE} 4.1.6", "should")
    for identifier, parties in (("apu", {"apu": "QWxpY2U"}), ("apv", {"apv": "Qm9i"}), ("both", {"apu": "QWxpY2U", "apv": "Qm9i"}),
                                ("empty", {"apu": "", "apv": ""})):
        suite.ask(f"good-parties-{identifier}", jwe(**parties), "valid", f"The key is derived with the parties ({identifier}).",
                  f"{JWA} 4.6.1")
        suite.ask(f"good-parties-wrap-{identifier}", jwe("ECDH-ES+A128KW", **parties), "valid",
                  f"The wrapping key is derived with the parties ({identifier}).", f"{JWA} 4.6.1")
    suite.ask("good-own-member", jwe(x="y"), "valid", "The header has a member that is not known.", f"{JWE} 4")
    suite.ask("good-type", jwe(typ="JWT"), "valid", "The header has a type.", f"{JWE} 4.1.11")
    suite.ask("good-cty-lower", jwe(cty="jwt"), "valid", "The content type is in small letters.", f"{NESTED} 5.2", "should")
    suite.ask("good-cty-media-type", jwe(cty="application/jwt"), "valid", "The content type is a whole media type.", f"{JWE} 4.1.12",
              "should")
    suite.ask("good-header-space",
              sealer().seal(header=b" " + dump(sealer().header) + b"\n"), "valid", "The header has white space around it.",
              "RFC 8259 section 2")
    suite.ask("good-alg-escaped", jwe(alg=raw('"ECDH\\u002dES"')), "valid", "The algorithm has an escape.", "RFC 8259 section 8.3",
              "should")
    return suite


def algorithms():
    suite = EncryptedSuite("algorithms", "Algorithms that the recipient does not allow.", "RFC 8725 section 3.2")
    unknown, parts = "unsupported_algorithm", jwe("RSA-OAEP").split(".")[1:]

    def ask(identifier, expect, why, *rest, parts=parts, **header):
        members = {name: value for name, value in {"alg": "RSA-OAEP", "enc": "A256GCM", "cty": "JWT", "kid": RSA.name, **header}.items()
                   if value is not ABSENT}
        suite.ask(f"alg-{identifier}", ".".join([base64url(dump(members)), *parts]), expect, why, *rest)
    suite.ask("alg-rsa1-5", padded(), unknown, "The content key is encrypted with PKCS #1 1.5.", "RFC 8725 section 3.2; CVE-2012-5081")
    for name in ("A128KW", "A192KW", "A256KW"):
        ask(name.lower(), unknown, f"The algorithm is {name}.", alg=name)
    for name in ("A128GCMKW", "A192GCMKW", "A256GCMKW"):
        ask(name.lower(), unknown, f"The algorithm is {name}.", alg=name, iv=base64url(bytes(12)), tag=base64url(bytes(16)))
    for name in ("PBES2-HS256+A128KW", "PBES2-HS384+A192KW", "PBES2-HS512+A256KW"):
        identifier = name.lower().replace("+", "-")
        ask(identifier, unknown, f"The algorithm is {name}.", alg=name, p2s=base64url(bytes(16)), p2c=1000)
        ask(f"{identifier}-huge", unknown, f"The algorithm is {name}, with more rounds than anybody can compute.", "CVE-2023-52428",
            alg=name, p2s=base64url(bytes(16)), p2c=2**31 - 1)
        ask(f"{identifier}-none", unknown, f"The algorithm is {name}, without a round.", f"{JWA} 4.8.1.2", alg=name,
            p2s=base64url(bytes(16)), p2c=0)
    for identifier, name in (("none", "none"), ("none-upper", "NONE")):
        ask(identifier, "unsecured_token" if name == "none" else unknown, f"The algorithm is {name}.", alg=name)
    for identifier, name in (("rs256", "RS256"), ("hs256", "HS256"), ("lower", "rsa-oaep"), ("space", "RSA-OAEP "), ("empty", ""),
                             ("rsa-oaep-512", "RSA-OAEP-512"), ("ecdh-a192kw", "ECDH-ES+A192KW"), ("ecdh-1pu", "ECDH-1PU"),
                             ("enc", "A256GCM"), ("other", "XYZ"), ("dir-upper", "DIR")):
        ask(identifier, unknown, f"The algorithm is {name!r}.", f"{JWA} 4.1", "hardening" if identifier in (
            "rsa-oaep-512", "ecdh-a192kw") else "must", alg=name)
    ask("absent", "missing_algorithm", "The header has no algorithm.", f"{JWE} 4.1.1", alg=ABSENT)
    for identifier, value in (("null", None), ("number", 1), ("array", ["RSA-OAEP"]), ("object", {})):
        ask(identifier, "invalid_header", f"The algorithm is no string ({identifier}).", f"{JWE} 4.1.1", alg=value)
        suite.ask(f"enc-{identifier}", jwe(enc=value), "invalid_header", f"The content encryption is no string ({identifier}).",
                  f"{JWE} 4.1.2")
    suite.ask("enc-absent", jwe(enc=ABSENT), "invalid_header", "The header has no content encryption.", f"{JWE} 4.1.2")
    for identifier, name in (("a192gcm", "A192GCM"), ("a192cbc", "A192CBC-HS384")):
        suite.ask(f"enc-{identifier}", Sealer(RSA, "RSA-OAEP", name).seal(), "unsupported_encryption",
                  f"The recipient does not allow {name}.", "RFC 8725 section 3.1")
    for identifier, name in (("lower", "a256gcm"), ("none", "none"), ("empty", ""), ("cbc", "A256CBC"), ("xc20p", "XC20P"),
                             ("alg", "RSA-OAEP"), ("space", "A256GCM ")):
        suite.ask(f"enc-{identifier}", jwe(enc=name), "unsupported_encryption", f"The content encryption is {name!r}.", f"{JWA} 5.1")
    return suite


def padded():
    """A token whose content key is encrypted with RSAES-PKCS1-v1_5."""
    made = Sealer(RSA, "RSA-OAEP", "A256GCM")
    filling = bytes(octet or 1 for octet in seeded("pkcs1 filling", RSA.size - 35))
    encoded = b"\0\x02" + filling + b"\0" + made.content_key
    made.encrypted_key = pow(int.from_bytes(encoded, "big"), RSA.e, RSA.n).to_bytes(RSA.size, "big")
    made.header["alg"] = "RSA1_5"
    return made.seal()


def allowed():
    suite = EncryptedSuite("allowed", "A recipient that allows one content encryption.", "RFC 8725 section 3.1", encryptions=["A256GCM"])
    suite.ask("allowed-a256gcm", jwe(), "valid", "The token has the only content encryption that is allowed.")
    for encryption in ("A128GCM", "A128CBC-HS256", "A256CBC-HS512"):
        for algorithm in ("ECDH-ES", "RSA-OAEP-256", "dir"):
            suite.ask(f"allowed-not-{algorithm.lower()}-{encryption.lower()}", jwe(algorithm, encryption), "encryption_not_allowed",
                      f"The recipient does not allow {encryption}.")
    return suite


def forms():
    suite = EncryptedSuite("forms", "What is no well-formed encrypted token.", f"{JWE} 7.1")
    token, bad = jwe("ECDH-ES+A128KW"), "malformed_token"
    head, key, vector, ciphertext, tag = token.split(".")

    def ask(identifier, text, expect, why, *rest):
        suite.ask(f"form-{identifier}", text, expect, why, *rest)
    ask("empty", "", bad, "The token is empty.")
    ask("word", "x", bad, "The token is a word.")
    ask("four-parts", ".".join([head, key, vector, ciphertext]), bad, "The tag and its dot are missing.")
    ask("two-parts", ".".join([head, key]), bad, "The token has two parts.")
    ask("six-parts", f"{token}.AAAA", bad, "The token has a sixth part.")
    ask("only-dots", "....", bad, "The token has five empty parts.")
    ask("signed", INNER, "unencrypted_token", "The token is signed, and not encrypted.", f"{NESTED} 11.2")
    ask("signed-parts", ".".join([head, key, vector]), "unencrypted_token", "The token has the three parts of a signed one.", f"{JWE} 9")
    ask("json", dump({"protected": head, "encrypted_key": key, "iv": vector, "ciphertext": ciphertext, "tag": tag}).decode(), "invalid",
        "The token is in the JSON serialization.")
    for number, name in enumerate(("header", "key", "vector", "ciphertext", "tag")):
        parts = token.split(".")
        for identifier, part, severity in (
                ("padded", parts[number] + "=" * (-len(parts[number]) % 4 or 4), "must"), ("plus", "+" + parts[number][1:], "must"),
                ("space", parts[number][:4] + " " + parts[number][4:], "must"),
                ("line-feed", parts[number][:4] + "\n" + parts[number][4:], "must"), ("one-more", parts[number] + "A" * (
                    (1 - len(parts[number])) % 4 or 4), "must")):
            if identifier == "one-more" and len(part) % 4 != 1:
                continue
            changed = [*parts[:number], part, *parts[number + 1:]]
            ask(f"{name}-{identifier}", ".".join(changed), "invalid_base64url", f"The {name} is no base64url ({identifier}).", f"{JWE} 2",
                severity)
        if len(parts[number]) % 4:
            changed = [*parts[:number], unused_bits_set(parts[number]), *parts[number + 1:]]
            ask(f"{name}-unused-bits", ".".join(changed), "invalid", f"Unused bits of the {name} are set.", "RFC 4648 section 3.5",
                "must" if number == 0 else "hardening")
        if name != "ciphertext":
            changed = [*parts[:number], "", *parts[number + 1:]]
            ask(f"{name}-empty", ".".join(changed), bad, f"The {name} is empty.", f"{JWE} 5.2")
    add_headers(ask, token)
    return suite


def add_headers(ask, token):
    rest = token.partition(".")[2]
    good = dump(sealer("ECDH-ES+A128KW").header)

    def header(identifier, text, expect, why, *more):
        ask(f"header-{identifier}", f"{base64url(text)}.{rest}", expect, why, *more)
    for identifier, text in (("no-json", b"x"), ("cut", good[:-1]), ("more", good + b"{}"), ("comma", good[:-1] + b",}"),
                             ("quotes", good.replace(b'"', b"'")), ("nothing", b" ")):
        header(identifier, text, "invalid_json", f"The header is no JSON ({identifier}).", f"{JWE} 5.2")
    for identifier, text in (("array", b"[" + good + b"]"), ("null", b"null"), ("string", b'"x"'), ("number", b"1")):
        header(identifier, text, "invalid_header", f"The header is no object ({identifier}).", f"{JWE} 5.2")
    header("octets", good.replace(b"JWT", b"JW\xff"), "invalid_utf8", "The header is no UTF-8.", "RFC 8259 section 8.1")


def headers():
    suite = EncryptedSuite("headers", "Members of the header.", f"{JWE} 4.1")

    def ask(identifier, expect, why, *rest, **header):
        suite.ask(f"header-{identifier}", jwe(**header), expect, why, *rest)
    for name in ("alg", "enc", "kid", "cty", "epk"):
        members = Members([*sealer().header.items(), (name, sealer().header[name])])
        suite.ask(f"twice-{name}", sealer().seal(header=members), "duplicate_member", f"The member {name} is there twice.", f"{JWE} 4",
                  "should")
    for name, other in (("alg", "dir"), ("enc", "A128GCM"), ("zip", "DEF")):
        members = Members([(name, other), *sealer().header.items(), *([("zip", "DEF")] if name == "zip" else [])])
        suite.ask(f"twice-other-{name}", sealer().seal(header=members), "duplicate_member", f"The member {name} is there with two values.",
                  f"{JWE} 4", "should")
    escaped = Members([*sealer("dir").header.items(), (Raw(b'"\\u0061lg"'), "RSA-OAEP")])
    suite.ask("twice-escaped", sealer("dir").seal(header=escaped), "duplicate_member", "The algorithm is there twice, once with an escape.",
              f"{JWE} 4", "should")
    ask("crit", "unsupported_critical", "An extension is critical and not known.", f"{JWE} 4.1.13", crit=["x"], x=1)
    ask("crit-exp", "unsupported_critical", "An expiry in the header is critical.", f"{JWE} 4.1.13", crit=["exp"], exp=1)
    ask("crit-b64", "unsupported_critical", "An extension of signatures is critical.", f"{JWE} 4.1.13", crit=["b64"], b64=True)
    ask("crit-registered", "unsupported_critical", "A registered member is said to be critical.", f"{JWE} 4.1.13", "should", crit=["alg"])
    ask("crit-absent", "unsupported_critical", "An extension is critical, and is not there.", f"{JWE} 4.1.13", crit=["x"])
    for identifier, value in (("empty", []), ("null", None), ("string", "x"), ("object", {"x": 1}), ("number-element", [1]),
                              ("null-element", [None])):
        ask(f"crit-{identifier}", "invalid_header", f"The list of critical extensions is none ({identifier}).", f"{JWE} 4.1.13",
            "should", crit=value)
    ask("cty-absent", "type_mismatch", "The header does not say that the content is a token.", f"{NESTED} 5.2", "hardening", cty=ABSENT)
    for identifier, value in (("text", "text/plain"), ("json", "json"), ("empty", ""), ("jws", "JOSE"), ("jwk", "jwk+json"), ("jwe",
                                                                                                                              "JWE")):
        ask(f"cty-{identifier}", "type_mismatch", f"The content is said to be {value!r}.", f"{NESTED} 5.2", "should", cty=value)
    for identifier, value in (("null", None), ("number", 1), ("array", ["JWT"])):
        ask(f"cty-{identifier}", "invalid_header", f"The content type is no string ({identifier}).", f"{JWE} 4.1.12", "should", cty=value)
        ask(f"kid-{identifier}", "invalid_header", f"The name of the key is no string ({identifier}).", f"{JWE} 4.1.6", "should", kid=value)
        ask(f"zip-{identifier}", "invalid_header", f"The compression is no string ({identifier}).", f"{JWE} 4.1.3", "should", zip=value)
    for identifier, value in (("gzip", "GZIP"), ("lower", "def"), ("empty", ""), ("none", "none")):
        ask(f"zip-{identifier}", "invalid_header", f"The compression is {value!r}.", f"{JWE} 4.1.3", zip=value)
    for name in ("apu", "apv"):
        for identifier, value in (("null", None), ("number", 1), ("array", ["QQ"]), ("padded", "QQ=="), ("standard", "+A"), ("one", "A")):
            header = {**sealer().header, name: value}
            suite.ask(f"{name}-{identifier}", sealer().seal(header=header), "invalid_header",
                      f"The member {name} is no base64url text ({identifier}).", f"{JWA} 4.6.1.2", "should")
    add_foreign_keys(suite, ask)
    return suite


def add_foreign_keys(suite, ask):
    """What a header says of keys does not choose the recipient's."""
    stranger = rsa_key("jwe-stranger")
    made = Sealer(stranger, "RSA-OAEP", "A256GCM", kid=RSA.name)
    suite.ask("foreign-rsa", made.seal(), "decryption_failed", "The content key is encrypted for another key of the same size.",
              f"{JWE} 5.2")
    for identifier, members in (("jku", {"jku": "https://attacker.example/jwks"}), ("x5u", {"x5u": "https://attacker.example/x5u"}),
                                ("jwk", {"jwk": {"kty": "oct", "k": base64url(SECRETS["A256GCM"].secret)}})):
        made = Sealer(stranger, "RSA-OAEP", "A256GCM", kid=RSA.name, **members)
        suite.ask(f"foreign-{identifier}", made.seal(), "decryption_failed",
                  f"The content key is encrypted for another key, which the header offers as {identifier}.", f"{JWE} 10.1")
        ask(f"{identifier}-ignored", "valid", f"The header has {identifier}, which is not looked at.", f"{JWE} 4", "should", **members)


SUITES = [good, algorithms, allowed, forms, headers]
