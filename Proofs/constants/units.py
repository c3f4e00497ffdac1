"""The constants of the kernels' translation units, as clang sees them: names, and numbers in the order of memory."""
import functools
import re
import subprocess

from calls.memory import words_of
from ir.compilation import KERNELS, clang
from ir.module import Module
from machine.values import Unproven

FOLDERS = ('nist', 'nistifma', 'p256ifma', 'ed25519', 'rsa', 'sha')
PADDING = KERNELS.parent / 'COpenSSL' / 'padding.c'

# Strings, and tables of functions: no arithmetic depends on them. The vectors of the self tests are checked by the self tests.
NOT_ARITHMETIC = re.compile(
    r'(\.str(\.\d+)?|__func__\..*|k(P\d+)?Vectors?|p(256|384|521)_internal|sha\d+_in_(lanes|pairs)|kSPlusOrder|kWrapped[XY]|kModulus|'
    r'kSignature|kWithVectors|kByInstructions|kDigestInfo|kSums|kAnswers|__const\.inspect_row\.one|__const\.self_test.*)')

# A constant with its value. Clang takes seconds to read all the units that have none.
DEFINED = r'\bconst\b[^;(){}]*[\w\]] = '


class Constant:
    def __init__(self, file, name, numbers):
        self.file, self.name, self.numbers = file, name, numbers

    def value(self, radix, first=0, count=None):
        """The number with these digits; a digit may be negative."""
        digits = self.numbers[first:None if count is None else first + count]
        return sum(digit << (radix * i) for i, digit in enumerate(digits))

    def line(self):
        """Where the unit or a header that it includes defines it."""
        name = re.escape(self.name.split('.')[-1])
        for path, lines in sources_of(self.file):
            for number, text in enumerate(lines, 1):
                if re.search(r'\bconst\b.*\b%s\b.*=' % name, text) or re.search(r'\b%s\b(\[\w*\])+ = ' % name, text):
                    return '%s:%d' % (path.name, number)
        return self.file.name


@functools.lru_cache
def sources_of(file):
    return [(path, path.read_text().split('\n')) for path in included(file, [])]


def included(file, found):
    """The file, and the headers of the project that it includes, in their order."""
    if file.exists() and file not in found:
        found.append(file)
        for name in re.findall(r'^#include "([^"]+)"', file.read_text(), re.M):
            included((file.parent / name).resolve(), found)
    return found


@functools.lru_cache
def constants():
    """Every constant of every unit that is defined there, by (file, name)."""
    found = {}
    for folder in FOLDERS:
        headers = ''.join(path.read_text() for path in (KERNELS / folder).glob('*.h'))
        for file in sorted((KERNELS / folder).glob('*.c')):
            if re.search(DEFINED, headers + file.read_text()):
                found.update(constants_of(file, '-I', str(file.parent)))
    found.update(constants_of(PADDING, '-I', str(PADDING.parent), '-I', str(PADDING.parent / 'include')))
    return found


def constants_of(file, *flags):
    module = declarations(file, *flags)
    found = {}
    for name in module.constants:
        if not NOT_ARITHMETIC.fullmatch(name.lstrip('@')):
            numbers = [number for _, number, _ in words_of(*module.globals[name])]
            found['%s/%s' % (file.parent.name, file.name), name.lstrip('@')] = Constant(file, name.lstrip('@'), numbers)
    return found


def declarations(file, *flags):
    """The types and constants of a unit, without its functions."""
    run = subprocess.run(
        [clang(), '-O0', '-Xclang', '-disable-llvm-passes', '-fkeep-static-consts', '-w', '-I', KERNELS / 'include', *flags, '-S',
         '-emit-llvm', '-o', '-', file], check=True, capture_output=True, text=True)
    lines = [line for line in run.stdout.split('\n') if re.match(r'%.* = type |@.* constant ', line)]
    module = Module('\n'.join(lines))
    module.constants = [line.split(' = ')[0] for line in lines if line.split(' = ')[0] in module.globals]
    unread = [line for line in lines if line.startswith('@') and ' external ' not in line and line.split(' = ')[0] not in module.constants]
    if unread:
        raise Unproven('a constant that cannot be read: %s' % unread[0][:100])
    return module
