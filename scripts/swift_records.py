#!/usr/bin/env python3
"""Lets the linker leave out what nothing in a Swift program can reach: swift_records.py ROOT INPUTS FOLDER

A Swift object lists its types, protocols and conformances in sections that no linker drops (SHF_GNU_RETAIN), because `as?` looks them up at
run time. Each record keeps its type and every method of its witness tables. But a cast to a protocol can find a conformance only where the
program has both the type and the protocol, so this script follows references from ROOT, counts a record once both of its ends are reached,
and lifts the flag from the other records, and from public functions, which the flag keeps for other libraries. It also excludes .eh_frame:
Swift's errors do not unwind the stack, and the C++ code of the runtime is built without exceptions.

INPUTS is what the linker printed for --trace. Copies of these objects with the changed flags go to FOLDER, and their paths to FOLDER/list.
"""
import pathlib
import re
import sys

from elf_objects import ALLOCATED, EXCLUDE, RELA, RETAIN, inputs

INIT_ARRAYS = (14, 15, 16)
# Read at run time through the first address of the section. The record begins with a reference to what it is about.
FOUND = {'swift5_protocol_conformances', 'swift5_type_metadata', 'swift5_type_metadata_2', 'swift5_protocols'}
# Read through a reference, or by debuggers only.
REFERENCED = {'swift5_fieldmd', 'swift5_assocty', 'swift5_builtin', 'swift5_capture', 'swift5_mpenum', 'swift5_typeref', 'swift5_reflstr'}
C_NAME = re.compile(r'[A-Za-z_]\w*$')


class Program:
    def __init__(self, objects):
        self.objects, self.live, self.work, self.definitions = objects, set(), [], {}
        for each in objects:
            for name, binding, place, value in each.symbols:
                if name and place and (name not in self.definitions or self.definitions[name][3] == 2 and binding == 1):
                    self.definitions[name] = (each, place, value, binding)

    def target(self, each, symbol):
        """(object, section, value) of a symbol; None if no object defines it."""
        name, binding, place, value = each.symbols[symbol]
        if binding == 0:
            return (each, place, value) if place else None
        found = self.definitions.get(name)
        return found and found[:3]

    def mark(self, each, index):
        if index and (each, index) not in self.live:
            self.live.add((each, index))
            self.work.append((each, index))

    def follow(self):
        while self.work:
            each, index = self.work.pop()
            for _, symbol, _ in each.references(index):
                target = self.target(each, symbol)
                if target:
                    self.mark(*target[:2])
            for other in each.groups.get(index, ()):
                if each.sections[other][1] != RELA and each.names[other] not in FOUND:
                    self.mark(each, other)
            for other in each.followers[index]:
                self.mark(each, other)

    def mark_roots(self, root):
        for name in ('_start', root):
            if name in self.definitions:
                self.mark(*self.definitions[name][:2])
        for each in self.objects:
            for index, (_, kind, flags, *_) in enumerate(each.sections):
                name = each.names[index]
                is_kept = flags & RETAIN and C_NAME.match(name) and name not in FOUND | REFERENCED
                if flags & ALLOCATED and (is_kept or kind in INIT_ARRAYS or name.startswith(('.init', '.fini', '.ctors', '.dtors'))):
                    self.mark(each, index)

    def ends(self, each, index):
        """The sections that must be reached before a record can be found: the type or protocol; of a conformance both."""
        records = sorted(each.references(index))
        about = self.target(each, records[0][1]) if records else None
        if not about:
            return []
        if each.names[index] != 'swift5_protocol_conformances':
            return [about[:2]]
        owner, place, value = about
        start, ends, told = value + records[0][2], [], set()
        for offset, symbol, addend in owner.references(place):
            # The protocol comes first, the type four bytes later.
            if offset - start in (0, 4):
                told.add(offset - start)
                ends += self.described(owner, symbol, addend)
        # A reference within a section has no relocation.
        return ends if len(told) == 2 else ends + [(owner, place)]

    def described(self, each, symbol, addend):
        target = self.target(each, symbol)
        if not target:
            return []
        owner, place, value = target
        if not (each.symbols[symbol][0] or '').startswith('got.'):
            return [(owner, place)]
        # A pointer to a descriptor of another object. The lowest bit of the reference says that it is one.
        at = value + addend & ~1
        pointers = [self.target(owner, other) for offset, other, _ in owner.references(place) if offset == at]
        return [pointer[:2] for pointer in pointers if pointer]

    def find_records(self):
        """Marks the records that can be found, and what they keep."""
        pending = [
            (each, index, self.ends(each, index)) for each in self.objects for index, name in enumerate(each.names) if name in FOUND]
        while True:
            self.follow()
            rest = [record for record in pending if not all(end in self.live for end in record[2])]
            for each, index, ends in pending:
                if all(end in self.live for end in ends):
                    self.mark(each, index)
            if len(rest) == len(pending):
                return
            pending = rest

    def lift_flags(self):
        for each in self.objects:
            for index, name in enumerate(each.names):
                flags = each.sections[index][2]
                if name == '.eh_frame':
                    each.set_flags(index, flags | EXCLUDE)
                elif flags & RETAIN and (not C_NAME.match(name) or name in FOUND | REFERENCED and (each, index) not in self.live):
                    each.set_flags(index, flags & ~RETAIN)


def main():
    root, trace, folder = sys.argv[1:]
    program = Program(list(inputs(trace)))
    program.mark_roots(root)
    program.find_records()
    program.lift_flags()
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, each in enumerate(program.objects):
        # The compiler adds the others itself.
        if not re.search(r'(^|/)(\w*crt\w*|swiftrt)\.o$', each.name):
            paths.append(folder / f'{number}.o')
            paths[-1].write_bytes(each.data)
    (folder / 'list').write_text(''.join(f'{path}\n' for path in paths))


main()
