// sha256_blocks_x16: SHA-256 of sixteen messages in the lanes of 512-bit registers.

#include "sha_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define SHA_TARGET __attribute__((target("avx512f,avx512bw")))
#define SHA_INLINE static inline __attribute__((target("avx512f,avx512bw"), always_inline))
#define LANES_NAME sha256_blocks_x16
#define LANES 16
#define LANES_STATES sha256_states
#define SHA_BITS 32
#define VECTOR __m512i
#define ADD _mm512_add_epi32
#define ROTATE _mm512_ror_epi32
#define SHIFT _mm512_srli_epi32
#define TERNARY _mm512_ternarylogic_epi32
#define BROADCAST(x) _mm512_set1_epi32((int)(x))
#define LOAD _mm512_load_si512
#define STORE _mm512_store_si512

// transpose_fours does the 4 x 4 words in each quarter of four registers.
SHA_INLINE void transpose_fours(__m512i w[4]) {
    __m512i low_01 = _mm512_unpacklo_epi32(w[0], w[1]), low_23 = _mm512_unpacklo_epi32(w[2], w[3]);
    __m512i high_01 = _mm512_unpackhi_epi32(w[0], w[1]), high_23 = _mm512_unpackhi_epi32(w[2], w[3]);
    w[0] = _mm512_unpacklo_epi64(low_01, low_23);
    w[1] = _mm512_unpackhi_epi64(low_01, low_23);
    w[2] = _mm512_unpacklo_epi64(high_01, high_23);
    w[3] = _mm512_unpackhi_epi64(high_01, high_23);
}

// transpose_quarters does the 4 x 4 quarters of the registers w[0], w[4], w[8], w[12].
SHA_INLINE void transpose_quarters(__m512i *w) {
    __m512i even_low = _mm512_shuffle_i32x4(w[0], w[4], 0x88), odd_low = _mm512_shuffle_i32x4(w[0], w[4], 0xdd);
    __m512i even_high = _mm512_shuffle_i32x4(w[8], w[12], 0x88), odd_high = _mm512_shuffle_i32x4(w[8], w[12], 0xdd);
    w[0] = _mm512_shuffle_i32x4(even_low, even_high, 0x88);
    w[4] = _mm512_shuffle_i32x4(odd_low, odd_high, 0x88);
    w[8] = _mm512_shuffle_i32x4(even_low, even_high, 0xdd);
    w[12] = _mm512_shuffle_i32x4(odd_low, odd_high, 0xdd);
}

SHA_INLINE void load_block(__m512i w[16], const uint8_t *const blocks[16]) {
    const __m512i swap = _mm512_broadcast_i32x4(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    for (unsigned l = 0; l < 16; l++) { w[l] = _mm512_shuffle_epi8(_mm512_loadu_si512(blocks[l]), swap); }
    for (unsigned i = 0; i < 16; i += 4) { transpose_fours(w + i); }
    for (unsigned i = 0; i < 4; i++) { transpose_quarters(w + i); }
}

#include "lanes.h"

#endif
