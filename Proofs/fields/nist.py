"""P-256, P-384 and P-521: numbers of words and Montgomery multiplication modulo the orders; the fields of P-256 and P-384.

Montgomery's reduction is proved once; the products call it.
"""
from bits.words import Bits
from constants.curves import CURVES
from contracts.routine import prove
from contracts.unit import Number, Unit

PRIMES = {curve.kernel: curve.p for curve in CURVES}
ORDERS = {curve.kernel: curve.n for curve in CURVES}
LIMBS = {curve.kernel: curve.limbs for curve in CURVES}
WORD, FIELD = 'nist/nist_word.h ', 'nist/nist_field.h '
PRODUCTS = ('field_multiply', 'field_square', 'field_multiply_subtract')
SUMS = ('field_add', 'field_subtract', 'field_negate_if')


def unit(curve, outside=(), **more):
    limbs = LIMBS[curve]
    return Unit(curve, '#include "nist/%s_curve.h"\n#include "nist/nist_scalar.h"\n' % curve, {'field': Number(limbs, 64)},
                {'LIMBS': limbs, 'p': PRIMES[curve], 'n': ORDERS[curve], 'R': 2**(64 * limbs)}, words=limbs, outside=outside, **more)


def proofs():
    for name in ('add_carry', 'sub_borrow', 'multiply_add'):
        yield prove(Unit('words', '#include "nist/nist_word.h"\n', words=1), WORD + name, quick=True)
    for curve in PRIMES:
        yield from numbers(curve)
    for curve in ('p256', 'p384'):
        yield from field(curve)


def numbers(curve):
    limbs, modulus = {'limbs': 'LIMBS'}, {'limbs': LIMBS[curve]}
    sized = unit(curve, bound=limbs, values=modulus)
    for name in ('number_add', 'number_sub'):
        yield prove(sized, WORD + name, quick=True)
    for name in ('number_is_below', 'number_is_zero', 'number_is_one', 'number_is_equal'):
        yield prove(sized, WORD + name, domain=Bits, quick=True)
    for name, known in (('kPrime', PRIMES[curve]), ('kOrder', ORDERS[curve]))[curve == 'p521':]:
        fixed = unit(curve, bound={**limbs, 'm': name + '.limbs'}, values={**modulus, 'm': known}, counts={'carry': 1})
        yield prove(fixed, WORD + 'number_reduce_once', name='%s number_reduce_once, %s' % (curve, name), quick=True)
    order = unit(curve, bound={**limbs, 'm': '&kOrder'}, values={**modulus, 'm': ORDERS[curve]})
    yield prove(order, 'nist/nist_modulus.h montgomery_multiply', quick=curve == 'p256')


def field(curve):
    low = 'nist/%s_curve.h reduce_low' % curve
    reduction = FIELD + 'montgomery_reduce'
    yield prove(unit(curve), low, quick=curve == 'p256')
    yield prove(unit(curve, [low]), reduction, quick=True)
    yield prove(unit(curve, counts={'t': LIMBS[curve] + 1}), FIELD + 'add_row', quick=True)
    yield prove(unit(curve), FIELD + 'product', quick=True)
    for name in PRODUCTS:
        yield prove(unit(curve, [reduction]), FIELD + name, quick=curve == 'p256' or name == 'field_square')
    yield prove(unit(curve, [reduction]), FIELD + 'field_from', quick=True)
    product = unit(curve, [FIELD + 'field_multiply'])
    yield prove(product, FIELD + 'field_to_words', quick=True)
    for name in SUMS:
        yield prove(unit(curve), FIELD + name, quick=True)
    for name in ('field_is_zero', 'field_is_equal'):
        yield prove(unit(curve), FIELD + name, domain=Bits, quick=True)
