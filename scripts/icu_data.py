#!/usr/bin/env python3
"""Writes the part of ICU's data that a command needs as an assembler file: icu_data.py FOLDER, which has icu.dat; prints the file's text.

The Swift toolchain's archive of ICU has the data of all languages as one object of 34 MB, and a linker takes all of it or nothing. The
command speaks English. It needs neither the names of things in other languages, nor the tables of old character sets, nor dictionaries.
ICU answers for a language that it does not have with its root data.

The data is a table of contents and items, each on 16 bytes (icu4c/source/common/ucmndata.h, "CmnD"):

    u16 length of the header, then the rest of it   |   u32 number of items
    per item: u32 place of its name, u32 place of its bytes, both from the number of items on
"""
import pathlib
import re
import struct
import sys

# A resource of a language, by its name; the resources of all languages and of English; and what no language needs.
LANGUAGES = re.compile(r"(?:.*/)?[a-z]{2,3}(?:_\w*)?\.res$")
KEPT = re.compile(r"(?:.*/)?(?:root|en|en_001|en_US|en_US_POSIX|pool|res_index)\.res$")
DROPPED = re.compile(r".*\.(?:cnv|dict)$|unames\.icu$|translit/|.*_cj\.brk$")


def items(data):
    """The length of the header, and (name, bytes) of each item."""
    start = struct.unpack_from("<H", data)[0]
    if data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD":
        sys.exit("this is not ICU's data")
    count = struct.unpack_from("<I", data, start)[0]
    places = [struct.unpack_from("<II", data, start + 4 + 8 * ordinal) for ordinal in range(count)]
    ends = [place for _, place in places[1:]] + [len(data) - start]
    names = (data[start + name : data.index(0, start + name)] for name, _ in places)
    return start, [(name, data[start + place : start + end]) for name, (_, place), end in zip(names, places, ends)]


def is_kept(name):
    path = name.decode().split("/", 1)[1]
    return not DROPPED.match(path) and (not LANGUAGES.match(path) or bool(KEPT.match(path)))


def package(header, kept):
    """The table of contents and the items."""
    place = 4 + 8 * len(kept)
    names, names_at = b"", []
    for name, _ in kept:
        names_at.append(place + len(names))
        names += name + b"\0"
    place += len(names)
    bodies, bodies_at = b"", []
    for _, body in kept:
        bodies += bytes(-(place + len(header) + len(bodies)) % 16)
        bodies_at.append(place + len(bodies))
        bodies += body
    table = b"".join(struct.pack("<II", *pair) for pair in zip(names_at, bodies_at))
    return header + struct.pack("<I", len(kept)) + table + names + bodies


def main(folder, symbol):
    data = pathlib.Path(folder, "icu.dat").read_bytes()
    start, every = items(data)
    kept = [item for item in every if is_kept(item[0])]
    pathlib.Path(folder, "icu-kept.dat").write_bytes(package(data[:start], kept))
    print(f".section .rodata\n.globl {symbol}\n.type {symbol}, %object\n.balign 16\n{symbol}:\n.incbin \"{folder}/icu-kept.dat\"")
    print('.section .note.GNU-stack, "", %progbits')


main(*sys.argv[1:])
