// sha512_blocks_x8: SHA-512 of eight messages in the lanes of 512-bit registers.

#include "sha_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define SHA_TARGET __attribute__((target("avx512f,avx512bw")))
#define SHA_INLINE static inline __attribute__((target("avx512f,avx512bw"), always_inline))
#define LANES_NAME sha512_blocks_x8
#define LANES 8
#define LANES_STATES sha512_states
#define SHA_BITS 64
#define VECTOR __m512i
#define ADD _mm512_add_epi64
#define ROTATE _mm512_ror_epi64
#define SHIFT _mm512_srli_epi64
#define TERNARY _mm512_ternarylogic_epi64
#define BROADCAST(x) _mm512_set1_epi64((long long)(x))
#define LOAD _mm512_load_si512
#define STORE _mm512_store_si512

// transpose turns eight words of each of eight lanes into eight lanes of each of eight words, in place.
SHA_INLINE void transpose(__m512i w[8]) {
    __m512i pairs[8], quads[8];
    for (unsigned i = 0; i < 8; i += 2) {
        pairs[i] = _mm512_unpacklo_epi64(w[i], w[i + 1]);      // words 0, 2, 4, 6 of lanes i and i + 1
        pairs[i + 1] = _mm512_unpackhi_epi64(w[i], w[i + 1]);  // words 1, 3, 5, 7
    }
    for (unsigned i = 0; i < 8; i += 4) {
        for (unsigned odd = 0; odd < 2; odd++) {
            quads[i + odd] = _mm512_shuffle_i64x2(pairs[i + odd], pairs[i + 2 + odd], 0x88);      // words 0, 4 (1, 5) of four lanes
            quads[i + 2 + odd] = _mm512_shuffle_i64x2(pairs[i + odd], pairs[i + 2 + odd], 0xdd);  // words 2, 6 (3, 7)
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        w[i] = _mm512_shuffle_i64x2(quads[i], quads[i + 4], 0x88);
        w[i + 4] = _mm512_shuffle_i64x2(quads[i], quads[i + 4], 0xdd);
    }
}

SHA_INLINE void load_block(__m512i w[16], const uint8_t *const blocks[8]) {
    const __m512i swap = _mm512_broadcast_i32x4(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    for (unsigned half = 0; half < 16; half += 8) {
        for (unsigned l = 0; l < 8; l++) {
            w[half + l] = _mm512_shuffle_epi8(_mm512_loadu_si512(blocks[l] + half * 8), swap);
        }
        transpose(w + half);
    }
}

#include "lanes.h"

#endif
