// sha256_ni.h: the state and the rounds of SHA-256 by the SHA instructions.
//
// SHA256RNDS2 does two rounds and takes the state as two registers: words a, b, e, f and words c, d, g, h, the first of each on top.

#ifndef CJWT_SHA256_NI_H
#define CJWT_SHA256_NI_H

#include "sha_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define NI_INLINE static inline __attribute__((target("sha,sse4.1,ssse3"), always_inline))

typedef struct ni_state {
    __m128i abef, cdgh;
} ni_state;

NI_INLINE ni_state ni_load(const uint32_t state[8]) {
    __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
    __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
    return (ni_state){_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xf0)};
}

NI_INLINE void ni_store(uint32_t state[8], ni_state from) {
    __m128i feba = _mm_shuffle_epi32(from.abef, 0x1b);
    __m128i dchg = _mm_shuffle_epi32(from.cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

NI_INLINE ni_state ni_add(ni_state a, ni_state b) {
    return (ni_state){_mm_add_epi32(a.abef, b.abef), _mm_add_epi32(a.cdgh, b.cdgh)};
}

// ni_four_rounds takes four words of the schedule, their constants added.
NI_INLINE void ni_four_rounds(ni_state *state, __m128i words) {
    state->cdgh = _mm_sha256rnds2_epu32(state->cdgh, state->abef, words);
    state->abef = _mm_sha256rnds2_epu32(state->abef, state->cdgh, _mm_shuffle_epi32(words, 0x0e));
}

#endif

#endif
