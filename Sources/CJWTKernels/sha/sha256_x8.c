// sha256_blocks_x8: SHA-256 of eight messages in the lanes of 256-bit registers. For few messages: three such instructions can begin in a
// cycle, of the 512-bit ones two.

#include "sha_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define SHA_TARGET __attribute__((target("avx512f,avx512vl")))
#define SHA_INLINE static inline __attribute__((target("avx512f,avx512vl"), always_inline))
#define LANES_NAME sha256_blocks_x8
#define LANES 8
#define LANES_STATES sha256_states
#define SHA_BITS 32
#define VECTOR __m256i
#define ADD _mm256_add_epi32
#define ROTATE _mm256_ror_epi32
#define SHIFT _mm256_srli_epi32
#define TERNARY _mm256_ternarylogic_epi32
#define BROADCAST(x) _mm256_set1_epi32((int)(x))
#define LOAD(row) _mm256_load_si256((const __m256i *)(row))
#define STORE(row, vector) _mm256_store_si256((__m256i *)(row), vector)

// two_lanes puts sixteen bytes of one lane below sixteen of another.
SHA_INLINE __m256i two_lanes(const uint8_t *low, const uint8_t *high) {
    __m256i first = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low));
    return _mm256_inserti128_si256(first, _mm_loadu_si128((const __m128i *)high), 1);
}

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

#include "lanes.h"

#endif
