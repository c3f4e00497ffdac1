"""zlib streams (RFC 1950), written bit by bit.

Compressors differ from version to version, and the vectors must not. So this module writes blocks of its own choice; zlib only reads them
back, when a file is checked.
"""

import struct
import zlib

HEADER = b"\x78\xda"


class Bits:
    """Bits in the order of RFC 1951 section 3.1.1: the lowest bit of an octet comes first."""

    def __init__(self):
        self.octets, self.value, self.count = bytearray(), 0, 0

    def number(self, value, count):
        """A number, its lowest bit first."""
        self.value |= value << self.count
        self.count += count
        while self.count >= 8:
            self.octets.append(self.value & 0xFF)
            self.value, self.count = self.value >> 8, self.count - 8

    def code(self, value, count):
        """A Huffman code, its highest bit first."""
        self.number(int(f"{value:0{count}b}"[::-1], 2), count)

    def aligned(self):
        if self.count:
            self.number(0, 8 - self.count)


def literal(bits, symbol):
    """A symbol of the fixed code for literals and lengths (RFC 1951 section 3.2.6)."""
    for first, last, start, size in ((0, 143, 0x30, 8), (144, 255, 0x190, 9), (256, 279, 0, 7), (280, 287, 0xC0, 8)):
        if first <= symbol <= last:
            bits.code(start + symbol - first, size)


def fixed(bits, data, final):
    """A block with the fixed codes. Repetitions of one octet are written as matches of 258 octets, at a distance of 1."""
    bits.number(int(final) | 1 << 1, 3)
    place = 0
    while place < len(data):
        run = data[place:place + 258]
        if place and len(run) == 258 and run.count(data[place - 1]) == 258:
            literal(bits, 285)
            bits.code(0, 5)
            place += 258
        else:
            literal(bits, data[place])
            place += 1
    literal(bits, 256)


def stored(bits, data, final):
    """Blocks without compression (RFC 1951 section 3.2.4)."""
    pieces = [data[place:place + 65535] for place in range(0, len(data), 65535)] or [b""]
    for number, piece in enumerate(pieces, 1):
        bits.number(int(final and number == len(pieces)), 3)
        bits.aligned()
        bits.octets += struct.pack("<HH", len(piece), len(piece) ^ 0xFFFF) + piece


def deflated(*blocks):
    """The data of RFC 1951: blocks are pairs of a function above and the octets."""
    bits = Bits()
    for number, (write, data) in enumerate(blocks, 1):
        write(bits, data, number == len(blocks))
    bits.aligned()
    return bytes(bits.octets)


def checksum(data):
    return struct.pack(">I", zlib.adler32(data))


def stream(data, write=fixed, header=HEADER):
    """A zlib stream of one block."""
    return header + deflated((write, data)) + checksum(data)


def blocks(*parts):
    """A zlib stream of several blocks."""
    return HEADER + deflated(*parts) + checksum(b"".join(data for _, data in parts))


def gzip(data):
    """The format of RFC 1952."""
    return (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" + deflated((fixed, data))
            + struct.pack("<II", zlib.crc32(data), len(data)))


def with_window(exponent):
    """The header for a window of 2 to the power of exponent, which is 8 to 15, with its check."""
    method = (exponent - 8) << 4 | 8
    return bytes([method, (31 - (method << 8) % 31) % 31])


def with_level(level):
    """The header for a level of compression from 0 to 3, which no reader needs."""
    return bytes([0x78, level << 6 | (31 - (0x7800 | level << 6) % 31) % 31])
