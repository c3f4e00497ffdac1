// cjwt_rsa_scalar_power: one token.

#include "rsa_scalar_limbs.h"

SCALAR int cjwt_rsa_scalar_power(const void *memory, uint8_t *em, const uint8_t *sig) {
    const rsa_scalar_key *key = memory;
    uint64_t s[kMostLimbs], x[kMostLimbs];
    number_read(s, sig, (int)key->limbs);
    if (!limbs_less(s, scalar_modulus(key), key->limbs)) {
        return 0;
    }
    rsa_scalar_times_row(key, x, s);
    for (int i = 0; i < 16; i++) {
        rsa_scalar_square(key, x, x);
    }
    // s^65536 * B times the plain s, over B: this leaves Montgomery form at no cost.
    rsa_scalar_multiply(key, x, x, s);
    make_canonical(x, scalar_modulus(key), key->limbs);
    bytes_from_limbs(em, x, key->limbs);
    return 1;
}
