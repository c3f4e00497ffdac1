// rsa_scalar_limbs.h: converts limbs to big-endian bytes, and compares numbers.

#ifndef CJWT_RSA_SCALAR_LIMBS_H
#define CJWT_RSA_SCALAR_LIMBS_H

#include <string.h>

#include "rsa_scalar_rows.h"

// Contract: => out = a
static inline void bytes_from_limbs(uint8_t *out, const uint64_t *a, size_t limbs) {
    for (size_t i = 0; i < limbs; i++) {
        uint64_t word = __builtin_bswap64(a[i]);
        memcpy(out + 8 * (limbs - 1 - i), &word, sizeof word);
    }
}

// The first difference from the top decides: usually in the first limb.
// Contract: => return = [a < b]
static inline int limbs_less(const uint64_t *a, const uint64_t *b, size_t limbs) {
    for (size_t i = limbs; i-- > 0;) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return 0;
}

// make_canonical makes a number below 2n canonical.
// Contract: x < 2 n => x' = x (mod n), x' < n
SCALAR static inline void make_canonical(uint64_t *x, const uint64_t *n, size_t limbs) {
    if (!limbs_less(x, n, limbs)) { (void)subtract(x, n, limbs); }
}

#endif
