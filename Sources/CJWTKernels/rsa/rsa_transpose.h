// rsa_transpose.h: eight numbers, each in a row of its own, to eight lanes and back, in squares of eight by eight digits.

#ifndef CJWT_RSA_TRANSPOSE_H
#define CJWT_RSA_TRANSPOSE_H

#include <immintrin.h>

#include "rsa_ifma.h"

// transpose swaps, of the three bits of a row's number and the three of a lane's, one pair at each step.
IFMA_INLINE void transpose(__m512i *square) {
    __m512i pairs[kLanes], fours[kLanes];
    UNROLL for (int i = 0; i < kLanes; i += 2) {
        pairs[i] = _mm512_unpacklo_epi64(square[i], square[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi64(square[i], square[i + 1]);
    }
    UNROLL for (int i = 0; i < 4; i++) {
        const int low = i % 2 + i / 2 * 4;
        fours[low] = _mm512_shuffle_i64x2(pairs[low], pairs[low + 2], 0x88);
        fours[low + 2] = _mm512_shuffle_i64x2(pairs[low], pairs[low + 2], 0xdd);
    }
    UNROLL for (int i = 0; i < 4; i++) {
        square[i] = _mm512_shuffle_i64x2(fours[i], fours[i + 4], 0x88);
        square[i + 4] = _mm512_shuffle_i64x2(fours[i], fours[i + 4], 0xdd);
    }
}

/// Each row has `vectors` * 8 words, and `lanes` eight times as many.
IFMA static inline void lanes_from_rows(uint64_t *lanes, const uint64_t *const rows[kLanes], size_t vectors) {
    for (size_t v = 0; v < vectors; v++) {
        __m512i square[kLanes];
        UNROLL for (int i = 0; i < kLanes; i++) { square[i] = _mm512_load_si512(rows[i] + kLanes * v); }
        transpose(square);
        UNROLL for (int i = 0; i < kLanes; i++) { _mm512_store_si512(lanes + kLanes * (kLanes * v + i), square[i]); }
    }
}

/// The rows follow one another.
IFMA static inline void rows_from_lanes(uint64_t *rows, const uint64_t *lanes, size_t vectors) {
    for (size_t v = 0; v < vectors; v++) {
        __m512i square[kLanes];
        UNROLL for (int i = 0; i < kLanes; i++) { square[i] = _mm512_load_si512(lanes + kLanes * (kLanes * v + i)); }
        transpose(square);
        UNROLL for (int i = 0; i < kLanes; i++) { _mm512_store_si512(rows + kLanes * (vectors * i + v), square[i]); }
    }
}

#endif
