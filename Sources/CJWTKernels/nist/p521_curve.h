// p521_curve.h: the constants of P-521 (SP 800-186, 3.2.1.5). Its field is p521_field.h.

#ifndef P521_CURVE_H
#define P521_CURVE_H

#include "nist_modulus.h"

#define LIMBS 9
#define NIST_DIVISION_STEPS division_steps_by_choice

// A coordinate and each half of a signature have 66 bytes, a SHA-512 hash 64; a scalar has 521 bits.
enum { kNumberBytes = 66, kHashBytes = 64, kScalarBits = 521 };

// p = 2^521 - 1. Only what inverses read: a field in plain digits has R = 1.
static const nist_modulus kPrime = {
    .limbs = {UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff),
              UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff),
              UINT64_C(0x00000000000001ff)},
    .r_squared = {1, 0, 0, 0, 0, 0, 0, 0, 0},
    .negated_inverse = 1,
    .limbs62 = {0x3fffffffffffffff, 0x3fffffffffffffff, 0x3fffffffffffffff, 0x3fffffffffffffff, 0x3fffffffffffffff, 0x3fffffffffffffff,
                0x3fffffffffffffff, 0x3fffffffffffffff, 0x1ffffff, 0},
    .scale62 = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    .inverse62 = UINT64_C(0x3fffffffffffffff),
};

static const nist_modulus kOrder = {
    .limbs = {UINT64_C(0xbb6fb71e91386409), UINT64_C(0x3bb5c9b8899c47ae), UINT64_C(0x7fcc0148f709a5d0), UINT64_C(0x51868783bf2f966b),
              UINT64_C(0xfffffffffffffffa), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff),
              UINT64_C(0x00000000000001ff)},
    .r_squared = {UINT64_C(0x137cd04dcf15dd04), UINT64_C(0xf707badce5547ea3), UINT64_C(0x12a78d38794573ff), UINT64_C(0xd3721ef557f75e06),
                  UINT64_C(0xdd6e23d82e49c7db), UINT64_C(0xcff3d142b7756e3e), UINT64_C(0x5bcc6d61a8e567bc), UINT64_C(0x2d8e03d1492d0d45),
                  UINT64_C(0x000000000000003d)},
    .negated_inverse = UINT64_C(0x1d2f5ccd79a995c7),
    .limbs62 = {0x3b6fb71e91386409, 0x2ed726e226711eba, 0x3cc0148f709a5d03, 0x21a1e0efcbe59adf, 0x3ffffffffffffa51, 0x3fffffffffffffff,
                0x3fffffffffffffff, 0x3fffffffffffffff, 0x1ffffff, 0},
    .scale62 = {0x3b80000000000000, 0x22892091c2dd8f37, 0x3e2251b23bb31dc2, 0x10067fd6e11ecb45, 0x173cbc3e206834ca, 0xb, 0, 0, 0, 0},
    .inverse62 = UINT64_C(0x22d0a33286566a39),
};

static const uint64_t kHalfOrder[LIMBS] = {UINT64_C(0x5db7db8f489c3204), UINT64_C(0x1ddae4dc44ce23d7), UINT64_C(0xbfe600a47b84d2e8),
                                           UINT64_C(0x28c343c1df97cb35), UINT64_C(0xfffffffffffffffd), UINT64_C(0xffffffffffffffff),
                                           UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0x00000000000000ff)};
static const uint64_t kPrimeLessOrder[LIMBS] = {UINT64_C(0x449048e16ec79bf6), UINT64_C(0xc44a36477663b851), UINT64_C(0x8033feb708f65a2f),
                                                UINT64_C(0xae79787c40d06994), 5, 0, 0, 0, 0};

static const uint64_t kGeneratorX[LIMBS] = {UINT64_C(0xf97e7e31c2e5bd66), UINT64_C(0x3348b3c1856a429b), UINT64_C(0xfe1dc127a2ffa8de),
                                            UINT64_C(0xa14b5e77efe75928), UINT64_C(0xf828af606b4d3dba), UINT64_C(0x9c648139053fb521),
                                            UINT64_C(0x9e3ecb662395b442), UINT64_C(0x858e06b70404e9cd), UINT64_C(0x00000000000000c6)};
static const uint64_t kGeneratorY[LIMBS] = {UINT64_C(0x88be94769fd16650), UINT64_C(0x353c7086a272c240), UINT64_C(0xc550b9013fad0761),
                                            UINT64_C(0x97ee72995ef42640), UINT64_C(0x17afbd17273e662c), UINT64_C(0x98f54449579b4468),
                                            UINT64_C(0x5c8a5fb42c7d1bd9), UINT64_C(0x39296a789a3bc004), UINT64_C(0x0000000000000118)};

#include "p521_field.h"

// 1 and the curve's b.
static const field kOne = {{1}};
static const field kCurveB = {{UINT64_C(0x03451fd46b503f00), UINT64_C(0x00f7e20f4b0d3c7b), UINT64_C(0x000bd3bb1bf07357),
                               UINT64_C(0x0147b1fa4dec594b), UINT64_C(0x018ef109e1561939), UINT64_C(0x026cc57cee2d2264),
                               UINT64_C(0x00540eea2da725b9), UINT64_C(0x02687e4a688682da), UINT64_C(0x0051953eb9618e1c)}};

#endif
