// rsa_transpose.h: moves eight numbers, each in its own row, to eight lanes and back, in squares of eight by eight digits.

#ifndef CJWT_RSA_TRANSPOSE_H
#define CJWT_RSA_TRANSPOSE_H

#include "../transpose.h"
#include "rsa_ifma.h"

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
