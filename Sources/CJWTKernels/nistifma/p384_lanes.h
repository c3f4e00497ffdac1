// p384_lanes.h: P-384 in lanes: digits, Montgomery's reduction for R = 2^416, and the coordinates of a table's row as digits.

#ifndef CJWT_P384_LANES_H
#define CJWT_P384_LANES_H

#define DIGITS 8

#include "ifma.h"

// p = 2^384 - 2^128 - 2^96 + 2^32 - 1 in digits.
static const uint64_t kP[DIGITS] = {UINT64_C(0x00000ffffffff), UINT64_C(0xff00000000000), UINT64_C(0xffffffeffffff),
                                    UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff), UINT64_C(0xfffffffffffff),
                                    UINT64_C(0xfffffffffffff), UINT64_C(0x00000000fffff)};

// c is 2^416 / 2^384 = 2^32, as rows are in Montgomery form for 2^384. In the lanes' form: c and 1 / c.
static const uint64_t kScale[DIGITS] = {0, UINT64_C(0xff00000001000), UINT64_C(0xfffffffffffff), UINT64_C(0x000100000000f), 0, 0, 0, 0};
static const uint64_t kUnscale[DIGITS] = {UINT64_C(0xfffff00000001), UINT64_C(0x00fffffffffff), UINT64_C(0x0000001000000), 0, 0, 0, 0, 0};

// reduce divides by R modulo p: the result is in the upper limbs. A round makes the lowest limb a multiple of 2^52: it adds q p, where q is
// the limb's digit times -1/p = 2^32 + 1 (mod 2^52). vpmadd52 reads only the low 52 bits of q.
NIST_LANES_INLINE void reduce(__m512i t[2 * DIGITS]) {
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS; i++) {
        __m512i q = _mm512_add_epi64(t[i], _mm512_slli_epi64(t[i], 32));
        NIST_LANES_UNROLL
        for (int j = 0; j < DIGITS; j++) {
            t[i + j] = _mm512_madd52lo_epu64(t[i + j], q, all(kP[j]));
            t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], q, all(kP[j]));
        }
        t[i + 1] = _mm512_add_epi64(t[i + 1], _mm512_srli_epi64(t[i], 52));
    }
}

#include "fe8.h"

// fe8_from_words splits a coordinate of a row, six words of 64 bits, into digits.
// Contract: => r = w, digits(r) < 2^52
NIST_LANES_INLINE void fe8_from_words(fe8 *r, const __m512i w[LIMBS]) {
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS; i++) {
        const int word = 52 * i / 64, shift = 52 * i % 64;
        __m512i low = _mm512_srli_epi64(w[word], (unsigned)shift);
        if (shift > 12 && word + 1 < LIMBS) { low = _mm512_or_si512(low, _mm512_slli_epi64(w[word + 1], (unsigned)(64 - shift))); }
        r->l[i] = _mm512_and_si512(low, all(kMask52));
    }
}

// Plain numbers and rows have the same words.
// Contract: => r = w, digits(r) < 2^52
NIST_LANES_INLINE void fe8_from_plain(fe8 *r, const __m512i w[LIMBS]) { fe8_from_words(r, w); }

#endif
