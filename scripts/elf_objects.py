"""Relocatable ELF files of 64 bits, alone and in archives, as swift_records.py needs them."""
import collections
import pathlib
import re
import struct

RETAIN, EXCLUDE, ALLOCATED, LINK_ORDER = 0x200000, 0x80000000, 2, 0x80
SYMTAB, RELA, GROUP, SYMTAB_SHNDX = 2, 4, 17, 18


def members(path):
    """The members of an archive: lists of contents by name."""
    data = pathlib.Path(path).read_bytes()
    found, names, at = {}, b'', 8
    while at < len(data):
        name, size, start = data[at:at + 16].rstrip(), int(data[at + 48:at + 58]), at + 60
        if name == b'//':
            names = data[start:start + size]
        elif name not in (b'/', b'/SYM64/'):
            if name.startswith(b'/'):
                name = names[int(name[1:]):names.index(b'\n', int(name[1:]))]
            found.setdefault(name.rstrip(b'/').decode(), []).append(data[start:start + size])
        at = start + size + size % 2
    return found


def string(data, at):
    return data[at:data.index(b'\0', at)].decode()

class Object:
    """A relocatable ELF file of 64 bits."""

    def __init__(self, name, data):
        self.name, self.data = name, bytearray(data)
        self.table, = struct.unpack_from('<Q', data, 0x28)
        count, names = struct.unpack_from('<HH', data, 0x3c)
        count = count or struct.unpack_from('<Q', data, self.table + 32)[0]
        if names == 0xffff:
            names, = struct.unpack_from('<I', data, self.table + 40)
        self.sections = [list(struct.unpack_from('<IIQQQQIIQQ', data, self.table + 64 * index)) for index in range(count)]
        self.names = [string(data, self.sections[names][4] + section[0]) for section in self.sections]
        self.relocations, self.groups, self.followers = collections.defaultdict(list), {}, collections.defaultdict(list)
        self.symbols, self.cache = [], {}
        symtab = extended = None
        for index, (_, kind, flags, _, at, size, link, info, _, _) in enumerate(self.sections):
            if kind == RELA:
                self.relocations[info].append(index)
            elif kind == SYMTAB:
                symtab = index
            elif kind == SYMTAB_SHNDX:
                extended = struct.unpack_from('<%dI' % (size // 4), data, at)
            elif kind == GROUP:
                group = struct.unpack_from('<%dI' % (size // 4), data, at)[1:]
                self.groups.update((member, group) for member in group)
            if flags & LINK_ORDER and link:
                self.followers[link].append(index)
        if symtab is not None:
            self.read_symbols(data, self.sections[symtab], extended)

    def read_symbols(self, data, section, extended):
        strings = self.sections[section[6]][4]
        entries = struct.iter_unpack('<IBBHQQ', data[section[4]:section[4] + section[5]])
        for index, (name, info, _, place, value, _) in enumerate(entries):
            if place == 0xffff:
                place = extended[index]
            elif place >= 0xff00:
                place = 0
            self.symbols.append((string(data, strings + name) if info >> 4 else None, info >> 4, place, value))

    def references(self, index):
        """(offset, symbol, addend) of what a section refers to."""
        if index not in self.cache:
            self.cache[index] = [
                (offset, info >> 32, addend) for table in self.relocations[index]
                for offset, info, addend in struct.iter_unpack('<QQq', self.data[self.sections[table][4]:][:self.sections[table][5]])]
        return self.cache[index]

    def set_flags(self, index, flags):
        self.sections[index][2] = flags
        struct.pack_into('<Q', self.data, self.table + 64 * index + 8, flags)


def inputs(trace):
    archives = {}
    for line in pathlib.Path(trace).read_text().splitlines():
        member = re.match(r'(.*\.a)\((.*)\)$', line)
        if member:
            if member[1] not in archives:
                archives[member[1]] = members(member[1])
            yield Object(line, archives[member[1]][member[2]].pop(0))
        elif line.endswith('.o'):
            yield Object(line, pathlib.Path(line).read_bytes())
