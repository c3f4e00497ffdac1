// rsa_carry.h: converts columns of 64 bits to digits of 52, all at once.
//
// A first step moves the bits above bit 51 of each column to the next column: digits are then below 2^52 + 2^12, so a digit's carry is at
// most one. An addition of masks propagates these carries: a digit above the mask generates one, a digit equal to the mask propagates it,
// and adding the two masks lets the machine's own carry run through them. Random digits almost never generate one, so the masks are first
// asked, and a predicted branch does not wait for them.

#ifndef CJWT_RSA_CARRY_H
#define CJWT_RSA_CARRY_H

#include <immintrin.h>

#include "rsa_ifma.h"

enum { kMaxVectors = kMaxDigits / kLanes };

// digits_up moves the digits one place up: lane j of the result is the previous lane j - 1, and `below` gives lane zero.
IFMA_INLINE __m512i digits_up(__m512i digits, __m512i below) {
    return _mm512_alignr_epi64(digits, below, kLanes - 1);
}

// Contract: => columns' = columns (mod 2^(416 vectors)), digits(columns') < 2^52
IFMA_INLINE void carry_columns(__m512i *columns, const unsigned vectors) {
    const __m512i mask = _mm512_set1_epi64(DIGIT_MASK);
    uint64_t generates[2] = {0}, passes[2] = {0};
    __m512i below = _mm512_setzero_si512();
    UNROLL for (unsigned v = 0; v < vectors; v++) {
        __m512i above = _mm512_srli_epi64(columns[v], kDigitBits);
        columns[v] = _mm512_add_epi64(_mm512_and_si512(columns[v], mask), digits_up(above, below));
        below = above;
        generates[v / 8] |= (uint64_t)_mm512_cmpgt_epu64_mask(columns[v], mask) << (kLanes * (v % 8));
        passes[v / 8] |= (uint64_t)_mm512_cmpeq_epu64_mask(columns[v], mask) << (kLanes * (v % 8));
        // In general registers: clang would collect them in vectors, which takes longer.
        __asm__("" : "+r"(generates[v / 8]), "+r"(passes[v / 8]));
    }
    if ((generates[0] | generates[1]) == 0) {
        return;
    }
    unsigned __int128 generate = (unsigned __int128)generates[1] << 64 | generates[0];
    unsigned __int128 pass = (unsigned __int128)passes[1] << 64 | passes[0];
    unsigned __int128 receives = (2 * generate + pass) ^ pass;
    UNROLL for (unsigned v = 0; v < vectors; v++) {
        __mmask8 one = (__mmask8)(receives >> (kLanes * v));
        __m512i carried = _mm512_mask_sub_epi64(columns[v], one, columns[v], _mm512_set1_epi64(-1));
        columns[v] = _mm512_and_si512(carried, mask);
    }
}

#endif
