"""Each registered name twice, each in several spellings of JSON, in both orders; and names that only resemble each other."""

from ..encoding import Members, Raw, raw
from ..keys import ed_key
from ..suite import Suite, claims, header_of, sign_parts

REFERENCES = {"header": "RFC 7515 section 4", "payload": "RFC 7519 section 4"}
HEADER = {"alg": "EdDSA", "kid": "ed25519-1", "typ": "JWT", "cty": "json", "jku": "https://evil.example/jwks", "jwk": {}, "x5u": "x",
          "x5c": [], "x5t": "x", "x5t#S256": "x", "b64": True, "trust": 1}
PAYLOAD = {"iss": "https://idp.example", "sub": "user-1", "aud": "client-1", "exp": 1700003600, "nbf": 1699999940, "iat": 1699999940,
           "jti": "1", "azp": "client-1", "nonce": "n", "auth_time": 1699999940, "scope": "admin", "groups": ["a"], "cnf": {}}


def escaped_first(name):
    return raw(f'"\\u{ord(name[0]):04x}{name[1:]}"')


def escaped_last(name):
    return raw(f'"{name[:-1]}\\u{ord(name[-1]):04X}"')


def escaped_whole(name):
    return raw('"' + "".join(f"\\u{ord(character):04x}" for character in name) + '"')


SPELLINGS = [("plain", lambda name: name), ("escaped-first", escaped_first), ("escaped-last", escaped_last),
             ("escaped-whole", escaped_whole)]
NEAR = {  # identifier: name beside "sub" that is another name
    "upper": "SUB", "capital": "Sub", "space-after": "sub ", "space-before": " sub", "nul-after": Raw(b'"sub\\u0000"'),
    "zero-width": "sub\u200b", "bom": "\ufeffsub", "full-width": "\uff53ub", "cyrillic": "\u0455ub", "combining": "sub\u0301",
    "shorter": "su", "longer": "subs", "quoted": Raw(b'"\\"sub\\""'), "backslash": Raw(b'"\\\\u0073ub"'), "tab": Raw(b'"sub\\t"'),
    "percent": "%73ub", "entity": "&#115;ub", "soft-hyphen": "s\u00adub", "underscore": "s_ub",
}


def duplicate_spellings():
    key = ed_key("ed25519-1")
    suite = Suite("duplicate-spellings", "Each registered name twice, in each spelling and both orders.", [key.jwk()],
                  severity="should")

    def signed(place, members):
        header, payload = header_of(key), claims()
        return sign_parts(key, Members(members) if place == "header" else header, Members(members) if place == "payload" else payload)
    for place, table, base in (("header", HEADER, header_of(key)), ("payload", PAYLOAD, claims())):
        for name, value in table.items():
            members = list({**base, name: base.get(name, value)}.items())
            for spelling, write in SPELLINGS:
                second = (write(name), value)
                for order, listed in (("last", [*members, second]), ("first", [second, *members])):
                    identifier = f"twice-{place}-{name.lower().replace('#', '-').replace('_', '-')}-{spelling}-{order}"
                    suite.add(identifier, signed(place, listed), "duplicate_member",
                              f"The {place} has the name {name} twice with equal values, {spelling.replace('-', ' ')}, {order}.",
                              REFERENCES[place])
        for identifier, name in NEAR.items():
            members = list(base.items()) + [("sub", "user-1")] * (place == "header") + [(name, "x")]
            suite.valid(f"near-{place}-{identifier}", signed(place, members),
                        f"The {place} has a name that only resembles sub ({identifier.replace('-', ' ')}).", REFERENCES[place],
                        "should" if identifier == "nul-after" else "must")
    return suite


SUITES = [duplicate_spellings]
