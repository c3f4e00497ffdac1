// rsa_ifma_multiply8, rsa_ifma_square8: eight Montgomery multiplications, one in each 64-bit lane.
//
// Product scanning in tiles of four by four digits: sixteen products, 32 multiply-adds, for eight loads. The tiles of one diagonal
// add up to the same eight columns, so these stay in registers while the loop runs along the diagonal; the reduction's tiles, of
// quotient and modulus, go into the same columns (Koc, Acar and Kaliski, "Analyzing and comparing Montgomery multiplication
// algorithms", 1996, there called finely integrated product scanning). Squarings take the tiles above the main diagonal only.
// The loops are short code on purpose: unrolled over all digits, they would not fit the cache of decoded instructions.

#include "rsa_ifma.h"

#if defined(__x86_64__)

#include <immintrin.h>

enum { kTile = 4, kColumns = 2 * kTile };

// The sums of one diagonal. Low halves of products go to the column of their digits, high halves to the one above. They are separate, and
// the middle column's sums are split in two, so that no sum takes more than three dependent multiply-adds a tile.
//
// A column gets at most 4 * 80 half products (of a*b and q*n, low and high; a squaring doubles most of them instead of adding them twice)
// and a carry of less than 2^10: below 2^61.
typedef struct diagonal {
    __m512i low[kColumns - 1], high[kColumns - 1];  // high[c] belongs to column c + 1
    __m512i middle_low, middle_high;                // the second sums of low[3] and high[3]
} diagonal;

IFMA_INLINE void clear_diagonal(diagonal *d) {
    const __m512i zero = _mm512_setzero_si512();
    UNROLL for (int c = 0; c < kColumns - 1; c++) { d->low[c] = d->high[c] = zero; }
    d->middle_low = d->middle_high = zero;
}

IFMA_INLINE void load_tile(__m512i *tile, const uint64_t *digits, size_t index) {
    UNROLL for (size_t i = 0; i < kTile; i++) { tile[i] = _mm512_load_si512(digits + kLanes * (kTile * index + i)); }
}

IFMA_INLINE void add_product(diagonal *d, int i, int j, __m512i a, __m512i b) {
    __m512i *low = &d->low[i + j], *high = &d->high[i + j];
    if (i + j == kTile - 1 && i % 2 == 1) {
        low = &d->middle_low;
        high = &d->middle_high;
    }
    *low = _mm512_madd52lo_epu64(*low, a, b);
    *high = _mm512_madd52hi_epu64(*high, a, b);
}

// add_tiles adds `count` tiles: those of a from tile `i` upwards, those of b from tile `j` downwards.
IFMA_INLINE void add_tiles(diagonal *d, const uint64_t *a, size_t i, const uint64_t *b, size_t j, size_t count) {
#pragma clang loop unroll(disable)
    for (size_t t = 0; t < count; t++) {
        __m512i x[kTile], y[kTile];
        load_tile(x, a, i + t);
        load_tile(y, b, j - t);
        UNROLL for (int r = 0; r < kTile; r++) {
            UNROLL for (int s = 0; s < kTile; s++) { add_product(d, r, s, x[r], y[s]); }
        }
    }
}

// fold adds the sums of a diagonal to its eight columns.
IFMA_INLINE void fold(__m512i *columns, const diagonal *d) {
    UNROLL for (int c = 0; c < kColumns - 1; c++) {
        columns[c] = _mm512_add_epi64(columns[c], d->low[c]);
        columns[c + 1] = _mm512_add_epi64(columns[c + 1], d->high[c]);
    }
    columns[kTile - 1] = _mm512_add_epi64(columns[kTile - 1], d->middle_low);
    columns[kTile] = _mm512_add_epi64(columns[kTile], d->middle_high);
}

// double_sums doubles the sum of the products on one side of the main diagonal, to cover both sides.
IFMA_INLINE void double_sums(diagonal *d) {
    d->low[kTile - 1] = _mm512_add_epi64(d->low[kTile - 1], d->middle_low);
    d->high[kTile - 1] = _mm512_add_epi64(d->high[kTile - 1], d->middle_high);
    d->middle_low = d->middle_high = _mm512_setzero_si512();
    UNROLL for (int c = 0; c < kColumns - 1; c++) {
        d->low[c] = _mm512_add_epi64(d->low[c], d->low[c]);
        d->high[c] = _mm512_add_epi64(d->high[c], d->high[c]);
    }
}

// add_squares: diagonal k of x*x. The tile on the main diagonal is halved in the same way as the whole square.
IFMA_INLINE void add_squares(diagonal *d, const uint64_t *x, size_t first, size_t k) {
    const int has_main = k % 2 == 0;
    __m512i a[kTile];
    add_tiles(d, x, first, x, k - first, (k + 1) / 2 - first);
    if (has_main) {
        load_tile(a, x, k / 2);
        UNROLL for (int i = 0; i < kTile; i++) {
            UNROLL for (int j = i + 1; j < kTile; j++) { add_product(d, i, j, a[i], a[j]); }
        }
    }
    double_sums(d);
    if (has_main) {
        UNROLL for (int i = 0; i < kTile; i++) { add_product(d, i, i, a[i], a[i]); }
    }
}

// take_quotients makes the four lowest columns vanish: q of each, its products with the lowest tile of n, and its carry. The sum of column
// and q*n0 ends in 52 zero bits, so its carry is column / 2^52, rounded up, and its low half need not be added.
IFMA_INLINE void take_quotients(uint64_t *q, __m512i *columns, const uint64_t *n, __m512i inverse) {
    const __m512i mask = _mm512_set1_epi64(DIGIT_MASK), zero = _mm512_setzero_si512();
    __m512i modulus[kTile];
    load_tile(modulus, n, 0);
    UNROLL for (int i = 0; i < kTile; i++) {
        __m512i digit = _mm512_madd52lo_epu64(zero, columns[i], inverse);
        __m512i carry = _mm512_srli_epi64(_mm512_add_epi64(columns[i], mask), kDigitBits);
        _mm512_store_si512(q + kLanes * i, digit);
        columns[i + 1] = _mm512_add_epi64(columns[i + 1], carry);
        UNROLL for (int j = 0; j < kTile; j++) {
            __m512i high = _mm512_madd52hi_epu64(zero, digit, modulus[j]);
            if (j > 0) { columns[i + j] = _mm512_madd52lo_epu64(columns[i + j], digit, modulus[j]); }
            columns[i + j + 1] = _mm512_add_epi64(columns[i + j + 1], high);
        }
    }
}

// put_digits carries the four lowest columns into digits of the result.
IFMA_INLINE void put_digits(uint64_t *x, __m512i *columns) {
    const __m512i mask = _mm512_set1_epi64(DIGIT_MASK);
    UNROLL for (int i = 0; i < kTile; i++) {
        _mm512_store_si512(x + kLanes * i, _mm512_and_si512(columns[i], mask));
        columns[i + 1] = _mm512_add_epi64(columns[i + 1], _mm512_srli_epi64(columns[i], kDigitBits));
    }
}

// move_down makes the upper four columns the lower columns of the next diagonal.
IFMA_INLINE void move_down(__m512i *columns) {
    UNROLL for (int i = 0; i < kTile; i++) {
        columns[i] = columns[i + kTile];
        columns[i + kTile] = _mm512_setzero_si512();
    }
}

// lanes_multiply: x = x*y/R mod n, or x*x/R mod n where `squares`. A tile of the result may replace x's own: the remaining diagonals need
// only tiles above it.
IFMA_INLINE void lanes_multiply(uint64_t *x, const uint64_t *y, const uint64_t *n, const uint64_t *inverse_words, uint64_t *q,
                                size_t digits, const int squares) {
    const size_t tiles = digits / kTile;
    const __m512i inverse = _mm512_loadu_si512(inverse_words);
    __m512i columns[kColumns];
    diagonal d;
    UNROLL for (int c = 0; c < kColumns; c++) { columns[c] = _mm512_setzero_si512(); }
    for (size_t k = 0; k < 2 * tiles - 1; k++) {
        const size_t first = k < tiles ? 0 : k - tiles + 1;
        clear_diagonal(&d);
        if (squares) {
            add_squares(&d, x, first, k);
        } else {
            add_tiles(&d, x, first, y, k - first, k + 1 - 2 * first);
        }
        // The lowest tile of n is multiplied where the quotients are taken.
        add_tiles(&d, q, first, n, k - first, k < tiles ? k : k + 1 - 2 * first);
        fold(columns, &d);
        if (k < tiles) {
            take_quotients(q + k * kTile * kLanes, columns, n, inverse);
        } else {
            put_digits(x + (k - tiles) * kTile * kLanes, columns);
        }
        move_down(columns);
    }
    put_digits(x + (tiles - 1) * kTile * kLanes, columns);
}

// Contract: digits(x) < 2^52, digits(y) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), x < 2 n, y < 2 n => R x' = x y (mod n), x' < 2 n, digits(x') < 2^52
IFMA void rsa_ifma_multiply8(uint64_t *x, const uint64_t *y, const uint64_t *n, const uint64_t inverse[kLanes], uint64_t *q,
                             size_t digits) {
    lanes_multiply(x, y, n, inverse, q, digits, 0);
}

// Contract: digits(x) < 2^52, digits(n) < 2^52, 4 n < R, inverse n[0] = -1 (mod 2^52), x < 2 n => R x' = x^2 (mod n), x' < 2 n, digits(x') < 2^52
IFMA void rsa_ifma_square8(uint64_t *x, const uint64_t *n, const uint64_t inverse[kLanes], uint64_t *q, size_t digits) {
    lanes_multiply(x, x, n, inverse, q, digits, 1);
}

#endif
