// p256_curve.h: the constants of P-256 (SP 800-186, 3.2.1.3) and the reduction modulo its prime.

#ifndef P256_CURVE_H
#define P256_CURVE_H

#include "nist_modulus.h"

#define LIMBS 4

enum { kNumberBytes = 32, kHashBytes = 32, kScalarBits = 256 };

// p = 2^256 - 2^224 + 2^192 + 2^96 - 1.
static const nist_modulus kPrime = {
    .limbs = {UINT64_C(0xffffffffffffffff), UINT64_C(0x00000000ffffffff), 0, UINT64_C(0xffffffff00000001)},
    .r_squared = {3, UINT64_C(0xfffffffbffffffff), UINT64_C(0xfffffffffffffffe), UINT64_C(0x00000004fffffffd)},
    .negated_inverse = 1,
    .limbs62 = {0x3fffffffffffffff, 0x3ffffffff, 0, 0x3fffffc000000040, 0xff},
    .scale62 = {3, 0x3fffffeffffffffc, 0x3fffffffffffffef, 0x0000013fffffff7f, 0},
    .inverse62 = UINT64_C(0x3fffffffffffffff),
};

// reduce_low sets r to (t + q p) / R for the lower half t of a product and the q below R that makes the quotient an integer; so r is at
// most p.
//
// -1/p mod 2^64 = 1, so each limb is its own quotient digit, and q p = q 2^64 (2^192 - 2^160 + 2^128 + 2^32) - q: the digit cancels, and q
// 2^32 and q (2^64 - 2^32 + 1) 2^128 are added above it.
// Contract: => r R = t (mod p), r <= p
static inline __attribute__((always_inline)) void reduce_low(uint64_t r[LIMBS], const uint64_t t[LIMBS]) {
    uint64_t a0 = t[0], a1 = t[1], a2 = t[2], a3 = t[3];
    NIST_UNROLL
    for (int i = 0; i < LIMBS; i++) {
        uint64_t q = a0, carry = 0;
        nist_u128 top = (nist_u128)q * kPrime.limbs[3];
        a0 = add_carry(a1, q << 32, &carry);
        a1 = add_carry(a2, q >> 32, &carry);
        a2 = add_carry(a3, (uint64_t)top, &carry);
        a3 = (uint64_t)(top >> 64) + carry;
    }
    r[0] = a0, r[1] = a1, r[2] = a2, r[3] = a3;
}

#include "nist_field.h"

static const nist_modulus kOrder = {
    .limbs = {UINT64_C(0xf3b9cac2fc632551), UINT64_C(0xbce6faada7179e84), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffff00000000)},
    .r_squared = {UINT64_C(0x83244c95be79eea2), UINT64_C(0x4699799c49bd6fa6), UINT64_C(0x2845b2392b6bec59),
                  UINT64_C(0x66e12d94f3d95620)},
    .negated_inverse = UINT64_C(0xccd1c8aaee00bc4f),
    .limbs62 = {0x33b9cac2fc632551, 0x339beab69c5e7a13, 0x3ffffffffffffffb, 0x3fffffc00000003f, 0xff},
    .scale62 = {0x0c46353d039cdaaf, 0x0c64154963a185ec, 4, 0x3fffffffc0, 0},
    .inverse62 = UINT64_C(0x332e375511ff43b1),
};

static const uint64_t kHalfOrder[LIMBS] = {UINT64_C(0x79dce5617e3192a8), UINT64_C(0xde737d56d38bcf42), UINT64_C(0x7fffffffffffffff),
                                           UINT64_C(0x7fffffff80000000)};
static const uint64_t kPrimeLessOrder[LIMBS] = {UINT64_C(0x0c46353d039cdaae), UINT64_C(0x4319055358e8617b), 0, 0};

// In Montgomery form: 1 and the curve's b.
static const field kOne = {{1, UINT64_C(0xffffffff00000000), UINT64_C(0xffffffffffffffff), UINT64_C(0x00000000fffffffe)}};
static const field kCurveB = {{UINT64_C(0xd89cdf6229c4bddf), UINT64_C(0xacf005cd78843090), UINT64_C(0xe5a220abf7212ed6),
                               UINT64_C(0xdc30061d04874834)}};

// The generator, plain.
static const uint64_t kGeneratorX[LIMBS] = {UINT64_C(0xf4a13945d898c296), UINT64_C(0x77037d812deb33a0), UINT64_C(0xf8bce6e563a440f2),
                                            UINT64_C(0x6b17d1f2e12c4247)};
static const uint64_t kGeneratorY[LIMBS] = {UINT64_C(0xcbb6406837bf51f5), UINT64_C(0x2bce33576b315ece), UINT64_C(0x8ee7eb4a7c0f9e16),
                                            UINT64_C(0x4fe342e2fe1a7f9b)};

#endif
