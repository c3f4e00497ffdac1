// sha512_blocks_x8: SHA-512 of eight messages in the lanes of 512-bit registers.

#if defined(__x86_64__)

#define SHA_BITS 64
#define SHA_FEATURES "avx512f,avx512bw"
#define VECTOR __m512i
#define PREFIX _mm512
#define LANES 8
#define LANES_NAME sha512_blocks_x8

#include "../transpose.h"
#include "lanes.h"

SHA_INLINE void load_block(__m512i w[16], const uint8_t *const blocks[8]) {
    const __m512i swap = _mm512_broadcast_i32x4(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    for (unsigned half = 0; half < 16; half += 8) {
        for (unsigned l = 0; l < 8; l++) {
            w[half + l] = _mm512_shuffle_epi8(_mm512_loadu_si512(blocks[l] + half * 8), swap);
        }
        transpose(w + half);
    }
}

#endif
