// broken.h: included before every kernel. Multiplications that give wrong results in some lanes, as on a faulty CPU.

#ifndef ASSAY_BROKEN_H
#define ASSAY_BROKEN_H

#include <stdint.h>

enum { BROKEN_NOTHING, BROKEN_LOW, BROKEN_HIGH, BROKEN_MULUDQ };

typedef struct broken_instruction {
    int which;                        // one of the above
    uint8_t lanes;                    // a bit each
    uint64_t factor;                  // wrong only where the lowest bits of the second factor are these
    _Alignas(64) uint64_t change[8];  // of each lane: the bits of the product that are wrong
} broken_instruction;

extern broken_instruction broken;

#if defined(__x86_64__)
#include <immintrin.h>

#define BROKEN static inline __attribute__((always_inline, target("avx512f,avx512vl,avx512dq,avx512bw,avx512ifma")))

BROKEN __m512i broken_sum(__m512i right, __m512i factor) {
    const __m512i bits = _mm512_set1_epi64((long long)broken.factor);
    __mmask8 lanes = _mm512_mask_cmpeq_epi64_mask(broken.lanes, _mm512_and_si512(factor, bits), bits);
    return _mm512_mask_xor_epi64(right, lanes, right, _mm512_load_si512(broken.change));
}

BROKEN __m512i broken_low(__m512i sum, __m512i a, __m512i b) {
    __m512i right = _mm512_madd52lo_epu64(sum, a, b);
    return broken.which == BROKEN_LOW ? broken_sum(right, b) : right;
}

BROKEN __m512i broken_high(__m512i sum, __m512i a, __m512i b) {
    __m512i right = _mm512_madd52hi_epu64(sum, a, b);
    return broken.which == BROKEN_HIGH ? broken_sum(right, b) : right;
}

// The same in 256-bit registers.
#define BROKEN4 static inline __attribute__((always_inline, target("avx512f,avx512vl,avx512ifma")))

BROKEN4 __m256i broken_sum4(__m256i right, __m256i factor) {
    const __m256i bits = _mm256_set1_epi64x((long long)broken.factor);
    __mmask8 lanes = _mm256_mask_cmpeq_epi64_mask(broken.lanes, _mm256_and_si256(factor, bits), bits);
    return _mm256_mask_xor_epi64(right, lanes, right, _mm256_load_si256((const __m256i *)broken.change));
}

BROKEN4 __m256i broken_low4(__m256i sum, __m256i a, __m256i b) {
    __m256i right = _mm256_madd52lo_epu64(sum, a, b);
    return broken.which == BROKEN_LOW ? broken_sum4(right, b) : right;
}

BROKEN4 __m256i broken_high4(__m256i sum, __m256i a, __m256i b) {
    __m256i right = _mm256_madd52hi_epu64(sum, a, b);
    return broken.which == BROKEN_HIGH ? broken_sum4(right, b) : right;
}

#define _mm512_madd52lo_epu64 broken_low
#define _mm512_madd52hi_epu64 broken_high
#define _mm256_madd52lo_epu64 broken_low4
#define _mm256_madd52hi_epu64 broken_high4

// The lanes without IFMA multiply in plain C: run.sh puts this around their product, of type `column`.
#define BROKEN_PRODUCT(RIGHT) (broken.which == BROKEN_MULUDQ ? (RIGHT) ^ *(const column *)broken.change : (RIGHT))
#endif

#endif
