"""Every routine of the kernels has a proof or a reason.

The routines are those of the sources, and those that the compiler's output defines besides (macros make some).
"""
import fnmatch
import pathlib
import re
import subprocess
import tempfile

from contracts.sources import functions
from ir.compilation import FLAGS, KERNELS, PLAN, clang, swiftpm_flags
from machine.values import Unproven

REASONS = pathlib.Path(__file__).with_name('reasons.txt')
PART = 'part of '

# Where signatures are computed, a routine is proved, or it is one of these: no number of a signature depends on it unchecked.
SIGNATURES = ('nist/', 'nistifma/', 'p256ifma/', 'ed25519/', 'rsa/', 'transpose.h')
ALLOWED = (PART, 'a check, which runs before', 'only for kernel-differential', 'not trusted: the result is multiplied back',
           'reads which instructions')

# Functions that macros make: their names in the compiler's output, and the routine in the sources.
MADE = {
    r'(multiply|square|carry|power8?)_(40|60|80|2048|3072|4096)': 'one size of a routine',
    r'cjwt_p(256|384|521)_(table_bytes|table_build|verify|self_test|generator|self_test_table)': 'KERNEL in nist/nist_kernel.h',
    r'cjwt_p(384|521)_ifma_(verify8?|self_test)': 'KERNEL in nistifma/kernel.h',
    r'\w+_(avx512|avx2|x8|x16|x4|x1|ni|sse|generic|neon)(_\w+)?|sha\w*': 'not arithmetic of signatures',
}


def reasons():
    for number, line in enumerate(REASONS.read_text().split('\n'), 1):
        if line and not line.startswith('#'):
            pattern, separator, reason = line.partition(': ')
            if not separator:
                raise Unproven('%s:%d: a line without a reason' % (REASONS.name, number))
            yield number, pattern, reason


def routines(known):
    """(id, what says that it is right) for every routine of the sources; None where nothing does."""
    covered = {id: proof.name for proof in known for id in proof.covers}
    given = list(reasons())
    for id in sorted(functions()):
        reason = next((reason for _, pattern, reason in given if fnmatch.fnmatchcase(id, pattern)), None)
        yield id, 'proof ' + covered[id] if id in covered else reason


def check(known):
    """Raises Unproven with what is missing. Returns what was found."""
    covered = {id for proof in known for id in proof.covers}
    found = dict(routines(known))
    faults = ['%s has neither a proof nor a reason' % id for id, why in found.items() if why is None]
    faults += ['%s has a contract and no proof' % id for id, f in functions().items() if f.contracts and id not in covered]
    faults += ['%s needs a proof, not a reason: %s' % (id, why) for id, why in found.items()
               if id.startswith(SIGNATURES) and id not in covered and why is not None and not why.startswith(ALLOWED)]
    faults += ['%s: %s does not call it' % (id, why[len(PART):]) for id, why in found.items()
               if id not in covered and (why or '').startswith(PART) and not calls(why[len(PART):], id)]
    faults += ['%s is proved and not among the sources' % id for id in sorted(covered - set(found))]
    for number, pattern, reason in reasons():
        if not any(fnmatch.fnmatchcase(id, pattern) and id not in covered for id in found):
            faults.append('%s:%d: %s fits no routine without a proof' % (REASONS.name, number, pattern))
        if reason.startswith(PART) and not is_proved(reason[len(PART):], covered, found):
            faults.append('%s:%d: %s is not proved' % (REASONS.name, number, reason[len(PART):]))
    if faults:
        raise Unproven('; '.join(faults))
    return '%d routines: %d by proofs, %d with a reason' % (len(found), len(covered), len(found) - len(covered))


def is_proved(id, covered, found):
    """A part may be a part of a part."""
    while id not in covered and (found.get(id) or '').startswith(PART):
        id = found[id][len(PART):]
    return id in covered


def calls(caller, called):
    """Whether a routine calls another in its text, perhaps by others; a size of a routine (SIZE in rsa) counts as the routine."""
    known, seen, todo = functions(), set(), [caller]
    while todo:
        function = known.get(todo.pop())
        if function is None or function.id in seen:
            continue
        seen.add(function.id)
        text = (KERNELS / function.file).read_text()[function.span[0]:function.span[1]][len(function.declaration):]
        words = {re.sub(r'_(40|60|80|2048|3072|4096)$', '', word) for word in re.findall(r'\w+', text)}
        todo += [id for id, other in known.items() if other.name in words and other.file.split('/')[0] == function.file.split('/')[0]]
    return called in seen


def check_output():
    """Every function of the compiler's output is one of the sources, or one that a known macro makes."""
    names, unknown, count = {f.name for f in functions().values()}, set(), 0
    for path in sorted(KERNELS.rglob('*.c')):
        text = subprocess.run([clang(), *FLAGS, '-g0', '-w', '-I', KERNELS / 'include', '-S', '-emit-llvm', '-o', '-', path],
                              check=True, capture_output=True, text=True).stdout
        for name in re.findall(r'^define [^@]*@"?([\w$]+)', text, re.M):
            count += 1
            if name not in names and not any(re.fullmatch(pattern, name) for pattern in MADE):
                unknown.add('%s in %s' % (name, path.relative_to(KERNELS)))
    if unknown:
        raise Unproven('the compiler defines what the sources do not show: %s' % ', '.join(sorted(unknown)))
    return '%d functions in the output' % count


def check_flags():
    if not PLAN.exists():
        return 'no release build here to compare with'
    compare_flags(PLAN.read_text())
    return 'as in .build/release.yaml'


# scripts/build.sh leaves out debug information. The proofs read it: it names what is inlined.
DEBUG_INFORMATION = ('-g', '-g0')


def compare_flags(plan):
    found = swiftpm_flags(plan)
    if found is None:
        raise Unproven('no line of .build/release.yaml shows the flags of nist/p256.c: has SwiftPM changed how it writes them?')
    if [flag for flag in found if flag not in DEBUG_INFORMATION] != [flag for flag in FLAGS if flag not in DEBUG_INFORMATION]:
        raise Unproven('SwiftPM passes %s' % ' '.join(found))


def check_debug_information():
    """Debug information changes no instruction."""
    sources = sorted(KERNELS.rglob('*.c'))
    for path in sources:
        if instructions(path, '-g') != instructions(path, '-g0'):
            raise Unproven('with debug information %s has other instructions' % path.relative_to(KERNELS))
    return '%d objects' % len(sources)


def instructions(path, debug):
    """The instructions in the object of a file, with what the linker puts into them."""
    words = [flag for flag in FLAGS if flag not in DEBUG_INFORMATION]
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder, 'kernel.o')
        subprocess.run([clang(), *words, debug, '-w', '-I', KERNELS / 'include', '-c', '-o', made, path], check=True)
        shown = subprocess.run([pathlib.Path(clang()).with_name('llvm-objdump'), '--disassemble', '--reloc', made], check=True,
                               capture_output=True, text=True).stdout
    # Before the first section stands the object's path.
    return shown.partition('Disassembly of section')[2]
