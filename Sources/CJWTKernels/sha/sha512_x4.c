// sha512_blocks_x4: SHA-512 of four messages in the lanes of 256-bit registers. For few messages: three such instructions can begin in a
// cycle, but only two 512-bit ones.

#if defined(__x86_64__)

#define SHA_BITS 64
#define SHA_FEATURES "avx512f,avx512vl"
#define VECTOR __m256i
#define PREFIX _mm256
#define LANES 4
#define LANES_NAME sha512_blocks_x4

#include "lanes.h"

SHA_INLINE void load_block(__m256i w[16], const uint8_t *const blocks[4]) {
    const __m256i swap = _mm256_broadcastsi128_si256(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    for (unsigned i = 0; i < 16; i += 2) {
        __m256i even = _mm256_shuffle_epi8(two_lanes(blocks[0] + i * 8, blocks[2] + i * 8), swap);
        __m256i odd = _mm256_shuffle_epi8(two_lanes(blocks[1] + i * 8, blocks[3] + i * 8), swap);
        w[i] = _mm256_unpacklo_epi64(even, odd);
        w[i + 1] = _mm256_unpackhi_epi64(even, odd);
    }
}

#endif
