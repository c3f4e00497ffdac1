// nist_scalar.h: scalars modulo the order kOrder of LIMBS limbs, and the two multipliers of a verification (FIPS 186-5, 6.4.2). Plain
// numbers, no Montgomery form.

#ifndef NIST_SCALAR_H
#define NIST_SCALAR_H

#include "nist_inverse.h"

// scalar_read: one where r or s is in [1, n-1].
static inline int scalar_read(uint64_t r[LIMBS], const uint8_t bytes[8 * LIMBS]) {
    number_read(r, bytes, LIMBS);
    return !number_is_zero(r, LIMBS) && number_is_below(r, kOrder.limbs, LIMBS);
}

// scalar_multiply: r = a b / R mod n. One of a, b is below n; the other may be anything below R, such as a hash.
static inline void scalar_multiply(uint64_t r[LIMBS], const uint64_t a[LIMBS], const uint64_t b[LIMBS]) {
    montgomery_multiply(r, a, b, &kOrder, LIMBS);
}

// scalar_inverse: r = R / a mod n, so that scalar_multiply(x, r) is x / a.
static inline void scalar_inverse(uint64_t r[LIMBS], const uint64_t a[LIMBS]) { inverse(r, a, &kOrder, LIMBS); }

// scalars: u1 = hash / s and u2 = r / s. Zero where r or s is out of range.
static inline int scalars(uint64_t u1[LIMBS], uint64_t u2[LIMBS], const uint8_t hash[8 * LIMBS], const uint8_t sig[16 * LIMBS]) {
    uint64_t r[LIMBS], s[LIMBS], e[LIMBS], s_inverse[LIMBS];
    if (!scalar_read(r, sig) || !scalar_read(s, sig + 8 * LIMBS)) { return 0; }
    number_read(e, hash, LIMBS);
    scalar_inverse(s_inverse, s);
    scalar_multiply(u1, e, s_inverse);
    scalar_multiply(u2, r, s_inverse);
    return 1;
}

#endif
