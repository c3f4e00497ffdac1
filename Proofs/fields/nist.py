"""P-256 and P-384: the field's arithmetic. Montgomery's reduction is proved once; the products call it."""
from contracts.routine import prove
from contracts.unit import Number, Unit

PRIMES = {'p256': 2**256 - 2**224 + 2**192 + 2**96 - 1, 'p384': 2**384 - 2**128 - 2**96 + 2**32 - 1}
ORDERS = {
    'p256': 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551,
    'p384': 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973,
}
LIMBS = {'p256': 4, 'p384': 6}
PRODUCTS = ('field_multiply', 'field_square', 'field_multiply_subtract')
SUMS = ('field_add', 'field_subtract', 'field_negate_if')


def unit(curve, *outside):
    limbs = LIMBS[curve]
    return Unit(curve, '#include "nist/%s_curve.h"\n' % curve, {'field': Number(limbs, 64)},
                {'LIMBS': limbs, 'p': PRIMES[curve], 'n': ORDERS[curve], 'R': 2**(64 * limbs)}, words=limbs, outside=outside)


def proofs():
    for curve in PRIMES:
        field = 'nist/nist_field.h '
        reduce_low = 'nist/%s_curve.h reduce_low' % curve
        yield prove(unit(curve), reduce_low, quick=True)
        yield prove(unit(curve, reduce_low), field + 'montgomery_reduce', quick=True)
        for name in PRODUCTS:
            yield prove(unit(curve, field + 'montgomery_reduce'), field + name, quick=True)
        for name in SUMS:
            yield prove(unit(curve), field + name, quick=True)
