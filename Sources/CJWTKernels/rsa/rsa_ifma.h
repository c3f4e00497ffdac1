// rsa_ifma.h: shared by the files of the RSA kernel and its differential check.
//
// A number is an array of digits of 52 bits, lowest first, one in each 64-bit word: the operands of VPMADD52LUQ and VPMADD52HUQ. These
// instructions silently drop the bits above bit 51, so carry all operands of a multiplication first; sums need no carry.
//
// Multiplication is Montgomery's with R = 2^(52 * digits), and "almost": results are below 2n instead of n.
//   With a, b < 2n:   (a*b + q*n) / R  <  (2n)^2/R + n  <  2n      as R > 4n: 2080, 3120, 4160 bits for 2048, 3072, 4096.
//   With a < 2n, b < n, the last one:  <  2n*n/R + n  <  2n        so one subtraction makes the value canonical.

#ifndef CJWT_RSA_IFMA_H
#define CJWT_RSA_IFMA_H

#include <stddef.h>
#include <stdint.h>

#include "../include/CJWTKernelsRSA.h"

enum { kDigitBits = 52, kStride = 1, kLanes = 8, kMaxDigits = 80 };

#define DIGIT_MASK ((UINT64_C(1) << kDigitBits) - 1)

/// The three sizes. One number takes `vectors` registers of eight digits; the digits above `digits` are zero.
typedef struct rsa_ifma_shape {
    uint32_t bytes, digits, vectors;
} rsa_ifma_shape;

typedef rsa_ifma_shape rsa_shape;

typedef struct rsa_ifma_key {
    const rsa_ifma_shape *shape;
    uint64_t inverse;  // -1/n mod 2^52
    _Alignas(64) uint64_t numbers[];  // n, then R^2 mod n, each of shape->vectors * 8 words
} rsa_ifma_key;

typedef rsa_ifma_key rsa_lanes_key;

static inline const uint64_t *key_modulus(const rsa_ifma_key *key) {
    return key->numbers;
}

static inline const uint64_t *key_r_squared(const rsa_ifma_key *key) {
    return key->numbers + key->shape->vectors * kLanes;
}

#if defined(__x86_64__)

#define IFMA __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx512ifma")))
#define IFMA_INLINE static inline __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx512ifma"), always_inline))

// Loops over registers must be unrolled: an array with a variable index cannot stay in registers.
#define UNROLL _Pragma("clang loop unroll(full)")

/// r = a*b/R mod n, below 2n, of 64-byte aligned numbers below 2n. r may be a or b.
void rsa_ifma_multiply(const rsa_ifma_key *key, uint64_t *r, const uint64_t *a, const uint64_t *b);

/// r = a*a/R mod n, as rsa_ifma_multiply.
void rsa_ifma_square(const rsa_ifma_key *key, uint64_t *r, const uint64_t *a);

/// Carries columns of any 64 bits into digits, in place; carries out of the vectors' last digit are dropped. Aligned.
void rsa_ifma_carry(const rsa_ifma_shape *shape, uint64_t *columns);

/// Eight numbers, one in each lane: digit i of lane j is word 8*i + j. Aligned to 64 bytes.
///
/// x = x*y/R mod n in every lane, below 2n, of numbers below 2n. q is scratch memory of the same size.
void rsa_ifma_multiply8(uint64_t *x, const uint64_t *y, const uint64_t *n, const uint64_t inverse[kLanes], uint64_t *q,
                        size_t digits);

/// x = x*x/R mod n in every lane.
void rsa_ifma_square8(uint64_t *x, const uint64_t *n, const uint64_t inverse[kLanes], uint64_t *q, size_t digits);

#endif
#endif
