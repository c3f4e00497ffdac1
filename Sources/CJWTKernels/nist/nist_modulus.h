// nist_modulus.h: a prime modulus and its constants for modular arithmetic; Montgomery multiplication for any modulus.
//
// R is 2^(64 limbs). The field's primes have a reduction of their own (p256_curve.h, p384_curve.h, p521_field.h); the orders use this one.

#ifndef NIST_MODULUS_H
#define NIST_MODULUS_H

#include "nist_word.h"

typedef struct nist_modulus {
    uint64_t limbs[kNistMaxLimbs];
    uint64_t r_squared[kNistMaxLimbs];  // R^2 mod m
    uint64_t negated_inverse;           // -1/m mod 2^64

    // For nist_inverse.h, in radix 2^62.
    int64_t limbs62[kNistMaxLimbs62];
    int64_t scale62[kNistMaxLimbs62];  // the inverse is multiplied by this: R for an order, R^2 for a field
    uint64_t inverse62;                // 1/m mod 2^62
} nist_modulus;

// montgomery_multiply sets r to a b / R mod m, below m. One of a, b is below m, the other anything below R: then a b + q m < 2 R m.
// Contract: a < R, b < m => r R = a b (mod m), r < m
// Contract: a < m, b < R => r R = a b (mod m), r < m
NIST_INLINE void montgomery_multiply(uint64_t *r, const uint64_t *a, const uint64_t *b, const nist_modulus *m, int limbs) {
    uint64_t t[kNistMaxLimbs + 1] = {0};
    for (int i = 0; i < limbs; i++) {
        uint64_t carry = 0, extra = 0;
        for (int j = 0; j < limbs; j++) { t[j] = multiply_add(a[j], b[i], t[j], &carry); }
        t[limbs] = add_carry(t[limbs], carry, &extra);

        uint64_t q = t[0] * m->negated_inverse;
        carry = 0;
        (void)multiply_add(q, m->limbs[0], t[0], &carry);  // the low word becomes zero, by the choice of q
        for (int j = 1; j < limbs; j++) { t[j - 1] = multiply_add(q, m->limbs[j], t[j], &carry); }
        uint64_t top = 0;
        t[limbs - 1] = add_carry(t[limbs], carry, &top);
        t[limbs] = extra + top;
    }
    number_reduce_once(r, t, t[limbs], m->limbs, limbs);
}

#endif
