"""P-256 and P-384: the field's arithmetic, and Montgomery multiplication modulo the order."""
from contracts.routine import prove
from contracts.unit import Number, Unit

PRIMES = {'p256': 2**256 - 2**224 + 2**192 + 2**96 - 1, 'p384': 2**384 - 2**128 - 2**96 + 2**32 - 1}
ORDERS = {
    'p256': 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551,
    'p384': 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973,
}
LIMBS = {'p256': 4, 'p384': 6}
FIELD = ('montgomery_reduce', 'field_multiply', 'field_square', 'field_multiply_subtract', 'field_add', 'field_subtract', 'field_negate_if')


def unit(curve):
    limbs = LIMBS[curve]
    return Unit(curve, '#include "nist/%s_curve.h"\n' % curve, {'field': Number(limbs, 64)},
                {'LIMBS': limbs, 'p': PRIMES[curve], 'n': ORDERS[curve], 'R': 2**(64 * limbs)}, words=limbs)


def proofs():
    for curve in PRIMES:
        u = unit(curve)
        for name in FIELD:
            yield prove(u, 'nist/nist_field.h ' + name, quick=curve == 'p256')
