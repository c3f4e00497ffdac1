// rows8.h: rows of a key's table, eight at a time: a row is an affine point, x and y of four 64-bit words each, in Montgomery form.
//
// A row is a cache line: eight loads and 24 shuffles transpose eight of them; ten gathers would make 80 loads. In radix 2^52 a row would
// take 80 bytes.

#ifndef CJWT_P256IFMA_ROWS8_H
#define CJWT_P256IFMA_ROWS8_H

#include "../transpose.h"
#include "point8.h"

enum { kP256RowWords = 8 };

// fe8_from_words splits four words of 64 bits into five digits of 52.
// Contract: => return = w, digits(return) < 2^52
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

// Contract: digits(a) < 2^52, a < 2^256 => w = a
CJWT_IFMA_INLINE void fe8_to_words(__m512i w[4], fe8 a) {
    for (int i = 0; i < 4; i++) {
        __m512i low = _mm512_srli_epi64(a.l[i], (unsigned)(12 * i)), high = _mm512_slli_epi64(a.l[i + 1], (unsigned)(52 - 12 * i));
        w[i] = _mm512_or_si512(low, high);
    }
}

// rows8_load reads a row for every lane, and replaces y by p - y in the lanes of `negative` (y is never 0).
CJWT_IFMA_INLINE void rows8_load(affine8 *q, const uint64_t *const rows[8], __mmask8 negative) {
    static const uint64_t p[5] = {FE8_P0, FE8_P1, FE8_P2, FE8_P3, FE8_P4};
    __m512i w[8];
    for (int i = 0; i < 8; i++) { w[i] = _mm512_load_si512(rows[i]); }
    transpose(w);
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
