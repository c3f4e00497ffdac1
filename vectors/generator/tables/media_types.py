"""Each kind of token under each policy for types: a token of one kind must not pass for another (RFC 8725 sections 2.8 and 3.11)."""

from ..keys import ed_key
from ..suite import ABSENT, Suite, claims, token

KINDS = ["JWT", "at+jwt", "logout+jwt", "secevent+jwt", "dpop+jwt", "rt+jwt", "id+jwt", "entity-statement+jwt", "token-introspection+jwt",
         "oauth-authz-req+jwt", "vc+jwt", "dc+sd-jwt", "jose", "jwk+json", "passport"]
SPELLINGS = {  # identifier: type in this spelling, whether it is the same type
    "exact": (lambda kind: kind, True), "upper": (str.upper, True), "swapped-case": (str.swapcase, True),
    "media-type": (lambda kind: f"application/{kind}", True), "media-type-upper": (lambda kind: f"APPLICATION/{kind.upper()}", True),
    "space-after": (lambda kind: f"{kind} ", False), "space-before": (lambda kind: f" {kind}", False),
    "parameter": (lambda kind: f"{kind}; charset=utf-8", False), "text": (lambda kind: f"text/{kind}", False),
    "application-twice": (lambda kind: f"application/application/{kind}", False), "slash-before": (lambda kind: f"/{kind}", False),
    "slash-after": (lambda kind: f"{kind}/", False), "backslash": (lambda kind: f"application\\{kind}", False),
    "nul": (lambda kind: f"{kind}\0", False), "cut": (lambda kind: kind[:-1], False), "longer": (lambda kind: f"{kind}x", False),
    "space-for-plus": (lambda kind: kind.replace("+", " "), False), "percent": (lambda kind: kind.replace("+", "%2B"), False),
    "hyphen": (lambda kind: kind.replace("+", "-"), False), "list": (lambda kind: f"{kind},JWT", False),
    "full-width": (lambda kind: kind.replace("j", "\uff4a"), False), "kelvin": (lambda kind: kind.replace("k", "\u212a"), False),
}
POLICIES = {  # name: policy, kinds that it takes, whether a token may have no type
    "any": ({}, KINDS, True),
    "id-token": ({"preset": "id_token", "audience": "client-1"}, ["JWT"], True),
    "access-token": ({"preset": "access_token", "issuer": "https://idp.example", "audience": "client-1"}, ["at+jwt"], False),
    "logout": ({"types": ["logout+jwt"]}, ["logout+jwt"], False),
    "two": ({"types": ["secevent+jwt", "JWT", ""]}, ["secevent+jwt", "JWT"], True),
}


def media_types(name):
    policy, taken, takes_none = POLICIES[name]
    key = ed_key("ed25519-1")
    suite = Suite(f"media-types-{name}", f"Each kind of token, and each spelling of a type, under the policy {name}.", [key.jwk()], policy,
                  reference="RFC 7515 section 4.1.9; RFC 8725 section 3.11")

    def typed(value):
        return token(key, claims(client_id="client-1", jti="1"), typ=value)

    def expect(is_taken):
        """RFC 9068 section 4 requires the type of access tokens; RFC 8725 section 3.11 recommends types for other tokens."""
        return ("valid", "must") if is_taken else ("type_mismatch", "must" if name == "access-token" else "should")
    for kind in KINDS:
        code, severity = expect(kind in taken)
        suite.add(f"media-{name}-{kind.lower().replace('+', '-')}", typed(kind), code, f"The type is {kind}.", None, severity)
    code, severity = expect(takes_none)
    suite.add(f"media-{name}-absent", typed(ABSENT), code, "There is no type.", None, severity)
    for kind in taken if name != "any" else []:
        for identifier, (spell, is_same) in SPELLINGS.items():
            text = spell(kind)
            if text == kind and identifier != "exact":
                continue
            code, severity = expect(is_same)
            suite.add(f"media-{name}-{kind.lower().replace('+', '-')}-{identifier}", typed(text), code,
                      f"The type {kind} as {text!r}.".replace("\\\\", "\\"), None, "should" if is_same else severity)
    return suite


SUITES = [lambda name=name: media_types(name) for name in POLICIES]
