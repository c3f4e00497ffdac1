// rsa_ifma256.h: shared by the files of RSA in four lanes with IFMA in 256-bit registers, for CPUs that have no registers of 512 bits.
//
// A number is an array of digits of 52 bits, as in rsa_ifma.h, with the same almost-Montgomery multiplication: R > 4n. RSA_LANES is four,
// and one where a key is built.

#ifndef CJWT_RSA_IFMA256_H
#define CJWT_RSA_IFMA256_H

#include <stddef.h>
#include <stdint.h>

#include "../include/CJWTKernelsRSALanes.h"

enum { kDigitBits = 52, kStride = RSA_LANES, kDigits2048 = 40, kDigits3072 = 60, kDigits4096 = 80, kMaxDigits = kDigits4096 };

#define DIGIT_MASK ((UINT64_C(1) << kDigitBits) - 1)

/// The three sizes.
typedef struct rsa_ifma256_shape {
    uint32_t bytes, digits;
} rsa_ifma256_shape;

typedef struct rsa_ifma256_key {
    const rsa_ifma256_shape *shape;
    uint64_t inverse;    // -1/n mod 2^52
    uint64_t numbers[];  // n, then R^2 mod n, of shape->digits words each
} rsa_ifma256_key;

typedef rsa_ifma256_shape rsa_shape;
typedef rsa_ifma256_key rsa_lanes_key;

static inline const uint64_t *key_modulus(const rsa_ifma256_key *key) {
    return key->numbers;
}

static inline const uint64_t *key_r_squared(const rsa_ifma256_key *key) {
    return key->numbers + key->shape->digits;
}

/// Four numbers, one in each lane: digit i of lane j is word 4 * i + j. A column is the same digit of all. Aligned to its size.
typedef uint64_t column __attribute__((vector_size(32), may_alias));

#if defined(__x86_64__)

/// cjwt_rsa_ifma256_power4 in each encoding. The caller has asked cjwt_avxifma_available(), or cjwt_avx512vl_available().
void rsa_avxifma_power4(int results[4], const void *const keys[4], uint8_t *const ems[4], const uint8_t *const sigs[4]);
void rsa_avx512vl_power4(int results[4], const void *const keys[4], uint8_t *const ems[4], const uint8_t *const sigs[4]);

#endif

// Loops over registers must be unrolled: an array with a variable index cannot stay in registers.
#define UNROLL _Pragma("clang loop unroll(full)")

#endif
