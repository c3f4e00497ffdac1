// nist_scalar.h: scalars modulo the order kOrder of LIMBS limbs, and the two multipliers of a verification (FIPS 186-5, 6.4.2). Plain
// numbers, no Montgomery form.

#ifndef NIST_SCALAR_H
#define NIST_SCALAR_H

#include "nist_inverse.h"

// scalar_read: one where r or s is in [1, n-1].
static inline int scalar_read(uint64_t r[LIMBS], const uint8_t bytes[kNumberBytes]) {
    number_read_bytes(r, bytes, kNumberBytes, LIMBS);
    return !number_is_zero(r, LIMBS) && number_is_below(r, kOrder.limbs, LIMBS);
}

// scalar_multiply: r = a b / R mod n. One of a, b is below n; the other may be anything below R, such as a hash.
static inline void scalar_multiply(uint64_t r[LIMBS], const uint64_t a[LIMBS], const uint64_t b[LIMBS]) {
    montgomery_multiply(r, a, b, &kOrder, LIMBS);
}

// scalar_inverse: r = R / a mod n, so that scalar_multiply(x, r) is x / a. Zero where r a / R is not one, as for a = 0: then r is
// unspecified.
static inline int scalar_inverse(uint64_t r[LIMBS], const uint64_t a[LIMBS]) {
    uint64_t inverted[LIMBS], back[LIMBS];
    inverse(inverted, a, &kOrder, LIMBS);
    if (!number_is_below(inverted, kOrder.limbs, LIMBS)) { return 0; }
    scalar_multiply(back, inverted, a);
    for (int i = 0; i < LIMBS; i++) { r[i] = inverted[i]; }
    return number_is_one(back, LIMBS);
}

// scalars: u1 = hash / s and u2 = r / s, for r and s in range. Zero where the inverse of s does not pass its check.
static inline int scalars(uint64_t u1[LIMBS], uint64_t u2[LIMBS], const uint8_t hash[kHashBytes], const uint64_t r[LIMBS],
                          const uint64_t s[LIMBS]) {
    uint64_t e[LIMBS], s_inverse[LIMBS];
    if (!scalar_inverse(s_inverse, s)) { return 0; }
    number_read_bytes(e, hash, kHashBytes, LIMBS);
    scalar_multiply(u1, e, s_inverse);
    scalar_multiply(u2, r, s_inverse);
    return 1;
}

#endif
