// is_utf8_avx2, is_utf8_avx512: whether a text is well-formed UTF-8, 32 bytes at a time (Keiser and Lemire, Validating UTF-8 in less than
// one instruction per byte, 2021, algorithm "lookup").
//
// Each byte is judged together with the one before it. Three tables, by the first byte's two halves and by the second byte's upper half,
// give the errors that each allows, a bit for each kind; an error that all three allow has occurred. The third and the fourth byte of a
// sequence are found from the bytes two and three places before.

#include "internal.h"

#if defined(CJWT_HAVE_AVX2)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2,bmi,popcnt")))
#define AVX2_INLINE static inline __attribute__((target("avx2,bmi,popcnt"), always_inline))

enum { kVector = 32 };

// The kinds of error. kTwoContinuations alone is not one: it is expected where a sequence has a third or a fourth byte.
enum {
    kTooShort = 1,           // a first byte, and no continuation after it
    kTooLong = 2,            // ASCII, and a continuation after it
    kOverlong3 = 4,          // E0 80..9F
    kTooLarge = 8,           // F4 90..BF, F5..FF 80..BF
    kSurrogate = 16,         // ED A0..BF
    kOverlong2 = 32,         // C0..C1 80..BF
    kOverlong4 = 64,         // F0 80..8F, and F5..FF 80..8F
    kTwoContinuations = 128,
    kAnyLow = kTooShort | kTooLong | kTwoContinuations,
};

#define TABLE(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))
#define BITS(X) ((char)(X))

// shifted is the 32 bytes that end `count` bytes before the end of `bytes`; `before` precedes them.
#define SHIFTED(BYTES, BEFORE, COUNT) _mm256_alignr_epi8(BYTES, _mm256_permute2x128_si256(BEFORE, BYTES, 0x21), 16 - (COUNT))

AVX2_INLINE __m256i upper_half(__m256i bytes) {
    return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0f));
}

// of_two_bytes is the errors of each byte with the one before it.
AVX2_INLINE __m256i of_two_bytes(__m256i bytes, __m256i first) {
    const char ascii = kTooLong, continuation = BITS(kTwoContinuations);
    const __m256i by_upper = TABLE(
        ascii, ascii, ascii, ascii, ascii, ascii, ascii, ascii, continuation, continuation, continuation, continuation,
        kTooShort | kOverlong2, kTooShort, kTooShort | kOverlong3 | kSurrogate, kTooShort | kTooLarge | kOverlong4);
    const char large = BITS(kAnyLow | kTooLarge | kOverlong4);
    const __m256i by_lower = TABLE(
        BITS(kAnyLow | kOverlong2 | kOverlong3 | kOverlong4), BITS(kAnyLow | kOverlong2), BITS(kAnyLow), BITS(kAnyLow),
        BITS(kAnyLow | kTooLarge), large, large, large, large, large, large, large, large,
        BITS(kAnyLow | kTooLarge | kOverlong4 | kSurrogate), large, large);
    const char any = BITS(kTooLong | kOverlong2 | kTwoContinuations);
    const __m256i by_second = TABLE(
        kTooShort, kTooShort, kTooShort, kTooShort, kTooShort, kTooShort, kTooShort, kTooShort, BITS(any | kOverlong3 | kOverlong4),
        BITS(any | kOverlong3 | kTooLarge), BITS(any | kSurrogate | kTooLarge), BITS(any | kSurrogate | kTooLarge), kTooShort, kTooShort,
        kTooShort, kTooShort);
    __m256i lower = _mm256_and_si256(first, _mm256_set1_epi8(0x0f));
    __m256i errors = _mm256_and_si256(_mm256_shuffle_epi8(by_upper, upper_half(first)), _mm256_shuffle_epi8(by_lower, lower));
    return _mm256_and_si256(errors, _mm256_shuffle_epi8(by_second, upper_half(bytes)));
}

AVX2_INLINE __m256i errors(__m256i bytes, __m256i before) {
    __m256i two = of_two_bytes(bytes, SHIFTED(bytes, before, 1));
    // The top bit is set where a first byte of three or four is two places before, or one of four is three places before.
    __m256i third = _mm256_subs_epu8(SHIFTED(bytes, before, 2), _mm256_set1_epi8((char)(0xe0 - 0x80)));
    __m256i fourth = _mm256_subs_epu8(SHIFTED(bytes, before, 3), _mm256_set1_epi8((char)(0xf0 - 0x80)));
    __m256i continues = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(continues, two);
}

AVX2_INLINE int is_utf8(const uint8_t *in, size_t in_len) {
    __m256i found = _mm256_setzero_si256(), before = found;
    size_t i = 0;
    for (; in_len - i >= kVector; i += kVector) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(in + i));
        found = _mm256_or_si256(found, errors(bytes, before));
        before = bytes;
    }
    // At least one zero follows the text, so a truncated sequence is too short.
    uint8_t rest[kVector] = {0};
    memcpy(rest, in + i, in_len - i);
    found = _mm256_or_si256(found, errors(_mm256_loadu_si256((const __m256i *)rest), before));
    return _mm256_testz_si256(found, found);
}

AVX2 int is_utf8_avx2(const uint8_t *in, size_t in_len) {
    return is_utf8(in, in_len);
}

AVX2 int is_utf8_avx512(const uint8_t *in, size_t in_len) {
    return is_utf8(in, in_len);
}

#endif
