// rsa_muludq.h: shared by the files of RSA in lanes for CPUs without IFMA. RSA_LANES says how many numbers the including file computes at
// once: eight with AVX-512F, four with AVX2, one in a general register.
//
// A number is an array of digits of 27 bits, lowest first, each in a 64-bit word. VPMULUDQ multiplies the low halves of such words, and all
// products of a column fit one word: at most 2 * 152 products of less than 2^54, and a carry of less than 2^36. So sums need no carry.
// (28 bits would take as many digits for 2048 bits and 3 % fewer for 3072, but the columns for 4096 would not fit.)
//
// Multiplication is Montgomery's with R = 2^(27 * digits), and "almost": results are below 2n instead of n, as in rsa_ifma.h. R > 4n: 2052,
// 3132, 4104 bits for 2048, 3072, 4096.

#ifndef CJWT_RSA_MULUDQ_H
#define CJWT_RSA_MULUDQ_H

#include <stddef.h>
#include <stdint.h>

#include "../include/CJWTKernelsRSALanes.h"

enum { kDigitBits = 27, kStride = RSA_LANES, kDigits2048 = 76, kDigits3072 = 116, kDigits4096 = 152, kMaxDigits = kDigits4096 };

#define DIGIT_MASK ((UINT64_C(1) << kDigitBits) - 1)

/// The three sizes.
typedef struct rsa_muludq_shape {
    uint32_t bytes, digits;
} rsa_muludq_shape;

typedef rsa_muludq_shape rsa_shape;

typedef struct rsa_muludq_key {
    const rsa_muludq_shape *shape;
    uint64_t inverse;    // -1/n mod 2^27
    uint64_t numbers[];  // n, then R^2 mod n, of shape->digits words each
} rsa_muludq_key;

typedef rsa_muludq_key rsa_lanes_key;

static inline const uint64_t *key_modulus(const rsa_muludq_key *key) {
    return key->numbers;
}

static inline const uint64_t *key_r_squared(const rsa_muludq_key *key) {
    return key->numbers + key->shape->digits;
}

/// Several numbers, one in each lane: digit i of lane j is word RSA_LANES * i + j. A column is the same digit of all. Aligned to its size.
#if RSA_LANES == 1
typedef uint64_t column;
#else
typedef uint64_t column __attribute__((vector_size(8 * RSA_LANES), may_alias));
#endif

// Loops over registers must be unrolled: an array with a variable index cannot stay in registers.
#define UNROLL _Pragma("clang loop unroll(full)")

#endif
