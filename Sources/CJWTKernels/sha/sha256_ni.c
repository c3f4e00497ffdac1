// sha256_blocks_ni, sha256_blocks_ni_x2: SHA-256 with only the SHA instructions, one stream or two in parallel: each round depends on the
// previous one, so a second stream costs little where the CPU can overlap the two. For AMD's CPUs, where this is the fastest (sha256.c), and
// for CPUs without AVX-512.

#include "sha256_ni.h"

#if defined(__x86_64__)

#define NI __attribute__((target("sha,sse4.1,ssse3")))

typedef struct ni_stream {
    ni_state state;
    __m128i w[4];  // sixteen words of the message schedule, the oldest four at w[group % 4]
} ni_stream;

NI_INLINE void load_words(ni_stream *stream, unsigned group, const uint8_t *block) {
    const __m128i swap = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    stream->w[group] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * group)), swap);
}

// schedule replaces the oldest four words by the four that follow the newest.
NI_INLINE void schedule(__m128i w[4], unsigned group) {
    __m128i newest = w[(group + 3) & 3];
    __m128i seven_back = _mm_alignr_epi8(newest, w[(group + 2) & 3], 4);
    __m128i early = _mm_add_epi32(_mm_sha256msg1_epu32(w[group & 3], w[(group + 1) & 3]), seven_back);
    w[group & 3] = _mm_sha256msg2_epu32(early, newest);
}

NI_INLINE void take_block(ni_stream *streams, const uint8_t *const *blocks, unsigned count) {
    ni_state before[2];
    for (unsigned i = 0; i < count; i++) { before[i] = streams[i].state; }
#pragma clang loop unroll(full)
    for (unsigned group = 0; group < 16; group++) {
        __m128i constants = _mm_loadu_si128((const __m128i *)&sha256_constants[4 * group]);
        for (unsigned i = 0; i < count; i++) {
            if (group < 4) {
                load_words(&streams[i], group, blocks[i]);
            } else {
                schedule(streams[i].w, group);
            }
            ni_four_rounds(&streams[i].state, _mm_add_epi32(streams[i].w[group & 3], constants));
        }
    }
    for (unsigned i = 0; i < count; i++) { streams[i].state = ni_add(streams[i].state, before[i]); }
}

NI void sha256_blocks_ni(uint32_t state[8], sha_cursor *cursor, size_t count) {
    ni_stream stream = {.state = ni_load(state)};
    for (size_t k = 0; k < count; k++) {
        const uint8_t *block = sha_cursor_next(cursor, kSHA256Block);
        take_block(&stream, &block, 1);
    }
    ni_store(state, stream.state);
}

NI void sha256_blocks_ni_x2(uint32_t state_a[8], uint32_t state_b[8], sha_cursor *a, sha_cursor *b, size_t count) {
    ni_stream streams[2] = {{.state = ni_load(state_a)}, {.state = ni_load(state_b)}};
    for (size_t k = 0; k < count; k++) {
        const uint8_t *const blocks[2] = {sha_cursor_next(a, kSHA256Block), sha_cursor_next(b, kSHA256Block)};
        take_block(streams, blocks, 2);
    }
    ni_store(state_a, streams[0].state);
    ni_store(state_b, streams[1].state);
}

#endif
