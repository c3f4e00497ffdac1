"""Mutants of the C readers and of the calls of libcrypto, compiled one at a time into a library that the judges load."""
import json
import os
import pathlib
import re
import shutil
import subprocess

import judging
from c_sites import KERNELS
from tree import BUILD, ROOT, TREE

RELEASE = TREE / '.build' / 'release'
TARGETS = ('CJWTKernels', 'COpenSSL')
LIBRARY = 'libmutants.so'
# The suites that read most of what the C code reads; the others come after them.
FIRST = {'CJWTKernels': ('KernelAgreementTests', 'Base64URLTests', 'JSONReaderAgreementTests', 'JSONTokenizerTests', 'IssuerSearchTests'),
         'COpenSSL': ('SignatureEngineTests', 'VerificationKeyImportTests', 'KeyContextTests')}


def commands():
    """{what it makes: the command}, as SwiftPM runs them."""
    found = {}
    for line in (RELEASE.parent / 'release.yaml').read_text().split('\n'):
        if not line.startswith('    args: ['):
            continue
        command = json.loads(line.split('args: ', 1)[1])
        if '-o' in command:
            output = pathlib.Path(command[command.index('-o') + 1])
            found[output.name if '-emit-executable' in command else str(output)] = command
    return found


class Library:
    """The objects of the C code and how each is made; in `folder`, programs that take them from a library."""

    def __init__(self, folder):
        self.folder = folder
        # Not beside the programs, which look there first.
        self.unchanged = folder / 'original'
        self.unchanged.mkdir(parents=True, exist_ok=True)
        made = commands()
        self.compilers = {}
        for output, command in made.items():
            if '-c' in command and any('/%s.build/' % target in output for target in TARGETS):
                self.compilers[str(pathlib.Path(command[command.index('-c') + 1]).relative_to(TREE))] = command
        self.objects = {source: pathlib.Path(command[command.index('-o') + 1]) for source, command in self.compilers.items()}
        self.original = {}
        self.make(self.unchanged, {})
        for program in ('vector-judge', 'assayPackageTests.xctest'):
            self.link_program(made[program], program)

    def link_program(self, command, name):
        """Links a judge without the C code, which it then takes from the library."""
        listed = next(part for part in command if part.startswith('@'))
        ours = {str(path) for path in self.objects.values()}
        kept = [line for line in pathlib.Path(listed[1:]).read_text().split('\n') if line.strip("'") not in ours]
        objects = self.folder / (name + '.objects')
        objects.write_text('\n'.join(kept))
        place = command.index('-o') + 1
        command = ['@%s' % objects if part == listed else part for part in command]
        command[place] = str(self.folder / name)
        subprocess.run([*command, str(self.unchanged / LIBRARY)], check=True, cwd=TREE, capture_output=True)

    def make(self, folder, changed):
        """Links the library, with other objects for the sources in `changed`."""
        objects = [changed.get(source, path) for source, path in self.objects.items()]
        command = ['clang', '-shared', '-Wl,-soname,' + LIBRARY, '-o', folder / LIBRARY, *objects, '-lcrypto', '-lpthread']
        said = subprocess.run(command, capture_output=True)
        return said.returncode == 0

    def units(self, file):
        """The sources that a file is part of."""
        if file.endswith('.c'):
            return [file]
        target, name = file.split('/')[1], file.split('/')[-1]
        return [source for source in self.objects if source.split('/')[1] == target and name in self.included(source)]

    def included(self, source, seen=()):
        """The names of the headers of its own target that a source includes, and those include."""
        found = set(re.findall(r'#include "(?:.*/)?([\w.]+)"', (ROOT / source).read_text())) - set(seen)
        for name in sorted(found):
            header = pathlib.Path(source).parent / name
            if (ROOT / header).exists():
                found |= self.included(str(header), (*seen, *found))
        return found

    def compile(self, source, folder, changed_file=None, text=None):
        """The object of a source without debug information, where a changed file stands before the tree's; None if clang refuses it."""
        command = list(self.compilers[source])
        target = '/'.join(source.split('/')[:2])
        copied = folder / target
        if not copied.exists():
            shutil.copytree(ROOT / target, copied)
        if changed_file:
            (folder / changed_file).write_text(text)
        output = folder / (source.replace('/', '_') + '.o')
        command[command.index('-o') + 1] = str(output)
        command[command.index('-c') + 1] = source
        command = ['-g0' if part == '-g' else part for part in command if part not in ('-MD',)]
        for option in ('-MT', '-MF'):
            place = command.index(option)
            del command[place:place + 2]
        said = subprocess.run([*command, '-w'], cwd=folder, capture_output=True)
        if changed_file:
            (folder / changed_file).write_text((ROOT / changed_file).read_text())
        return output if said.returncode == 0 else None


class CJudge:
    """Judges C mutants in a folder of its own."""

    def __init__(self, library, folder, judges):
        self.library, self.folder, self.judges = library, folder, judges
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def judge(self, mutant):
        """(judge, what it says), ('compiler', …) for the same output, None where nothing refuses it, or 'broken'."""
        units, text = self.library.units(mutant.file), mutant.changed()
        original = [self.bytes_of(unit) for unit in units]
        objects = [self.library.compile(unit, self.folder, mutant.file, text) for unit in units]
        if None in objects:
            return 'broken'
        if all(path.read_bytes() == before for path, before in zip(objects, original)):
            return 'compiler', 'the compiler writes the same output'
        if not self.library.make(self.folder, dict(zip(units, objects))):
            return 'broken'
        for judge in self.judges[mutant.file.split('/')[1]]:
            said = judge.refuses({'LD_LIBRARY_PATH': str(self.folder), 'ASSAY_MUTANT': '0'})
            if said:
                return judge.name, said
        return None

    def bytes_of(self, unit):
        if unit not in self.library.original:
            self.library.original[unit] = self.library.compile(unit, self.folder).read_bytes()
        return self.library.original[unit]


def judges(library, suites):
    """By target, the judges in order. `suites` are those of the core's tests."""
    found = {}
    for target, first in FIRST.items():
        first = [name for name in suites if name.split('.')[1] in first]
        rest = [name for name in suites if name not in first]
        found[target] = [judging.vectors(library.folder / 'vector-judge')] + [
            judging.suite(part, library.folder / 'assayPackageTests.xctest') for part in (first, rest)]
    return found
