"""Texts that are compared octet for octet (RFC 7519 section 2, StringOrURI), each in every spelling that only resembles the right one."""

from ..encoding import Raw
from ..keys import ed_key
from ..suite import ABSENT, Suite, claims, token

ISSUER, TEXT = "https://idp.example/t/caf\u00e9", "Client-caf\u00e9.1"
RESEMBLING = {  # identifier: the text changed
    "upper": str.upper, "lower": str.lower, "swapped-case": str.swapcase, "space-after": lambda text: text + " ",
    "space-before": lambda text: " " + text, "tab-after": lambda text: text + "\t", "line-feed-after": lambda text: text + "\n",
    "nul-after": lambda text: text + "\0", "nul-and-more": lambda text: text + "\0x", "nul-before": lambda text: "\0" + text,
    "slash-after": lambda text: text + "/", "cut": lambda text: text[:-1], "longer": lambda text: text + "1",
    "first-letter": lambda text: text[:1], "empty": lambda text: "", "twice": lambda text: text + text,
    "comma": lambda text: text + ",other", "space-list": lambda text: text + " other", "decomposed": lambda text: text.replace("\u00e9",
                                                                                                                               "e\u0301"),
    "no-accent": lambda text: text.replace("\u00e9", "e"), "percent": lambda text: text.replace("\u00e9", "%C3%A9"),
    "latin-1-misread": lambda text: text.replace("\u00e9", "\u00c3\u00a9"),
    "cyrillic": lambda text: text.replace("e", "\u0435").replace("a", "\u0430"),
    "full-width-dot": lambda text: text.replace(".", "\uff0e"), "zero-width": lambda text: text[:3] + "\u200b" + text[3:],
    "soft-hyphen": lambda text: text[:3] + "\u00ad" + text[3:], "bom": lambda text: "\ufeff" + text,
    "quoted": lambda text: f'"{text}"', "angle-brackets": lambda text: f"<{text}>", "wildcard": lambda text: "*",
    "pattern": lambda text: text.replace(".", "?"), "regular-expression": lambda text: ".*", "array-text": lambda text: f'["{text}"]',
    "escaped-text": lambda text: text.replace("\u00e9", "\\u00e9"), "entity": lambda text: text.replace("\u00e9", "&eacute;"),
    "reversed": lambda text: text[::-1], "replacement": lambda text: text.replace("\u00e9", "\ufffd"), "null-word": lambda text: "null",
}
ADDRESSES = {
    "scheme": ISSUER.replace("https", "http"), "scheme-upper": ISSUER.replace("https", "HTTPS"), "host-upper": ISSUER.replace("idp", "IDP"),
    "port": ISSUER.replace("example/", "example:443/"), "host-dot": ISSUER.replace("example/", "example./"),
    "user": ISSUER.replace("//", "//user@"), "evil-user": ISSUER.replace("idp.example", "idp.example@evil.example"),
    "evil-suffix": ISSUER.replace("idp.example", "idp.example.evil.example"), "evil-prefix": ISSUER.replace("idp", "evil-idp"),
    "dot-segment": ISSUER.replace("/t/", "/./t/"), "dot-dot-segment": ISSUER.replace("/t/", "/x/../t/"),
    "double-slash": ISSUER.replace("/t/", "//t/"), "query": ISSUER + "?x", "empty-query": ISSUER + "?", "fragment": ISSUER + "#x",
    "empty-fragment": ISSUER + "#", "percent-letter": ISSUER.replace("/t/", "/%74/"), "backslash": ISSUER.replace("/t/", "\\t\\"),
    "no-scheme": ISSUER.partition("//")[2], "relative": "//" + ISSUER.partition("//")[2], "parent": "https://idp.example/t",
    "origin": "https://idp.example", "space-in-host": ISSUER.replace("idp.", "idp. "), "tab-in-host": ISSUER.replace("idp", "id\tp"),
    "ip": ISSUER.replace("idp.example", "127.0.0.1"), "punycode": ISSUER.replace("caf\u00e9", "xn--caf-dma"),
}
ESCAPED = {
    "one-letter": lambda text: text.replace("e", "\\u0065", 1), "accent": lambda text: text.replace("\u00e9", "\\u00e9"),
    "accent-upper": lambda text: text.replace("\u00e9", "\\u00E9"), "slashes": lambda text: text.replace("/", "\\/"),
    "all": lambda text: "".join(f"\\u{ord(character):04x}" for character in text),
}
SUBJECTS = [  # name of the suite, policy, expected text, claims with a text, code, clause
    ("issuer", {"issuer": [ISSUER]}, ISSUER, lambda text: {"iss": text}, "issuer_mismatch", "RFC 7519 section 4.1.1"),
    ("audience", {"audience": [TEXT]}, TEXT, lambda text: {"aud": text}, "audience_mismatch", "RFC 7519 section 4.1.3"),
    ("audience-array", {"audience": [TEXT]}, TEXT, lambda text: {"aud": ["other", text]}, "audience_mismatch",
     "RFC 7519 section 4.1.3"),
    ("nonce", {"preset": "id_token", "audience": "client-1", "nonce": TEXT}, TEXT, lambda text: {"nonce": text}, "nonce_mismatch",
     "OpenID Connect Core 1.0 section 3.1.3.7"),
    ("authorized-party", {"preset": "id_token", "audience": "client-1", "authorized_party": TEXT}, TEXT, lambda text: {"azp": text},
     "authorized_party_mismatch", "OpenID Connect Core 1.0 section 3.1.3.7"),
]


def equality(name, policy, expected, changes, code, clause):
    key = ed_key("ed25519-1")
    severity = "should" if name == "authorized-party" else "must"
    suite = Suite(f"text-{name}", f"Texts that only resemble the right one ({name.replace('-', ' ')}).", [key.jwk()], policy,
                  reference=clause, severity=severity)

    def text_token(text):
        return token(key, claims(**changes(text)))
    suite.valid(f"text-{name}-equal", text_token(expected), "The right text.")
    for identifier, escape in ESCAPED.items():
        written = Raw(f'"{escape(expected)}"'.encode())
        suite.valid(f"text-{name}-escaped-{identifier}", text_token(written), "The right text, written with escapes of JSON.")
    variants = {identifier: change(expected) for identifier, change in RESEMBLING.items()}
    if expected == ISSUER:
        variants |= ADDRESSES
    for identifier, text in variants.items():
        if text != expected:
            suite.add(f"text-{name}-{identifier}", text_token(text), code, "A text that only resembles the right one "
                      f"({identifier.replace('-', ' ')}).")
    return suite


def key_identifiers():
    right, other = ed_key("ed25519-1"), ed_key("ed25519-2")
    suite = Suite("text-kid", "A kid that only resembles that of a key names no key.",
                  [{**right.jwk(), "kid": TEXT}, {**other.jwk(), "kid": "other"}], reference="RFC 7515 section 4.1.4")
    suite.valid("text-kid-equal", token(right, kid=TEXT), "The right kid.")
    for identifier, escape in ESCAPED.items():
        suite.valid(f"text-kid-escaped-{identifier}", token(right, kid=Raw(f'"{escape(TEXT)}"'.encode())),
                    "The right kid, written with escapes of JSON.")
    for identifier, change in RESEMBLING.items():
        suite.add(f"text-kid-{identifier}", token(right, kid=change(TEXT)), "unknown_key",
                  f"A kid that only resembles the right one ({identifier.replace('-', ' ')}).", severity="should")
    suite.valid("text-kid-absent", token(right, kid=ABSENT), "Without a kid the key that fits is found.", severity="should")
    return suite


SUITES = [*(lambda row=row: equality(*row) for row in SUBJECTS), key_identifiers]
