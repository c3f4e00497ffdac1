// rsa_muludq_multiply.h: Montgomery multiplications, one in each 64-bit lane. The including file defines RSA_LANES, and MULUDQ and
// MULUDQ_INLINE, which name the instructions of its functions.
//
// Product scanning in tiles of four by four digits, as in rsa_lanes_multiply.c: sixteen products for eight loads, into the seven columns of
// a diagonal, and the reduction's tiles, of quotient and modulus, into the same columns. Squarings take the tiles above the main diagonal
// only. Seven columns, four digits, one more and a product are thirteen registers: AVX2 has sixteen.

#ifndef CJWT_RSA_MULUDQ_MULTIPLY_H
#define CJWT_RSA_MULUDQ_MULTIPLY_H

#include "rsa_muludq.h"

enum { kTile = 4, kDiagonal = 2 * kTile - 1, kColumns = 2 * kTile };

MULUDQ_INLINE column load_digit(const uint64_t *digits, size_t i) {
    return *(const column *)(digits + RSA_LANES * i);
}

MULUDQ_INLINE void store_digit(uint64_t *digits, size_t i, column digit) {
    *(column *)(digits + RSA_LANES * i) = digit;
}

MULUDQ_INLINE void clear_columns(column *columns, const size_t count) {
    UNROLL for (size_t c = 0; c < count; c++) { columns[c] = (column){0}; }
}

// multiply_low multiplies the low 32 bits of each lane. The masks are the instruction: VPMULUDQ ignores the upper bits.
MULUDQ_INLINE column multiply_low(column a, column b) {
    return (a & UINT32_MAX) * (b & UINT32_MAX);
}

// add_tiles adds `count` tiles: those of a from tile `i` upwards, those of b from tile `j` downwards.
MULUDQ_INLINE void add_tiles(column *sums, const uint64_t *a, size_t i, const uint64_t *b, size_t j, size_t count) {
#pragma clang loop unroll(disable)
    for (size_t t = 0; t < count; t++) {
        column x[kTile];
        UNROLL for (size_t r = 0; r < kTile; r++) { x[r] = load_digit(a, kTile * (i + t) + r); }
        UNROLL for (size_t s = 0; s < kTile; s++) {
            column y = load_digit(b, kTile * (j - t) + s);
            UNROLL for (size_t r = 0; r < kTile; r++) { sums[r + s] += multiply_low(x[r], y); }
        }
    }
}

// add_squares: diagonal k of x*x. The sum of the products on one side of the main diagonal is doubled, to cover both sides. The tile on
// the main diagonal is halved in the same way as the whole square.
MULUDQ_INLINE void add_squares(column *sums, const uint64_t *x, size_t first, size_t k) {
    const int has_main = k % 2 == 0;
    column a[kTile];
    add_tiles(sums, x, first, x, k - first, (k + 1) / 2 - first);
    if (has_main) {
        UNROLL for (size_t i = 0; i < kTile; i++) { a[i] = load_digit(x, kTile * (k / 2) + i); }
        UNROLL for (size_t i = 0; i < kTile; i++) {
            UNROLL for (size_t j = i + 1; j < kTile; j++) { sums[i + j] += multiply_low(a[i], a[j]); }
        }
    }
    UNROLL for (size_t c = 0; c < kDiagonal; c++) { sums[c] += sums[c]; }
    if (has_main) {
        UNROLL for (size_t i = 0; i < kTile; i++) { sums[2 * i] += multiply_low(a[i], a[i]); }
    }
}

// take_quotients makes the four lowest columns multiples of 2^27, and carries them up: q of each, and its products with the first tile of n.
MULUDQ_INLINE void take_quotients(uint64_t *q, column *columns, const uint64_t *n, column inverse) {
    UNROLL for (size_t i = 0; i < kTile; i++) {
        column digit = multiply_low(columns[i], inverse) & DIGIT_MASK;
        store_digit(q, i, digit);
        UNROLL for (size_t j = 0; j < kTile; j++) { columns[i + j] += multiply_low(digit, load_digit(n, j)); }
        columns[i + 1] += columns[i] >> kDigitBits;
    }
}

// put_digits carries the four lowest columns into digits of the result.
MULUDQ_INLINE void put_digits(uint64_t *x, column *columns) {
    UNROLL for (size_t i = 0; i < kTile; i++) {
        store_digit(x, i, columns[i] & DIGIT_MASK);
        columns[i + 1] += columns[i] >> kDigitBits;
    }
}

// begin_diagonal makes the upper four columns the lowest ones of the next diagonal, and adds its sums.
MULUDQ_INLINE void begin_diagonal(column *columns, const column *sums) {
    UNROLL for (size_t c = 0; c < kTile; c++) { columns[c] = columns[c + kTile] + sums[c]; }
    UNROLL for (size_t c = kTile; c < kDiagonal; c++) { columns[c] = sums[c]; }
    columns[kDiagonal] = (column){0};
}

// lanes_multiply: x = x*y/R mod n, or x*x/R mod n where `squares`. A tile of the result may replace x's own: the remaining diagonals need
// only tiles above it.
MULUDQ_INLINE void lanes_multiply(uint64_t *x, const uint64_t *y, const uint64_t *n, const uint64_t *inverse_words, uint64_t *q,
                                  size_t digits, const int squares) {
    const size_t tiles = digits / kTile, tile_words = kTile * RSA_LANES;
    const column inverse = load_digit(inverse_words, 0);
    column columns[kColumns], sums[kDiagonal];
    clear_columns(columns, kColumns);
    for (size_t k = 0; k < 2 * tiles - 1; k++) {
        const size_t first = k < tiles ? 0 : k - tiles + 1;
        clear_columns(sums, kDiagonal);
        if (squares) {
            add_squares(sums, x, first, k);
        } else {
            add_tiles(sums, x, first, y, k - first, k + 1 - 2 * first);
        }
        // The lowest tile of n is multiplied where the quotients are taken.
        add_tiles(sums, q, first, n, k - first, k < tiles ? k : k + 1 - 2 * first);
        begin_diagonal(columns, sums);
        if (k < tiles) {
            take_quotients(q + k * tile_words, columns, n, inverse);
        } else {
            put_digits(x + (k - tiles) * tile_words, columns);
        }
    }
    clear_columns(sums, kDiagonal);
    begin_diagonal(columns, sums);
    put_digits(x + (tiles - 1) * tile_words, columns);
}

// x = x*y/R mod n in every lane, below 2n. q is scratch memory of the same size.
// Contract: digits(x) < 2^27, digits(y) < 2^27, digits(n) < 2^27, 4 n < R, inverse n[0] = -1 (mod 2^27), x < 2 n, y < 2 n => R x' = x y (mod n), x' < 2 n, digits(x') < 2^27
MULUDQ static __attribute__((noinline, unused)) void montgomery_multiply(uint64_t *x, const uint64_t *y, const uint64_t *n,
                                                                         const uint64_t inverse[RSA_LANES], uint64_t *q, size_t digits) {
    lanes_multiply(x, y, n, inverse, q, digits, 0);
}

// x = x*x/R mod n in every lane.
// Contract: digits(x) < 2^27, digits(n) < 2^27, 4 n < R, inverse n[0] = -1 (mod 2^27), x < 2 n => R x' = x^2 (mod n), x' < 2 n, digits(x') < 2^27
MULUDQ static __attribute__((noinline)) void montgomery_square(uint64_t *x, const uint64_t *n, const uint64_t inverse[RSA_LANES],
                                                               uint64_t *q, size_t digits) {
    lanes_multiply(x, x, n, inverse, q, digits, 1);
}

#endif
