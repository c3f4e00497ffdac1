// rows8.h: rows of a key's table, eight at a time: a row is an affine point, x and y of four 64-bit words each, Montgomery's form.
//
// A row is a line of the cache: eight loads and 24 shuffles turn eight of them, where ten gathers would make 80 loads. In radix 2^52 a
// row would be 80 bytes.

#ifndef CJWT_P256IFMA_ROWS8_H
#define CJWT_P256IFMA_ROWS8_H

#include "point8.h"

enum { kP256RowWords = 8 };

// rows8_turn makes columns of rows, and rows of columns.
CJWT_IFMA_INLINE void rows8_turn(__m512i r[8]) {
    __m512i t[8], u[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);
    }
    // Of t, the even ones have the columns 0, 2, 4, 6 in their quarters, the odd ones 1, 3, 5, 7.
    for (int odd = 0; odd < 2; odd++) {
        for (int half = 0; half < 2; half++) {
            __m512i upper = t[4 * half + odd], lower = t[4 * half + 2 + odd];
            u[4 * odd + half] = _mm512_shuffle_i64x2(upper, lower, 0x44);
            u[4 * odd + 2 + half] = _mm512_shuffle_i64x2(upper, lower, 0xee);
        }
        for (int pair = 0; pair < 2; pair++) {
            r[4 * pair + odd] = _mm512_shuffle_i64x2(u[4 * odd + 2 * pair], u[4 * odd + 2 * pair + 1], 0x88);
            r[4 * pair + 2 + odd] = _mm512_shuffle_i64x2(u[4 * odd + 2 * pair], u[4 * odd + 2 * pair + 1], 0xdd);
        }
    }
}

// fe8_from_words splits four words of 64 bits into five digits of 52.
CJWT_IFMA_INLINE fe8 fe8_from_words(const __m512i w[4]) {
    const __m512i mask = fe8_all(FE8_MASK52);
    fe8 a;
    a.l[0] = _mm512_and_si512(w[0], mask);
    for (int i = 1; i < 4; i++) {
        __m512i low = _mm512_srli_epi64(w[i - 1], (unsigned)(64 - 12 * i)), high = _mm512_slli_epi64(w[i], (unsigned)(12 * i));
        a.l[i] = _mm512_ternarylogic_epi64(low, high, mask, 0xa8);  // (low | high) & mask
    }
    a.l[4] = _mm512_srli_epi64(w[3], 16);
    return a;
}

CJWT_IFMA_INLINE void fe8_to_words(__m512i w[4], fe8 a) {
    for (int i = 0; i < 4; i++) {
        __m512i low = _mm512_srli_epi64(a.l[i], (unsigned)(12 * i)), high = _mm512_slli_epi64(a.l[i + 1], (unsigned)(52 - 12 * i));
        w[i] = _mm512_or_si512(low, high);
    }
}

// rows8_load reads a row for every lane, and takes p - y for y where `negative` says so (y is never 0).
CJWT_IFMA_INLINE void rows8_load(affine8 *q, const uint64_t *const rows[8], __mmask8 negative) {
    static const uint64_t p[5] = {FE8_P0, FE8_P1, FE8_P2, FE8_P3, FE8_P4};
    __m512i w[8];
    for (int i = 0; i < 8; i++) { w[i] = _mm512_load_si512(rows[i]); }
    rows8_turn(w);
    q->x = fe8_from_words(w);
    q->y = fe8_from_words(w + 4);
    __m512i borrow = _mm512_setzero_si512();
    for (int i = 0; i < 5; i++) {
        __m512i v = _mm512_add_epi64(_mm512_mask_sub_epi64(q->y.l[i], negative, fe8_all(p[i]), q->y.l[i]), borrow);
        borrow = _mm512_srai_epi64(v, 52);
        q->y.l[i] = i < 4 ? _mm512_and_si512(v, fe8_all(FE8_MASK52)) : v;
    }
}

#endif
