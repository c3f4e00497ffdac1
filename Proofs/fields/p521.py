"""P-521: one number modulo 2^521 - 1 in digits of 58 bits."""
from constants.curves import P521
from contracts.routine import prove
from contracts.unit import Number, Unit

FIELD = 'nist/p521_field.h '
ROUTINES = ('carry_digits', 'field_multiply', 'field_square', 'field_multiply_subtract', 'field_multiply_less', 'field_square_less', 'field_add',
            'field_subtract', 'field_negate_if', 'field_from', 'field_to_words')
UNIT = Unit('p521', '#include "nist/p521_curve.h"\n', {'field': Number(9, 58)},
            {'LIMBS': 9, 'kDigits': 9, 'E': P521.most, 'p': P521.p}, words=9)
DIGITS = Unit('p521', UNIT.text, UNIT.types, UNIT.constants, words=9, counts={'a': Number(9, 58)})


def proofs():
    for name in ROUTINES:
        yield prove(DIGITS if name == 'carry_digits' else UNIT, FIELD + name, quick=name != 'field_multiply_subtract')
