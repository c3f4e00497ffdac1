"""What is a JWK Set at all: JSON, its form, its limits, and what may be in it beside the keys."""

from ..encoding import Members, Raw, dump
from ..keys import ec_key, ed_key, rsa_key
from ..tables.json_grammar import GOOD, malformed
from ..tables.utf8_octets import malformed as malformed_utf8
from .suite import DocumentSuite, usable

RFC7517 = "RFC 7517 section 5"
NOT_SETS = {  # identifier: text of a document that is JSON and no set
    "empty-object": "{}", "array": "[]", "string": '"keys"', "number": "1", "null": "null", "true": "true", "keys-null": '{"keys":null}',
    "keys-true": '{"keys":true}', "keys-number": '{"keys":1}', "keys-string": '{"keys":"x"}', "keys-object": '{"keys":{}}',
    "keys-nested": '{"jwks":{"keys":[]}}', "keys-upper": '{"KEYS":[]}', "keys-capital": '{"Keys":[]}', "key": '{"key":[]}',
    "error": '{"error":"not_found"}', "metadata": '{"issuer":"https://idp.example","jwks_uri":"https://idp.example/keys"}',
}
NOT_JSON = {
    "empty": b"", "space": b" ", "word": b"hello", "html": b"<!DOCTYPE html><html><body>Sign in</body></html>",
    "xml": b'<?xml version="1.0"?><keys/>', "yaml": b"keys:\n- kty: EC\n",
    "pem": b"-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n",
    "jsonp": b'callback({"keys":[]})', "prefix": b')]}\'\n{"keys":[]}', "assignment": b'keys = {"keys":[]}', "open": b'{"keys":[',
    "open-object": b'{"keys":[{"kty":"EC"', "closed-twice": b'{"keys":[]}}', "two-documents": b'{"keys":[]}{"keys":[]}',
    "two-lines": b'{"keys":[]}\n{"keys":[]}', "garbage": b'{"keys":[]}x', "comma": b'{"keys":[]},', "nul-after": b'{"keys":[]}\0',
    "nul-before": b'\0{"keys":[]}', "comma-in-keys": b'{"keys":[,]}', "comma-after-keys": b'{"keys":[],}', "comment": b'{"keys":[]}//x',
    "single-quotes": b"{'keys':[]}", "no-quotes": b"{keys:[]}", "compact-token": b"eyJhbGciOiJFUzI1NiJ9.e30.AA",
}


def forms():
    key = ec_key("p256-1")
    jwk = key.jwk()
    good = dump({"keys": [jwk]})
    suite = DocumentSuite("forms", "What is a JWK Set, and what is not.", reference=RFC7517)
    suite.add("set-one-key", good, "valid", [usable(jwk)], "A set of one key.")
    suite.add("set-empty", {"keys": []}, "valid", [], "A set without keys is a set.", severity="should")
    suite.add("set-unknown-members", {"version": 1, "keys": [jwk], "x": {"keys": [None]}}, "valid", [usable(jwk)],
              "Members beside keys are ignored.")
    suite.add("set-escaped-name", b'{"\\u006beys":' + good[8:], "valid", [usable(jwk)], "The name keys is written with an escape.")
    for identifier, before, after in (("space", b" \t\r\n", b"\n"), ("line-feeds", b"\n\n", b"\n\n")):
        suite.add(f"set-{identifier}", before + good + after, "valid", [usable(jwk)], "White space around the document is allowed.",
                  "RFC 8259 section 2")
    for identifier, text in NOT_SETS.items():
        suite.refuse(f"set-not-{identifier}", text.encode(), "invalid", "The document is JSON, and no JWK Set.")
    suite.refuse("set-not-single-key", jwk, "invalid", "The document is a single key.")
    for identifier, octets in NOT_JSON.items():
        suite.refuse(f"set-json-{identifier}", octets, "invalid", "The document is not JSON.", "RFC 8259")
    suite.refuse("set-json-bom", b"\xef\xbb\xbf" + good, "invalid", "The document begins with a byte order mark.", "RFC 8259 section 8.1",
                 "hardening")
    suite.refuse("set-json-utf-16", good.decode().encode("utf-16"), "invalid", "The document is in UTF-16.", "RFC 8259 section 8.1")
    for position, value in enumerate((None, True, 1, "key", [], [jwk], {}, {"kid": "x"}), 1):
        kid = value.get("kid") if isinstance(value, dict) else None
        suite.add(f"set-element-{position}", {"keys": [value, jwk]}, "valid",
                  [{"kid": kid, "usable": False, "reason": "invalid"}, usable(jwk)], "A broken element does not cost the others.",
                  f"{RFC7517}; GHSA-w6j9-cwv2-h6wq", "should")
    return suite


def grammar():
    """JSON that is broken in a member that is not read, beside a good key."""
    jwk = ed_key("ed25519-1").jwk()
    suite = DocumentSuite("grammar", "Each rule of JSON's grammar, broken and kept, in a member that is not read.", reference="RFC 8259")
    for identifier, text, what, severity in malformed():
        suite.refuse(f"set-grammar-{identifier}", {"x": Raw(text.encode()), "keys": [jwk]}, "invalid", f"A value {what}.", None, severity)
    for identifier, text in GOOD.items():
        suite.add(f"set-grammar-good-{identifier}", {"keys": [{**jwk, "x-note": Raw(text.encode())}]}, "valid", [usable(jwk)],
                  f"A member that is not read is JSON ({identifier.replace('-', ' ')}).", f"{RFC7517}; RFC 8259")
    numbers = {"integer-20-digits": "12345678901234567890", "integer-40-digits": "1" * 40, "minus-30-digits": "-" + "9" * 30,
               "exponent-308": "1e308", "exponent-tiny": "1e-400", "two-to-63": str(2**63), "two-to-64": str(2**64)}
    for identifier, text in numbers.items():
        suite.add(f"set-number-{identifier}", {"keys": [{**jwk, "x-note": Raw(text.encode())}]}, "valid", [usable(jwk)],
                  "A number that is not read may have any size.", f"{RFC7517}; RFC 8259 section 6", "should")
    for identifier, octets, what in malformed_utf8():
        if identifier.startswith(("second", "never", "continuation", "cesu", "latin", "java")):
            suite.refuse(f"set-octets-{identifier}", {"keys": [{**jwk, "x-note": Raw(b'"' + octets + b'"')}]}, "invalid",
                         f"A string has {what}.", "RFC 3629 section 4")
    return suite


def names():
    """Names that occur twice."""
    jwk, other = rsa_key("rsa-1").jwk(), rsa_key("rsa-2").jwk()
    members = list(jwk.items())
    suite = DocumentSuite("names", "Names that occur twice in a set or in a key.", reference="RFC 7517 section 4", severity="should")
    escaped = {"plain": lambda name: name, "escaped": lambda name: Raw(f'"\\u{ord(name[0]):04x}{name[1:]}"'.encode())}
    for spelling, write in escaped.items():
        suite.refuse(f"set-twice-keys-{spelling}", Members([("keys", [jwk]), (write("keys"), [other])]), "duplicate_member",
                     "The set has keys twice.", "RFC 7517 section 5; RFC 8259 section 4")
        for name, value in {"kty": "oct", "kid": "rsa-2", "n": other["n"], "e": "Aw", "alg": "PS256", "use": "enc"}.items():
            base = [*members, ("alg", "RS256"), ("use", "sig")]
            for order, listed in (("last", [*base, (write(name), value)]), ("first", [(write(name), value), *base])):
                suite.refuse(f"set-twice-{name}-{spelling}-{order}", {"keys": [Members(listed)]}, "duplicate_member",
                             f"A key has {name} twice.")
    suite.refuse("set-twice-unread", Members([("x", 1), ("keys", [jwk]), ("x", 2)]), "duplicate_member",
                 "A name that is not read occurs twice.", "RFC 8259 section 4", "hardening")
    suite.refuse("set-twice-nested", {"keys": [{**jwk, "x": Members([("a", 1), ("a", 2)])}]}, "duplicate_member",
                 "A name occurs twice in a member that is not read.", "RFC 8259 section 4", "hardening")
    for identifier, name in (("upper", "KID"), ("space", "kid "), ("accent", "k\u00edd")):
        suite.add(f"set-near-{identifier}", {"keys": [Members([*members, (name, "other")])]}, "valid", [usable(jwk)],
                  "A name that only resembles kid is another name.", None, "must")
    return suite


def limits():
    suite = DocumentSuite("set-limits", "How large a set may be: 256 KiB and 256 keys.", reference="RFC 8725 section 2.8",
                          severity="hardening")
    jwk = ed_key("ed25519-1").jwk()
    for count in (2, 256):
        keys = [{**jwk, "kid": f"k{number}"} for number in range(count)]
        suite.add(f"set-keys-{count}", {"keys": keys}, "valid", [usable(key) for key in keys], f"A set of {count} keys.")
    suite.refuse("set-keys-257", {"keys": [{**jwk, "kid": f"k{number}"} for number in range(257)]}, "invalid", "A set of 257 keys.")
    for depth in (10, 100):
        nested = Raw(b"[" * depth + b"]" * depth)
        suite.add(f"set-depth-{depth}", {"keys": [{**jwk, "x-note": nested}]}, "valid", [usable(jwk)],
                  f"A member that is not read with {depth} arrays in each other.")
    suite.refuse("set-depth-5000", {"keys": [{**jwk, "x-note": Raw(b"[" * 5000 + b"]" * 5000)}]}, "invalid",
                 "A member that is not read with five thousand arrays in each other.", "CVE-2025-53864", "must")
    return suite


SUITES = [forms, grammar, names, limits]
