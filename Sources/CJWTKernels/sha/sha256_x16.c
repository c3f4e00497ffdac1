// sha256_blocks_x16: SHA-256 of sixteen messages in the lanes of 512-bit registers.

#if defined(__x86_64__)

#define SHA_BITS 32
#define SHA_FEATURES "avx512f,avx512bw"
#define VECTOR __m512i
#define PREFIX _mm512
#define LANES 16
#define LANES_NAME sha256_blocks_x16

#include "lanes.h"

// transpose_fours transposes the 4 x 4 words in each quarter of four registers.
SHA_INLINE void transpose_fours(__m512i w[4]) {
    __m512i low_01 = _mm512_unpacklo_epi32(w[0], w[1]), low_23 = _mm512_unpacklo_epi32(w[2], w[3]);
    __m512i high_01 = _mm512_unpackhi_epi32(w[0], w[1]), high_23 = _mm512_unpackhi_epi32(w[2], w[3]);
    w[0] = _mm512_unpacklo_epi64(low_01, low_23);
    w[1] = _mm512_unpackhi_epi64(low_01, low_23);
    w[2] = _mm512_unpacklo_epi64(high_01, high_23);
    w[3] = _mm512_unpackhi_epi64(high_01, high_23);
}

// transpose_quarters transposes the 4 x 4 quarters of the registers w[0], w[4], w[8], w[12].
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

#endif
