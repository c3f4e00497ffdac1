// p256_scalar.c: implements p256_scalar.h.

#include "p256_scalar.h"

#include "p256_curve.h"
#include "nist_scalar.h"

const uint64_t p256_order[kP256Limbs] = {UINT64_C(0xf3b9cac2fc632551), UINT64_C(0xbce6faada7179e84), UINT64_C(0xffffffffffffffff),
                                         UINT64_C(0xffffffff00000000)};

int p256_scalar_read(uint64_t r[kP256Limbs], const uint8_t bytes[32]) { return scalar_read(r, bytes); }

void p256_scalar_multiply(uint64_t r[kP256Limbs], const uint64_t a[kP256Limbs], const uint64_t b[kP256Limbs]) {
    scalar_multiply(r, a, b);
}

int p256_scalar_inverse(uint64_t r[kP256Limbs], const uint64_t a[kP256Limbs]) { return scalar_inverse(r, a); }

int p256_scalars(uint64_t u1[kP256Limbs], uint64_t u2[kP256Limbs], const uint8_t hash[32], const uint64_t r[kP256Limbs],
                 const uint64_t s[kP256Limbs]) {
    return scalars(u1, u2, hash, r, s);
}
