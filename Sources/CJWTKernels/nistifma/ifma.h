// ifma.h: numbers of DIGITS digits of 52 bits in eight lanes, and how functions are compiled for AVX-512 IFMA.

#ifndef CJWT_NISTIFMA_IFMA_H
#define CJWT_NISTIFMA_IFMA_H

#include <immintrin.h>
#include <stdint.h>

#define NIST_LANES_TARGET "avx512f,avx512vl,avx512dq,avx512bw,avx512ifma"
#define NIST_LANES __attribute__((target(NIST_LANES_TARGET)))
// Multiplications are calls: inlined, an addition of points would be 3,000 instructions, and a sum of two chains twice that.
#define NIST_LANES_APART __attribute__((target(NIST_LANES_TARGET), noinline))
#define NIST_LANES_UNROLL _Pragma("clang loop unroll(full)")

// Not always inlined under a sanitizer, whose extra code would make compiling take minutes.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer) || __has_feature(thread_sanitizer)
#define NIST_LANES_INLINE static inline __attribute__((target(NIST_LANES_TARGET), unused))
#endif
#endif
#if !defined(NIST_LANES_INLINE)
#define NIST_LANES_INLINE static inline __attribute__((target(NIST_LANES_TARGET), always_inline))
#endif

static const uint64_t kMask52 = (UINT64_C(1) << 52) - 1;

typedef struct fe8 {
    __m512i l[DIGITS];
} fe8;

NIST_LANES_INLINE __m512i all(uint64_t v) { return _mm512_set1_epi64((long long)v); }

#endif
