// cjwt_rsa_ifma_power: one token.

#include "rsa_ifma.h"
#include "rsa_digits.h"

#if defined(__x86_64__)

int cjwt_rsa_ifma_power(const void *memory, uint8_t *em, const uint8_t *sig) {
    const rsa_ifma_key *key = memory;
    const rsa_ifma_shape *shape = key->shape;
    _Alignas(64) uint64_t s[kMaxDigits] = {0}, x[kMaxDigits];
    digits_from_bytes(s, sig, shape);
    if (!digits_less(s, key_modulus(key), shape->digits)) {
        return 0;
    }
    rsa_ifma_multiply(key, x, s, key_r_squared(key));
    for (int i = 0; i < 16; i++) {
        rsa_ifma_square(key, x, x);
    }
    // s^65536 * R times the plain s, over R: this leaves Montgomery form at no cost.
    rsa_ifma_multiply(key, x, x, s);
    reduce_once(x, key_modulus(key), shape->digits);
    bytes_from_digits(em, x, shape);
    return 1;
}

#endif
