"""Octets that are not UTF-8, by the table of well-formed sequences of RFC 3629 section 4, in names and values of header and payload."""

from ..encoding import Members, Raw
from ..keys import ed_key
from ..suite import Suite, claims, header_of, sign_parts

# First octet, range of the second octet, number of octets that follow (RFC 3629 section 4).
ROWS = [
    (0xC2, 0x80, 0xBF, 1), (0xDF, 0x80, 0xBF, 1), (0xE0, 0xA0, 0xBF, 2), (0xE1, 0x80, 0xBF, 2), (0xEC, 0x80, 0xBF, 2),
    (0xED, 0x80, 0x9F, 2), (0xEE, 0x80, 0xBF, 2), (0xEF, 0x80, 0xBF, 2), (0xF0, 0x90, 0xBF, 3), (0xF1, 0x80, 0xBF, 3),
    (0xF3, 0x80, 0xBF, 3), (0xF4, 0x80, 0x8F, 3),
]
NEVER = [0xC0, 0xC1, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF]
OTHERS = {
    "utf-7": b"+AGE-\xff", "latin-1": "Zo\u00eb".encode("latin-1"), "windows-1252": b"\x93a\x94", "shift-jis": "\u65e5".encode("shift_jis"),
    "gb18030": "\u4f60".encode("gb18030"), "koi8-r": "\u0416".encode("koi8_r"), "cesu-8": b"\xed\xa0\xbd\xed\xb8\x80",
    "java-nul": b"\xc0\x80", "utf-16-le-bom": b"\xff\xfea\0", "utf-16-be-bom": b"\xfe\xff\0a", "two-overlong": b"\xc1\xa1\xc1\xa2",
}


def malformed():
    """Identifier, octets, what they are."""
    for octet in (0x80, 0xA0, 0xBF):
        yield f"continuation-{octet:02x}", bytes([octet]), f"a continuation octet {octet:02X} alone"
        yield f"extra-{octet:02x}", "\u00e9".encode() + bytes([octet]), f"a continuation octet {octet:02X} too many"
    for octet in NEVER:
        yield f"never-{octet:02x}", bytes([octet]) + b"\x80\x80\x80", f"the octet {octet:02X}, which never occurs"
    for first, low, high, count in ROWS:
        sequence = bytes([first, low]) + b"\x80" * (count - 1)
        for kept in range(1, count + 1):
            yield f"cut-{first:02x}-{kept}", sequence[:kept], f"a sequence of {first:02X} cut after {kept} octets"
        for wrong in (low - 1, high + 1):
            octets = bytes([first, wrong]) + b"\x80" * (count - 1)
            yield f"second-{first:02x}-{wrong:02x}", octets, f"the octet {wrong:02X} after {first:02X}"
        for place in range(2, count + 1):
            octets = sequence[:place] + b"a" + sequence[place + 1:]
            yield f"place-{first:02x}-{place + 1}", octets, f"a letter as octet {place + 1} of a sequence of {first:02X}"
    for identifier, octets in OTHERS.items():
        yield identifier, octets, f"text in another encoding ({identifier.replace('-', ' ')})"


def well_formed():
    """The first and the last sequence of each row."""
    for first, low, high, count in ROWS:
        for second, last in ((low, 0x80), (high, 0xBF)):
            octets = bytes([first, second]) + bytes([last]) * (count - 1)
            yield f"good-{octets.hex()}", octets, f"the sequence {octets.hex(' ').upper()}"


def utf8_octets():
    key = ed_key("ed25519-1")
    suite = Suite("utf8-octets", "Octets that are not UTF-8, in strings and in names, of the header and of the payload.", [key.jwk()],
                  reference="RFC 3629 section 4; RFC 7519 section 7.2")
    header, payload = list(header_of(key).items()), list(claims().items())

    def token_with(place, member):
        return sign_parts(key, Members(header + ([member] if place == "header" else [])),
                          Members(payload + ([member] if place == "payload" else [])))
    for place in ("header", "payload"):
        for identifier, octets, what in malformed():
            text = Raw(b'"a' + octets + b'b"')
            suite.add(f"octets-{place}-{identifier}", token_with(place, ("x", text)), "invalid_utf8",
                      f"A string in the {place} has {what}.")
        for identifier, octets, what in malformed():
            if identifier.startswith(("never", "continuation", "cut")):
                suite.add(f"octets-{place}-name-{identifier}", token_with(place, (Raw(b'"a' + octets + b'"'), 1)), "invalid_utf8",
                          f"A name in the {place} has {what}.")
        for identifier, octets, what in well_formed():
            suite.valid(f"octets-{place}-{identifier}", token_with(place, ("x", Raw(b'"' + octets + b'"'))),
                        f"A string in the {place} has {what}.")
    return suite


SUITES = [utf8_octets]
