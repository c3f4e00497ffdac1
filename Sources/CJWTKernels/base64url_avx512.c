// base64url_decode_avx512: same contract as base64url_decode_generic, 64 characters to 48 bytes at a time.
//
// One step: look each character up in the first half of the generic table, join the six-bit values as base64url_avx2.c does, and collect
// the three bytes of each of the sixteen groups, which are in reverse order.
//
// The last step decodes the rest. Positions without a character are loaded as 'A', whose bits are zeros, and nothing is stored for them; so
// the unused bits are zero if and only if the byte after the output is zero.

#include "internal.h"

#if defined(CJWT_HAVE_AVX512)

#include <immintrin.h>

#define AVX512_INLINE static inline __attribute__((target("avx512f,avx512bw,avx512vbmi,bmi,bmi2"), always_inline))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,bmi,bmi2")))

enum { kStepIn = 64, kStepOut = 48 };

// The position of each output byte among the groups of four bytes; the rest is not stored.
static const uint8_t kOrder[64] __attribute__((aligned(64))) = {
     2,  1,  0,  6,  5,  4, 10,  9,  8, 14, 13, 12, 18, 17, 16, 22, 21, 20, 26, 25, 24, 30, 29, 28,
    34, 33, 32, 38, 37, 36, 42, 41, 40, 46, 45, 44, 50, 49, 48, 54, 53, 52, 58, 57, 56, 62, 61, 60,
};

// decode_step turns 64 characters into 48 bytes. Returns zero where one is outside the alphabet: only then a value, or a byte from 0x80 on
// itself, has the top bit.
AVX512_INLINE int decode_step(__m512i *out, __m512i chars) {
    __m512i values = _mm512_permutex2var_epi8(_mm512_load_si512(base64url_values), chars, _mm512_load_si512(base64url_values + 64));
    __m512i ab_cd = _mm512_maddubs_epi16(values, _mm512_set1_epi16(0x0140));      // bytes 64, 1
    __m512i abcd = _mm512_madd_epi16(ab_cd, _mm512_set1_epi32(0x00011000));       // words 4096, 1
    *out = _mm512_permutexvar_epi8(_mm512_load_si512(kOrder), abcd);
    return _mm512_movepi8_mask(_mm512_or_si512(values, chars)) == 0;
}

// decode_last decodes the last 0 to 63 characters. Returns zero where they are invalid.
AVX512_INLINE int decode_last(uint8_t *out, const uint8_t *in, size_t in_len) {
    __mmask64 chars = _bzhi_u64(~UINT64_C(0), (unsigned)in_len), stored = _bzhi_u64(~UINT64_C(0), (unsigned)(in_len * 3 / 4));
    __m512i bytes;
    int is_good = decode_step(&bytes, _mm512_mask_loadu_epi8(_mm512_set1_epi8('A'), chars, in));
    _mm512_mask_storeu_epi8(out, stored, bytes);
    __mmask64 unused = _mm512_test_epi8_mask(bytes, bytes) & ~stored & ((UINT64_C(1) << kStepOut) - 1);
    return is_good && unused == 0 && in_len % 4 != 1;
}

AVX512 int base64url_decode_avx512(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len) {
    size_t i = 0, o = 0;
    __m512i bytes;
    while (in_len - i >= kStepIn && decode_step(&bytes, _mm512_loadu_si512(in + i))) {
        _mm512_mask_storeu_epi8(out + o, (UINT64_C(1) << kStepOut) - 1, bytes);
        i += kStepIn;
        o += kStepOut;
    }
    if (in_len - i < kStepIn && decode_last(out + o, in + i, in_len - i)) {
        *out_len = o + (in_len - i) * 3 / 4;
        return 1;
    }
    return base64url_decode_rest(out, out_len, in, in_len, i);
}

#endif
