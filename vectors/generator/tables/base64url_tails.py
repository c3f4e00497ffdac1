"""Each fault of base64url, in each part of a token, for each length of the part modulo four.

The signature covers the part as it is written, so a lenient decoder accepts the token.
"""

from ..encoding import ALPHABET, base64url, dump
from ..keys import ec_key, rsa_key
from ..suite import Suite, claims, header_of, sign_input, token

TAILS = (0, 2, 3)
STRAY = [  # identifier, text, what it is
    ("space", " ", "a space"), ("tab", "\t", "a tab"), ("lf", "\n", "a line feed"), ("cr", "\r", "a carriage return"),
    ("crlf", "\r\n", "a line break"), ("vt", "\v", "a vertical tab"), ("ff", "\f", "a form feed"), ("nul", "\0", "a NUL"),
    ("del", "\x7f", "U+007F"), ("plus", "+", "a plus sign"), ("slash", "/", "a slash"), ("equals", "=", "an equals sign"),
    ("percent", "%2D", "a percent escape"), ("comma", ",", "a comma"), ("tilde", "~", "a tilde"), ("star", "*", "an asterisk"),
    ("e-acute", "\u00e9", "a letter outside of ASCII"), ("full-width", "\uff21", "a full-width letter"),
    ("zero-width", "\u200b", "a zero-width space"), ("bom", "\ufeff", "a byte order mark"), ("kelvin", "\u212a", "a kelvin sign"),
]
AT_ENDS = {"space", "tab", "lf", "cr", "crlf", "nul", "equals", "zero-width", "bom"}
WHITE_SPACE = {"space", "tab", "lf", "cr", "crlf"}


def faults(part):
    """Identifier, changed part, what is wrong."""
    half, tail = len(part) // 2, len(part) % 4
    for identifier, text, what in STRAY:
        yield f"inside-{identifier}", part[:half] + text + part[half:], f"has {what} inside"
        if identifier in AT_ENDS:
            yield f"before-{identifier}", text + part, f"begins with {what}"
            yield f"after-{identifier}", part + text, f"ends with {what}"
    for count in range(2, 5):
        yield f"padding-{count}", part + "=" * count, f"ends with {count} equals signs"
    yield "percent-padding", part + "%3D" * (-tail % 4 or 4), "ends with padding in percent escapes"
    yield "one-over", part[:len(part) - tail] + "A", "has a length of one modulo four"


def unused_bits(part):
    """The spellings of the same octets with other unused bits."""
    free = {0: 0, 2: 4, 3: 2}[len(part) % 4]
    value = ALPHABET.index(part[-1])
    for bits in range(1, 1 << free):
        yield f"unused-bits-{bits}", part[:-1] + ALPHABET[value | bits], f"has the unused bits {bits:0{free}b}"


def with_tail(build, tail):
    """The first part that `build` makes whose length has this remainder."""
    return next(part for part in map(build, ("", "x", "xx", "xxx")) if len(part) % 4 == tail)


def severity(position, identifier):
    """White space around the whole token is less than white space in it."""
    if identifier.startswith("unused-bits"):
        return "hardening"
    beginning, _, kind = identifier.partition("-")
    outermost = {"header": "before", "signature": "after"}.get(position)
    return "should" if kind in WHITE_SPACE and beginning == outermost else "must"


def add(suite, name, tail, part, text_with):
    suite.valid(f"tail-{name}-{tail}", text_with(part), f"The {name} has a length of {tail} modulo four.")
    for identifier, changed, what in [*faults(part), *unused_bits(part)]:
        suite.add(f"tail-{name}-{tail}-{identifier}", text_with(changed), "invalid_base64url", f"The {name} {what}.",
                  "RFC 4648 section 3.5" if identifier.startswith("unused") else None, severity(name, identifier))


def base64url_tails():
    key = ec_key("p256-1")
    # The lengths of these signatures, in characters, are 0, 2 and 3 modulo four.
    signers = {0: ec_key("p384-1", "P-384"), 2: key, 3: rsa_key("rsa-2056", (1032, 1024))}
    suite = Suite("base64url-tails", "Each fault of base64url, in each part, for each length of the part modulo four.",
                  [signer.jwk() for signer in signers.values()], reference="RFC 7515 sections 2 and 5.2")
    for tail in TAILS:
        header = with_tail(lambda filler: base64url(dump(header_of(key, x=filler))), tail)
        payload = with_tail(lambda filler: base64url(dump(claims(x=filler))), tail)
        add(suite, "header", tail, header, lambda part: sign_input(key, f"{part}.{base64url(dump(claims()))}"))
        add(suite, "payload", tail, payload, lambda part: sign_input(key, f"{base64url(dump(header_of(key)))}.{part}"))
        data, _, signature = token(signers[tail]).rpartition(".")
        assert len(signature) % 4 == tail
        add(suite, "signature", tail, signature, lambda part, data=data: f"{data}.{part}")
    return suite


SUITES = [base64url_tails]
