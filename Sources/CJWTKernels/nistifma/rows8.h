// rows8.h: rows of tables, one for each lane: an affine point, x and y of LIMBS words each. The curve's file defines how words become
// digits.

#ifndef CJWT_NISTIFMA_ROWS8_H
#define CJWT_NISTIFMA_ROWS8_H

#include "../transpose.h"
#include "point8.h"

enum { kRowWords = 2 * LIMBS };

// load_words sets w[i] to word first + i of each row, for eight words.
NIST_LANES_INLINE void load_words(__m512i w[8], const affine *const rows[8], int first) {
    NIST_LANES_UNROLL
    for (int i = 0; i < 8; i++) { w[i] = _mm512_loadu_si512((const uint64_t *)(const void *)rows[i] + first); }
    transpose(w);
}

// load_rows sets w[i] to word i of each row. The last eight words overlap those before: no load reads past a row.
NIST_LANES_INLINE void load_rows(__m512i w[kRowWords], const affine *const rows[8]) {
    __m512i last[8];
    NIST_LANES_UNROLL
    for (int first = 0; first + 8 <= kRowWords; first += 8) { load_words(w + first, rows, first); }
    load_words(last, rows, kRowWords - 8);
    NIST_LANES_UNROLL
    for (int i = kRowWords / 8 * 8; i < kRowWords; i++) { w[i] = last[i - (kRowWords - 8)]; }
}

// fe8_negate_lanes replaces a by 4 p - a in the lanes of `negative`.
NIST_LANES_INLINE void fe8_negate_lanes(fe8 *a, __mmask8 negative) {
    fe8 minus;
    fe8_minus(&minus, a, 4);
    for (int i = 0; i < DIGITS; i++) { a->l[i] = _mm512_mask_mov_epi64(a->l[i], negative, minus.l[i]); }
}

// rows8_load reads a row for every lane, and negates y in the lanes of `negative`.
NIST_LANES_INLINE void rows8_load(affine8 *q, const affine *const rows[8], __mmask8 negative) {
    __m512i w[kRowWords];
    load_rows(w, rows);
    fe8_from_words(&q->x, w);
    fe8_from_words(&q->y, w + LIMBS);
    fe8_negate_lanes(&q->y, negative);
}

#endif
