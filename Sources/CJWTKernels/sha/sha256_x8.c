// sha256_blocks_x8: SHA-256 of eight messages in the lanes of 256-bit registers. For few messages: three such instructions can begin in a
// cycle, but only two 512-bit ones.

#if defined(__x86_64__)

#define SHA_BITS 32
#define SHA_FEATURES "avx512f,avx512vl"
#define VECTOR __m256i
#define PREFIX _mm256
#define LANES 8
#define LANES_NAME sha256_blocks_x8

#include "lanes.h"

SHA_INLINE void load_block(__m256i w[16], const uint8_t *const blocks[8]) {
    const __m256i swap = _mm256_broadcastsi128_si256(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    for (unsigned i = 0; i < 16; i += 4) {
        __m256i rows[4];  // four words of lanes l and l + 4
        for (unsigned l = 0; l < 4; l++) {
            rows[l] = _mm256_shuffle_epi8(two_lanes(blocks[l] + i * 4, blocks[l + 4] + i * 4), swap);
        }
        __m256i low_01 = _mm256_unpacklo_epi32(rows[0], rows[1]), low_23 = _mm256_unpacklo_epi32(rows[2], rows[3]);
        __m256i high_01 = _mm256_unpackhi_epi32(rows[0], rows[1]), high_23 = _mm256_unpackhi_epi32(rows[2], rows[3]);
        w[i] = _mm256_unpacklo_epi64(low_01, low_23);
        w[i + 1] = _mm256_unpackhi_epi64(low_01, low_23);
        w[i + 2] = _mm256_unpacklo_epi64(high_01, high_23);
        w[i + 3] = _mm256_unpackhi_epi64(high_01, high_23);
    }
}

#endif
