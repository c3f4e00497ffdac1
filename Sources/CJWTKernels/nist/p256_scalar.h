// p256_scalar.h: arithmetic modulo the order n of P-256, and the two multipliers of an ECDSA verification (FIPS 186-5, 6.4.2).
//
// Conventions for every kernel that includes this, kept stable:
// - Numbers are four 64-bit limbs, least significant first, plain (not in Montgomery form); results are below n.
// - Nothing is allocated, kept or locked; results may overlap operands. Variable time: all data is public.

#ifndef P256_SCALAR_H
#define P256_SCALAR_H

#include <stdint.h>

/// The order n, and its limbs' count.
enum { kP256Limbs = 4 };
extern const uint64_t p256_order[kP256Limbs];

/// Reads r or s, 32 bytes, most significant first. One where it is in [1, n-1].
int p256_scalar_read(uint64_t r[kP256Limbs], const uint8_t bytes[32]);

/// r = a b / 2^256 mod n. One of a, b is below n, the other anything below 2^256 (a hash need not be reduced).
void p256_scalar_multiply(uint64_t r[kP256Limbs], const uint64_t a[kP256Limbs], const uint64_t b[kP256Limbs]);

/// r = 2^256 / a mod n for a in [1, n-1]; so multiply(x, inverse(a)) is x / a, plain. One where the product of r and a shows it; zero, with
/// r unspecified, where it does not, as for a = 0.
///
/// Several inversions at the cost of one, using `multiply`: c[0] = a[0], c[i] = multiply(c[i-1], a[i]), I = inverse(c[last]); then, from
/// the last to i = 1, inverse(a[i]) = multiply(I, c[i-1]) and I = multiply(I, a[i]); inverse(a[0]) = I. The factors 2^256 cancel.
int p256_scalar_inverse(uint64_t r[kP256Limbs], const uint64_t a[kP256Limbs]);

/// u1 = hash / s, u2 = r / s for r and s in [1, n-1]. One; zero, with u1 and u2 unspecified, where the inverse of s does not pass its
/// check. u2 is never zero; u1 may be.
int p256_scalars(uint64_t u1[kP256Limbs], uint64_t u2[kP256Limbs], const uint8_t hash[32], const uint64_t r[kP256Limbs],
                 const uint64_t s[kP256Limbs]);

#endif
