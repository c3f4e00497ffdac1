// internal.h: declarations that the files of CJWTKernels share, private to it.
//
// Every function here has the contract of the member of cjwt_kernels it is named after (CJWTKernels.h).

#ifndef CJWT_KERNELS_INTERNAL_H
#define CJWT_KERNELS_INTERNAL_H

#include "CJWTKernels.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

// A SIMD file compiles to nothing unless its macro is defined. Both need little-endian byte order: lane zero is the first byte.
#if defined(__x86_64__)
#define CJWT_HAVE_AVX2 1
#define CJWT_HAVE_AVX512 1
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define CJWT_HAVE_NEON 1
#endif

// The parts of cjwt_json_node.description.
enum { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject };  // JSONNode.Kind
enum { kFlag = 1 << 8, kCountShift = 9 };

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define KERNELS(SUFFIX)                                                                                        \
    int base64url_decode_##SUFFIX(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len);            \
    size_t json_string_span_##SUFFIX(const uint8_t *in, size_t in_len);                                        \
    size_t ascii_span_##SUFFIX(const uint8_t *in, size_t in_len);                                              \
    size_t find_dot_##SUFFIX(const uint8_t *in, size_t in_len);                                                \
    size_t find_dots_##SUFFIX(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len);                \
    int string_stops_##SUFFIX(cjwt_stops *stops, const uint8_t *in, size_t in_len);                            \
    int is_utf8_##SUFFIX(const uint8_t *in, size_t in_len);

KERNELS(generic)
KERNELS(avx2)
KERNELS(avx512)
KERNELS(neon)

// The quotes outside escapes, by their ordinals, for json_runs_avx512.c. kFollowed has room for one vector more than the maximum.
enum { kMaxFollowed = 2048, kFollowed = kMaxFollowed + 64 };

typedef struct followers {
    // The byte after the quote where another quote follows that byte; else zero.
    uint8_t bytes[kFollowed];
    // One where an escape begins between the quote and the one before. Only where there are escapes.
    uint8_t escapes[kFollowed];
    // One where some byte is below 0x20. Other places are quotes.
    int have_controls;
} followers;

// followed_stops_avx512 is string_stops, except that where there are at most kMaxFollowed places, it writes their followers and no
// escape_bits. Memory after the followers is unspecified.
int followed_stops_avx512(cjwt_stops *stops, followers *followers, const uint8_t *in, size_t in_len);

// note_escapes completes the result of string_stops for a text with a backslash, where `places` still has all stops.
void note_escapes(cjwt_stops *stops, const uint8_t *in, size_t in_len);

// note_any_escapes does so for any text.
INLINE void note_any_escapes(cjwt_stops *stops, const uint8_t *in, size_t in_len) {
    stops->escapes = 0;
    stops->are_escapes_valid = 1;
    if (in_len > 0 && memchr(in, '\\', in_len) != NULL) {
        note_escapes(stops, in, in_len);
    }
}

// The condition that ends a span. Always a constant, so each function is compiled with only its own comparison.
typedef enum { kEndsJSONString, kNotASCII, kDot } stop;

// SPAN_FROM_FOUR leaves fewer than four bytes to the generic code.
#define SPAN_FROM_FOUR(IN, LEN, WHAT)                                                                                            \
    ((LEN) < 4 ? ((WHAT) == kDot ? find_dot_generic : (WHAT) == kNotASCII ? ascii_span_generic : json_string_span_generic)(IN, LEN) \
               : span(IN, LEN, WHAT))

#define SPANS(SUFFIX, TARGET, SPAN)                                                                                              \
    TARGET size_t json_string_span_##SUFFIX(const uint8_t *in, size_t in_len) { return SPAN(in, in_len, kEndsJSONString); }      \
    TARGET size_t ascii_span_##SUFFIX(const uint8_t *in, size_t in_len) { return SPAN(in, in_len, kNotASCII); }                  \
    TARGET size_t find_dot_##SUFFIX(const uint8_t *in, size_t in_len) { return SPAN(in, in_len, kDot); }

// base64url_generic.c's table: the value of each character, 0xff outside the alphabet.
extern const uint8_t base64url_values[256] __attribute__((visibility("hidden")));

// digit_bits_16 is a bit for each of the sixteen bytes at `in` that is a decimal digit.
INLINE uint64_t digit_bits_16(const uint8_t *in) {
#if defined(__SSE2__)
    __m128i digits = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)in), _mm_set1_epi8('0'));
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits));
#else
    uint64_t bits = 0;
    for (int i = 0; i < 16; i++) {
        bits |= (uint64_t)(in[i] >= '0' && in[i] <= '9') << i;
    }
    return bits;
#endif
}

// digit_span_16 is the number of consecutive decimal digits among the sixteen bytes at `in`, from byte `start` on.
INLINE size_t digit_span_16(const uint8_t *in, size_t start) {
    return (size_t)__builtin_ctzll(~(digit_bits_16(in) >> start));
}

// space_bits_16 is a bit for each of the sixteen bytes at `in` that is white space (RFC 8259 section 2).
INLINE uint64_t space_bits_16(const uint8_t *in) {
#if defined(__SSE2__)
    __m128i bytes = _mm_loadu_si128((const __m128i *)in);
    __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')));
    __m128i line = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(blank, line));
#else
    uint64_t bits = 0;
    for (int i = 0; i < 16; i++) {
        bits |= (uint64_t)(in[i] == ' ' || in[i] == '\t' || in[i] == '\n' || in[i] == '\r') << i;
    }
    return bits;
#endif
}

// lowest_bit is the position of the lowest set bit; 64 if none is set. One instruction where the caller is compiled for BMI.
INLINE unsigned lowest_bit(uint64_t word) {
    return word == 0 ? 64 : (unsigned)__builtin_ctzll(word);
}

// digit_span_64 and space_span_64 are the numbers of consecutive digits, or bytes of white space, at the start of the 64 bytes at `in`.
INLINE size_t digit_span_64(const uint8_t *in) {
    uint64_t bits = digit_bits_16(in) | digit_bits_16(in + 16) << 16 | digit_bits_16(in + 32) << 32 | digit_bits_16(in + 48) << 48;
    return lowest_bit(~bits);
}

INLINE size_t space_span_64(const uint8_t *in) {
    uint64_t bits = space_bits_16(in) | space_bits_16(in + 16) << 16 | space_bits_16(in + 32) << 32 | space_bits_16(in + 48) << 48;
    return lowest_bit(~bits);
}

// note_places adds the positions of the set bits of `word`, which stand for the 64 bytes from `start` on, to places[0..<count] and returns
// the new count. It always writes eight at a time: a loop of exactly the number of bits would be mispredicted.
INLINE size_t note_places(uint16_t *places, size_t count, size_t start, uint64_t word) {
    size_t end = count + (size_t)__builtin_popcountll(word);
    do {
        for (size_t i = 0; i < 8; i++, word &= word - 1) {
            places[count + i] = (uint16_t)(start + lowest_bit(word));
        }
        count += 8;
    } while (__builtin_expect(word != 0, 0));
    return end;
}

// base64url_decode_rest finishes a decoding whose first `done` characters, a multiple of four, are already decoded and valid. The generic
// code decodes the rest, so only one function computes the exact offset of a refusal.
static inline int base64url_decode_rest(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len, size_t done) {
    size_t done_out = done / 4 * 3;
    size_t rest_len = 0;
    int ok = base64url_decode_generic(out + done_out, &rest_len, in + done, in_len - done);
    *out_len = rest_len + (ok ? done_out : done);
    return ok;
}

#endif
