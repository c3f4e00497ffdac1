// json_string_span_avx512, ascii_span_avx512, find_dot_avx512, find_dots_avx512, string_stops_avx512: same contracts as the _generic
// forms.
//
// Compares 64 bytes at a time, which gives a word with one bit a byte, the first byte lowest. At the end, bytes after the input are not
// loaded: a masked load does not access memory, and therefore cannot fault, where the mask is clear.

#include "internal.h"

#if defined(CJWT_HAVE_AVX512)

#include "text_avx512.h"

// stops returns one bit for each of the first `len` bytes of the vector, set where the byte ends the span.
AVX512_INLINE uint64_t stops(__m512i bytes, __mmask64 are_there, stop what) {
    if (what == kNotASCII) {
        return _mm512_movepi8_mask(bytes) & are_there;
    }
    if (what == kDot) {
        return _mm512_mask_cmpeq_epi8_mask(are_there, bytes, _mm512_set1_epi8('.'));
    }
    __mmask64 control = _mm512_mask_cmplt_epu8_mask(are_there, bytes, _mm512_set1_epi8(0x20));
    __mmask64 quote = _mm512_mask_cmpeq_epi8_mask(are_there, bytes, _mm512_set1_epi8('"'));
    __mmask64 backslash = _mm512_mask_cmpeq_epi8_mask(are_there, bytes, _mm512_set1_epi8('\\'));
    return control | quote | backslash;
}

AVX512_INLINE size_t span(const uint8_t *in, size_t in_len, stop what) {
    for (size_t i = 0; i < in_len; i += kVector) {
        __mmask64 are_there;
        __m512i bytes = load(&are_there, in + i, in_len - i);
        uint64_t word = stops(bytes, are_there, what);
        if (word != 0) {
            return i + (size_t)__builtin_ctzll(word);
        }
    }
    return in_len;
}

SPANS(avx512, AVX512, span)


// note_dots adds the offsets of the bits of `word` to dots[0..<len], up to max_dots of them, and returns their number.
AVX512_INLINE size_t note_dots(size_t *dots, size_t len, size_t max_dots, size_t start, uint64_t word) {
    for (; word != 0 && len < max_dots; word &= word - 1) {
        dots[len++] = start + (size_t)__builtin_ctzll(word);
    }
    return len;
}

AVX512 size_t find_dots_avx512(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len) {
    size_t len = 0, i = 0;
    for (; in_len - i >= kVector && len < max_dots; i += kVector) {
        uint64_t word = stops(_mm512_loadu_si512(in + i), ~UINT64_C(0), kDot);
        if (__builtin_expect(word != 0, 0)) {
            len = note_dots(dots, len, max_dots, i, word);
        }
    }
    if (len == max_dots) {
        return len;
    }
    __mmask64 are_there;
    __m512i bytes = load(&are_there, in + i, in_len - i);
    return note_dots(dots, len, max_dots, i, stops(bytes, are_there, kDot));
}

// note_blocks is string_stops from the 64 bytes at `start` on, the first with a backslash. Returns one where every byte is below 0x80.
AVX512 static __attribute__((noinline)) int note_blocks(cjwt_stops *out, const uint8_t *in, size_t in_len, size_t start) {
    __m512i all = _mm512_setzero_si512();
    escapes escapes = {0};
    size_t count = out->count;
    memset(out->escape_bits, 0, start / kVector * sizeof(out->escape_bits[0]));
    for (size_t i = start; i < in_len; i += kVector) {
        __mmask64 are_there;
        __m512i bytes = load(&are_there, in + i, in_len - i);
        all = _mm512_or_si512(all, bytes);
        uint64_t word = stops(bytes, are_there, kEndsJSONString), begins = 0;
        uint64_t backslashes = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\'));
        out->bits[i / kVector] = word;
        if ((backslashes | escapes.is_open) != 0) {
            word &= ~note_block_escapes(&escapes, &begins, bytes, backslashes);
        }
        out->escape_bits[i / kVector] = begins;
        count = note_places_avx512(out->places, count, i, word);
    }
    out->count = count;
    out->escapes = escapes.count;
    uint64_t is_open = escapes.is_escaped | escapes.units >> 60 | escapes.highs >> 58;
    out->are_escapes_valid = (escapes.faults | is_open) == 0 && escapes.count <= out->max_escapes;
    return _mm512_movepi8_mask(all) == 0;
}

AVX512 int string_stops_avx512(cjwt_stops *out, const uint8_t *in, size_t in_len) {
    __m512i all = _mm512_setzero_si512();
    size_t count = 0;
    out->escapes = 0;
    out->are_escapes_valid = 1;
    for (size_t i = 0; i < in_len; i += kVector) {
        __mmask64 are_there;
        __m512i bytes = load(&are_there, in + i, in_len - i);
        uint64_t word = stops(bytes, are_there, kEndsJSONString);
        if (__builtin_expect(_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\')) != 0, 0)) {
            out->count = count;
            return note_blocks(out, in, in_len, i) & (_mm512_movepi8_mask(all) == 0);
        }
        all = _mm512_or_si512(all, bytes);
        out->bits[i / kVector] = word;
        count = note_places_avx512(out->places, count, i, word);
    }
    out->count = count;
    return _mm512_movepi8_mask(all) == 0;
}

#endif
