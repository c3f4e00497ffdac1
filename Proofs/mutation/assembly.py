"""What shows that the proof of assembly can fail: changes of the instructions, and of what they tell the compiler. Each must be
refused."""
from contracts.routine import prove
from contracts.unit import Unit
from fields.rsa_rows import ROWS, SQUARES, TARGET
from ir.compilation import KERNELS
from machine.values import Unproven
from registry import Proof

ROW = {
    'no carry is cleared': ('"xorl %k[low], %k[low]\\n\\t"\n', '""\n'),
    'the high words have the other carry': ('"adcxq %[r8], " R', '"adoxq %[r8], " R'),
    'the low words have the other carry': ('"(%[m]), %[low], %[r8]\\n\\tadoxq', '"(%[m]), %[low], %[r8]\\n\\tadcxq'),
    'the halves are exchanged': ('"mulxq (%[m]), %[low], %[r8]\\n\\t"', '"mulxq (%[m]), %[r8], %[low]\\n\\t"'),
    'a limb twice': ('STEP("56"', 'STEP("48"'),
    'a limb of the sum twice': ('STEP("24", "%[r3]")', 'STEP("24", "%[r4]")'),
    'the top gets b': ('"movl $0, %k[b]\\n\\t"\n', '""\n'),
    'the top gets one more': ('"movl $0, %k[b]', '"movl $1, %k[b]'),
    'the low words lose a carry': ('"adcxq %[b], %[r8]\\n\\t"\n            "adoxq %[b], %[r8]"', '"adcxq %[b], %[r8]\\n\\t"'),
    'the high words lose a carry': ('"adcxq %[b], %[r8]\\n\\t"\n', '""\n'),
    'the factor is anywhere': ('[b] "+&d"(b)', '[b] "+&r"(b)'),
    'a limb may share its register with an address': ('[r1] "+&r"', '[r1] "+r"'),
    'memory is not named': ('"cc", "memory"', '"cc"'),
}
TRIANGLE = {
    'the compiler may leave it out': ('__asm__ volatile(', '__asm__('),
    'a limb is stored elsewhere': ('STORE("w7", "64")', 'STORE("w7", "72")'),
    'a product has the wrong place': ('STEP("48", "w2", "w3")', 'STEP("48", "w3", "w2")'),
    'a product is missing': (' STEP("40", "w6", "w7")\n        STEP("48", "w6"', ' STEP("48", "w6"'),
    'the low words lose a carry': ('adcxq %[b], %[" TOP "]\\n\\t', ''),
}
DOUBLES = {
    'no carry comes from below': ('"adcxq %[low], %[twice]\\n\\t"\n', '""\n'),
    'the carries are exchanged': ('adcxq %[limb], %[limb]', 'adoxq %[limb], %[limb]'),
    'a limb is left out': (' SQUARE("56", "112", "120")', ''),
    'a square has its halves exchanged': ('HALF(LOW, "low") HALF(HIGH, "high")', 'HALF(LOW, "high") HALF(HIGH, "low")'),
    'the carry is lost': ('"adoxq %[carry], %[carry]"', '"adcxq %[carry], %[carry]"'),
    'memory is not named': ('[t] "r"(t), [a] "r"(a)\n        : "cc", "memory"', '[t] "r"(t), [a] "r"(a)\n        : "cc"'),
}
COUNTS = {'sum': 9, 'limb': 1, 'p': 16, 't': 16, 'twice': 1, 'carry': 1}


def changed(id, old, new):
    """The proof of the routine with the change made."""
    text = (KERNELS / id.split(' ')[0]).read_text()
    for name in ('../nist/', 'rsa_scalar.h', 'rsa_scalar_rows.h'):
        text = text.replace('"%s' % name, '"%s' % name.replace('../', '').replace('rsa_s', 'rsa/rsa_s'))
    start = text.index(' %s(' % id.split(' ')[1])
    if text.count(old, start) < 1:
        raise Unproven('%s has no %s' % (id, old))
    text = text[:start] + text[start:].replace(old, new, 1)
    return prove(Unit('changed', text, target=TARGET, words=8, counts=COUNTS), id)


def check():
    routines = ((ROWS + 'add_row', ROW), (SQUARES + 'triangle', TRIANGLE), (SQUARES + 'double_and_add', DOUBLES))
    for id, changes in routines:
        for what, (old, new) in changes.items():
            try:
                changed(id, old, new).check()
            except Unproven:
                continue
            raise Unproven('%s: %s, and that is not refused' % (id, what))
        changed(id, '__asm__', '__asm__').check()
    return '%d changes' % sum(len(changes) for _, changes in routines)


def proofs():
    yield Proof('mutants of assembly', check)
