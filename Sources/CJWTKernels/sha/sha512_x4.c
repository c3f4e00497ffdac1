// sha512_blocks_x4: SHA-512 of four messages in the lanes of 256-bit registers. For few messages: three such instructions can begin in a
// cycle, of the 512-bit ones two.

#include "sha_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define SHA_TARGET __attribute__((target("avx512f,avx512vl")))
#define SHA_INLINE static inline __attribute__((target("avx512f,avx512vl"), always_inline))
#define LANES_NAME sha512_blocks_x4
#define LANES 4
#define LANES_STATES sha512_states
#define SHA_BITS 64
#define VECTOR __m256i
#define ADD _mm256_add_epi64
#define ROTATE _mm256_ror_epi64
#define SHIFT _mm256_srli_epi64
#define TERNARY _mm256_ternarylogic_epi64
#define BROADCAST(x) _mm256_set1_epi64x((long long)(x))
#define LOAD(row) _mm256_load_si256((const __m256i *)(row))
#define STORE(row, vector) _mm256_store_si256((__m256i *)(row), vector)

// two_lanes puts sixteen bytes of one lane below sixteen of another.
SHA_INLINE __m256i two_lanes(const uint8_t *low, const uint8_t *high) {
    __m256i first = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low));
    return _mm256_inserti128_si256(first, _mm_loadu_si128((const __m128i *)high), 1);
}

SHA_INLINE void load_block(__m256i w[16], const uint8_t *const blocks[4]) {
    const __m256i swap = _mm256_broadcastsi128_si256(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    for (unsigned i = 0; i < 16; i += 2) {
        __m256i even = _mm256_shuffle_epi8(two_lanes(blocks[0] + i * 8, blocks[2] + i * 8), swap);
        __m256i odd = _mm256_shuffle_epi8(two_lanes(blocks[1] + i * 8, blocks[3] + i * 8), swap);
        w[i] = _mm256_unpacklo_epi64(even, odd);
        w[i + 1] = _mm256_unpackhi_epi64(even, odd);
    }
}

#include "lanes.h"

#endif
