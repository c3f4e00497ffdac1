"""P-384 and P-521 in eight lanes: each lane computes by itself, so a lane stands for all."""
from bits.words import Bits
from constants.curves import CURVES
from contracts.routine import prove
from contracts.unit import Number, Unit

DIGITS = {'p384': 8, 'p521': 11}
FIELD = 'nistifma/fe8.h '
PRODUCTS = ('fe8_multiply', 'fe8_square', 'fe8_multiply_add')
SUMS = ('fe8_subtract', 'fe8_minus')


def unit(curve, **more):
    digits = DIGITS[curve.kernel]
    return Unit(curve.kernel + 'ifma', '#include "nistifma/%s_ifma.c"\n' % curve.kernel, {'fe8': Number(digits, 52, 8)},
                {'LIMBS': curve.limbs, 'DIGITS': digits, 'p': curve.p, 'R': 2**(52 * digits), 'E': curve.most, 'D': 2**52,
                 'M': 64 * curve.p}, target='NIST_LANES', **more)


def proofs():
    for curve in CURVES[1:]:
        lanes = '%s_lanes.h ' % curve.kernel
        for name in SUMS + PRODUCTS:
            yield prove(unit(curve), FIELD + name, quick=name in SUMS)
        digits = unit(curve, counts={'digits': Number(DIGITS[curve.kernel], 52)})
        yield prove(digits, FIELD + 'fe8_set', quick=True)
        for k in range(4):
            fixed = unit(curve, bound={'k': str(k)}, values={'k': k})
            yield prove(fixed, FIELD + 'fe8_is_multiple', Bits, name='%sifma fe8_is_multiple, %d' % (curve.kernel, k))
        yield prove(unit(curve), FIELD + 'fe8_is_zero', Bits)
        plain, rows = Number(curve.limbs, 64, 8), Number(curve.limbs, curve.digit, 8)
        yield prove(unit(curve, counts={'w': rows}), 'nistifma/' + lanes + 'fe8_from_words', quick=True)
        yield prove(unit(curve, counts={'w': plain}), 'nistifma/' + lanes + 'fe8_from_plain', quick=True)
