// rsa_scalar.h: shared by the files of the scalar RSA kernel and its differential check.
//
// A number is an array of 64-bit limbs, lowest first, and R = 2^(64 limbs). The top bit of n is set, so n < R <= 2n. Operands are below R,
// not below n: most results then need no subtraction.
//
// The unit of work is a row of eight limbs, B = 2^512: for x86-64 with BMI2 and ADX, rows use MULX, ADCX and ADOX. The rest is portable C.
// Montgomery's form of a number a is a*B mod n: a product loses one B, not R.

#ifndef CJWT_RSA_SCALAR_H
#define CJWT_RSA_SCALAR_H

#include <stddef.h>
#include <stdint.h>

#include "../include/CJWTKernelsRSA.h"

enum { kRowLimbs = 8, kMostLimbs = 64 };

typedef struct rsa_scalar_key {
    size_t limbs;  // 32, 48 or 64
    uint64_t inverse[kRowLimbs];  // -1/n mod B
    uint64_t numbers[];  // n, then R B^i mod n for each row i from 1 on, each of `limbs` words
} rsa_scalar_key;

static inline const uint64_t *scalar_modulus(const rsa_scalar_key *key) {
    return key->numbers;
}

/// R B^row mod n, for row 1 below n, for others below R.
static inline const uint64_t *scalar_fold(const rsa_scalar_key *key, size_t row) {
    return key->numbers + row * key->limbs;
}

#if defined(__x86_64__)
#define SCALAR __attribute__((target("bmi2,adx")))
#define SCALAR_INLINE static inline __attribute__((target("bmi2,adx"), always_inline))
#else
#define SCALAR
#define SCALAR_INLINE static inline __attribute__((always_inline))
#endif

/// r = a*b/B mod n, below R, of numbers below R. r may be a or b.
void rsa_scalar_multiply(const rsa_scalar_key *key, uint64_t *r, const uint64_t *a, const uint64_t *b);

/// r = a*a/B mod n, as rsa_scalar_multiply.
void rsa_scalar_square(const rsa_scalar_key *key, uint64_t *r, const uint64_t *a);

/// r = a*B mod n, below R, of a number below R. Of the folds, it reads row 1 alone.
void rsa_scalar_times_row(const rsa_scalar_key *key, uint64_t *r, const uint64_t *a);

#endif
