"""Ed25519: one number modulo 2^255 - 19 in digits of 51 bits."""
from contracts.routine import prove
from contracts.unit import Number, Unit

PRIME = 2**255 - 19
UNIT = Unit('ed25519', '#include "ed25519/field51.h"\n', {'fe51': Number(5, 51)}, {'p': PRIME})
ROUTINES = ('fe51_add', 'fe51_subtract', 'fe51_carry', 'fe51_multiply', 'fe51_square', 'fe51_to_words', 'fe51_from_words')


def proofs():
    for name in ROUTINES:
        yield prove(UNIT, 'ed25519/field51.h ' + name, quick=True)
