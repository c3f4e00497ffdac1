"""Places in the kernels' arithmetic, and what may stand there instead."""
import collections
import re

from contracts.sources import blank, definitions, functions
from ir.compilation import KERNELS

FOLDERS = ('nist', 'nistifma', 'p256ifma', 'ed25519', 'rsa')
RARE = 30  # places of a kind of operator: the turns of the routines may miss it
NOT_ARITHMETIC = re.compile(r'(?:self_test|nist_inspection|ecdsa_cases)\.[ch]$')

OPERATORS = [
    (r'(?<![-+&|<>=!*/])\+(?![+=])', '-'), (r'(?<![-+&|<>=!*/(,])\s-(?![->=])\s', ' + '), (r'<<(?!=)', '>>'),
    (r'>>(?!=)', '<<'),
    (r'(?<=\w )&(?= \w)', '|'), (r'(?<=\w )\|(?= \w)', '&'), (r'&&', '||'), (r'\|\|', '&&'), (r'==', '!='), (r'!=', '=='), (r' < ', ' <= '),
    (r' <= ', ' < '),
    (r' > ', ' >= '), (r' >= ', ' > '), (r'\^', '&'), (r'~', ''), (r'\+=', '-='), (r'-=', '+='),
    (r'(?<![\w.])\d+(?![\w.])', 'another number'), (r'0x[0-9a-f]{6,}', 'another bit'),
    (r'\bmadd52lo\b', 'madd52hi'), (r'\bmadd52hi\b', 'madd52lo'), (r'\badd_low\b(?=\()', 'add_high'), (r'\badd_high\b(?=\()', 'add_low'), (r'\bFE8_LO\b', 'FE8_HI'), (r'\bFE8_HI\b', 'FE8_LO'),
    (r'\bfe8_add\b(?=\()', 'fe8_sub'), (r'\bfe8_sub\b(?=\()', 'fe8_add'), (r'\bfield_subtract\b', 'field_add'),
    (r'\bfield_add\b', 'field_subtract'),
    (r'\bfe51_subtract\b', 'fe51_add'), (r'\bfe51_add\b', 'fe51_subtract'), (r'_mm512_add_epi64', '_mm512_sub_epi64'),
    (r'_mm512_sub_epi64', '_mm512_add_epi64'), (r'_mm512_srli_epi64', '_mm512_slli_epi64'), (r'add_carry(?=\()', 'sub_borrow'),
    (r'sub_borrow(?=\()', 'add_carry'), (r'\bpp\b', 'ppp'), (r'->zz\b', '->zzz'), (r'->x\b', '->y'), (r'\bhhh\b', 'hh'),
    (r'->y\b', '->x'), (r'->zzz\b', '->zz'), (r'->difference\b', '->sum'), (r'->sum\b', '->difference'), (r'->xy2d\b', '->sum'),
    (r'\bfe8_subtract\b(?=\()', 'fe8_add'), (r'\bfe8_fold\b(?=\()', 'fe8_digits'), (r'\bfe8_times_p\(3, ', 'fe8_times_p(2, '),
    (r'\bfe8_times_p\(2, ', 'fe8_times_p(1, '), (r'&e, &f', '&e, &g'), (r'(?<=\()!(?=[a-z])', ''),
    (r'CJWT_UNDECIDED', 'CJWT_REFUSED'), (r'CJWT_ACCEPTED : CJWT_REFUSED', 'CJWT_REFUSED : CJWT_ACCEPTED'),
    (r'CJWT_REFUSED(?=;)', 'CJWT_ACCEPTED'),
]


class Mutant:
    """`start` and `end` are offsets in the file; `routine` is the id of the function around them, or None; `kind` is which operator."""

    def __init__(self, file, start, end, new, routine=None, kind=None):
        self.file, self.start, self.end, self.new, self.routine, self.kind = file, start, end, new, routine, kind
        self.original = (KERNELS / file).read_text()

    @property
    def group(self):
        return self.file.split('/')[0]

    @property
    def line(self):
        return self.original[:self.start].count('\n') + 1

    @property
    def before(self):
        return self.line_of(self.original)

    @property
    def after(self):
        return self.line_of(self.text())

    def line_of(self, code):
        return ' '.join(code.split('\n')[self.line - 1].split('//')[0].split())

    def text(self):
        return self.original[:self.start] + self.new + self.original[self.end:]

    def describe(self):
        """By the text of the line, which stays when the file changes elsewhere."""
        return '%s: %s => %s' % (self.routine or self.file, self.before, self.after)


def changed(match, new, generator):
    if new == 'another number':
        number = int(match.group()) + generator.choice((1, -1))
        return str(number if number >= 0 else 1)
    if new == 'another bit':
        digits = len(match.group()) - 2
        return '0x%0*x' % (digits, int(match.group(), 16) ^ 1 << generator.randrange(4 * digits))
    return new


def constants_of(code):
    """Initial values of the file's constants, outside functions: their spans."""
    for match in re.finditer(r'static const [^;=]*=\s*([^;]*);', code):
        yield match.span(1)


def compiled(code):
    """What x86-64 compiles: no place below #else has arithmetic here but that of other machines."""
    return re.sub(r'(?ms)^#else.*?^#endif', lambda match: re.sub(r'[^\n]', ' ', match.group()), code)


def files():
    """The files that have functions of the arithmetic."""
    names = sorted({function.file for function in functions().values()})
    return [name for name in names if name.startswith(FOLDERS) and not NOT_ARITHMETIC.search(name)]


def bodies(file, code):
    """(start, end, id) of the body of each function, but for self tests. Several functions of a file may have the id of one macro."""
    for function in definitions((KERNELS / file).read_text(), file):
        start, end = function.span
        head = code[start:end].split('{')[0]
        if head.strip() and 'self_test' not in head:
            yield start + len(head), end, function.id


def sites(generator):
    """All mutants of the arithmetic, file by file."""
    found = []
    for file in files():
        code = blank(compiled((KERNELS / file).read_text()))
        spans = list(bodies(file, code))
        for start, end, routine in spans + [(*span, None) for span in constants_of(code)]:
            for kind, (pattern, new) in enumerate(OPERATORS):
                for match in re.finditer(pattern, code[start:end]):
                    found.append(Mutant(file, start + match.start(), start + match.end(), changed(match, new, generator), routine, kind))
    return found


def spread(found, generator):
    """A mutant of each rare kind; then the folders in turn, their routines in turn, and of a routine the kind that came least often."""
    places = collections.Counter(mutant.kind for mutant in found)
    rare = list({mutant.kind: mutant for mutant in found if places[mutant.kind] <= RARE}.values())
    yield from rare
    turns, kinds = {}, collections.Counter()
    for mutant in found:
        turns.setdefault(mutant.group, {}).setdefault(mutant.routine or mutant.file, []).append(mutant)
    turns = {group: list(routines.values()) for group, routines in turns.items()}
    for routines in turns.values():
        generator.shuffle(routines)
        for mutants in routines:
            generator.shuffle(mutants)
    while turns:
        for group, routines in list(turns.items()):
            mutants = routines.pop(0)
            mutant = min(mutants, key=lambda m: kinds[m.kind])
            mutants.remove(mutant)
            kinds[mutant.kind] += 1
            routines += [mutants] if mutants else []
            if not routines:
                del turns[group]
            if mutant not in rare:
                yield mutant


def chosen():
    """They come first: what a hundred thousand differential cases let through in November 2026, and then what the proofs did."""
    def mutant(file, before, old, new):
        code = (KERNELS / file).read_text()
        start = code.index(old, code.index(before))
        routine = next((f.id for f in functions().values() if f.file == file and f.span[0] <= start < f.span[1]), None)
        return Mutant(file, start, start + len(old), new, routine)
    word, curve = 'nist/nist_word.h', 'nist/p384_curve.h'
    yield mutant(word, 'int number_is_equal(', 'i = 0', 'i = 1')
    yield mutant(word, 'int number_is_equal(', 'i < limbs', 'i < limbs - 1')
    yield mutant(word, 'int number_is_zero(', 'i < limbs', 'i < limbs - 1')
    yield mutant('p256ifma/point8.h', 'void point8_double(', 'fe8_times_p(2, 2)', 'fe8_times_p(1, 2)')
    for limb in ('76760cb5666294b9', 'ac0d06d9245853bd', 'e3b1a6c0fa1b96ef'):
        yield mutant(curve, 'kHalfOrder', limb, '%016x' % (int(limb, 16) ^ 1 << 3))
    yield mutant('p256ifma/verify.c', 'cjwt_p256_ifma_verify(', 'steps[kP256MaxPoints / 8]', 'steps[kP256MaxPoints / 8 - 1]')
    yield mutant('rsa/rsa_lanes.c', 'SIZE(DIGITS, VECTORS)', 'buffers[4 *', 'buffers[3 *')
    yield mutant('rsa/rsa_muludq_power.h', 'SIZE(BITS)', 'buffers[4 *', 'buffers[3 *')
    yield mutant('p256ifma/fe8.h', 'fe8_sum fe8_add(', 'b.l[i]', '_mm512_broadcastq_epi64(_mm512_castsi512_si128(b.l[i]))')
