// json_string_span_avx2, ascii_span_avx2, find_dot_avx2, find_dots_avx2, string_stops_avx2: same contracts as the _generic forms.
//
// Compares 32 bytes at a time and collects one bit a byte, the first byte lowest; the span ends at the lowest bit. An incomplete vector is
// loaded as two pieces that overlap in the middle, never with bytes outside the input:
//
//   in_len 32 and more    a whole vector at the end, over bytes already seen:    [.. 32 ..][.. 32 ..]
//                                                                                      [.. 32 ..]
//   in_len 16 to 31       16 bytes from the start and 16 to the end              [... 16 ...]
//   in_len  8 to 15        8 and  8, the same way                                      [... 16 ...]
//   in_len  4 to  7        4 and  4
//   in_len  0 to  3       byte by byte, by the generic code
//
// JSON names and values are mostly shorter than 32 bytes, but the rest of the document is not: they take one step of the first kind.

#include "internal.h"

#if defined(CJWT_HAVE_AVX2)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2,bmi,popcnt")))
#define AVX2_INLINE static inline __attribute__((target("avx2,bmi,popcnt"), always_inline))

enum { kVector = 32 };

// stops returns one bit a byte, set where the byte ends the span.
AVX2_INLINE uint32_t stops(__m256i bytes, stop what) {
    __m256i found = bytes;  // kNotASCII: the top bit of each byte, which movemask collects
    if (what == kDot) {
        found = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('.'));
    } else if (what == kEndsJSONString) {
        // AVX2 has no unsigned "less than": below 0x20 is min(byte, 0x1f) == byte.
        __m256i control = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
        __m256i quote = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"'));
        __m256i backslash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'));
        found = _mm256_or_si256(control, _mm256_or_si256(quote, backslash));
    }
    return (uint32_t)_mm256_movemask_epi8(found);
}

AVX2_INLINE uint32_t stops_at(const uint8_t *in, stop what) {
    return stops(_mm256_loadu_si256((const __m256i *)in), what);
}

AVX2_INLINE __m128i load_four(const uint8_t *in) {
    int32_t bytes;
    memcpy(&bytes, in, sizeof(bytes));
    return _mm_cvtsi32_si128(bytes);
}

// span_short is span for in_len 4 to 31.
AVX2_INLINE size_t span_short(const uint8_t *in, size_t in_len, stop what) {
    size_t piece;
    __m256i bytes;
    if (in_len >= 16) {
        piece = 16;
        bytes = _mm256_loadu2_m128i((const __m128i *)(in + in_len - 16), (const __m128i *)in);
    } else if (in_len >= 8) {
        piece = 8;
        __m128i start = _mm_loadl_epi64((const __m128i *)in), end = _mm_loadl_epi64((const __m128i *)(in + in_len - 8));
        bytes = _mm256_zextsi128_si256(_mm_unpacklo_epi64(start, end));
    } else {
        piece = 4;
        bytes = _mm256_zextsi128_si256(_mm_unpacklo_epi32(load_four(in), load_four(in + in_len - 4)));
    }

    // One bit above the two pieces: if no lower bit is set, it means that the span reaches in_len.
    uint64_t mask = (stops(bytes, what) & ((UINT64_C(1) << 2 * piece) - 1)) | UINT64_C(1) << 2 * piece;
    size_t bit = (size_t)__builtin_ctzll(mask);
    return bit < piece ? bit : in_len - 2 * piece + bit;
}

AVX2_INLINE size_t span(const uint8_t *in, size_t in_len, stop what) {
    if (in_len < kVector) {
        return span_short(in, in_len, what);
    }
    for (size_t i = 0; in_len - i >= kVector; i += kVector) {
        uint32_t mask = stops_at(in + i, what);
        if (mask != 0) {
            return i + (size_t)__builtin_ctz(mask);
        }
    }
    uint32_t mask = stops_at(in + in_len - kVector, what);
    return mask == 0 ? in_len : in_len - kVector + (size_t)__builtin_ctz(mask);
}

SPANS(avx2, AVX2, SPAN_FROM_FOUR)


// string_stops_avx2 takes two vectors a word. An incomplete last word is loaded with preceding bytes, whose bits are shifted out; or, in a
// text shorter than a word, with zeros, whose bits are masked.
typedef struct seen {
    __m256i all, backslashes;
} seen;

AVX2_INLINE uint64_t stop_word(seen *seen, const uint8_t *in) {
    const __m256i backslash = _mm256_set1_epi8('\\');
    __m256i low = _mm256_loadu_si256((const __m256i *)in), high = _mm256_loadu_si256((const __m256i *)(in + kVector));
    __m256i backslashes = _mm256_or_si256(_mm256_cmpeq_epi8(low, backslash), _mm256_cmpeq_epi8(high, backslash));
    seen->all = _mm256_or_si256(seen->all, _mm256_or_si256(low, high));
    seen->backslashes = _mm256_or_si256(seen->backslashes, backslashes);
    return stops(low, kEndsJSONString) | (uint64_t)stops(high, kEndsJSONString) << kVector;
}

AVX2_INLINE uint64_t short_stop_word(seen *seen, const uint8_t *in, size_t in_len) {
    uint8_t text[64] = {0};
    memcpy(text, in, in_len);
    return stop_word(seen, text) & ((UINT64_C(1) << in_len) - 1);
}

AVX2 int string_stops_avx2(cjwt_stops *out, const uint8_t *in, size_t in_len) {
    seen seen = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    size_t i = 0, count = 0;
    for (; in_len - i >= 64; i += 64) {
        uint64_t word = stop_word(&seen, in + i);
        out->bits[i / 64] = word;
        count = note_places(out->places, count, i, word);
    }
    if (i < in_len) {
        uint64_t word = i > 0 ? stop_word(&seen, in + in_len - 64) >> (64 - (in_len - i)) : short_stop_word(&seen, in, in_len);
        out->bits[i / 64] = word;
        count = note_places(out->places, count, i, word);
    }
    out->count = count;
    out->escapes = 0;
    out->are_escapes_valid = 1;
    if (__builtin_expect(_mm256_movemask_epi8(seen.backslashes) != 0, 0)) {
        note_escapes(out, in, in_len);
    }
    return _mm256_movemask_epi8(seen.all) == 0;
}

AVX2_INLINE uint64_t dot_word(const uint8_t *in) {
    return stops_at(in, kDot) | (uint64_t)stops_at(in + kVector, kDot) << kVector;
}

// find_dots_avx2 reads 64 bytes at a time, the last of them with preceding bytes, whose bits are shifted out.
AVX2 size_t find_dots_avx2(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len) {
    if (in_len < 64) {
        return find_dots_generic(dots, max_dots, in, in_len);
    }
    size_t len = 0;
    for (size_t i = 0; i < in_len; i += 64) {
        size_t rest = in_len - i;
        uint64_t word = rest >= 64 ? dot_word(in + i) : dot_word(in + in_len - 64) >> (64 - rest);
        for (; word != 0; word &= word - 1) {
            if (len == max_dots) {
                return len;
            }
            dots[len++] = i + (size_t)__builtin_ctzll(word);
        }
    }
    return len;
}

#endif
