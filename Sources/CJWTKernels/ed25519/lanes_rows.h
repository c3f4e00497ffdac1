// Eight table rows, one in each lane, as the digits of an addend.

#ifndef CJWT_ED25519_LANES_ROWS_H
#define CJWT_ED25519_LANES_ROWS_H

#include "lanes_point.h"

#if defined(__x86_64__)

// Four words of row a in the lower half, of row b in the upper.
LANES_INLINE __m512i two_rows(const uint64_t *a, const uint64_t *b) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)a)), _mm256_loadu_si256((const __m256i *)b), 1);
}

// words[k] gets word k of each of eight rows, `rows[i]` to lane i:
//   two_rows 0 2, 1 3     row 0: 0 1 2 3   row 2: 0 1 2 3          unpack    rows 0 1: word 0 | word 2     rows 2 3: word 0 | word 2
//   two_rows 4 6, 5 7     and so on                                shuffle   rows 0 1 | 2 3 | 4 5 | 6 7: word 0
LANES_INLINE void transpose_words(__m512i words[4], const uint64_t *const rows[kLanes]) {
    const __m512i rows02 = two_rows(rows[0], rows[2]), rows13 = two_rows(rows[1], rows[3]);
    const __m512i rows46 = two_rows(rows[4], rows[6]), rows57 = two_rows(rows[5], rows[7]);
    const __m512i even0 = _mm512_unpacklo_epi64(rows02, rows13), even4 = _mm512_unpacklo_epi64(rows46, rows57);
    const __m512i odd0 = _mm512_unpackhi_epi64(rows02, rows13), odd4 = _mm512_unpackhi_epi64(rows46, rows57);
    words[0] = _mm512_shuffle_i64x2(even0, even4, _MM_SHUFFLE(2, 0, 2, 0));
    words[1] = _mm512_shuffle_i64x2(odd0, odd4, _MM_SHUFFLE(2, 0, 2, 0));
    words[2] = _mm512_shuffle_i64x2(even0, even4, _MM_SHUFFLE(3, 1, 3, 1));
    words[3] = _mm512_shuffle_i64x2(odd0, odd4, _MM_SHUFFLE(3, 1, 3, 1));
}

// (low >> right | high << left), 51 bits of it. 0xa8 is (a | b) & c.
LANES_INLINE __m512i joined_digit(__m512i low, unsigned right, __m512i high, unsigned left) {
    return _mm512_ternarylogic_epi64(_mm512_srli_epi64(low, right), _mm512_slli_epi64(high, left), lanes_of(FE51_MASK), 0xa8);
}

// The words are below p < 2^255: every digit is below 2^51.
LANES_INLINE void fe8_from_rows(fe8 *out, const uint64_t *const rows[kLanes]) {
    __m512i words[4];
    transpose_words(words, rows);
    out->digit[0] = _mm512_and_si512(words[0], lanes_of(FE51_MASK));
    out->digit[1] = joined_digit(words[0], 51, words[1], 13);
    out->digit[2] = joined_digit(words[1], 38, words[2], 26);
    out->digit[3] = joined_digit(words[2], 25, words[3], 39);
    out->digit[4] = _mm512_srli_epi64(words[3], 12);
}

// Negates the lanes of `negative` as 2 p - a: below 2^52, because a has digits below 2^51.
LANES_INLINE void fe8_negate_some(fe8 *a, __mmask8 negative) {
    const __m512i twice_p0 = lanes_of(UINT64_C(0xfffffffffffda)), twice_p = lanes_of(UINT64_C(0xffffffffffffe));
    for (int i = 0; i < 5; i++) {
        a->digit[i] = _mm512_mask_sub_epi64(a->digit[i], negative, i == 0 ? twice_p0 : twice_p, a->digit[i]);
    }
}

// -(x, y) = (-x, y): swaps y + x and y - x, and negates 2 d x y.
LANES_INLINE void addend8_read(addend8 *out, const table_term terms[kLanes]) {
    const uint64_t *sums[kLanes], *differences[kLanes], *xy2ds[kLanes];
    for (int i = 0; i < kLanes; i++) {
        const uint64_t *row = term_row(terms[i])->word;
        const size_t swap = 4 * (terms[i] & 1);
        sums[i] = row + kSumWord + swap;
        differences[i] = row + kDifferenceWord - swap;
        xy2ds[i] = row + kXY2DWord;
    }
    fe8_from_rows(&out->sum, sums);
    fe8_from_rows(&out->difference, differences);
    fe8_from_rows(&out->xy2d, xy2ds);
    fe8_negate_some(&out->xy2d, _mm512_test_epi64_mask(_mm512_loadu_si512(terms), lanes_of(1)));
}

#endif
#endif
