"""What shows that the proof of assembly can fail: changes of the row's instructions, and of what it tells the compiler. Each must be
refused."""
from contracts.routine import prove
from contracts.unit import Unit
from fields.rsa_rows import ROWS, TARGET
from ir.compilation import KERNELS
from machine.values import Unproven
from registry import Proof

FILE = 'rsa/rsa_scalar_rows.h'
CHANGES = {
    'no carry is cleared': ('"testq %[b], %[b]\\n\\t"\n', '""\n'),
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


def changed(old, new):
    """The proof of the row with the change made."""
    text = (KERNELS / FILE).read_text().replace('"../nist/', '"nist/').replace('"rsa_scalar.h"', '"rsa/rsa_scalar.h"')
    if text.count(old) != 1:
        raise Unproven('%d places have %s' % (text.count(old), old))
    return prove(Unit('changed', text.replace(old, new), target=TARGET, words=8, counts={'sum': 9, 'limb': 1}), ROWS + 'add_row')


def check():
    for what, (old, new) in CHANGES.items():
        try:
            changed(old, new).check()
        except Unproven:
            continue
        raise Unproven('%s, and that is not refused' % what)
    changed('"testq', '"testq').check()
    return '%d changes' % len(CHANGES)


def proofs():
    yield Proof('mutants of assembly', check)
