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
LIBRARY, AGREEMENT = 'libmutants.so', 'agreement-judge'
# Which checks of CKernelAgreement, and which suites of the tests, read what a file decides, by the beginning of its name.
JSON_SUITES = ('JSON', 'NumericDate', 'IssuerSearch', 'ClaimsDecoding', 'UnverifiedClaims')
CHECKS = {
    'base64url_avx512': ['base64url/avx512'], 'base64url_avx2': ['base64url/avx2'], 'base64url_generic': ['base64url/generic'],
    'base64url_nibbles': ['base64url/avx2', 'base64url/avx512'], 'text_avx512': ['span/avx512', 'json_tape/generic'], 'text_avx2': ['span/avx2'],
    'text_generic': ['span/generic', 'span/avx2'], 'utf8_avx2': ['utf8/avx2', 'utf8/avx512'], 'utf8': ['utf8/generic', 'utf8/avx2'],
    'json_issuer': ['json_issuer/generic', 'json_issuer/avx512'], 'json': ['json_tape/generic'], 'known_names': ['json_tape/generic'],
    'name': ['json_tape/generic'], 'followed': ['json_tape/generic'],
}
SUITES = {'base64url': ('Base64URL', 'CompactToken', 'JOSEHeader'), 'text': JSON_SUITES, 'utf8': JSON_SUITES, 'json': JSON_SUITES, 'known': JSON_SUITES,
          'name': JSON_SUITES, 'followed': JSON_SUITES, 'keyed_hash': ('KeyedHash', 'VerifiedTokenCacheTests')}
LIBCRYPTO_SUITES = ('SignatureEngine', 'VerificationKeyImport', 'KeyContext', 'KeySetTests', 'OwnKeys', 'EngineTests', 'BatchVerification',
                    'ClaimsPolicyTests', 'ErrorQueue', 'BareOperation', 'LibcryptoFork', 'PEMBlock', 'SigningKeyDocument')


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
        self.link_agreement()

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

    def link_agreement(self):
        """Links the program that runs the checks of CKernelAgreement."""
        objects = [path for path in (RELEASE / 'CKernelAgreement.build').rglob('*.o')]
        source = TREE / 'Tests' / 'Mutants' / 'Judged' / 'AgreementJudge' / 'main.c'
        include = TREE / 'Tests' / 'Kernels' / 'CKernelAgreement' / 'include'
        subprocess.run(['clang', '-o', self.folder / AGREEMENT, '-I', include, source, *objects, self.unchanged / LIBRARY, '-lpthread'],
                       check=True)

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
        for judge in self.judges(mutant.file):
            said = judge.refuses({'LD_LIBRARY_PATH': str(self.folder), 'ASSAY_MUTANT': '0'})
            if said:
                return judge.name, said
        return None

    def bytes_of(self, unit):
        if unit not in self.library.original:
            self.library.original[unit] = self.library.compile(unit, self.folder).read_bytes()
        return self.library.original[unit]


def of_file(table, file):
    """The entry of a table whose key is the longest beginning of the file's name."""
    name = file.split('/')[-1]
    keys = [key for key in table if name.startswith(key)]
    return table[max(keys, key=len)] if keys else ()


class Judges:
    """The judges of a file's mutants, in order: vectors, checks, and the suites about what it does."""

    def __init__(self, library, suites):
        self.library, self.suites = library, suites
        self.known, self.made_before = {}, {}

    def __call__(self, file):
        if file not in self.known:
            self.known[file] = [judge for judge in self.made(file) if self.calibrated(judge)]
        return self.known[file]

    def made(self, file):
        about = of_file(SUITES, file) if file.startswith(KERNELS) else LIBCRYPTO_SUITES
        folder = self.library.folder
        yield self.shared('vectors', lambda: judging.vectors(folder / 'vector-judge'))
        checks = of_file(CHECKS, file) if file.startswith(KERNELS) else ()
        if checks:
            yield self.shared(tuple(checks), lambda: judging.Judge('tests', [folder / AGREEMENT, *checks]))
        if about:
            yield self.shared(about, lambda: judging.suite(self.suites_about(about), folder / 'assayPackageTests.xctest'))

    def suites_about(self, subjects):
        return [name for name in self.suites if name.split('.')[1].startswith(subjects)]

    def shared(self, key, make):
        """One judge of a kind for all files, so that it is calibrated once."""
        if key not in self.made_before:
            self.made_before[key] = make()
        return self.made_before[key]

    def calibrated(self, judge):
        if not judge.seconds:
            refused = judge.calibrate({'LD_LIBRARY_PATH': str(self.library.unchanged)})
            if refused:
                raise SystemExit('%s refuses the original: %s' % (judge.command, refused))
        return True
