"""Numbers read from bytes, and Barrett's reduction modulo the order of Ed25519."""
from bits.words import Bits
from contracts.routine import prove
from contracts.unit import Number, Unit

ORDER = 2**252 + 27742317777372353535851937790883648493
SCALAR = Unit('ed25519', '#include "ed25519/scalar.c"\n', {'scalar': Number(4, 64)}, {'L': ORDER})


def proofs():
    yield prove(SCALAR, 'ed25519/scalar.c cjwt_ed25519_scalar_reduce')
    yield prove(SCALAR, 'ed25519/scalar.c cjwt_ed25519_scalar_read', Bits, quick=True)
    little = Unit('ed25519', '#include "ed25519/scalar.c"\n', bound={'count': '4'}, counts={'in': 32})
    yield prove(little, 'ed25519/field51.h load_le_words', quick=True)
    for limbs in (4, 6):
        big = Unit('words', '#include "nist/nist_word.h"\n', bound={'limbs': str(limbs)}, values={'limbs': limbs}, words=limbs,
                   counts={'bytes': 8 * limbs}, big_endian=('bytes',))
        yield prove(big, 'nist/nist_word.h number_read', quick=True, name='words number_read, %d' % limbs)
