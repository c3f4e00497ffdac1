"""Numbers read from bytes, and Barrett's reduction modulo the order of Ed25519."""
from bits.words import Bits
from contracts.routine import prove
from contracts.unit import Number, Unit

ORDER = 2**252 + 27742317777372353535851937790883648493
TEXT, LOAD = '#include "ed25519/scalar.c"\n', 'ed25519/field51.h load_le_words'


def proofs():
    words = {'types': {'scalar': Number(4, 64)}, 'constants': {'L': ORDER}}
    yield prove(Unit('ed25519', TEXT, **words), 'ed25519/scalar.c cjwt_ed25519_scalar_read', Bits, quick=True)
    for count in (4, 8):
        little = Unit('ed25519', TEXT, bound={'count': str(count)}, counts={'in': 8 * count}, words=count)
        yield prove(little, LOAD, quick=True, name='ed25519 load_le_words, %d' % count)
    for limbs in (4, 6, 8):
        big = Unit('words', '#include "nist/nist_word.h"\n', bound={'limbs': str(limbs)}, values={'limbs': limbs}, words=limbs,
                   counts={'bytes': 8 * limbs}, big_endian=('bytes',))
        yield prove(big, 'nist/nist_word.h number_read', quick=True, name='words number_read, %d' % limbs)
