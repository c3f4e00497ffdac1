// internal.h: what the files of CJWTKernels share with each other and with nobody else.
//
// Every function here has the contract of the member of cjwt_kernels it is named after (CJWTKernels.h).

#ifndef CJWT_KERNELS_INTERNAL_H
#define CJWT_KERNELS_INTERNAL_H

#include "CJWTKernels.h"

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

int base64url_decode_generic(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len);
size_t json_string_span_generic(const uint8_t *in, size_t in_len);
size_t ascii_span_generic(const uint8_t *in, size_t in_len);
size_t find_dot_generic(const uint8_t *in, size_t in_len);
size_t find_dots_generic(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len);
int string_stops_generic(cjwt_stops *stops, const uint8_t *in, size_t in_len);

#if defined(CJWT_HAVE_AVX2)
int base64url_decode_avx2(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len);
size_t json_string_span_avx2(const uint8_t *in, size_t in_len);
size_t ascii_span_avx2(const uint8_t *in, size_t in_len);
size_t find_dot_avx2(const uint8_t *in, size_t in_len);
size_t find_dots_avx2(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len);
int string_stops_avx2(cjwt_stops *stops, const uint8_t *in, size_t in_len);
#endif

#if defined(CJWT_HAVE_AVX512)
int base64url_decode_avx512(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len);
size_t json_string_span_avx512(const uint8_t *in, size_t in_len);
size_t ascii_span_avx512(const uint8_t *in, size_t in_len);
size_t find_dot_avx512(const uint8_t *in, size_t in_len);
size_t find_dots_avx512(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len);
int string_stops_avx512(cjwt_stops *stops, const uint8_t *in, size_t in_len);
#endif

#if defined(CJWT_HAVE_NEON)
int base64url_decode_neon(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len);
size_t json_string_span_neon(const uint8_t *in, size_t in_len);
size_t ascii_span_neon(const uint8_t *in, size_t in_len);
size_t find_dot_neon(const uint8_t *in, size_t in_len);
size_t find_dots_neon(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len);
int string_stops_neon(cjwt_stops *stops, const uint8_t *in, size_t in_len);
#endif

// digit_span_16 is the number of decimal digits that the sixteen bytes at `in` have from byte `start` on.
INLINE size_t digit_span_16(const uint8_t *in, size_t start) {
#if defined(__SSE2__)
    __m128i digits = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)in), _mm_set1_epi8('0'));
    __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
    return (size_t)__builtin_ctz(~((unsigned)_mm_movemask_epi8(is_digit) >> start));
#else
    size_t i = start;
    while (i < 16 && in[i] >= '0' && in[i] <= '9') {
        i++;
    }
    return i - start;
#endif
}

// lowest_bit is the place of the lowest bit that is set; 64 where none is. One instruction where the caller is compiled for BMI.
INLINE unsigned lowest_bit(uint64_t word) {
    return word == 0 ? 64 : (unsigned)__builtin_ctzll(word);
}

// note_places adds the places of the bits of `word`, which stand for the 64 bytes from `start` on, to places[0..<count] and returns their
// number. Eight are written whether there are so many or not: a loop that ends at each word's own number is foreseen by no processor.
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

// base64url_decode_rest finishes a decoding whose first `done` characters, a multiple of four, are already decoded and good. The
// generic code takes the remainder, so the exact offset of a refusal is worked out in one place only.
static inline int base64url_decode_rest(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len, size_t done) {
    size_t done_out = done / 4 * 3;
    size_t rest_len = 0;
    int ok = base64url_decode_generic(out + done_out, &rest_len, in + done, in_len - done);
    *out_len = rest_len + (ok ? done_out : done);
    return ok;
}

#endif
