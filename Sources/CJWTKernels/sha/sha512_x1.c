// sha512_blocks_x1: SHA-512 of one message. The rounds use one lane of a 128-bit register: 16 instructions, where general registers take
// 24. The message schedules of two blocks are computed together, two words of each in a 256-bit register, during the latencies of the first
// block's rounds. (Gueron and Krasnov, "Parallelizing message schedules to accelerate the computations of hash functions", 2012.)

#if defined(__x86_64__)

#define SHA_BITS 64
#define SHA_FEATURES "avx512f,avx512vl"
#define VECTOR __m128i
#define PREFIX _mm

#include "rounds.h"

enum { kPairs = SHA_ROUNDS / 2, kXOR3 = 0x96 };

// Words 2i and 2i + 1 of the schedules of two blocks, constants added: those of the first, then those of the second.
typedef struct schedules {
    __m256i pairs[kPairs];
    uint64_t beyond;  // padding, read along with the last word
} schedules;

SHA_INLINE __m256i small_0(__m256i x) {
    return _mm256_ternarylogic_epi64(_mm256_ror_epi64(x, 1), _mm256_ror_epi64(x, 8), _mm256_srli_epi64(x, 7), kXOR3);
}

SHA_INLINE __m256i small_1(__m256i x) {
    return _mm256_ternarylogic_epi64(_mm256_ror_epi64(x, 19), _mm256_ror_epi64(x, 61), _mm256_srli_epi64(x, 6), kXOR3);
}

SHA_INLINE __m256i add_constants(__m256i words, unsigned pair) {
    __m128i constants = _mm_loadu_si128((const __m128i *)&sha512_constants[2 * pair]);
    return _mm256_add_epi64(words, _mm256_broadcastsi128_si256(constants));
}

SHA_INLINE __m256i load_pair(const uint8_t *first, const uint8_t *second) {
    const __m256i swap = _mm256_broadcastsi128_si256(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    return _mm256_shuffle_epi8(two_lanes(first, second), swap);
}

// schedule_pair replaces the oldest two words of both blocks, of the sixteen in w, by the two that follow the newest.
SHA_INLINE void schedule_pair(__m256i w[8], unsigned i) {
    __m256i oldest = w[i & 7], newest = w[(i + 7) & 7];
    __m256i one_on = _mm256_alignr_epi8(w[(i + 1) & 7], oldest, 8);
    __m256i nine_on = _mm256_alignr_epi8(w[(i + 5) & 7], w[(i + 4) & 7], 8);
    __m256i early = _mm256_add_epi64(_mm256_add_epi64(oldest, nine_on), small_0(one_on));
    w[i & 7] = _mm256_add_epi64(early, small_1(newest));
}

// round_of is round i of block 0 or 1. The upper lane of the sixteen bytes read is unused.
SHA_INLINE void round_of(VECTOR s[8], const schedules *from, unsigned block, unsigned i) {
    const uint8_t *word = (const uint8_t *)&from->pairs[i / 2] + 16 * block + 8 * (i % 2);
    round_step(s, i, _mm_loadu_si128((const __m128i *)word));
}

SHA_INLINE void add_state(VECTOR s[8], const VECTOR before[8]) {
    for (unsigned i = 0; i < 8; i++) { s[i] = ADD(s[i], before[i]); }
}

// take_first hashes the first block and leaves the schedule of the second.
SHA_INLINE void take_first(VECTOR s[8], schedules *made, const uint8_t *first, const uint8_t *second) {
    __m256i w[8];
    for (unsigned i = 0; i < 8; i++) {
        w[i] = load_pair(first + 16 * i, second + 16 * i);
        made->pairs[i] = add_constants(w[i], i);
    }
#pragma clang loop unroll(disable)
    for (unsigned pair = 0; pair < kPairs - 8; pair += 8) {
#pragma clang loop unroll(full)
        for (unsigned i = 0; i < 8; i++) {
            round_of(s, made, 0, 2 * (pair + i));
            schedule_pair(w, i);
            made->pairs[pair + 8 + i] = add_constants(w[i], pair + 8 + i);
            round_of(s, made, 0, 2 * (pair + i) + 1);
        }
    }
#pragma clang loop unroll(full)
    for (unsigned i = SHA_ROUNDS - 16; i < SHA_ROUNDS; i++) { round_of(s, made, 0, i); }
}

SHA_INLINE void take_second(VECTOR s[8], const schedules *made) {
#pragma clang loop unroll(disable)
    for (unsigned r = 0; r < SHA_ROUNDS; r += 16) {
#pragma clang loop unroll(full)
        for (unsigned i = 0; i < 16; i++) { round_of(s, made, 1, r + i); }
    }
}

SHA_TARGET void sha512_blocks_x1(sha512_states *states, size_t first, sha_cursor *const *cursors, size_t live, size_t count) {
    (void)live;
    VECTOR s[8], before[8];
    schedules made;
    made.beyond = 0;
    for (unsigned i = 0; i < 8; i++) { s[i] = _mm_loadl_epi64((const __m128i *)&states->rows[i][first]); }
    for (size_t left = count; left > 0; left -= left > 1 ? 2 : 1) {
        const uint8_t *block = sha_cursor_next(cursors[0], SHA_BLOCK);
        const uint8_t *second = left > 1 ? sha_cursor_next(cursors[0], SHA_BLOCK) : block;
        for (unsigned i = 0; i < 8; i++) { before[i] = s[i]; }
        take_first(s, &made, block, second);
        add_state(s, before);
        if (left == 1) { break; }
        for (unsigned i = 0; i < 8; i++) { before[i] = s[i]; }
        take_second(s, &made);
        add_state(s, before);
    }
    for (unsigned i = 0; i < 8; i++) { _mm_storel_epi64((__m128i *)&states->rows[i][first], s[i]); }
}

#endif
