// Arithmetic modulo p = 2^255 - 19 on eight numbers, one in each 64-bit lane: five digits of radix 2^51, products by AVX-512 IFMA.
//
// vpmadd52 multiplies the low 52 bits of each lane and silently drops the upper bits: carry every operand of a multiplication first. The
// types distinguish carried numbers; digits, inclusive:
//   fe8        <= 2^51 + 2^15 after fe8_carry; a multiplication takes any digit below 2^52
//   fe8_wide   a sum not carried yet: fe8_carry takes any digit below 2^61
//
// A product a_i b_j = 2^52 high + low. 2^52 is 2 * 2^51, so `high` counts twice one digit up, and digits from 5 on return times nineteen
// (2^255 = 19). With digits <= 2^51 + 2^15 a product's digits are below 250 * 2^51 < 2^59: digit 0 has the most, one `low` of 2^52 and 19
// times (four `low` and five doubled `high` of at most (2^51 + 2^15)^2 / 2^52 < 2^50 + 2^15). With one operand's digits only below 2^52, a
// high is below 2^51 + 2^15 and a product's digits below 345 * 2^51 < 2^60.

#ifndef CJWT_ED25519_LANES_H
#define CJWT_ED25519_LANES_H

#if defined(__x86_64__)

#if !defined(__has_feature)
#define __has_feature(x) 0
#endif

#include <immintrin.h>

#include "field51.h"

#define LANES __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx512ifma")))
#define LANES_INLINE static inline __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx512ifma"), always_inline))

// Multiplications are also inlined, except under sanitizers: with their checks in every copy, compiling would take minutes.
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define LANES_MULTIPLICATION static inline LANES __attribute__((noinline))
#else
#define LANES_MULTIPLICATION LANES_INLINE
#endif

typedef struct fe8 {
    __m512i digit[5];
} fe8;

typedef struct fe8_wide {
    __m512i digit[5];
} fe8_wide;

LANES_INLINE __m512i lanes_of(uint64_t word) { return _mm512_set1_epi64((long long)word); }
LANES_INLINE __m512i add_lanes(__m512i a, __m512i b) { return _mm512_add_epi64(a, b); }
LANES_INLINE __m512i subtract_lanes(__m512i a, __m512i b) { return _mm512_sub_epi64(a, b); }

// Contract: => out = a, digits(out) = digits(a), apart
LANES_INLINE void fe8_set(fe8 *out, const fe51 *a) {
    for (int i = 0; i < 5; i++) { out->digit[i] = lanes_of(a->digit[i]); }
}

// Hides the origin of x. Otherwise the compiler would make sums like 9 x one vpmullq, which takes 15 cycles and three steps.
LANES_INLINE __m512i opaque(__m512i x) {
    __asm__("" : "+v"(x));
    return x;
}

// Each digit keeps 51 bits and receives less than 2^10 from the digit below; digit 0 receives 19 times that.
// Contract: digits(a) < 2^61 => out = a (mod p), digits(out) <= 2^51 + 2^15
LANES_INLINE void fe8_carry(fe8 *out, const fe8_wide *a) {
    const __m512i mask = lanes_of(FE51_MASK);
    __m512i up[5];
    for (int i = 0; i < 5; i++) { up[i] = _mm512_srli_epi64(a->digit[i], 51); }
    for (int i = 1; i < 5; i++) { out->digit[i] = add_lanes(_mm512_and_si512(a->digit[i], mask), up[i - 1]); }
    out->digit[0] = _mm512_madd52lo_epu64(_mm512_and_si512(a->digit[0], mask), up[4], lanes_of(19));
}

// Adds the high halves of all a_i b_j with i + j = k to `sum`.
LANES_INLINE __m512i add_high_column(__m512i sum, const fe8 *a, const fe8 *b, int k) {
    for (int i = k < 5 ? 0 : k - 4; i < 5 && i <= k; i++) { sum = _mm512_madd52hi_epu64(sum, a->digit[i], b->digit[k - i]); }
    return sum;
}

LANES_INLINE __m512i add_low_column(__m512i sum, const fe8 *a, const fe8 *b, int k) {
    for (int i = k < 5 ? 0 : k - 4; i < 5 && i <= k; i++) { sum = _mm512_madd52lo_epu64(sum, a->digit[i], b->digit[k - i]); }
    return sum;
}

// Digit k of the product. Digit k + 5, x, adds 19 x to it: 9 x together with the high halves, before they are doubled, and x afterwards.
LANES_INLINE __m512i product_digit(const fe8 *a, const fe8 *b, int k) {
    __m512i x = add_high_column(_mm512_setzero_si512(), a, b, k + 4);
    x = opaque(add_low_column(add_lanes(x, x), a, b, k + 5));
    __m512i sum = opaque(add_lanes(x, _mm512_slli_epi64(x, 3)));
    sum = add_high_column(sum, a, b, k - 1);
    sum = add_lanes(x, add_lanes(sum, sum));
    return add_low_column(sum, a, b, k);
}

// Contract: digits(a) <= 2^51 + 2^15, digits(b) <= 2^51 + 2^15 => out = a b (mod p), digits(out) < 250 2^51, apart
// Contract: digits(a) <= 2^51 + 2^15, digits(b) < 2^52 => out = a b (mod p), digits(out) < 345 2^51, apart
LANES_MULTIPLICATION void fe8_multiply(fe8_wide *out, const fe8 *a, const fe8 *b) {
    out->digit[0] = product_digit(a, b, 0);
    out->digit[1] = product_digit(a, b, 1);
    out->digit[2] = product_digit(a, b, 2);
    out->digit[3] = product_digit(a, b, 3);
    out->digit[4] = product_digit(a, b, 4);
}

// Contract: digits(a) <= 2^51 + 2^15, digits(b) < 2^52 => out = a b (mod p), digits(out) <= 2^51 + 2^15
LANES_INLINE void fe8_multiply_and_carry(fe8 *out, const fe8 *a, const fe8 *b) {
    fe8_wide wide;
    fe8_multiply(&wide, a, b);
    fe8_carry(out, &wide);
}

// Contract: digits(a) < 2^63, digits(b) < 2^63 => out = a + b
// Contract: => digits(out) = digits(a) + digits(b) (mod 2^64)
LANES_INLINE void fe8_add(fe8_wide *out, const fe8_wide *a, const fe8_wide *b) {
    for (int i = 0; i < 5; i++) { out->digit[i] = add_lanes(a->digit[i], b->digit[i]); }
}

// Adds 512 p, so that no digit becomes negative: b's digits must be <= 512 (2^51 - 19), as any product's are. The result's digits are below
// those of a + 2^60.
// Contract: digits(a) < 2^63, digits(b) <= 512 (2^51 - 19) => out = a - b (mod p), digits(out) < digits(a) + 2^60
LANES_INLINE void fe8_subtract(fe8_wide *out, const fe8_wide *a, const fe8_wide *b) {
    const __m512i p0_512 = lanes_of(((UINT64_C(1) << 51) - 19) << 9), p_512 = lanes_of(FE51_MASK << 9);
    for (int i = 0; i < 5; i++) {
        out->digit[i] = subtract_lanes(add_lanes(a->digit[i], i == 0 ? p0_512 : p_512), b->digit[i]);
    }
}

#endif
#endif
