// base64url_decode_avx2: same contract as base64url_decode_generic, 32 characters to 24 bytes at a time.
//
// One step: look each character up (base64url_nibbles.h), then join the six-bit values, all inside 32-bit groups:
//
//   bytes, low first    00aaaaaa  00bbbbbb  00cccccc  00dddddd       one group of four characters
//   a * 64 + b          0000aaaaaabbbbbb    0000ccccccdddddd         _mm256_maddubs_epi16 with the bytes 64, 1
//   ab * 4096 + cd      00000000aaaaaabbbbbbccccccdddddd             _mm256_madd_epi16 with the words 4096, 1
//   bytes, low first    ccdddddd  bbbbcccc  aaaaaabb  00000000       so the output bytes of a group are 2, 1, 0
//
//   _mm256_shuffle_epi8, each half     2 1 0  6 5 4  10 9 8  14 13 12  - - - -       twelve bytes, then four zeros
//   _mm256_permutevar8x32_epi32        0 1 2 4 5 6 | 3 7                             24 bytes in a row
//
// Stores are of 16 and 8 bytes, exactly the 24 bytes of the step: nothing is written past the end of the output.

#include "internal.h"

#if defined(CJWT_HAVE_AVX2)

#include <immintrin.h>

#include "base64url_nibbles.h"

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((target("avx2"), always_inline))

AVX2_INLINE __m256i both_halves(const uint8_t table[16]) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
}

// values turns characters into their six-bit values. Returns zero where one is outside the alphabet.
AVX2_INLINE int values(__m256i *out, __m256i chars) {
    const __m256i low_nibble = _mm256_set1_epi8(0x0f);
    __m256i row = _mm256_and_si256(_mm256_srli_epi16(chars, 4), low_nibble);
    __m256i column = _mm256_and_si256(chars, low_nibble);
    __m256i row_class = _mm256_shuffle_epi8(both_halves(kBase64urlRow), row);
    __m256i refused_classes = _mm256_shuffle_epi8(both_halves(kBase64urlColumn), column);

    __m256i is_underscore = _mm256_cmpeq_epi8(chars, _mm256_set1_epi8('_'));
    __m256i extra = _mm256_and_si256(is_underscore, _mm256_set1_epi8(kBase64urlUnderscore));
    __m256i shift = _mm256_add_epi8(_mm256_shuffle_epi8(both_halves(kBase64urlShift), row), extra);
    *out = _mm256_add_epi8(chars, shift);
    return _mm256_testz_si256(row_class, refused_classes);
}

// pack joins 32 six-bit values into 24 bytes; the upper eight bytes of the result are zero.
AVX2_INLINE __m256i pack(__m256i v) {
    const __m256i order = _mm256_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1,  //
                                           2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
    __m256i ab_cd = _mm256_maddubs_epi16(v, _mm256_set1_epi16(0x0140));      // bytes 64, 1
    __m256i abcd = _mm256_madd_epi16(ab_cd, _mm256_set1_epi32(0x00011000));  // words 4096, 1
    __m256i halves = _mm256_shuffle_epi8(abcd, order);
    return _mm256_permutevar8x32_epi32(halves, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
}

// decode_step decodes in[0..<32] to out[0..<24]. Returns zero, with nothing written, where a character is outside the alphabet.
AVX2_INLINE int decode_step(uint8_t *out, const uint8_t *in) {
    __m256i v;
    if (!values(&v, _mm256_loadu_si256((const __m256i *)in))) {
        return 0;
    }
    __m256i bytes = pack(v);
    _mm_storeu_si128((__m128i *)out, _mm256_castsi256_si128(bytes));
    _mm_storel_epi64((__m128i *)(out + 16), _mm256_extracti128_si256(bytes, 1));
    return 1;
}

DECODE_BY_32(avx2, AVX2)

#endif
