// sha256_blocks_mixed: SHA-256 of one message, rounds by the SHA instructions and the rest by vectors: 116 cycles a block; with only the
// SHA instructions 135 (Ice Lake, cycles of the time stamp counter).

#if defined(__x86_64__)

#define VECTOR __m128i
#define PREFIX _mm
#define ALIGN _mm_alignr_epi8
#define BYTES_DOWN _mm_srli_si128
#define BYTES_UP _mm_slli_si128

#include "sha256_mixed.h"

SHA_INLINE void take_block(ni_state *state, const uint8_t *block) {
    const __m128i swap = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    __m128i w[4];
    ni_state before = *state;
    for (unsigned i = 0; i < 4; i++) { w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * i)), swap); }
#pragma clang loop unroll(full)
    for (unsigned group = 0; group < 16; group++) {
        __m128i words = _mm_add_epi32(w[group & 3], _mm_loadu_si128((const __m128i *)&sha256_constants[4 * group]));
        if (group < 12) { schedule(w, group); }
        ni_four_rounds(state, words);
    }
    *state = ni_add(*state, before);
}

SHA_TARGET void sha256_blocks_mixed(uint32_t state[8], sha_cursor *cursor, size_t count) {
    ni_state stream = ni_load(state);
    for (size_t k = 0; k < count; k++) { take_block(&stream, sha_cursor_next(cursor, kSHA256Block)); }
    ni_store(state, stream);
}

#endif
