// transpose.h: eight rows of eight 64-bit words, turned into eight columns and back.

#ifndef CJWT_TRANSPOSE_H
#define CJWT_TRANSPOSE_H

#if defined(__x86_64__)

#include <immintrin.h>

// transpose swaps, at each step, one of the three bits of a row's number with one of the column's number. Its loops must be unrolled: an
// array with a variable index cannot stay in registers.
static inline __attribute__((target("avx512f"), always_inline)) void transpose(__m512i square[8]) {
    __m512i pairs[8], fours[8];
    _Pragma("clang loop unroll(full)") for (int i = 0; i < 8; i += 2) {
        pairs[i] = _mm512_unpacklo_epi64(square[i], square[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi64(square[i], square[i + 1]);
    }
    _Pragma("clang loop unroll(full)") for (int i = 0; i < 4; i++) {
        const int low = i % 2 + i / 2 * 4;
        fours[low] = _mm512_shuffle_i64x2(pairs[low], pairs[low + 2], 0x88);
        fours[low + 2] = _mm512_shuffle_i64x2(pairs[low], pairs[low + 2], 0xdd);
    }
    _Pragma("clang loop unroll(full)") for (int i = 0; i < 4; i++) {
        square[i] = _mm512_shuffle_i64x2(fours[i], fours[i + 4], 0x88);
        square[i + 4] = _mm512_shuffle_i64x2(fours[i], fours[i + 4], 0xdd);
    }
}

#endif
#endif
