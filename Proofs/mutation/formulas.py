"""Changes one operator, operand or constant of the point formulas, recodings, judges or constants at a time. A proof must refuse each.

    python3 Proofs/mutation/formulas.py [COUNT [SEED]]

prints the mutants that no proof refuses, and closes with `N passed, N failed`.
"""
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'Proofs'))

from mutation.operators import OPERATORS, SKIPPED, UNCHANGED, replacement  # noqa: E402

# The proofs to run for each file, by the beginnings of their names.
PROOFS = {
    'nist/nist_point.h': ['points P-256'], 'nist/nist_table.h': ['tables P-256', 'recoding P-256, 8', 'inverses by'],
    'nist/nist_verify.h': ['judge P-256', 'sums'], 'nist/nist_scalar.h': ['judge P-256', 'inverses by'],
    'nist/nist_generator.h': ['tables P-256'], 'nist/nist_kernel.h': ['judge P-256'], 'nist/p256_curve.h': ['constants'],
    'nist/p384_curve.h': ['constants'], 'nist/p256_scalar.c': ['constants'], 'p256ifma/point8.h': ['points P-256 in', 'constants'],
    'p256ifma/table.c': ['tables P-256 in', 'points P-256 in', 'constants'], 'p256ifma/table.h': ['recoding P-256 in'],
    'p256ifma/lanes.h': ['recoding P-256 in', 'judge P-256 in'], 'p256ifma/digits.c': ['recoding P-256 in'],
    'p256ifma/verify.c': ['judge P-256 in', 'sums'], 'p256ifma/verify8.c': ['judge P-256 in', 'sums'],
    'ed25519/point.h': ['points Ed', 'constants'], 'ed25519/point.c': ['judge Ed', 'tables Ed', 'constants'],
    'ed25519/lanes_point.h': ['points Ed'], 'ed25519/table.c': ['tables Ed', 'constants'],
    'ed25519/terms.c': ['recoding Ed', 'judge Ed', 'constants'], 'ed25519/verify.c': ['judge Ed', 'sums'],
    'ed25519/verify_ifma.c': ['judge Ed', 'tables Ed'], 'ed25519/verify8_ifma.c': ['judge Ed', 'tables Ed'],
    'ed25519/invert.c': ['inverses by', 'constants'], 'sha/constants.c': ['constants'], 'rsa/rsa_key.c': ['constants'],
}
# The units that clang checks after a change in a header.
UNITS = {'nist': 'nist/p256.c', 'p256ifma': 'p256ifma/verify.c', 'ed25519': 'ed25519/verify_ifma.c'}


class Mutant:
    def __init__(self, file, number, before, after, change):
        self.file, self.number, self.before, self.after, self.change = file, number, before, after, change

    def __str__(self):
        return '%s:%d  %s  in  %s' % (self.file, self.number, self.change, self.before.strip())


def mutants(sources, rng):
    found = []
    for file in PROOFS:
        routine = None
        for number, line in enumerate((sources / file).read_text().split('\n'), 1):
            begins = re.match(r'(?!//|#)\w.*?(\w+)\(.*[{(,]$|(?:static |const ).*?\b(\w+)(?:\[\w*\])* = \{', line)
            if begins:
                routine = begins.group(1) or begins.group(2)
            if routine and routine not in UNCHANGED and not SKIPPED.match(line) and (not re.match(r'\w', line) or ' = {' in line):
                found += changes(file, number, line, rng)
            routine = None if line.startswith('}') or line.endswith('};') else routine
    rng.shuffle(found)
    return found


def changes(file, number, line, rng):
    code = line.split('//')[0]
    for pattern, new in OPERATORS:
        for match in re.finditer(pattern, code):
            put = replacement(match, new, rng)
            if put != match.group():
                yield Mutant(file, number, line, line[:match.start()] + put + line[match.end():],
                             '%s -> %s' % (match.group().strip(), put.strip()))


def compiles(sources, file):
    unit = UNITS[file.split('/')[0]] if file.endswith('.h') else file
    run = subprocess.run([clang(), '-fsyntax-only', '-w', '-I', sources / 'include', sources / unit], capture_output=True)
    return run.returncode == 0


def clang():
    return os.environ.get('ASSAY_CLANG') or subprocess.run(
        [ROOT / 'scripts' / 'clang.sh'], check=True, capture_output=True, text=True).stdout.strip()


def first_fault(names):
    """Runs the quick proofs whose names begin so, until one fails; returns its name and what failed."""
    import prove
    for name, proof in prove.KNOWN.items():
        if proof.quick and name.startswith(tuple(names)):
            _, fault, _, _ = prove.run(name)
            if fault is not None:
                return '%s: %s' % (name, fault)
    return None


def refused_by(names):
    """In a process of its own, which compiles the sources as they are now."""
    with multiprocessing.get_context('fork').Pool(1) as pool:
        return pool.apply(first_fault, (names,))


def judge(count, seed):
    """Yields (mutant, the proof that refuses it or None) for `count` mutants that compile."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:
        for name in ('CJWTKernels', 'COpenSSL'):
            shutil.copytree(ROOT / 'Sources' / name, pathlib.Path(folder) / name)
        sources = pathlib.Path(folder) / 'CJWTKernels'
        os.environ['ASSAY_KERNELS'] = str(sources)  # the library reads it when it is imported, here
        reason = refused_by(sorted(set(sum(PROOFS.values(), []))))
        if reason is not None:
            raise SystemExit('a proof fails without a change: ' + reason)
        for mutant in mutants(sources, rng):
            path = sources / mutant.file
            text = path.read_text()
            lines = text.split('\n')
            lines[mutant.number - 1] = mutant.after
            path.write_text('\n'.join(lines))
            if compiles(sources, mutant.file):
                yield mutant, refused_by(PROOFS[mutant.file])
                count -= 1
            path.write_text(text)
            if count == 0:
                return


def main(count, seed):
    refused = missed = 0
    for mutant, reason in judge(count, seed):
        refused, missed = refused + (reason is not None), missed + (reason is None)
        if reason is None or os.environ.get('VERBOSE'):
            print('%s\n    %s' % (mutant, reason or 'NO PROOF REFUSES IT'), flush=True)
    print('%d passed, %d failed' % (refused, missed))
    return int(missed > 0 or refused == 0)


if __name__ == '__main__':
    sys.exit(main(*([int(argument) for argument in sys.argv[1:]] + [40, 1][len(sys.argv) - 1:])))
