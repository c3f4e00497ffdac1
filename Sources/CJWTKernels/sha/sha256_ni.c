// sha256_blocks_ni, sha256_blocks_ni_x2: SHA-256 by the SHA instructions, one stream or two of them side by side: a round waits for the one
// before it, and where the CPU can begin a second meanwhile, a second stream costs little.
//
// SHA256RNDS2 does two rounds and wants the state as two registers: words a, b, e, f and words c, d, g, h, the first of each on top.

#include "sha_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define NI __attribute__((target("sha,sse4.1,ssse3")))
#define NI_INLINE static inline __attribute__((target("sha,sse4.1,ssse3"), always_inline))

typedef struct ni_stream {
    __m128i abef, cdgh;
    __m128i w[4];  // sixteen words of the message schedule, the oldest four at w[group % 4]
} ni_stream;

NI_INLINE void load_state(ni_stream *stream, const uint32_t state[8]) {
    __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
    __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
    stream->abef = _mm_alignr_epi8(cdab, efgh, 8);
    stream->cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
}

NI_INLINE void store_state(uint32_t state[8], const ni_stream *stream) {
    __m128i feba = _mm_shuffle_epi32(stream->abef, 0x1b);
    __m128i dchg = _mm_shuffle_epi32(stream->cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

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

NI_INLINE void four_rounds(ni_stream *stream, unsigned group) {
    __m128i constants = _mm_loadu_si128((const __m128i *)&sha256_constants[4 * group]);
    __m128i first = _mm_add_epi32(stream->w[group & 3], constants);
    stream->cdgh = _mm_sha256rnds2_epu32(stream->cdgh, stream->abef, first);
    stream->abef = _mm_sha256rnds2_epu32(stream->abef, stream->cdgh, _mm_shuffle_epi32(first, 0x0e));
}

NI_INLINE void take_block(ni_stream *streams, const uint8_t *const *blocks, unsigned count) {
    __m128i abef[2], cdgh[2];
    for (unsigned i = 0; i < count; i++) {
        abef[i] = streams[i].abef;
        cdgh[i] = streams[i].cdgh;
    }
#pragma clang loop unroll(full)
    for (unsigned group = 0; group < 16; group++) {
        for (unsigned i = 0; i < count; i++) {
            if (group < 4) {
                load_words(&streams[i], group, blocks[i]);
            } else {
                schedule(streams[i].w, group);
            }
            four_rounds(&streams[i], group);
        }
    }
    for (unsigned i = 0; i < count; i++) {
        streams[i].abef = _mm_add_epi32(streams[i].abef, abef[i]);
        streams[i].cdgh = _mm_add_epi32(streams[i].cdgh, cdgh[i]);
    }
}

NI void sha256_blocks_ni(uint32_t state[8], sha_cursor *cursor, size_t count) {
    ni_stream stream;
    load_state(&stream, state);
    for (size_t k = 0; k < count; k++) {
        const uint8_t *block = sha_cursor_next(cursor, kSHA256Block);
        take_block(&stream, &block, 1);
    }
    store_state(state, &stream);
}

NI void sha256_blocks_ni_x2(uint32_t state_a[8], uint32_t state_b[8], sha_cursor *a, sha_cursor *b, size_t count) {
    ni_stream streams[2];
    load_state(&streams[0], state_a);
    load_state(&streams[1], state_b);
    for (size_t k = 0; k < count; k++) {
        const uint8_t *const blocks[2] = {sha_cursor_next(a, kSHA256Block), sha_cursor_next(b, kSHA256Block)};
        take_block(streams, blocks, 2);
    }
    store_state(state_a, &streams[0]);
    store_state(state_b, &streams[1]);
}

#endif
