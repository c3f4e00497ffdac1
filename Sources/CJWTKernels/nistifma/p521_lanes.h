// p521_lanes.h: P-521 in lanes: digits, Montgomery's reduction for R = 2^572, and the coordinates of a table's row as digits.

#ifndef CJWT_P521_LANES_H
#define CJWT_P521_LANES_H

#define DIGITS 11

#include "ifma.h"

// p = 2^521 - 1 in digits.
static const uint64_t kP[DIGITS] = {UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff),
                                    UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff),
                                    UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff),
                                    UINT64_C(0xfffffffffffff), 1};

// c is 2^572, as rows are in no Montgomery form. In the lanes' form: c, which is 2^1144 = 2^102 (mod p), and 1 / c.
static const uint64_t kScale[DIGITS] = {0, UINT64_C(0x4000000000000), 0, 0, 0, 0, 0, 0, 0, 0, 0};
static const uint64_t kUnscale[DIGITS] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

// reduce divides by R modulo p: the result is in the upper limbs. A round makes the lowest limb a multiple of 2^52: it adds q p for the
// limb's digit q. As p = 2^521 - 1, q cancels there and is added at bit 521 = 10 * 52 + 1.
NIST_LANES_INLINE void reduce(__m512i t[2 * DIGITS]) {
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS; i++) {
        __m512i q = _mm512_and_si512(t[i], all(kMask52));
        t[i + 1] = _mm512_add_epi64(t[i + 1], _mm512_srli_epi64(t[i], 52));
        t[i + 10] = _mm512_add_epi64(t[i + 10], _mm512_add_epi64(q, q));
    }
}

#include "fe8.h"

// fe8_from_plain splits nine words of 64 bits into digits; the upper 4 bits of the last are dropped.
// Contract: w < 2^572 => r = w, digits(r) < 2^52
NIST_LANES_INLINE void fe8_from_plain(fe8 *r, const __m512i w[LIMBS]) {
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS; i++) {
        const int word = 52 * i / 64, shift = 52 * i % 64;
        __m512i low = _mm512_srli_epi64(w[word], (unsigned)shift);
        if (shift > 12 && word + 1 < LIMBS) { low = _mm512_or_si512(low, _mm512_slli_epi64(w[word + 1], (unsigned)(64 - shift))); }
        r->l[i] = _mm512_and_si512(low, all(kMask52));
    }
}

// fe8_from_words turns nine digits of 58 bits, below 2^58 + 2^10 each (p521_field.h), into digits of 52 bits.
// Contract: digits(w) < 2^58 + 2^10 => r = w, digits(r) < 2^52
NIST_LANES_INLINE void fe8_from_words(fe8 *r, const __m512i w[LIMBS]) {
    __m512i t[DIGITS];
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS; i++) {
        const int word = 52 * i / 58, shift = 52 * i % 58;
        t[i] = _mm512_srli_epi64(w[word], (unsigned)shift);
        if (shift < 6) { t[i] = _mm512_and_si512(t[i], all(kMask52)); }
        if (shift > 6 && word + 1 < LIMBS) {
            t[i] = _mm512_add_epi64(t[i], _mm512_and_si512(_mm512_slli_epi64(w[word + 1], (unsigned)(58 - shift)), all(kMask52)));
        }
    }
    close_digits(r, t);
}

#endif
