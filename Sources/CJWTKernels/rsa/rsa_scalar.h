// rsa_scalar.h: shared by the files of the scalar RSA kernel and its differential check.
//
// A number is an array of 64-bit limbs, lowest first, and R = 2^(64 limbs). The top bit of n is set, so n < R <= 2n. Operands are below R,
// not below n: most results then need no subtraction.
//
// The unit of work is a row of eight limbs, B = 2^512: for x86-64 with BMI2 and ADX, rows use MULX, ADCX and ADOX. The rest is portable C.

#ifndef CJWT_RSA_SCALAR_H
#define CJWT_RSA_SCALAR_H

#include <stddef.h>
#include <stdint.h>

#include "../include/CJWTKernelsRSA.h"

enum { kRowLimbs = 8, kMostLimbs = 64 };

typedef struct rsa_scalar_key {
    size_t limbs;  // 32, 48 or 64
    uint64_t inverse[kRowLimbs];  // -1/n mod B
    uint64_t numbers[];  // n, then 1/B mod n, then R^2 mod n, each of `limbs` words
} rsa_scalar_key;

static inline const uint64_t *scalar_modulus(const rsa_scalar_key *key) {
    return key->numbers;
}

static inline const uint64_t *scalar_fold(const rsa_scalar_key *key) {
    return key->numbers + key->limbs;
}

static inline const uint64_t *scalar_r_squared(const rsa_scalar_key *key) {
    return key->numbers + 2 * key->limbs;
}

#if defined(__x86_64__)
#define SCALAR __attribute__((target("bmi2,adx")))
#define SCALAR_INLINE static inline __attribute__((target("bmi2,adx"), always_inline))
#else
#define SCALAR
#define SCALAR_INLINE static inline __attribute__((always_inline))
#endif

/// r = a*b/R mod n, below R, of numbers below R. r may be a or b.
void rsa_scalar_multiply(const rsa_scalar_key *key, uint64_t *r, const uint64_t *a, const uint64_t *b);

/// r = a*a/R mod n, as rsa_scalar_multiply.
void rsa_scalar_square(const rsa_scalar_key *key, uint64_t *r, const uint64_t *a);

#endif
