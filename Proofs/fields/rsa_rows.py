"""RSA with limbs of 64 bits: sums, rows of eight limbs, products of a row with a long number, comparisons, and one subtraction of n."""
from contracts.routine import prove
from contracts.unit import Number, Unit

TEXT = '#include "rsa/rsa_scalar_key.c"\n#include "rsa/rsa_scalar_multiply.c"\n'
ROWS, LIMBS, SQUARES = 'rsa/rsa_scalar_rows.h ', 'rsa/rsa_scalar_limbs.h ', 'rsa/rsa_scalar_squares.h '
SIZES = (32, 48, 64)
TARGET = '__attribute__((target("bmi2,adx")))'


def unit(**more):
    return Unit('rsa', TEXT, target=TARGET, **{'words': 8, **more})


def sized(limbs, **more):
    """A unit for numbers of so many limbs."""
    return unit(words=limbs, bound={'limbs': str(limbs)}, values={'limbs': limbs}, constants={'R': 2**(64 * limbs)}, **more)


def proofs():
    for name in ('add_row_portable', 'add_row'):
        yield prove(unit(counts={'sum': 9, 'limb': 1}), ROWS + name, quick=True)
    yield prove(unit(), ROWS + 'low_product', quick=True)
    yield prove(unit(), ROWS + 'add_top', quick=True)
    for limbs in range(8, SIZES[-1] + 1, 8):
        counts = {'r': 8, 'm': 8, 'sum': 9, 'limb': 1}
        yield prove(sized(limbs, counts=counts, outside=[ROWS + 'add_row']), ROWS + 'add_rows', quick=limbs <= SIZES[0],
                    name='rsa add_rows, %d' % limbs)
    for name in ('triangle_portable', 'triangle', 'double_and_add_portable', 'double_and_add'):
        yield prove(unit(counts={'p': 16, 't': 16, 'twice': 1, 'carry': 1}), SQUARES + name, quick=True)
    for limbs in SIZES:
        quick, name = limbs == SIZES[0], ', %d limbs' % limbs
        yield prove(sized(limbs), ROWS + 'subtract', quick=quick, name='rsa subtract' + name)
        yield prove(sized(limbs), LIMBS + 'limbs_less', name='rsa limbs_less' + name)
        yield prove(sized(limbs, counts={'out': Number(8 * limbs, 8, size=1, reversed=True)}), LIMBS + 'bytes_from_limbs',
                    name='rsa bytes_from_limbs' + name)
        outside = [LIMBS + 'limbs_less', ROWS + 'subtract']
        yield prove(sized(limbs, outside=outside), LIMBS + 'make_canonical', quick=quick, name='rsa make_canonical' + name)
        yield prove(sized(limbs, outside=outside), 'rsa/rsa_scalar_key.c double_modulo', quick=quick, name='rsa double_modulo' + name)
