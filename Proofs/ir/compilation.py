"""Compiles C with the Swift toolchain's clang, with the flags of SwiftPM's release build, to LLVM IR."""
import functools
import os
import pathlib
import re
import subprocess

from ir.module import Module

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = pathlib.Path(os.environ.get('ASSAY_KERNELS', ROOT / 'Sources' / 'CJWTKernels'))

PLAN = ROOT / '.build' / 'release.yaml'  # of SwiftPM's last release build

# The machine whose code is proved. Another one needs the headers of its C library: Debian's libc6-dev-arm64-cross.
TARGET = os.environ.get('ASSAY_TARGET', 'x86_64')
HEADERS = {'x86_64': [], 'aarch64': ['-isystem', '/usr/aarch64-linux-gnu/include']}

# What SwiftPM passes for a C target in release, but for paths and outputs. `check_flags` compares.
FLAGS = ['-target', TARGET + '-unknown-linux-gnu', '-O2', '-DSWIFT_PACKAGE=1', '-fblocks', '-fPIC', '-g', '-fno-omit-frame-pointer']


@functools.lru_cache
def clang():
    return os.environ.get('ASSAY_CLANG') or subprocess.run(
        [ROOT / 'scripts' / 'clang.sh'], check=True, capture_output=True, text=True).stdout.strip()


def compile(source, *more, folder=KERNELS):
    """The module of a translation unit that includes files of the kernels by their path below the folder."""
    result = subprocess.run(
        [clang(), *FLAGS, *HEADERS[TARGET], *more, '-w', '-I', folder, '-I', folder / 'include',
         '-S', '-emit-llvm', '-x', 'c', '-o', '-', '-'], input=source, capture_output=True, text=True)
    if result.returncode != 0:
        raise SyntaxError('clang refuses the unit:\n' + result.stderr[:2000])
    return Module(result.stdout)


@functools.lru_cache
def is_portable(file):
    """Whether a file of the kernels, with what it includes, is not for x86-64 alone. Of RSA's, those of the scalar kernel are for all."""
    path = KERNELS / file
    if not path.exists() or 'immintrin.h' in path.read_text() or path.parent.name == 'rsa' and not path.name.startswith('rsa_scalar'):
        return False
    included = [path.parent / name for name in re.findall(r'^#include "(.*)"', path.read_text(), re.M)]
    return all(is_portable(found.resolve()) for found in included if found.exists())


def swiftpm_flags(plan):
    """The flags in a plan of SwiftPM, or None where no line of it compiles the file."""
    match = re.search(r'args: \["[^"]*clang",(.*CJWTKernels/nist/p256\.c".*)\]', plan)
    if match is None:
        return None
    words, flags = [word.strip('"') for word in match.group(1).split(',')], []
    while words:
        word = words.pop(0)
        if word in ('-I', '-MT', '-MF', '-o', '-c'):
            words.pop(0)
        elif word != '-MD':
            flags.append(word)
    return flags
