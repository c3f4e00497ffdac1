"""The contracts that calls repeat: the proofs of points, recodings, inverses and verdicts say in Python what these lines say in C.

Whoever changes a contract must look at the calls, and then change the line here.
"""
import functools
import pathlib

from constants.curves import P256, P521
from contracts.sources import functions
from points import field51, lanes256, nist
from points.residue import need
from registry import Proof

REPEATED = {
    'p256ifma/fe8.h fe8_accumulate': [
        "digits(w) < 2^59 => w' = w + a b, digits(w') < digits(w) + 9 2^52"],
    'p256ifma/fe8.h fe8_add': [
        'digits(a) < 2^63, digits(b) < 2^63 => return = a + b',
        '=> digits(return) = digits(a) + digits(b) (mod 2^64)'],
    'p256ifma/fe8.h fe8_as_factor': [
        'digits(a) < 2^52 => return = a'],
    'p256ifma/fe8.h fe8_as_sum': [
        '=> return = a, digits(return) = digits(a)'],
    'p256ifma/fe8.h fe8_carry': [
        'digits(a) < 2^60, a < R => return = a, digits(return) < 2^52'],
    'p256ifma/fe8.h fe8_digits': [
        'digits(a) < 2^60, a < R => return = a, digits(return) < 2^52'],
    'p256ifma/fe8.h fe8_factor_digits': [
        '=> return = a, digits(return) < 2^52'],
    'p256ifma/fe8.h fe8_fold': [
        'digits(a) < 2^60, 2^48 <= a[1], 2^48 <= a[3], a < 16 p => return = a (mod p), digits(return) < 2^52, return < 2^256 + 2^230'],
    'p256ifma/fe8.h fe8_is_zero': [
        'digits(a) < 2^52, a < 4 p => return = [a = 0 (mod p)]'],
    'p256ifma/fe8.h fe8_mul': [
        '=> R return = a b (mod p), R return <= a b + (R - 1) p, digits(return) < 16 2^52'],
    'p256ifma/fe8.h fe8_product_of': [
        '=> return = a b, digits(return) < 9 2^52'],
    'p256ifma/fe8.h fe8_reduce': [
        'digits(w) < 18 2^52 => R return = w (mod p), R return <= w + (R - 1) p, digits(return) < 26 2^52'],
    'p256ifma/fe8.h fe8_set': [
        '=> return = digits, digits(return) = digits(digits)'],
    'p256ifma/fe8.h fe8_sqr': [
        '=> R return = a^2 (mod p), R return <= a^2 + (R - 1) p, digits(return) < 16 2^52'],
    'p256ifma/fe8.h fe8_sub': [
        'digits(b) <= digits(a) => return = a - b',
        '=> digits(return) = digits(a) - digits(b) (mod 2^64)'],
    'p256ifma/fe8.h fe8_times_p': [
        '0 < k <= 16, spare <= 256 => return = k p',
        '0 < k <= 16, 0 < spare <= 256 => return[0] = 0xfffffffffffff k + 2^52 spare, return[1] = 0xfffffffffff k + (2^52 - 1) spare',
        '0 < k <= 16, 0 < spare <= 256 => return[2] = (2^52 - 1) spare, return[3] = 2^36 k + (2^52 - 1) spare',
        '0 < k <= 16, 0 < spare <= 256 => return[4] = 0xffffffff0000 k - spare'],
    'p256ifma/rows8.h fe8_from_words': [
        '=> return = w, digits(return) < 2^52'],
    'p256ifma/rows8.h fe8_to_words': [
        'digits(a) < 2^52, a < 2^256 => w = a'],
    'p256ifma/table.c canonical': [
        'digits(a) < 2^52, a < 2 p => return = a (mod p), return < p, digits(return) < 2^52'],
    'ed25519/field51.h fe51_add': [
        'digits(a) <= 2^51 + 2^13, digits(b) <= 2^51 + 2^13 => out = a + b, digits(out) <= 2^52 + 2^14',
        '=> digits(out) = digits(a) + digits(b) (mod 2^64)'],
    'ed25519/field51.h fe51_carry': [
        'digits(a) <= 2^54 => out = a (mod p), digits(out) <= 2^51 + 2^13'],
    'ed25519/field51.h fe51_from_words': [
        '=> out = words (mod 2^255), digits(out) < 2^51'],
    'ed25519/field51.h fe51_multiply': [
        'digits(a) <= 2^54, digits(b) <= 2^54 => out = a b (mod p), digits(out) <= 2^51 + 2^13'],
    'ed25519/field51.h fe51_square': [
        'digits(a) <= 2^54 => out = a^2 (mod p), digits(out) <= 2^51 + 2^13'],
    'ed25519/field51.h fe51_subtract': [
        'digits(a) <= 2^63, digits(b) <= 2^52 - 38 => out = a - b (mod p), digits(out) <= digits(a) + 2^52'],
    'ed25519/field51.h fe51_to_words': [
        'digits(a) <= 2^54 => words = a (mod p), words < p'],
    'ed25519/lanes.h fe8_add': [
        'digits(a) < 2^63, digits(b) < 2^63 => out = a + b',
        '=> digits(out) = digits(a) + digits(b) (mod 2^64)'],
    'ed25519/lanes.h fe8_carry': [
        'digits(a) < 2^61 => out = a (mod p), digits(out) <= 2^51 + 2^15'],
    'ed25519/lanes.h fe8_multiply': [
        'digits(a) <= 2^51 + 2^15, digits(b) <= 2^51 + 2^15 => out = a b (mod p), digits(out) < 250 2^51, apart',
        'digits(a) <= 2^51 + 2^15, digits(b) < 2^52 => out = a b (mod p), digits(out) < 345 2^51, apart'],
    'ed25519/lanes.h fe8_set': [
        '=> out = a, digits(out) = digits(a), apart'],
    'ed25519/lanes.h fe8_subtract': [
        'digits(a) < 2^63, digits(b) <= 512 (2^51 - 19) => out = a - b (mod p), digits(out) < digits(a) + 2^60'],
    'ed25519/scalar.c cjwt_ed25519_scalar_read': [
        '=> out = in, return = [in < L]'],
    'ed25519/scalar.c cjwt_ed25519_scalar_reduce': [
        '=> out = in (mod L), out < L'],
    'nist/nist_field.h field_add': [
        'a < p, b < p => r = a + b (mod p), r < p'],
    'nist/nist_field.h field_from': [
        '=> r = a R (mod p), r < p'],
    'nist/nist_field.h field_is_equal': [
        '=> return = [a = b]'],
    'nist/nist_field.h field_is_zero': [
        '=> return = [a = 0]'],
    'nist/nist_field.h field_multiply': [
        'a < p, b < p => r R = a b (mod p), r < p'],
    'nist/nist_field.h field_multiply_subtract': [
        'a < p, b < p, c < p, d < p => r R = a b - c d (mod p), r < p'],
    'nist/nist_field.h field_negate_if': [
        'mask = 0, a < p => r = a',
        'mask = 2^64 - 1, 0 < a < p => r = -a (mod p), r < p'],
    'nist/nist_field.h field_square': [
        'a < p => r R = a^2 (mod p), r < p'],
    'nist/nist_field.h field_subtract': [
        'a < p, b < p => r = a - b (mod p), r < p'],
    'nist/nist_field.h field_to_words': [
        'a < p => R words = a (mod p), words < p'],
    'nist/p521_field.h field_add': [
        'digits(a) < E, digits(b) < E => r = a + b (mod p), digits(r) < E'],
    'nist/p521_field.h field_from': [
        'a < 2^522 => r = a, digits(r) < 2^58, apart'],
    'nist/p521_field.h field_is_zero': [
        'digits(a) < E => return = [a = 0 (mod p)]'],
    'nist/p521_field.h field_multiply': [
        'digits(a) < E, digits(b) < E => r = a b (mod p), digits(r) < E'],
    'nist/p521_field.h field_multiply_less': [
        'digits(a) < E, digits(b) < E, digits(c) < E => r = a b - c (mod p), digits(r) < E'],
    'nist/p521_field.h field_multiply_subtract': [
        'digits(a) < E, digits(b) < E, digits(c) < E, digits(d) < E => r = a b - c d (mod p), digits(r) < E'],
    'nist/p521_field.h field_negate_if': [
        'mask = 0, digits(a) < E => r = a (mod p), digits(r) < E',
        'mask = 2^64 - 1, digits(a) < E => r = -a (mod p), digits(r) < E'],
    'nist/p521_field.h field_square': [
        'digits(a) < E => r = a^2 (mod p), digits(r) < E'],
    'nist/p521_field.h field_square_less': [
        'digits(a) < E, digits(b) < E, digits(c) < E => r = a^2 - b - c (mod p), digits(r) < E'],
    'nist/p521_field.h field_subtract': [
        'digits(a) < E, digits(b) < E => r = a - b (mod p), digits(r) < E'],
    'nist/p521_field.h field_to_words': [
        'digits(a) < E => words = a (mod p), words < p'],
    'nist/nist_modulus.h montgomery_multiply': [
        'a < R, b < m => r R = a b (mod m), r < m',
        'a < m, b < R => r R = a b (mod m), r < m'],
    'nist/nist_word.h number_is_below': [
        '=> return = [a < b]'],
    'nist/nist_word.h number_read': [
        '=> r = bytes'],
    'nistifma/fe8.h fe8_is_zero': [
        'digits(a) < 2^52, a < 4 p => return = [a = 0 (mod p)]'],
    'nistifma/fe8.h fe8_minus': [
        '0 < k <= 16, digits(a) < 2^52, a <= k p => r = k p - a, digits(r) < 2^52'],
    'nistifma/fe8.h fe8_multiply': [
        'digits(a) < 2^52, digits(b) < 2^52, a < 64 p, b < 64 p => R r = a b (mod p), r < 2 p, digits(r) < 2^52'],
    'nistifma/fe8.h fe8_multiply_add': [
        'digits(a)<D, digits(b)<D, digits(c)<D, digits(d)<D, a<M, b<M, c<M, d<M => R r = a b + c d (mod p), r < 2 p, digits(r) < D'],
    'nistifma/fe8.h fe8_set': [
        '=> return = digits, digits(return) = digits(digits)'],
    'nistifma/fe8.h fe8_square': [
        'digits(a) < 2^52, a < 64 p => R r = a^2 (mod p), r < 2 p, digits(r) < 2^52'],
    'nistifma/fe8.h fe8_subtract': [
        '0 < k <= 16, digits(a) < 2^52, digits(b) < 2^52, a < 32 p, b <= k p => r = a - b + k p, digits(r) < 2^52'],
    'nistifma/p384_lanes.h fe8_from_plain': [
        '=> r = w, digits(r) < 2^52'],
    'nistifma/p384_lanes.h fe8_from_words': [
        '=> r = w, digits(r) < 2^52'],
    'nistifma/p521_lanes.h fe8_from_plain': [
        'w < 2^572 => r = w, digits(r) < 2^52'],
    'nistifma/p521_lanes.h fe8_from_words': [
        'digits(w) < 2^58 + 2^10 => r = w, digits(r) < 2^52'],
    'rsa/rsa_digits.h bytes_from_digits': [
        'digits(digits) < W, digits < B => out = digits'],
    'rsa/rsa_digits.h digits_from_bytes': [
        '=> out = bytes, digits(out) < W'],
    'rsa/rsa_digits.h digits_less': [
        'digits(a) < W, digits(b) < W => return = [a < b]'],
    'rsa/rsa_digits.h reduce_once': [
        "digits(x) < W, digits(n) < W, x < 2 n => x' = x (mod n), x' < n, digits(x') < W, apart"],
    'rsa/rsa_ifma256_multiply.h montgomery_multiply': [
        "digits(x) < 2^52, digits(y) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), x < 2 n, y < 2 n => R x' "
        "= x y (mod n), x' < 2 n, digits(x') < 2^52"],
    'rsa/rsa_ifma256_multiply.h montgomery_square': [
        "digits(x) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), x < 2 n => R x' = x^2 (mod n), x' < 2 n, "
        "digits(x') < 2^52"],
    'rsa/rsa_lanes_multiply.c rsa_ifma_multiply8': [
        "digits(x) < 2^52, digits(y) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), x < 2 n, y < 2 n => R x' "
        "= x y (mod n), x' < 2 n, digits(x') < 2^52"],
    'rsa/rsa_lanes_multiply.c rsa_ifma_square8': [
        "digits(x) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), x < 2 n => R x' = x^2 (mod n), x' < 2 n, "
        "digits(x') < 2^52"],
    'rsa/rsa_doublings.h double_modulo': [
        "digits(x) < W, digits(n) < W, x < n, 2 n < R => x' = 2 x (mod n), x' < n, digits(x') < W, apart"],
    'rsa/rsa_muludq_multiply.h montgomery_multiply': [
        "digits(x) < 2^27, digits(y) < 2^27, digits(n) < 2^27, 4 n < R, inverse n[0] = -1 (mod 2^27), x < 2 n, y < 2 n => R x' "
        "= x y (mod n), x' < 2 n, digits(x') < 2^27"],
    'rsa/rsa_muludq_multiply.h montgomery_square': [
        "digits(x) < 2^27, digits(n) < 2^27, 4 n < R, inverse n[0] = -1 (mod 2^27), x < 2 n => R x' = x^2 (mod n), x' < 2 n, "
        "digits(x') < 2^27"],
    'rsa/rsa_muludq_power.h clear_lane': [
        '=> lane = 0'],
    'rsa/rsa_muludq_power.h put_lane': [
        'digits(digits) < W => lane = digits, apart'],
    'rsa/rsa_single_multiply.c rsa_ifma_multiply': [
        "digits(a) < 2^52, digits(b) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), a < 2 n, b < 2 n => R r "
        "= a b (mod n), r < 2 n, digits(r) < 2^52"],
    'rsa/rsa_scalar_key.c double_modulo': [
        "x < n => x' = 2 x (mod n), x' < n, apart"],
    'rsa/rsa_scalar_limbs.h bytes_from_limbs': [
        '=> out = a'],
    'rsa/rsa_scalar_limbs.h limbs_less': [
        '=> return = [a < b]'],
    'rsa/rsa_scalar_limbs.h make_canonical': [
        "x < 2 n => x' = x (mod n), x' < n"],
    'rsa/rsa_scalar_multiply.c rsa_scalar_multiply': [
        'n < R, R <= 2 n, fold_i = R B^i (mod n), fold_1 <= n, inverse n = -1 (mod B) => B r = a b (mod n), r < R'],
    'rsa/rsa_scalar_multiply.c rsa_scalar_square': [
        'n < R, R <= 2 n, fold_i = R B^i (mod n), fold_1 <= n, inverse n = -1 (mod B) => B r = a^2 (mod n), r < R'],
    'rsa/rsa_scalar_multiply.c rsa_scalar_times_row': [
        'n < R, R <= 2 n, fold_i = R B^i (mod n), fold_1 <= n, inverse n = -1 (mod B) => r = B a (mod n), r < R'],
    'rsa/rsa_scalar_rows.h add_rows': [
        "=> t' + 2^(64 limbs) r = t + m a, apart"],
    'rsa/rsa_scalar_rows.h add_top': [
        "carry <= 1 => t' + 2^512 return = t + r + carry, return <= 1"],
    'rsa/rsa_scalar_rows.h low_product': [
        '=> q = t inverse (mod 2^512)'],
    'rsa/rsa_single_multiply.c rsa_ifma_square': [
        "digits(a) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), a < 2 n => R r = a^2 (mod n), r < 2 n, "
        "digits(r) < 2^52"],
}
CALLS = {'p256ifma/': lanes256.ROUTINES, 'ed25519/': field51.ROUTINES, 'nist/nist_field.h ': nist.Field(P256).routines(),
         'nist/p521_field.h ': nist.Field(P521).routines()}
PROOFS = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ('inverses', 'judges', 'points', 'recoding')


@functools.lru_cache
def texts():
    return [path.read_text() for folder in FOLDERS for path in (PROOFS / folder).glob('*.py') if path.name != pathlib.Path(__file__).name]


def is_replaced(name):
    """Whether a proof of these folders names the routine, as one does that replaces it. `product` is the form of a number there."""
    return name != 'product' and any("'%s'" % name in text for text in texts())


def repeated():
    for id, wanted in REPEATED.items():
        found = [contract.text for contract in functions()[id].contracts]
        need(found == wanted, '%s: the calls do not repeat this contract: %s' % (id, '; '.join(found)))
    for folder, routines in CALLS.items():
        for name in routines:
            found = [id for id in REPEATED if id.startswith(folder) and id.endswith(' ' + name)]
            need(len(found) == 1, '%s%s: a call without a contract' % (folder, name))
    for id, function in functions().items():
        need(id in REPEATED or not function.contracts or not is_replaced(function.name), '%s: a call whose contract is not here' % id)
    return '%d contracts' % sum(map(len, REPEATED.values()))


def proofs():
    yield Proof('points repeat contracts', repeated, quick=True)
