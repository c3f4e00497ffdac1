// fe8.h: the field of P-384 or P-521 in eight lanes at once (AVX-512 IFMA). One lane, one number.
//
// A number has DIGITS digits of 52 bits, in Montgomery form for R = 2^(52 DIGITS). R is above 2^31 p: so numbers need not be below p. Every
// number has digits below D = 2^52, because vpmadd52 reads no more of them, and each function states its bounds in units of p. A factor is
// below M = 64 p.
//
// The curve's file defines DIGITS, kP and reduce before it includes this.

#ifndef CJWT_NISTIFMA_FE8_H
#define CJWT_NISTIFMA_FE8_H

#include "ifma.h"

// Contract: => return = digits, digits(return) = digits(digits)
NIST_LANES_INLINE fe8 fe8_set(const uint64_t digits[DIGITS]) {
    fe8 a;
    for (int i = 0; i < DIGITS; i++) { a.l[i] = all(digits[i]); }
    return a;
}

// square_digits sets t to the products of a a, each product of two different digits computed once and doubled.
NIST_LANES_INLINE void square_digits(__m512i t[2 * DIGITS], const fe8 *a) {
    for (int i = 0; i < 2 * DIGITS; i++) { t[i] = _mm512_setzero_si512(); }
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS - 1; i++) {
        NIST_LANES_UNROLL
        for (int j = i + 1; j < DIGITS; j++) {
            t[i + j] = _mm512_madd52lo_epu64(t[i + j], a->l[i], a->l[j]);
            t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a->l[i], a->l[j]);
        }
    }
    NIST_LANES_UNROLL
    for (int i = 1; i < 2 * DIGITS - 1; i++) { t[i] = _mm512_add_epi64(t[i], t[i]); }
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS; i++) {
        t[2 * i] = _mm512_madd52lo_epu64(t[2 * i], a->l[i], a->l[i]);
        t[2 * i + 1] = _mm512_madd52hi_epu64(t[2 * i + 1], a->l[i], a->l[i]);
    }
}

// add_product adds a b to t.
NIST_LANES_INLINE void add_product(__m512i t[2 * DIGITS], const fe8 *a, const fe8 *b) {
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS; i++) {
        NIST_LANES_UNROLL
        for (int j = 0; j < DIGITS; j++) {
            t[i + j] = _mm512_madd52lo_epu64(t[i + j], a->l[i], b->l[j]);
            t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a->l[i], b->l[j]);
        }
    }
}

// close_digits carries from each of the DIGITS limbs to the next. The last limb has what is left.
NIST_LANES_INLINE void close_digits(fe8 *r, const __m512i t[DIGITS]) {
    __m512i carry = _mm512_setzero_si512();
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS - 1; i++) {
        __m512i limb = _mm512_add_epi64(t[i], carry);
        carry = _mm512_srai_epi64(limb, 52);
        r->l[i] = _mm512_and_si512(limb, all(kMask52));
    }
    r->l[DIGITS - 1] = _mm512_add_epi64(t[DIGITS - 1], carry);
}

// Contract: digits(a) < 2^52, digits(b) < 2^52, a < 64 p, b < 64 p => R r = a b (mod p), r < 2 p, digits(r) < 2^52
NIST_LANES_APART static void fe8_multiply(fe8 *r, const fe8 *a, const fe8 *b) {
    __m512i t[2 * DIGITS];
    for (int i = 0; i < 2 * DIGITS; i++) { t[i] = _mm512_setzero_si512(); }
    add_product(t, a, b);
    reduce(t);
    close_digits(r, t + DIGITS);
}

// Contract: digits(a) < 2^52, a < 64 p => R r = a^2 (mod p), r < 2 p, digits(r) < 2^52
NIST_LANES_APART static void fe8_square(fe8 *r, const fe8 *a) {
    __m512i t[2 * DIGITS];
    square_digits(t, a);
    reduce(t);
    close_digits(r, t + DIGITS);
}

// fe8_multiply_add sets r to a b + c d, with one reduction.
// Contract: digits(a)<D, digits(b)<D, digits(c)<D, digits(d)<D, a<M, b<M, c<M, d<M => R r = a b + c d (mod p), r < 2 p, digits(r) < D
NIST_LANES_APART static void fe8_multiply_add(fe8 *r, const fe8 *a, const fe8 *b, const fe8 *c, const fe8 *d) {
    __m512i t[2 * DIGITS];
    for (int i = 0; i < 2 * DIGITS; i++) { t[i] = _mm512_setzero_si512(); }
    add_product(t, a, b);
    add_product(t, c, d);
    reduce(t);
    close_digits(r, t + DIGITS);
}

// fe8_subtract sets r to a - b + k p, for b of at most k p.
// Contract: 0 < k <= 16, digits(a) < 2^52, digits(b) < 2^52, a < 32 p, b <= k p => r = a - b + k p, digits(r) < 2^52
NIST_LANES_INLINE void fe8_subtract(fe8 *r, const fe8 *a, const fe8 *b, uint64_t k) {
    __m512i t[DIGITS];
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS; i++) { t[i] = _mm512_sub_epi64(_mm512_add_epi64(a->l[i], all(k * kP[i])), b->l[i]); }
    close_digits(r, t);
}

// fe8_minus sets r to k p - a, for a of at most k p.
// Contract: 0 < k <= 16, digits(a) < 2^52, a <= k p => r = k p - a, digits(r) < 2^52
NIST_LANES_INLINE void fe8_minus(fe8 *r, const fe8 *a, uint64_t k) {
    __m512i t[DIGITS];
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS; i++) { t[i] = _mm512_sub_epi64(all(k * kP[i]), a->l[i]); }
    close_digits(r, t);
}

// fe8_is_multiple returns the lanes where a is k p.
// Contract: k < 4, digits(a) < 2^52 => return = [a = k p]
NIST_LANES_INLINE __mmask8 fe8_is_multiple(const fe8 *a, uint64_t k) {
    __mmask8 same = 0xff;
    uint64_t carry = 0;
    NIST_LANES_UNROLL
    for (int i = 0; i < DIGITS; i++) {
        carry += k * kP[i];
        same &= _mm512_cmpeq_epi64_mask(a->l[i], all(carry & kMask52));
        carry >>= 52;
    }
    return same;
}

// fe8_is_zero returns the lanes where a is a multiple of p.
// Contract: digits(a) < 2^52, a < 4 p => return = [a = 0 (mod p)]
NIST_LANES_INLINE __mmask8 fe8_is_zero(const fe8 *a) {
    return fe8_is_multiple(a, 0) | fe8_is_multiple(a, 1) | fe8_is_multiple(a, 2) | fe8_is_multiple(a, 3);
}

#endif
