"""Suites about header members: alg, enc, crit, b64, typ, cty, zip, and the ones that must not be believed."""

from .encoding import Members, Raw, base64url, dump, raw
from .keys import certificate, ec_key, ed_key, rsa_key
from .suite import ABSENT, Suite, assemble, claims, header_of, sign_input, sign_parts, signing_input, split, token

RFC7797 = "RFC 7797"


def unsecured():
    key = ec_key("p256-1")
    suite = Suite("unsecured", "Unsecured tokens, by every spelling of the algorithm none.", [key.jwk()],
                  reference="CVE-2015-9235")
    signature = key.sign("ES256", b"x")
    for identifier, members in [("plain", {}), ("with-typ", {"typ": "JWT"}), ("with-kid", {"kid": key.name}),
                                ("with-unknown-kid", {"kid": "none"})]:
        suite.add(f"unsecured-{identifier}", assemble({"alg": "none", **members}, claims(), b""), "unsecured_token",
                  "The algorithm is none and the signature empty.", "RFC 8725 section 3.2")
    suite.add("unsecured-with-signature", assemble({"alg": "none"}, claims(), signature), "unsecured_token",
              "The algorithm is none and there is a signature.", "CVE-2022-23540")
    suite.add("unsecured-signed", sign_parts(key, {"alg": "none", "kid": key.name}, claims()), "unsecured_token",
              "The algorithm is none although the signature is a good ES256 signature.")
    suite.add("unsecured-two-parts", assemble({"alg": "none"}, claims(), b"")[:-1], "malformed_token",
              "An unsecured token without its last dot.", "GHSA-88q6-jcjg-hvmw")
    suite.add("unsecured-expired", assemble({"alg": "none"}, claims(exp=1), b""), "unsecured_token",
              "An unsecured token that has also expired.")
    suite.add("unsecured-escaped-value", assemble({"alg": raw(r'"\u006eone"')}, claims(), b""), "unsecured_token",
              "The name none is written with an escape.", "CVE-2015-9235")
    spellings = [("capitalized", "None"), ("upper", "NONE"), ("mixed", "nOnE"), ("trailing-space", "none "),
                 ("leading-space", " none"), ("nul", "none\0"), ("newline", "none\n"), ("empty", ""),
                 ("null-word", "null"), ("zero-width", "no\u200bne"), ("full-width", "\uff4e\uff4f\uff4e\uff45")]
    for identifier, name in spellings:
        suite.add(f"unsecured-spelling-{identifier}", assemble({"alg": name}, claims(), b""), "unsupported_algorithm",
                  "A name like none is an unknown algorithm, and the signature is empty.", "CVE-2022-23540")
    suite.add("unsecured-empty-signature-es256", assemble(header_of(key), claims(), b""), "signature_invalid",
              "A supported algorithm with an empty signature.", "CVE-2018-1000531")
    return suite


def algorithm_member():
    key = ec_key("p256-1")
    suite = Suite("algorithm-member", "The header member alg: missing, of a wrong type, or of an unknown name.",
                  [key.jwk()], reference="RFC 7515 section 4.1.1")
    suite.valid("alg-es256", token(key), "The algorithm is given by its registered name.")
    suite.valid("alg-only", sign_parts(key, {"alg": "ES256"}, claims()), "A header with no member but alg.")
    suite.add("alg-absent", token(key, alg=ABSENT), "missing_algorithm", "The header has no alg.")
    suite.add("alg-absent-empty-header", sign_parts(key, {}, claims()), "missing_algorithm",
              "The header is an empty object.")
    suite.add("alg-absent-nested", token(key, alg=ABSENT, x={"alg": "ES256"}), "missing_algorithm",
              "An alg within another member is not the algorithm of the token.")
    suite.add("alg-capital-name", token(key, alg=ABSENT, ALG="ES256"), "missing_algorithm",
              "Member names are compared with their case.")
    for identifier, value in [("null", None), ("number", 256), ("true", True), ("array", ["ES256"]),
                              ("object", {"name": "ES256"}), ("empty-array", [])]:
        suite.add(f"alg-{identifier}", token(key, alg=value), "invalid_header", "The algorithm is not a string.")
    unknown = [("lower", "es256"), ("mixed", "Es256"), ("trailing-space", "ES256 "), ("leading-space", " ES256"),
               ("nul", "ES256\0"), ("newline", "ES256\n"), ("hyphen", "ES-256"), ("unregistered", "ES521"),
               ("hs-nul", "HS256\0"), ("hs-lower", "hs256"), ("rs-lower", "rs256"), ("hs1", "HS1"), ("rs1", "RS1"),
               ("md5", "HS128"), ("prefix", "ES25"), ("full-width", "\uff25\uff33256"), ("webcrypto", "ECDSA"),
               ("oid", "1.2.840.10045.4.3.2"), ("xml", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256")]
    for identifier, name in unknown:
        suite.add(f"alg-unknown-{identifier}", token(key, alg=name), "unsupported_algorithm",
                  "An algorithm name that is not registered for signatures.", "RFC 7518 section 3.1")
    for name in ("RSA-OAEP", "RSA1_5", "dir", "A128KW", "ECDH-ES", "PBES2-HS256+A128KW", "A256GCM"):
        suite.add(f"alg-encryption-{name.lower().replace('_', '-').replace('+', '-')}", token(key, alg=name),
                  "unsupported_algorithm", "A key management or encryption algorithm in a signed token.",
                  "CVE-2023-52428")
    suite.add("alg-pbes2-iterations", token(key, alg="PBES2-HS512+A256KW", p2c=2147483647, p2s="AAAA"),
              "unsupported_algorithm", "A huge iteration count is refused before any work.", "CVE-2023-52428")
    for identifier, members in [("dir", {"alg": "dir", "enc": "A128GCM"}), ("good-alg", {"enc": "A256GCM"}),
                                ("no-alg", {"alg": ABSENT, "enc": "A256GCM"}), ("none", {"alg": "none", "enc": "x"}),
                                ("null", {"enc": None})]:
        suite.add(f"enc-{identifier}", token(key, **members), "encrypted_token",
                  "A token of three parts whose header says that it is encrypted.", "CVE-2024-33531")
    return suite


def allow_list():
    rsa, p256, p384, edwards = rsa_key("rsa-1"), ec_key("p256-1"), ec_key("p384-1", "P-384"), ed_key("ed25519-1")
    suite = Suite("allow-list", "Only the algorithms of the policy are taken, whatever the keys could do.",
                  [rsa.jwk(), p256.jwk(), p384.jwk(alg="ES384"), edwards.jwk(alg="EdDSA")],
                  {"algorithms": ["RS256", "ES256"]}, reference="RFC 8725 section 3.1")
    suite.valid("allow-list-rs256", token(rsa), "The first algorithm of the list.")
    suite.valid("allow-list-es256", token(p256), "The second algorithm of the list.")
    for key, algorithm, reference in [(rsa, "RS384", None), (rsa, "RS512", "CVE-2026-57997"), (rsa, "PS256", None),
                                      (p384, "ES384", "CVE-2026-48523"), (edwards, "EdDSA", "CVE-2026-48523"),
                                      (edwards, "Ed25519", "RFC 9864")]:
        suite.add(f"allow-list-{algorithm.lower()}", token(key, None, algorithm), "algorithm_not_allowed",
                  f"A good {algorithm} signature, but {algorithm} is not in the list.", reference)
    for algorithm in ("HS256", "ES512", "ES256K"):
        suite.add(f"allow-list-{algorithm.lower()}", token(p256, alg=algorithm), "algorithm_not_allowed",
                  f"A token that claims {algorithm}, which is not in the list.")
    suite.add("allow-list-unknown-kid", token(p256, alg="ES384", kid="other"), "algorithm_not_allowed",
              "The algorithm is checked before a key is looked for.")
    return suite


def header_members():
    key = ec_key("p256-1")
    suite = Suite("header-members", "Types of the header members that are read, and members that are not read.",
                  [key.jwk()], reference="RFC 7515 section 4.1")
    for member in ("kid", "typ", "cty"):
        for identifier, value in [("number", 1), ("null", None), ("array", ["x"]), ("object", {"x": "x"}),
                                  ("false", False)]:
            suite.add(f"header-{member}-{identifier}", token(key, **{member: value}), "invalid_header",
                      f"The header member {member} is not a string.")
    for identifier, value in [("plain", "JWT"), ("lower", "jwt"), ("media-type", "application/jwt"),
                              ("media-type-case", "Application/JWT")]:
        suite.add(f"header-cty-{identifier}", token(key, cty=value), "type_mismatch",
                  "The content type says that a token is nested, and nested tokens are not unwrapped.",
                  "RFC 7519 section 5.2; CVE-2026-29000")
    suite.valid("header-cty-json", token(key, cty="json"), "Another content type is of no concern.")
    suite.add("header-cty-jwt-nested", token(key, token(key).encode(), cty="JWT"), "type_mismatch",
              "A token really nested in another.", "CVE-2026-29000")
    for value in ("DEF", "GZ"):
        suite.add(f"header-zip-{value.lower()}", token(key, zip=value), "invalid_header",
                  "A signed token with the header member zip.", "CVE-2024-28180")
    suite.add("header-zip-null", token(key, zip=None), "invalid_header", "The header member zip, with null as value.",
              "CVE-2024-28180")
    ignored = [
        ("claims", {"iss": "https://evil.example", "aud": "x", "exp": 1}, "Claims in the header do not count.",
         "RFC 7519 section 5.3"),
        ("p2c", {"p2c": 2147483647, "p2s": "AAAA"}, "Parameters of key derivation have no meaning here.",
         "CVE-2023-52428"),
        ("epk", {"epk": {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}, "apu": "AA", "apv": "AA"},
         "Parameters of key agreement have no meaning here.", "RFC 7518 section 4.6.1"),
        ("private", {"https://example.com/x": [1, {"a": None}]}, "Private members are not read.",
         "RFC 7515 section 4.3"),
        ("no-typ", {"typ": ABSENT}, "The member typ may be left out.", "RFC 7515 section 4.1.9"),
        ("other-typ", {"typ": "whatever"}, "Without a policy for types any typ is taken.", "RFC 7515 section 4.1.9"),
        ("b64-true", {"b64": True}, "The value that b64 has anyway may be written out.", "RFC 7797 section 3"),
    ]
    for identifier, members, why, reference in ignored:
        suite.valid(f"header-ignored-{identifier}", token(key, **members), why, reference)
    return suite


def critical():
    key = ec_key("p256-1")
    suite = Suite("critical", "The header member crit: its form, and extensions that are not understood.", [key.jwk()],
                  reference="RFC 7515 section 4.1.11")
    malformed = [
        ("empty", {"crit": []}, "is an empty array", None),
        ("null", {"crit": None}, "is null", None),
        ("string", {"crit": "b64", "b64": True}, "is a string", None),
        ("object", {"crit": {"b64": True}, "b64": True}, "is an object", None),
        ("true", {"crit": True}, "is a boolean", None),
        ("number-element", {"crit": [1], "1": 1}, "has a number as element", None),
        ("null-element", {"crit": ["b64", None], "b64": True}, "has null as element", None),
        ("array-element", {"crit": [["b64"]], "b64": True}, "has an array as element", None),
        ("duplicate", {"crit": ["b64", "b64"], "b64": True}, "names b64 twice", "RFC 7515 section 4.1.11"),
        ("duplicate-escaped", {"crit": ["b64", raw(r'"b\u00364"')], "b64": True}, "names b64 twice, once escaped",
         None),
        ("absent-name", {"crit": ["https://example.com/x"]}, "names a member that is not there", None),
        ("absent-b64", {"crit": ["b64"]}, "names b64, which is not there", None),
        ("absent-claim", {"crit": ["exp"]}, "names exp, which is only a claim", None),
        ("absent-nested", {"crit": ["inner"], "x": {"inner": 1}}, "names a member of an inner object", None),
        ("absent-case", {"crit": ["B64"], "b64": True}, "names a member in the wrong case", None),
    ]
    for identifier, members, what, reference in malformed:
        suite.add(f"crit-{identifier}", token(key, **members), "invalid_header", f"The member crit {what}.", reference)
    registered = {"alg": {}, "kid": {}, "typ": {}, "cty": {"cty": "json"}, "jku": {"jku": "https://idp.example/jwks"},
                  "jwk": {"jwk": {}}, "x5u": {"x5u": "https://idp.example/x5u"}, "x5c": {"x5c": []},
                  "x5t": {"x5t": "AA"}, "x5t#S256": {"x5t#S256": "AA"}, "crit": {}, "epk": {"epk": {}},
                  "apu": {"apu": "AA"}, "apv": {"apv": "AA"}, "iv": {"iv": "AA"}, "tag": {"tag": "AA"},
                  "p2s": {"p2s": "AA"}, "p2c": {"p2c": 1000}, "zip": {"zip": "DEF"}}
    for name, members in registered.items():
        suite.add(f"crit-registered-{name.lower().replace('#', '-')}", token(key, **members, crit=[name]),
                  "invalid_header", f"The member crit names {name}, which is registered and so may not be named.")
    unknown = [
        ("unknown", {"crit": ["https://example.com/x"], "https://example.com/x": True}, "CVE-2025-59420"),
        ("unknown-exp", {"crit": ["exp"], "exp": 1700003600}, "CVE-2026-32597"),
        ("unknown-second", {"crit": ["b64", "x"], "b64": True, "x": 1}, "CVE-2026-35042"),
        ("unknown-first", {"crit": ["x", "b64"], "b64": True, "x": 1}, "CVE-2026-35042"),
        ("unknown-null-value", {"crit": ["x"], "x": None}, "CVE-2026-32597"),
        ("unknown-empty-name", {"crit": [""], "": 1}, "CVE-2026-32597"),
        ("unknown-http", {"crit": ["http://openbanking.org.uk/iat"], "http://openbanking.org.uk/iat": 1700000000},
         "RFC 7515 section 4.1.11"),
    ]
    for identifier, members, reference in unknown:
        suite.add(f"crit-{identifier}", token(key, **members), "unsupported_critical",
                  "An extension that is critical and not understood.", reference)
    suite.add("crit-unknown-before-signature", with_bad_signature(token(key, crit=["x"], x=1)), "unsupported_critical",
              "The extension is refused before the signature is looked at.")
    suite.add("crit-unknown-before-allow-list", token(key, alg="HS256", crit=["x"], x=1), "unsupported_critical",
              "The extension is refused before the algorithm is compared with the allow-list.")
    suite.valid("crit-b64-true", token(key, crit=["b64"], b64=True),
                "The extension b64 is understood, and true is what holds anyway.", "RFC 7797 section 3")
    suite.valid("crit-b64-escaped", token(key, crit=[raw(r'"b\u00364"')], b64=True),
                "The name of the extension is written with an escape.", "RFC 7797 section 3")
    suite.add("crit-b64-false", token(key, crit=["b64"], b64=False), "unsupported_critical",
              "A JWT must not have an unencoded payload.", "RFC 7797 section 7")
    suite.add("crit-b64-false-raw-payload",
              sign_input(key, base64url(dump(header_of(key, crit=["b64"], b64=False))) + "." + dump(claims()).decode()
                         .replace("https://idp.example", "idp")), "invalid_base64url",
              "A JWT is decoded before its header is believed, so a raw payload fails first.", "CVE-2026-48990")
    suite.add("crit-b64-false-not-critical", token(key, b64=False), "invalid_header",
              "The member b64 is false and not named by crit.", "GHSA-w7vc-732c-9m39")
    for identifier, value in [("string", "false"), ("number", 0), ("null", None)]:
        suite.add(f"crit-b64-{identifier}", token(key, crit=["b64"], b64=value), "invalid_header",
                  "The member b64 is not a boolean.", "RFC 7797 section 3")
    return suite


def with_bad_signature(text):
    """The token with the first character of its signature changed."""
    signature = split(text)[2]
    return f"{signing_input(text)}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"


def unencoded_token(key, payload, **header):
    return sign_input(key, base64url(dump({"alg": key.default_algorithm, "kid": key.name, **header})) + "." + payload)


def unencoded_payload():
    key = ec_key("p256-1")
    unencoded = {"b64": False, "crit": ["b64"]}
    suite = Suite("unencoded-payload", "JWS mode: only the signature is checked, and b64 may be false.", [key.jwk()],
                  {"claims": False}, reference=RFC7797)
    good = [
        ("text", "hello", "A short text.", unencoded),
        ("json", '{"sub":"user-1"}', "A JSON text.", unencoded),
        ("punctuation", "$-02 !\"#%&'()*+,/:;<=>?@[]^_`{|}~", "Printable ASCII but the dot.", unencoded),
        ("looks-like-base64url", "aGVsbG8", "A payload that could be taken for base64url.", unencoded),
        ("length-1-mod-4", "aGVsb", "A payload that is not base64url by its length.", unencoded),
        ("unused-bits", "aGVsbG9", "A payload that is not base64url by its unused bits.", unencoded),
        ("true", base64url(b"hello"), "An encoded payload, b64 being true and critical.",
         {"b64": True, "crit": ["b64"]}),
        ("true-not-critical", base64url(b"hello"), "An encoded payload, b64 being true.", {"b64": True}),
    ]
    for identifier, payload, why, members in good:
        suite.valid(f"unencoded-{identifier}", unencoded_token(key, payload, **members), why)
    suite.add("unencoded-dot", unencoded_token(key, "$.02", **unencoded), "malformed_token",
              "An unencoded payload with a dot makes four parts.", "RFC 7797 section 5.2")
    suite.add("unencoded-two-dots", unencoded_token(key, "a.b.c", **unencoded), "encrypted_token",
              "An unencoded payload with two dots makes five parts, as an encrypted token has.", "CVE-2026-48990")
    suite.valid("unencoded-empty", unencoded_token(key, "", **unencoded), "The payload that was signed is empty.")
    suite.add("unencoded-not-critical", unencoded_token(key, "hello", b64=False), "invalid_header",
              "The member b64 is false and there is no crit.", "RFC 7797 section 6")
    suite.add("unencoded-other-critical", unencoded_token(key, "hello", b64=False, crit=["x"], x=1), "invalid",
              "The member b64 is false and crit names something else.", "RFC 7797 section 6")
    for identifier, value in [("null", None), ("string", "false"), ("number", 0), ("array", [False])]:
        suite.add(f"unencoded-b64-{identifier}", unencoded_token(key, "aGVsbG8", b64=value, crit=["b64"]),
                  "invalid_header", "The member b64 is not a boolean.", "RFC 7797 section 3")
    suite.add("unencoded-duplicate-b64",
              sign_input(key, base64url(dump(Members([("alg", "ES256"), ("b64", False), ("b64", True),
                                                      ("crit", ["b64"])]))) + ".aGVsbG8"),
              "duplicate_member", "The member b64 occurs twice.", "RFC 7515 section 4")
    signed_encoded = unencoded_token(key, base64url(b"hello"), **unencoded)
    header, payload, signature = split(signed_encoded)
    suite.valid("unencoded-signed-as-it-stands", signed_encoded,
                "The octets signed are the octets of the payload part, not what they would decode to.",
                "RFC 7797 section 3")
    suite.add("unencoded-decoded-payload", f"{header}.hello.{signature}", "signature_invalid",
              "The payload is replaced by what it would decode to.", "CVE-2026-48990")
    suite.add("unencoded-other-payload", f"{header}.hello2.{signature}", "signature_invalid",
              "The payload is replaced by another.")
    encoded = unencoded_token(key, base64url(b"hello"))
    suite.add("unencoded-header-swapped", f"{header}.{split(encoded)[1]}.{split(encoded)[2]}", "signature_invalid",
              "The header of an encoded token is replaced by one with b64 false.", "CVE-2026-48990")
    suite.add("unencoded-bad-signature", with_bad_signature(signed_encoded), "signature_invalid",
              "The signature of a token with an unencoded payload is changed.")
    return suite


def signature_only():
    key = ec_key("p256-1")
    suite = Suite("signature-only", "JWS mode: the payload may be anything, header and signature are checked as ever.",
                  [key.jwk()], {"claims": False}, reference="RFC 7515")
    payloads = [("claims", dump(claims()), "Claims."), ("expired", dump(claims(exp=1)), "Claims that have expired."),
                ("octets", bytes(range(256)), "Octets that are no text."), ("text", b"hello", "A text."),
                ("array", b"[]", "A JSON array."), ("bad-json", b"{", "A broken JSON text."),
                ("duplicates", b'{"a":1,"a":2}', "A JSON text with a name twice."),
                ("one-octet", b"\0", "A single NUL."), ("token", token(key).encode(), "Another token.")]
    for identifier, payload, what in payloads:
        suite.valid(f"signature-only-{identifier}", token(key, payload, typ=ABSENT), f"The payload: {what}")
    suite.valid("signature-only-cty-jwt", token(key, token(key).encode(), cty="JWT"),
                "A nested token is a payload like any other.")
    suite.valid("signature-only-zip", token(key, b"\x78\x9c\x03\0\0\0\0\x01", zip="DEF"),
                "A compressed payload is not decompressed, only its signature is checked.")
    suite.valid("signature-only-empty-payload", token(key, b""), "The payload that was signed is empty.")
    good = token(key, b"hello")
    failing = [
        ("bad-signature", with_bad_signature(good), "signature_invalid", "The signature is changed."),
        ("no-signature", signing_input(good) + ".", "signature_invalid", "The signature is empty."),
        ("none", assemble({"alg": "none"}, b"hello", b""), "unsecured_token", "The algorithm is none."),
        ("unknown-kid", token(key, b"hello", kid="other"), "unknown_key", "There is no key of that kid."),
        ("bad-payload", sign_input(key, split(good)[0] + ".aGVsbG9"), "invalid_base64url",
         "The unused bits of the payload are not zero."),
        ("critical", token(key, b"hello", crit=["x"], x=1), "unsupported_critical",
         "An extension that is critical and not understood."),
        ("duplicate-kid", sign_parts(key, Members([*header_of(key).items(), ("kid", "x")]), b"hello"),
         "duplicate_member", "The header has kid twice."),
        ("hs256", token(key, b"hello", alg="HS256"), "algorithm_not_allowed", "The algorithm is not allowed."),
    ]
    for identifier, text, code, why in failing:
        suite.add(f"signature-only-{identifier}", text, code, why)
    return suite


def types():
    key = ec_key("p256-1")
    suite = Suite("types", "The policy lists the types it takes, and absence is not among them.", [key.jwk()],
                  {"types": ["logout+jwt", "secevent+jwt"]}, reference="RFC 8725 section 3.11")
    for identifier, value in [("first", "logout+jwt"), ("second", "secevent+jwt"), ("upper", "LOGOUT+JWT"),
                              ("media-type", "application/logout+jwt"),
                              ("media-type-case", "Application/SecEvent+JWT")]:
        suite.valid(f"typ-{identifier}", token(key, typ=value), "A type of the list.", "RFC 7515 section 4.1.9")
    for identifier, value in [("jwt", "JWT"), ("absent", ABSENT), ("empty", ""), ("at", "at+jwt"),
                              ("prefix", "logout"), ("longer", "logout+jwt2"), ("trailing-space", "logout+jwt "),
                              ("parameter", "logout+jwt;v=1"), ("other-media-type", "text/logout+jwt"),
                              ("double-prefix", "application/application/logout+jwt"), ("nul", "logout+jwt\0")]:
        suite.add(f"typ-{identifier}", token(key, typ=value), "type_mismatch", "A type that is not in the list.")
    return suite


def embedded_keys():
    good, attacker = rsa_key("rsa-1"), rsa_key("rsa-2")
    suite = Suite("embedded-keys", "Keys and addresses of keys in the header are never a source of trust.",
                  [good.jwk()], reference="CVE-2018-0114")
    attacks = [
        ("jwk", {"jwk": attacker.jwk()}, "CVE-2018-0114"),
        ("jwk-same-kid", {"jwk": {**attacker.jwk(), "kid": good.name}}, "CVE-2026-27962"),
        ("jku", {"jku": "https://evil.example/jwks.json"}, "CVE-2024-21643"),
        ("jku-internal", {"jku": "http://169.254.169.254/latest/meta-data"}, "CVE-2024-21643"),
        ("jku-file", {"jku": "file:///etc/passwd"}, "CVE-2026-48522"),
        ("x5u", {"x5u": "https://evil.example/cert.pem"}, "CVE-2018-0114"),
        ("x5c", {"x5c": [certificate(attacker)]}, "CVE-2018-0114"),
        ("x5t", {"x5t": "AAAAAAAAAAAAAAAAAAAAAAAAAAA"}, "CVE-2018-0114"),
    ]
    for identifier, members, reference in attacks:
        suite.add(f"embedded-{identifier}", token(attacker, kid=good.name, **members), "signature_invalid",
                  f"The token is signed by an attacker who points to his key by {identifier.split('-')[0]}.", reference)
        suite.valid(f"embedded-{identifier}-ignored", token(good, **members),
                    "The same member in a token signed by the right key is ignored.", "RFC 8725 section 3.10")
    suite.add("embedded-jwk-own-kid", token(attacker, jwk=attacker.jwk()), "unknown_key",
              "The token names the kid of the key it brings along.")
    suite.add("embedded-jwk-no-kid", token(attacker, kid=ABSENT, jwk=attacker.jwk()), "signature_invalid",
              "The token has no kid and brings its key along.")
    for identifier, value in [("string", "x"), ("null", None), ("array", [])]:
        suite.valid(f"embedded-jwk-{identifier}", token(good, jwk=value),
                    "The member jwk is not even looked at for its type.", "RFC 8725 section 3.10")
    suite.valid("embedded-jwk-bad-text", token(good, jwk=Raw(b'{"kty":"RSA","n":"===","e":1e400}')),
                "A broken key in the header is ignored as a good one is.", "RFC 8725 section 3.10")
    return suite


SUITES = [unsecured, algorithm_member, allow_list, header_members, critical, unencoded_payload, signature_only, types,
          embedded_keys]
