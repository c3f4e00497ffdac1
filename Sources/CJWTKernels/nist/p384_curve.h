// p384_curve.h: the constants of P-384 (SP 800-186, 3.2.1.4) and the reduction modulo its prime.

#ifndef P384_CURVE_H
#define P384_CURVE_H

#include "nist_modulus.h"

#define LIMBS 6

enum { kNumberBytes = 48, kHashBytes = 48, kScalarBits = 384 };

// p = 2^384 - 2^128 - 2^96 + 2^32 - 1.
static const nist_modulus kPrime = {
    .limbs = {UINT64_C(0x00000000ffffffff), UINT64_C(0xffffffff00000000), UINT64_C(0xfffffffffffffffe), UINT64_C(0xffffffffffffffff),
              UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff)},
    .r_squared = {UINT64_C(0xfffffffe00000001), UINT64_C(0x0000000200000000), UINT64_C(0xfffffffe00000000), UINT64_C(0x0000000200000000),
                  1, 0},
    .negated_inverse = UINT64_C(0x0000000100000001),
    .limbs62 = {0xffffffff, 0x3ffffffc00000000, 0x3fffffffffffffef, 0x3fffffffffffffff, 0x3fffffffffffffff, 0x3fffffffffffffff, 0xfff},
    .scale62 = {0x3ffffffe00000001, 0x0000000800000003, 0x3fffffe000000000, 0x000000800000003f, 0x100, 0, 0},
    .inverse62 = UINT64_C(0x3ffffffeffffffff),
};

// reduce_low sets r to (t + q p) / R for the lower half t of a product and the q below R that makes the quotient an integer; so r is at
// most p.
//
// A limb a has the quotient digit q = a (2^32 + 1) mod 2^64, and q p = q 2^384 - q (2^128 + 2^96 - 2^32 + 1). The number subtracted has the
// limbs b0 = a (by the choice of q: the limb cancels, and nothing is borrowed), b1, b2, b3.
// Contract: => r R = t (mod p), r <= p
static inline __attribute__((always_inline)) void reduce_low(uint64_t r[LIMBS], const uint64_t t[LIMBS]) {
    uint64_t a[LIMBS];
    for (int i = 0; i < LIMBS; i++) { a[i] = t[i]; }
    NIST_UNROLL
    for (int i = 0; i < LIMBS; i++) {
        uint64_t q = a[0] + (a[0] << 32), borrow = 0, carry = 0;
        (void)sub_borrow(q, q << 32, &borrow);
        uint64_t b1 = sub_borrow(q << 32, q >> 32, &borrow);
        uint64_t b2 = (q >> 32) - borrow;
        b2 = add_carry(b2, q, &carry);
        borrow = 0;
        a[0] = sub_borrow(a[1], b1, &borrow);
        a[1] = sub_borrow(a[2], b2, &borrow);
        a[2] = sub_borrow(a[3], carry, &borrow);
        a[3] = sub_borrow(a[4], 0, &borrow);
        a[4] = sub_borrow(a[5], 0, &borrow);
        a[5] = q - borrow;
    }
    for (int i = 0; i < LIMBS; i++) { r[i] = a[i]; }
}

#include "nist_field.h"

static const nist_modulus kOrder = {
    .limbs = {UINT64_C(0xecec196accc52973), UINT64_C(0x581a0db248b0a77a), UINT64_C(0xc7634d81f4372ddf), UINT64_C(0xffffffffffffffff),
              UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff)},
    .r_squared = {UINT64_C(0x2d319b2419b409a9), UINT64_C(0xff3d81e5df1aa419), UINT64_C(0xbc3e483afcb82947), UINT64_C(0xd40d49174aab1cc5),
                  UINT64_C(0x3fb05b7a28266895), UINT64_C(0x0c84ee012b39bf21)},
    .negated_inverse = UINT64_C(0x6ed46089e88fdc45),
    .limbs62 = {0x2cec196accc52973, 0x206836c922c29deb, 0x3634d81f4372ddf5, 0x3ffffffffffffff1, 0x3fffffffffffffff, 0x3fffffffffffffff,
                0xfff},
    .scale62 = {0x1313e695333ad68d, 0x1f97c936dd3d6214, 0x09cb27e0bc8d220a, 0xe, 0, 0, 0},
    .inverse62 = UINT64_C(0x112b9f76177023bb),
};

static const uint64_t kHalfOrder[LIMBS] = {UINT64_C(0x76760cb5666294b9), UINT64_C(0xac0d06d9245853bd), UINT64_C(0xe3b1a6c0fa1b96ef),
                                           UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0x7fffffffffffffff)};
static const uint64_t kPrimeLessOrder[LIMBS] = {UINT64_C(0x1313e696333ad68c), UINT64_C(0xa7e5f24cb74f5885), UINT64_C(0x389cb27e0bc8d21f),
                                                0, 0, 0};

// In Montgomery form: 1 and the curve's b.
static const field kOne = {{UINT64_C(0xffffffff00000001), UINT64_C(0x00000000ffffffff), 1, 0, 0, 0}};
static const field kCurveB = {{UINT64_C(0x081188719d412dcc), UINT64_C(0xf729add87a4c32ec), UINT64_C(0x77f2209b1920022e),
                               UINT64_C(0xe3374bee94938ae2), UINT64_C(0xb62b21f41f022094), UINT64_C(0xcd08114b604fbff9)}};

// The generator, plain.
static const uint64_t kGeneratorX[LIMBS] = {UINT64_C(0x3a545e3872760ab7), UINT64_C(0x5502f25dbf55296c), UINT64_C(0x59f741e082542a38),
                                            UINT64_C(0x6e1d3b628ba79b98), UINT64_C(0x8eb1c71ef320ad74), UINT64_C(0xaa87ca22be8b0537)};
static const uint64_t kGeneratorY[LIMBS] = {UINT64_C(0x7a431d7c90ea0e5f), UINT64_C(0x0a60b1ce1d7e819d), UINT64_C(0xe9da3113b5f0b8c0),
                                            UINT64_C(0xf8f41dbd289a147c), UINT64_C(0x5d9e98bf9292dc29), UINT64_C(0x3617de4a96262c6f)};

#endif
