// followed_stops_avx512: string_stops, and the followers of the quotes.
//
// The bytes of a block are loaded twice more: from their second byte behind on, to see where quotes are, and from the next byte on, masked
// with these. A compression keeps what belongs to the block's own quotes.

#include "internal.h"

#if defined(CJWT_HAVE_AVX512)

#include "text_avx512.h"

// The results, and what one block passes to the next.
typedef struct pass {
    cjwt_stops *out;
    followers *followers;
    const uint8_t *in;
    size_t count;
    __m512i all;
    __mmask64 controls;
    // Where there are escapes:
    escapes escapes;
    unsigned char is_after_escape;  // one where an escape began after the last quote
} pass;

// A block of 64 bytes, or of the rest of the text.
typedef struct block {
    __m512i bytes;
    uint64_t stops;  // all of them, escaped or not
    uint64_t backslashes;
    __mmask64 has_second;  // by byte: whether there is a second byte behind it
} block;

// read_block reads the block at i, of a text that has `left` bytes from there on. `is_whole` says that these are at least 66.
AVX512_INLINE block read_block(pass *pass, size_t i, size_t left, int is_whole) {
    block read = {.has_second = ~UINT64_C(0)};
    __mmask64 are_there = ~UINT64_C(0);
    if (is_whole) {
        read.bytes = _mm512_loadu_si512(pass->in + i);
    } else {
        read.bytes = load(&are_there, pass->in + i, left);
        read.has_second = _bzhi_u64(~UINT64_C(0), left > 2 ? (unsigned)left - 2 : 0);
    }
    __mmask64 controls = _mm512_mask_cmplt_epu8_mask(are_there, read.bytes, _mm512_set1_epi8(0x20));
    __mmask64 quotes = _mm512_cmpeq_epi8_mask(read.bytes, _mm512_set1_epi8('"'));
    __mmask64 backslashes = _mm512_cmpeq_epi8_mask(read.bytes, _mm512_set1_epi8('\\'));
    pass->controls |= controls;
    read.backslashes = backslashes;
    read.stops = controls | quotes | backslashes;
    return read;
}

// note_quotes adds the bits of `word`, in the block at i, to the places and the followers.
AVX512_INLINE void note_quotes(pass *pass, size_t i, const block *read, uint64_t word) {
    const uint8_t *in = pass->in + i;
    __m512i second = _mm512_maskz_loadu_epi8(read->has_second, in + 2);
    // Where a second byte is, a next one is.
    __mmask64 before_quotes = _mm512_mask_cmpeq_epi8_mask(read->has_second, second, _mm512_set1_epi8('"'));
    __m512i next = _mm512_maskz_compress_epi8(word, _mm512_maskz_loadu_epi8(before_quotes, in + 1));
    _mm512_storeu_si512(pass->followers->bytes + pass->count, next);
    pass->count = note_places_avx512(pass->out->places, pass->count, i, word);
}

// pass_plain passes a block without backslashes. Returns zero for another one.
AVX512_INLINE int pass_plain(pass *pass, size_t i, size_t left, int is_whole) {
    block read = read_block(pass, i, left, is_whole);
    if (__builtin_expect(read.backslashes != 0, 0)) {
        return 0;
    }
    pass->all = _mm512_or_si512(pass->all, read.bytes);
    pass->out->bits[i / kVector] = read.stops;
    note_quotes(pass, i, &read, read.stops);
    return 1;
}

// whole_blocks is the number of blocks from i on that have 66 bytes, and as many followers as there is room for in any case.
AVX512_INLINE size_t whole_blocks(const pass *pass, size_t i, size_t in_len) {
    if (in_len - i < 2 || pass->count > kMaxFollowed) {
        return 0;
    }
    size_t whole = (in_len - i - 2) / kVector, followed = (kMaxFollowed - pass->count) / kVector + 1;
    return whole < followed ? whole : followed;
}

// pass_escaped passes any block.
AVX512_INLINE void pass_escaped(pass *pass, size_t i, size_t left, int is_whole) {
    block read = read_block(pass, i, left, is_whole);
    uint64_t word = read.stops, begins = 0;
    pass->all = _mm512_or_si512(pass->all, read.bytes);
    pass->out->bits[i / kVector] = word;
    __m512i are_after = _mm512_setzero_si512();
    if ((read.backslashes | pass->escapes.is_open | pass->is_after_escape) != 0) {
        word &= ~note_block_escapes(&pass->escapes, &begins, read.bytes, read.backslashes);
        // Between two quotes all bits are set. Adding the bits of escapes carries to the second quote, whose bit is clear, and no further.
        unsigned long long after;
        pass->is_after_escape = _addcarry_u64(pass->is_after_escape, ~word, begins, &after);
        are_after = _mm512_maskz_compress_epi8(word, _mm512_maskz_set1_epi8(after, 1));
    }
    _mm512_storeu_si512(pass->followers->escapes + pass->count, are_after);
    note_quotes(pass, i, &read, word);
}

// end returns one where every byte is below 0x80.
AVX512_INLINE int end(const pass *pass) {
    pass->followers->have_controls = pass->controls != 0;
    pass->out->count = pass->count;
    return _mm512_movepi8_mask(pass->all) == 0;
}

// pass_escapes goes on from the block at `start`, the first with a backslash, with what `end` has noted. Returns one where every byte of it
// and of those behind it is below 0x80.
AVX512 static __attribute__((noinline)) int pass_escapes(
    cjwt_stops *out, followers *followers, const uint8_t *in, size_t in_len, size_t start) {
    pass pass = {.out = out, .followers = followers, .in = in, .count = out->count, .all = _mm512_setzero_si512()};
    pass.controls = (__mmask64)followers->have_controls;
    memset(followers->escapes, 0, out->count);
    size_t i = start;
    for (size_t blocks; (blocks = whole_blocks(&pass, i, in_len)) > 0;) {
        do {
            pass_escaped(&pass, i, kVector + 2, 1);
            i += kVector;
        } while (--blocks > 0);
    }
    for (; i < in_len && pass.count <= kMaxFollowed; i += kVector) {
        pass_escaped(&pass, i, in_len - i, 0);
    }
    if (pass.count > kMaxFollowed) {
        return string_stops_avx512(out, in, in_len);
    }
    const escapes *escapes = &pass.escapes;
    uint64_t is_open = escapes->is_escaped | escapes->units >> 60 | escapes->highs >> 58;
    out->escapes = escapes->count;
    out->are_escapes_valid = (escapes->faults | is_open) == 0 && escapes->count <= out->max_escapes;
    return end(&pass);
}

AVX512 int followed_stops_avx512(cjwt_stops *out, followers *followers, const uint8_t *in, size_t in_len) {
    pass pass = {.out = out, .followers = followers, .in = in, .all = _mm512_setzero_si512()};
    size_t i = 0;
    int is_plain = 1;
    out->escapes = 0;
    out->are_escapes_valid = 1;
    for (size_t blocks; is_plain && (blocks = whole_blocks(&pass, i, in_len)) > 0;) {
        for (; blocks > 0 && (is_plain = pass_plain(&pass, i, kVector + 2, 1)); blocks--) {
            i += kVector;
        }
    }
    while (is_plain && i < in_len && pass.count <= kMaxFollowed) {
        is_plain = pass_plain(&pass, i, in_len - i, 0);
        i += is_plain ? kVector : 0;
    }
    if (__builtin_expect(is_plain && pass.count > kMaxFollowed, 0)) {
        return string_stops_avx512(out, in, in_len);
    }
    int is_ascii = end(&pass);
    return is_plain ? is_ascii : pass_escapes(out, followers, in, in_len, i) & is_ascii;
}

#endif
