"""What refuses a mutant: proofs of what it touches, or kernel-differential. One with the same output of the compiler is equivalent."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from contracts.sources import functions
from ir.compilation import FLAGS, KERNELS, ROOT, clang

CHECKS = {'nist': ['ecdsa-tables'], 'p256ifma': ['p256-ifma'], 'ed25519': ['ed25519'], 'rsa': ['rsa-ifma', 'rsa-padding']}
DIFFERENTIAL = ROOT / 'Tests' / 'Kernels' / 'Differential'
SECONDS = 600


def callers(function):
    """The ids of the routines that call one, however far up, and of the routine itself; the nearest first."""
    text = {}
    found, todo = [function.id], [function]
    while todo:
        called = todo.pop(0)
        for other in functions().values():
            if other.id in found or other.file.split('/')[0] not in (called.file.split('/')[0], *CHECKS):
                continue
            if other.file not in text:
                text[other.file] = (KERNELS / other.file).read_text()
            if re.search(r'\b%s\s*\(' % called.name, text[other.file][other.span[0]:other.span[1]]):
                found.append(other.id)
                todo.append(other)
    return found


class Judges:
    """Works in a copy of the kernels below `folder`."""

    def __init__(self, folder, known, cases):
        self.folder, self.known, self.cases = pathlib.Path(folder), known, cases
        self.kernels = self.folder / 'Sources' / 'CJWTKernels'
        shutil.copytree(KERNELS, self.kernels)
        shutil.copytree(ROOT / 'Sources' / 'COpenSSL', self.folder / 'Sources' / 'COpenSSL')
        shutil.copytree(ROOT / 'Tests' / 'Kernels', self.folder / 'Tests' / 'Kernels')
        self.sources = [path for part in ('Sources', 'Tests/Kernels/Differential') for path in sorted((self.folder / part).rglob('*.c'))]
        self.objects = {path: self.folder / (str(path.relative_to(self.folder)).replace('/', '_') + '.o') for path in self.sources}
        for path in self.sources:
            self.compile(path)
        self.output = {path: self.ir(path) for path in self.sources if self.kernels in path.parents and 'sha' not in path.parts}

    def compile(self, path):
        includes = ['-I', self.kernels / 'include', '-I', self.folder / 'Sources' / 'COpenSSL' / 'include']
        return subprocess.run([clang(), '-O1', '-w', *includes, '-c', path, '-o', self.objects[path]], capture_output=True).returncode == 0

    def ir(self, path):
        result = subprocess.run([clang(), *FLAGS, '-g0', '-w', '-I', self.kernels / 'include', '-S', '-emit-llvm', '-o', '-', path],
                                capture_output=True, text=True)
        return result.stdout if result.returncode == 0 else None

    def affected(self, file):
        """The units that a file is part of."""
        if file.endswith('.c'):
            return [self.kernels / file]
        folder = file.split('/')[0]
        return [path for path in self.sources if folder in path.parts or 'Differential' in path.parts or
                re.search(r'#include "\.\./%s/' % folder, path.read_text())]

    def judge(self, mutant):
        """What refuses the mutant, or 'equivalent', 'broken' or 'SURVIVED'."""
        path = self.kernels / mutant.file
        original = path.read_text()
        path.write_text(mutant.text())
        try:
            return self.verdict(mutant)
        finally:
            path.write_text(original)

    def verdict(self, mutant):
        refused = self.proofs(mutant)
        if refused:
            return 'broken' if 'clang refuses the unit' in refused else refused
        units = [path for path in self.affected(mutant.file) if path in self.output]
        outputs = [self.ir(path) for path in units]
        if None in outputs:
            return 'broken'
        if all(out == self.output[path] for path, out in zip(units, outputs)):
            return 'equivalent: the compiler writes the same output'
        return self.differential(mutant)

    def proofs(self, mutant):
        names = self.names(mutant)
        if not names:
            return None
        try:
            result = subprocess.run([sys.executable, ROOT / 'Proofs' / 'prove.py', '--jobs', '1', '--first', *names], capture_output=True,
                                    text=True, env={**os.environ, 'ASSAY_KERNELS': str(self.kernels)}, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return 'proof: it does not end within %d seconds' % SECONDS
        refused = re.search(r'^(.*?)\s+FAILED  (.*)$', result.stdout, re.M)
        if refused:
            return 'proof %s: %s' % (refused.group(1).strip(), refused.group(2)[:160])
        return None if result.returncode == 0 else 'proof: ' + result.stderr.strip().split('\n')[-1][:160]

    def names(self, mutant):
        """The proofs of the routine and of what calls it; of a constant's file, all that the folder has."""
        if mutant.function is None:
            folder = mutant.file.split('/')[0] + '/'
            return ['constants'] + [p.name for p in self.known if any(id.startswith(folder) for id in p.covers)]
        ids = callers(mutant.function)
        return [p.name for p in sorted((p for p in self.known if set(p.covers) & set(ids)), key=lambda p: min(
            ids.index(id) for id in p.covers if id in ids))]

    def differential(self, mutant):
        paths = self.affected(mutant.file)
        try:
            if not all([self.compile(path) for path in paths]):
                return 'broken'
            program = self.folder / 'kernel-differential'
            link = subprocess.run([clang(), '-o', program, *self.objects.values(), '-lcrypto', '-lpthread'], capture_output=True)
            if link.returncode:
                return 'broken'
            for check in CHECKS[mutant.file.split('/')[0]]:
                try:
                    code = subprocess.run([program, str(self.cases), '1', check], capture_output=True, timeout=SECONDS).returncode
                except subprocess.TimeoutExpired:
                    return 'kernel-differential %s: it does not end' % check
                if code:
                    return 'kernel-differential %s' % check
            return 'SURVIVED'
        finally:
            subprocess.run(['touch', *paths])
            self.stale = set(paths)

    def restore(self):
        for path in getattr(self, 'stale', ()):
            self.compile(path)
        self.stale = set()
