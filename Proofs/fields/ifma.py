"""P-256 and Ed25519 in eight lanes: each lane computes by itself, so a lane stands for all."""
from bits.words import Bits
from contracts.routine import prove
from contracts.unit import Number, Unit

TYPES = {
    'fe8': Number(5, 52, 8), 'fe8_factor': Number(5, 52, 8, factor=True), 'fe8_sum': Number(5, 52, 8), 'fe8_product': Number(10, 52, 8),
}
NAMES = {'p': 2**256 - 2**224 + 2**192 + 2**96 - 1, 'R': 2**260}
P256 = Unit('p256ifma', '#include "p256ifma/rows8.h"\n', TYPES, NAMES, target='CJWT_IFMA')
SET = Unit('p256ifma', P256.text, TYPES, NAMES, target='CJWT_IFMA', counts={'digits': Number(5, 52)})
TABLE = Unit('p256ifma', '#include "p256ifma/table.c"\n', TYPES, NAMES, target='CJWT_IFMA')
ED25519 = Unit('ed25519ifma', '#include "ed25519/lanes_rows.h"\n', {
    'fe8': Number(5, 51, 8), 'fe8_wide': Number(5, 51, 8), 'fe51': Number(5, 51),
}, {'p': 2**255 - 19}, target='LANES')
SUMS = ('fe8_as_factor', 'fe8_as_sum', 'fe8_add', 'fe8_sub', 'fe8_carry', 'fe8_factor_digits', 'fe8_digits', 'fe8_fold', 'fe8_times_p')
PRODUCTS = ('fe8_accumulate', 'fe8_product_of', 'fe8_square_of', 'fe8_reduce', 'fe8_mul', 'fe8_sqr')
LANES = ('fe8_set', 'fe8_carry', 'fe8_multiply', 'fe8_multiply_and_carry', 'fe8_add', 'fe8_subtract')


def proofs():
    for name in SUMS + PRODUCTS:
        yield prove(P256, 'p256ifma/fe8.h ' + name, quick=True)
    yield prove(SET, 'p256ifma/fe8.h fe8_set', quick=True)
    yield prove(P256, 'p256ifma/fe8.h fe8_is_zero', Bits)
    for name in ('fe8_from_words', 'fe8_to_words'):
        yield prove(P256, 'p256ifma/rows8.h ' + name, quick=True)
    yield prove(TABLE, 'p256ifma/table.c canonical')
    for name in LANES:
        yield prove(ED25519, 'ed25519/lanes.h ' + name, quick=True)
