"""What shows that the check of lanes can fail: changes that compute the same while all lanes hold one number. Each must be refused."""
from bits.words import Bits
from contracts.routine import prove
from contracts.unit import Unit
from fields import ifma
from integers.words import Integers
from machine.values import Unproven
from registry import Proof

CHANGES = {
    'a broadcast': ('fe8_add', 'b.l[i] = _mm512_broadcastq_epi64(_mm512_castsi512_si128(b.l[i]));'),
    'a broadcast from memory': ('fe8_add', 'b.l[i] = _mm512_set1_epi64(((volatile long long *)&b.l[i])[0]);'),
    'a lane from memory': ('fe8_add', '((volatile long long *)&b.l[i])[2] = ((volatile long long *)&b.l[i])[3];'),
    'a lane from a register': ('fe8_add', 'b.l[i][5] = b.l[i][4];'),
    'a rotation': ('fe8_sub', 'b.l[i] = _mm512_alignr_epi64(b.l[i], b.l[i], 1);'),
    'a permutation': ('fe8_sub', 'b.l[i] = _mm512_permutexvar_epi64(_mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), b.l[i]);'),
    'a branch': ('fe8_add', 'if (b.l[i][0] == 0) { volatile int none = 0; b.l[i] = fe8_all(none); }'),
    'an index': ('fe8_add', 'static const volatile uint64_t zeros[2]; a.l[i] += fe8_all(zeros[b.l[0][0] == 0]);'),
    'all lanes together': ('fe8_is_zero', 'a.l[i] = fe8_all((uint64_t)_mm512_reduce_or_epi64(a.l[i]));'),
    'a bit of a mask': ('fe8_is_zero', 'if (i == 4) { return (__mmask8)-(fe8_is_zero(a) & 1); }'),
    'a mask as a number': ('fe8_is_zero', 'if (i == 4) { return fe8_is_zero(a) == 0xff ? 0xff : 0; }'),
}
REFUSALS = ('an instruction crosses lanes', 'depends on a lane')


def changed(name, change):
    """The routine, with the change made to each digit first."""
    function = ifma.P256.function('p256ifma/fe8.h ' + name)
    head = function.declaration.replace('extern', 'CJWT_IFMA static').replace(name, 'changed').rstrip(';')
    arguments = ', '.join(parameter.name for parameter in function.parameters)
    text = '%s%s { for (int i = 0; i < 5; i++) { %s } return %s(%s); }\n#define %s changed\n' % (
        ifma.P256.text, head, change, name, arguments, name)
    return prove(Unit('changed', text, ifma.TYPES, ifma.NAMES, target='CJWT_IFMA'), function.id, Bits if 'zero' in name else Integers)


def check():
    for what, (name, change) in CHANGES.items():
        try:
            changed(name, change).prove()
        except Unproven as fault:
            if str(fault).endswith(REFUSALS):
                continue
            raise Unproven('%s is refused for another reason: %s' % (what, fault)) from None
        raise Unproven('%s is not refused: %s' % (what, change))
    for name in ('fe8_add', 'fe8_sub'):
        changed(name, '').prove()
    return '%d changes' % len(CHANGES)


def proofs():
    yield Proof('mutants cross lanes', check)
