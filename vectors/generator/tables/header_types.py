"""Each registered header member with each wrong type of JSON, and names of extensions in crit in each spelling."""

from ..encoding import Raw
from ..keys import ed_key
from ..suite import Suite, header_of, claims, sign_parts

VALUES = {
    "null": None, "true": True, "false": False, "zero": 0, "one": 1, "minus": -1, "fraction": 0.5, "huge": Raw(b"1e400"), "empty": "",
    "text": "x", "array": [], "array-of-text": ["EdDSA"], "array-of-null": [None], "object": {}, "object-of-text": {"alg": "EdDSA"},
}
TEXTS = {"empty", "text"}
MEMBERS = {  # name: code for a value that is no text, code for a text, clause, severity
    "alg": ("invalid_header", "unsupported_algorithm", "RFC 7515 section 4.1.1", "must"),
    "kid": ("invalid_header", "unknown_key", "RFC 7515 section 4.1.4", "must"),
    "typ": ("invalid_header", "valid", "RFC 7515 section 4.1.9", "should"),
    "cty": ("invalid_header", "valid", "RFC 7515 section 4.1.10", "should"),
    "enc": ("encrypted_token", "encrypted_token", "RFC 7516 section 4.1.2", "hardening"),
    "zip": ("invalid_header", "invalid_header", "RFC 7516 section 4.1.3", "hardening"),
    "jku": ("valid", "valid", "RFC 8725 section 3.10", "hardening"),
    "jwk": ("valid", "valid", "RFC 8725 section 3.10", "hardening"),
    "x5u": ("valid", "valid", "RFC 8725 section 3.10", "hardening"),
    "x5c": ("valid", "valid", "RFC 8725 section 3.10", "hardening"),
    "x5t": ("valid", "valid", "RFC 8725 section 3.10", "hardening"),
    "x5t#S256": ("valid", "valid", "RFC 8725 section 3.10", "hardening"),
    "iss": ("valid", "valid", "RFC 7515 section 4.3", "must"),
    "x": ("valid", "valid", "RFC 7515 section 4.3", "must"),
}
CRITICAL = {  # identifier: value of crit, whose names are all in the header; beside "x"
    "null": None, "true": True, "number": 1, "text": "x", "empty": [], "object": {"x": 1}, "number-in": ["x", 1], "null-in": [None],
    "array-in": [["x"]], "object-in": [{"x": 1}], "true-in": [True, "x"], "twice": ["x", "x"], "twice-escaped": ["x", Raw(b'"\\u0078"')],
    "b64-twice": ["b64", "b64"], "not-there": ["y"], "not-there-beside": ["b64", "y"], "case": ["X"], "space": ["x "], "nul": ["x\0"],
    "list-in-text": ["b64,x"], "pointer": ["/x"],
}
UNKNOWN = {
    "one": ["x"], "beside-b64": ["b64", "x"], "before-b64": ["x", "b64"], "escaped": [Raw(b'"\\u0078"')], "b64-upper": ["B64"],
    "b64-space": ["b64 "], "b64-nul": ["b64\0"], "b64-full-width": ["b\uff1664"], "exp": ["exp"], "iss": ["iss"],
    "uri": ["https://x.example/x"],
    "hasown": ["hasOwnProperty"], "proto": ["__proto__"], "constructor": ["constructor"], "empty-name": [""],
}


def header_types():
    key = ed_key("ed25519-1")
    suite = Suite("header-types", "Each registered header member with each type of JSON.", [key.jwk()])
    for name, (wrong, text, clause, severity) in MEMBERS.items():
        for identifier, value in VALUES.items():
            code = text if identifier in TEXTS else wrong
            suite.add(f"type-{name.lower().replace('#', '-')}-{identifier}", sign_parts(key, {**header_of(key), name: value}, claims()),
                      code, f"The header member {name} is {identifier.replace('-', ' ')}.", clause,
                      "should" if code == "unknown_key" or (name, value) == ("kid", None) else severity)
    for identifier, value in VALUES.items():
        if value is True or value is False:
            continue
        suite.add(f"type-b64-{identifier}", sign_parts(key, {**header_of(key), "b64": value, "crit": ["b64"]}, claims()),
                  "invalid_header", f"The header member b64 is {identifier.replace('-', ' ')}.", "RFC 7797 section 3")
    return suite


def names_unknown(crit):
    """Whether an extension is named that is not understood. What else is wrong with crit, a verifier may refuse, says RFC 7515."""
    return isinstance(crit, list) and any(isinstance(name, str) and name != "b64" for name in crit)


def critical_names():
    key = ed_key("ed25519-1")
    suite = Suite("critical-names", "The member crit in each form, and names of extensions in each spelling.", [key.jwk()],
                  reference="RFC 7515 section 4.1.11")

    def signed(crit, members):
        return sign_parts(key, {**header_of(key), "b64": True, "x": 1, **members, "crit": crit}, claims())
    for identifier, crit in CRITICAL.items():
        suite.add(f"critical-{identifier}", signed(crit, {}), "invalid_header",
                  f"The member crit is not as it must be ({identifier.replace('-', ' ')}).", None,
                  "must" if names_unknown(crit) else "should")
    for identifier, crit in UNKNOWN.items():
        members = {name: 1 for name in crit if isinstance(name, str) and name != "b64"}
        suite.add(f"critical-unknown-{identifier}", signed(crit, members), "unsupported_critical",
                  f"The member crit names an extension that is not understood ({identifier.replace('-', ' ')}).",
                  "RFC 7515 section 4.1.11; CVE-2025-59420")
    suite.valid("critical-known", signed(["b64"], {}), "The member crit names b64, whose value is the usual one.", "RFC 7797 section 3")
    return suite


SUITES = [header_types, critical_names]
