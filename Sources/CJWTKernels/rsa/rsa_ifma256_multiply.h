// rsa_ifma256_multiply.h: four Montgomery multiplications, one in each 64-bit lane of a 256-bit register. The including file defines
// RSA_LANES as four; IFMA256 and IFMA256_INLINE, which name the instructions of its functions; and MADD52LO and MADD52HI, the
// multiply-adds.
//
// Product scanning in tiles of four by four digits, as in rsa_lanes_multiply.c. Each tile is taken in halves of four by two digits, since
// VEX has sixteen registers: ten sums, four digits, and two. A half has sixteen multiply-adds, and no sum takes more than two of them: so
// the loop is limited by the number of multiply-adds, not by their latency.

#ifndef CJWT_RSA_IFMA256_MULTIPLY_H
#define CJWT_RSA_IFMA256_MULTIPLY_H

#include <immintrin.h>

#include "rsa_ifma256.h"

enum { kTile = 4, kHalf = kTile / 2, kSums = kTile + kHalf - 1, kColumns = 2 * kTile };

// The sums of half a diagonal, for columns from kHalf * half on. Low halves of products go to the column of their digits, high halves to
// the one above.
//
// A column gets at most 4 * 80 half products (of a*b and q*n, low and high; a squaring doubles most of them instead of adding them twice)
// and a carry of less than 2^10: below 2^61.
typedef struct sums {
    column low[kSums], high[kSums];  // high[c] belongs to column c + 1
} sums;

IFMA256_INLINE column load_digit(const uint64_t *digits, size_t i) {
    return *(const column *)(digits + RSA_LANES * i);
}

IFMA256_INLINE void store_digit(uint64_t *digits, size_t i, column digit) {
    *(column *)(digits + RSA_LANES * i) = digit;
}

// add_low and add_high add the low or high 52 bits of the product of the low 52 bits of each lane.
IFMA256_INLINE column add_low(column sum, column a, column b) {
    return (column)MADD52LO((__m256i)sum, (__m256i)a, (__m256i)b);
}

IFMA256_INLINE column add_high(column sum, column a, column b) {
    return (column)MADD52HI((__m256i)sum, (__m256i)a, (__m256i)b);
}

IFMA256_INLINE void add_product(sums *s, size_t c, column a, column b) {
    s->low[c] = add_low(s->low[c], a, b);
    s->high[c] = add_high(s->high[c], a, b);
}

IFMA256_INLINE void clear_sums(sums *s) {
    UNROLL for (size_t c = 0; c < kSums; c++) { s->low[c] = s->high[c] = (column){0}; }
}

// add_halves adds half of `count` tiles: those of a from tile `i` upwards, those of b from tile `j` downwards.
IFMA256_INLINE void add_halves(sums *s, const size_t half, const uint64_t *a, size_t i, const uint64_t *b, size_t j, size_t count) {
#pragma clang loop unroll(disable)
    for (size_t t = 0; t < count; t++) {
        column x[kTile];
        UNROLL for (size_t r = 0; r < kTile; r++) { x[r] = load_digit(a, kTile * (i + t) + r); }
        UNROLL for (size_t c = 0; c < kHalf; c++) {
            column y = load_digit(b, kTile * (j - t) + kHalf * half + c);
            UNROLL for (size_t r = 0; r < kTile; r++) { add_product(s, r + c, x[r], y); }
        }
    }
}

// add_squares: half of diagonal k of x*x. The sum of the products on one side of the main diagonal is doubled, to cover both sides. The
// tile on the main diagonal is halved in the same way as the whole square.
IFMA256_INLINE void add_squares(sums *s, const size_t half, const uint64_t *x, size_t first, size_t k) {
    const int has_main = k % 2 == 0;
    const size_t lowest = kHalf * half;
    column a[kTile];
    add_halves(s, half, x, first, x, k - first, (k + 1) / 2 - first);
    if (has_main) {
        UNROLL for (size_t i = 0; i < kTile; i++) { a[i] = load_digit(x, kTile * (k / 2) + i); }
        UNROLL for (size_t j = lowest; j < lowest + kHalf; j++) {
            UNROLL for (size_t i = 0; i < j; i++) { add_product(s, i + j - lowest, a[i], a[j]); }
        }
    }
    UNROLL for (size_t c = 0; c < kSums; c++) {
        s->low[c] += s->low[c];
        s->high[c] += s->high[c];
    }
    if (has_main) {
        UNROLL for (size_t i = lowest; i < lowest + kHalf; i++) { add_product(s, 2 * i - lowest, a[i], a[i]); }
    }
}

// fold adds the sums of half a diagonal to its columns.
IFMA256_INLINE void fold(column *columns, const sums *s) {
    UNROLL for (size_t c = 0; c < kSums; c++) {
        columns[c] += s->low[c];
        columns[c + 1] += s->high[c];
    }
}

// take_quotients makes the four lowest columns vanish: q of each, its products with the lowest tile of n, and its carry. The sum of column
// and q*n0 ends in 52 zero bits, so its carry is column / 2^52, rounded up, and its low half need not be added.
IFMA256_INLINE void take_quotients(uint64_t *q, column *columns, const uint64_t *n, column inverse) {
    const column zero = {0};
    UNROLL for (size_t i = 0; i < kTile; i++) {
        column digit = add_low(zero, columns[i], inverse);
        store_digit(q, i, digit);
        columns[i + 1] += (columns[i] + DIGIT_MASK) >> kDigitBits;
        UNROLL for (size_t j = 0; j < kTile; j++) {
            column modulus = load_digit(n, j);
            if (j > 0) { columns[i + j] = add_low(columns[i + j], digit, modulus); }
            columns[i + j + 1] += add_high(zero, digit, modulus);
        }
    }
}

// put_digits carries the four lowest columns into digits of the result.
IFMA256_INLINE void put_digits(uint64_t *x, column *columns) {
    UNROLL for (size_t i = 0; i < kTile; i++) {
        store_digit(x, i, columns[i] & DIGIT_MASK);
        columns[i + 1] += columns[i] >> kDigitBits;
    }
}

// move_down makes the upper four columns the lower columns of the next diagonal.
IFMA256_INLINE void move_down(column *columns) {
    UNROLL for (size_t i = 0; i < kTile; i++) {
        columns[i] = columns[i + kTile];
        columns[i + kTile] = (column){0};
    }
}

// lanes_multiply: x = x*y/R mod n, or x*x/R mod n where `squares`. A tile of the result may replace x's own: the remaining diagonals need
// only tiles above it.
IFMA256_INLINE void lanes_multiply(uint64_t *x, const uint64_t *y, const uint64_t *n, const uint64_t *inverse_words, uint64_t *q,
                                 size_t digits, const int squares) {
    const size_t tiles = digits / kTile, tile_words = kTile * RSA_LANES;
    const column inverse = load_digit(inverse_words, 0);
    column columns[kColumns];
    UNROLL for (size_t c = 0; c < kColumns; c++) { columns[c] = (column){0}; }
    for (size_t k = 0; k < 2 * tiles - 1; k++) {
        const size_t first = k < tiles ? 0 : k - tiles + 1;
        UNROLL for (size_t half = 0; half < 2; half++) {
            sums s;
            clear_sums(&s);
            if (squares) {
                add_squares(&s, half, x, first, k);
            } else {
                add_halves(&s, half, x, first, y, k - first, k + 1 - 2 * first);
            }
            // The lowest tile of n is multiplied where the quotients are taken.
            add_halves(&s, half, q, first, n, k - first, k < tiles ? k : k + 1 - 2 * first);
            fold(columns + kHalf * half, &s);
        }
        if (k < tiles) {
            take_quotients(q + k * tile_words, columns, n, inverse);
        } else {
            put_digits(x + (k - tiles) * tile_words, columns);
        }
        move_down(columns);
    }
    put_digits(x + (tiles - 1) * tile_words, columns);
}

// x = x*y/R mod n in every lane, below 2n. q is scratch memory of the same size.
// Contract: digits(x) < 2^52, digits(y) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), x < 2 n, y < 2 n => R x' = x y (mod n), x' < 2 n, digits(x') < 2^52
IFMA256 static __attribute__((noinline)) void montgomery_multiply(uint64_t *x, const uint64_t *y, const uint64_t *n,
                                                                  const uint64_t inverse[RSA_LANES], uint64_t *q, size_t digits) {
    lanes_multiply(x, y, n, inverse, q, digits, 0);
}

// x = x*x/R mod n in every lane.
// Contract: digits(x) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), x < 2 n => R x' = x^2 (mod n), x' < 2 n, digits(x') < 2^52
IFMA256 static __attribute__((noinline)) void montgomery_square(uint64_t *x, const uint64_t *n, const uint64_t inverse[RSA_LANES],
                                                                uint64_t *q, size_t digits) {
    lanes_multiply(x, x, n, inverse, q, digits, 1);
}

#endif
