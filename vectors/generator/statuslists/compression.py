"""The text of a list: base64url, and the zlib stream in it."""

import struct
import zlib

from ..encoding import Raw, base64url, unused_bits_set
from . import streams
from .streams import blocks, deflated, fixed, stored, stream
from .suite import DRAFT, EXAMPLE, KEY, ListSuite, list_claims, list_token, status_list, token_with

ENCODING = f"{DRAFT} 4.2; RFC 7515 section 2"
RFC1950, RFC1951 = "RFC 1950 section", "RFC 1951 section"
BOMB = 4 << 20


def with_special_characters():
    """Octets whose stream, in base64url, has both characters that base64 writes in another way."""
    for number in range(1 << 16):
        octets = struct.pack(">HH", 1, number) + b"\xff" * 9
        text = base64url(stream(octets))
        if "-" in text and "_" in text and len(text) % 4 == 2:
            return octets, text
    raise AssertionError("no such octets")


def encodings():
    suite = ListSuite("encodings", "The member lst in base64url.", [KEY.jwk()], reference=ENCODING)
    octets, text = with_special_characters()

    def token(value):
        return list_token(list_claims(status_list=status_list(value, 8)))
    suite.ask("encoding-good", token(text), octets[1], "The text has both characters in which base64url and base64 differ.", index=1)
    suite.ask("encoding-escaped", token(Raw(f'"\\u{ord(text[0]):04x}{text[1:]}"'.encode())), octets[1], "The text has an escape of JSON.",
              "RFC 8259 section 8.3", index=1)
    half = len(text) // 2
    changes = {
        "padded": f"{text}==", "padded-once": f"{text}=", "standard-alphabet": text.replace("-", "+").replace("_", "/"),
        "plus": text.replace("-", "+"), "slash": text.replace("_", "/"), "space-inside": f"{text[:half]} {text[half:]}",
        "line-feed-inside": f"{text[:half]}\n{text[half:]}", "space-before": f" {text}", "line-feed-after": f"{text}\n",
        "junk-inside": f"{text[:half]}!!!!{text[half:]}", "nul-inside": f"{text[:half]}\0{text[half:]}", "percent": f"{text}%3D%3D",
        "full-width": f"\uff41{text[1:]}", "length": text[:-1], "quotes": f'"{text}"', "dot": f"{text}.",
        "data-url": f"data:;base64,{text}",
    }
    for identifier, value in changes.items():
        suite.ask(f"encoding-{identifier}", token(value), "invalid_encoding", f"The text is not base64url ({identifier}).", index=1)
    suite.ask("encoding-unused-bits", token(unused_bits_set(text)), "invalid_encoding", "The unused bits of the last character are set.",
              "RFC 4648 section 3.5", "hardening", index=1)
    suite.ask("encoding-hexadecimal", token(stream(octets).hex()), "invalid", "The text is hexadecimal.", index=1)
    suite.ask("encoding-empty", token(""), "truncated_list", "The text is empty.", f"{DRAFT} 4.1", index=1)
    suite.ask("encoding-of-encoding", token(base64url(text.encode())), "invalid_compression", "The text is in base64url twice.",
              f"{DRAFT} 4.1", index=1)
    return suite


def compressions():
    suite = ListSuite("compressions", "The zlib stream of a list.", [KEY.jwk()], reference=f"{DRAFT} 4.1")
    add_good_streams(suite)
    add_other_formats(suite)
    add_broken_blocks(suite)
    add_ends(suite)
    return suite


def add_good_streams(suite):
    good = {
        "fixed": stream(EXAMPLE), "stored": stream(EXAMPLE, stored), "two-blocks": blocks((stored, EXAMPLE[:1]), (fixed, EXAMPLE[1:])),
        "three-blocks": blocks((fixed, EXAMPLE[:1]), (fixed, b""), (stored, EXAMPLE[1:])),
        "flushed": blocks((fixed, EXAMPLE), (stored, b""), (stored, b"")), "empty-end": blocks((fixed, EXAMPLE), (fixed, b"")),
    }
    for identifier, octets in good.items():
        for index, status in ((0, 1), (1, 0), (8, 1), (15, 1)):
            suite.ask(f"stream-{identifier}-{index}", token_with(octets), status, f"A stream of blocks of another kind ({identifier}).",
                      f"{RFC1951} 3.2", index=index)
    for exponent in range(8, 16):
        suite.ask(f"stream-window-{exponent}", token_with(stream(EXAMPLE, header=streams.with_window(exponent))), 1,
                  f"The header names a window of two to the power of {exponent}.", f"{RFC1950} 2.2")
    for level in range(4):
        suite.ask(f"stream-level-{level}", token_with(stream(EXAMPLE, header=streams.with_level(level))), 1,
                  f"The header says level {level}, which no reader needs.", f"{RFC1950} 2.2")
    run = bytes(1000) + b"\1" + bytes(1000)
    suite.ask("stream-matches", token_with(stream(run), 8), 1, "A stream with matches.", f"{RFC1951} 3.2.5", index=1000)
    large = stream(bytes(65536) + b"\1", stored)
    suite.ask("stream-two-stored", token_with(large, 8), 1, "A stream that no single stored block can hold.", f"{RFC1951} 3.2.4",
              index=65536)


def add_other_formats(suite):
    check, body = streams.checksum(EXAMPLE), deflated((fixed, EXAMPLE))
    dictionary = bytes([0x78, 0xF9]) + struct.pack(">I", zlib.adler32(b"x")) + body + check
    others = {
        "deflate": body, "gzip": streams.gzip(EXAMPLE), "dictionary": dictionary, "method": b"\x79\x17" + body + check,
        "window": b"\x88\x1c" + body + check, "header-check": b"\x78\xdb" + body + check, "header-zero": b"\0\0" + body + check,
        "none": EXAMPLE * 8, "zip": b"PK\x03\x04" + bytes(26) + body, "zstandard": bytes.fromhex("28b52ffd2002110000b9a3"),
        "brotli": bytes.fromhex("8b0080b9a303"), "space": b" " + stream(EXAMPLE), "text": b"1001110111000101",
    }
    for identifier, octets in others.items():
        suite.ask(f"format-{identifier}", token_with(octets), "invalid_compression", f"The list is in another format ({identifier}).",
                  f"{DRAFT} 4.1; {RFC1950} 2.2")


def add_broken_blocks(suite):
    check, header = streams.checksum(EXAMPLE), streams.HEADER
    length = struct.pack("<HH", 2, 2)
    bits = streams.Bits()
    bits.number(0b011, 3)
    streams.literal(bits, 257)
    bits.code(0, 5)
    streams.literal(bits, 256)
    bits.aligned()
    codes = streams.Bits()
    codes.number(0b101 | 31 << 3 | 31 << 8, 17)
    codes.aligned()
    broken = {
        "reserved-type": header + b"\x07" + EXAMPLE + check, "stored-length": header + b"\x01" + length + EXAMPLE + check,
        "match-before-start": header + bytes(bits.octets) + check, "too-many-codes": header + bytes(codes.octets) + bytes(8) + check,
    }
    for identifier, octets in broken.items():
        suite.ask(f"block-{identifier}", token_with(octets), "invalid_compression", f"The data of the stream is broken ({identifier}).",
                  f"{RFC1951} 3.2")
    good = stream(EXAMPLE)
    for place in range(1, 5):
        changed = bytearray(good)
        changed[-place] ^= 1
        suite.ask(f"checksum-{place}", token_with(bytes(changed)), "invalid_compression",
                  f"One bit of the checksum is wrong (octet {5 - place} of 4).", f"{RFC1950} 2.3")
    swapped = good[:-4] + good[:-5:-1]
    suite.ask("checksum-order", token_with(swapped), "invalid_compression", "The octets of the checksum are in the other order.",
              f"{RFC1950} 2.2")
    crc = good[:-4] + struct.pack(">I", zlib.crc32(EXAMPLE))
    suite.ask("checksum-crc", token_with(crc), "invalid_compression", "The checksum is a CRC-32.", f"{RFC1950} 2.2")
    changed = blocks((stored, EXAMPLE)).replace(EXAMPLE, b"\0\0")
    suite.ask("checksum-of-other", token_with(changed), "invalid_compression", "The list was changed under its checksum.", f"{RFC1950} 2.3")


def add_ends(suite):
    good = stream(EXAMPLE)
    for length in range(1, len(good)):
        suite.ask(f"cut-{length}", token_with(good[:length]), "truncated_list", f"The stream ends after {length} of {len(good)} octets.",
                  f"{DRAFT} 8.3; {RFC1950} 2.2")
    open_end = streams.HEADER + deflated((stored, EXAMPLE), (stored, b""))[:-5]
    suite.ask("cut-before-last-block", token_with(open_end), "truncated_list", "The last block is missing.",
              f"{DRAFT} 8.3; {RFC1951} 3.2.3")
    rests = {"zero": b"\0", "line-feed": b"\n", "stream": good, "list": EXAMPLE, "many": bytes(1000), "checksum": good[-4:]}
    for identifier, rest in rests.items():
        suite.ask(f"after-{identifier}", token_with(good + rest), "trailing_bytes", f"Octets come after the stream ({identifier}).",
                  f"{RFC1950} 2.2", "hardening")


def limits():
    """A limit of 1,024 octets before compression."""
    suite = ListSuite("limits", "Lists around a limit of 1,024 octets before compression.", [KEY.jwk()], {"maximum_bytes": 1024},
                      reference=f"{DRAFT} 8.3", severity="hardening")
    for count, write in ((1023, fixed), (1024, fixed), (1024, stored)):
        suite.ask(f"limit-{count}-{write.__name__}", token_with(stream(bytes(count), write)), 0, f"A list of {count} octets.",
                  index=8 * count - 1)
    for count, write in ((1025, fixed), (1025, stored), (2048, fixed), (65536, fixed), (BOMB, fixed)):
        suite.ask(f"limit-{count}-{write.__name__}", token_with(stream(bytes(count), write)),
                  "list_too_large" if count < BOMB else "invalid",
                  f"A list of {count} octets.")
    bomb = stream(bytes(1 << 19))
    suite.ask("limit-bomb", token_with(bomb), "list_too_large", f"Half a MiB of zeros in {len(bomb)} octets.")
    suite.ask("limit-bomb-cut", token_with(bomb[:-8]), "list_too_large", "Half a MiB of zeros whose stream has no end: it is not read.")
    suite.ask("limit-bomb-nested", token_with(stream(bomb)), "invalid", "A stream of zeros in a stream.")
    for count, expect in ((8192, 1), (8193, "invalid")):
        suite.ask(f"limit-text-{count}", list_token(list_claims(x="x" * count)), expect, f"Another claim has a text of {count} octets.")
    suite.ask("limit-token", list_token(list_claims(x=["x" * 5000] * 4)), "token_too_large", "Other claims make the token too large.")
    suite.ask("limit-depth", list_token(list_claims(x=Raw(b"[" * 16 + b"]" * 16))), "nesting_too_deep", "Another claim is nested too deep.")
    return suite


def standard_limit():
    suite = ListSuite("standard-limit", "Lists around the limit that a verifier has if it is not told another: at least 1 MiB.",
                      [KEY.jwk()],
                      reference=f"{DRAFT} 8.3", severity="hardening")
    mebibyte = 1 << 20
    suite.ask("standard-limit", token_with(stream(bytes(mebibyte)), 8), 0, "A list of 1 MiB.", f"{DRAFT} 11.1, appendix C", "must",
              index=mebibyte - 1)
    suite.ask("standard-limit-one-more", token_with(stream(bytes(mebibyte + 1)), 8), "list_too_large", "A list of 1 MiB and an octet.")
    suite.ask("standard-limit-bomb", token_with(stream(bytes(BOMB)), 8), "list_too_large", "A list of 4 MiB.")
    return suite


SUITES = [encodings, compressions, limits, standard_limit]
