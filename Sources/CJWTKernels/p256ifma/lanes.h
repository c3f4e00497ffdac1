// lanes.h: the table rows that each lane adds, and their sum; shared by the kernels for one token and for eight.

#ifndef CJWT_P256IFMA_LANES_H
#define CJWT_P256IFMA_LANES_H

#include "table.h"

#if defined(__x86_64__)

#include "rows8.h"

enum {
    kP256FullWindows = 256 / kP256FullBits,
    kP256SmallWindows = 256 / kP256SmallBits,
    /// A token's points: 32 of the generator's, and 32 or 64 of the key's.
    kP256MaxPoints = kP256FullWindows + kP256SmallWindows,
};

/// The rows that the lanes add, step by step.
typedef struct p256_step {
    const uint64_t *row[8];
} p256_step;

// p256_place_windows is p256_place for windows of a constant number of bits.
static inline __attribute__((always_inline)) uint64_t p256_place_windows(p256_step *steps, size_t first, size_t stride,
                                                                         const p256_table *table, const p256_digits *digits,
                                                                         uint32_t bits) {
    uint64_t signs = 0;
    size_t place = first;
    for (uint32_t window = 0; window < 256 / bits; window++, place += stride) {
        uint32_t row, sign = p256_digit(digits, bits, window, &row);
        const uint64_t *at = table->rows[window * p256_table_rows_per_window(bits) + row];
        __builtin_prefetch(at);
        steps[place / 8].row[place % 8] = at;
        signs |= (uint64_t)sign << window;
    }
    return signs;
}

// p256_place stores the rows of k times the table's key at the places first, first + stride and so on; place n is lane n % 8 of step n / 8.
// It returns which rows are negated, a bit for a window.
static inline uint64_t p256_place(p256_step *steps, size_t first, size_t stride, const p256_table *table, const uint64_t k[4]) {
    p256_digits digits;
    p256_recode(&digits, k);
    return table->bits == kP256FullBits ? p256_place_windows(steps, first, stride, table, &digits, kP256FullBits)
                                        : p256_place_windows(steps, first, stride, table, &digits, kP256SmallBits);
}

/// A signature's r as digits, one lane each; and r + n where that is below p, else r again.
typedef struct p256_lane_r {
    _Alignas(64) uint64_t r[4][8], also[4][8];
    uint8_t has_second;
} p256_lane_r;

void p256_lane_r_set(p256_lane_r *lanes, int lane, const uint64_t r[4]);

// p256_judge says for each lane whether the sum's x, modulo n, is r: that is X = r ZZ or, where r + n < p, X = (r + n) ZZ (mod p).
// `exceptional` are the lanes whose sum gives no verdict.
//
// zz is -ZZ and in Montgomery form, as is X; so (X * 1 + r * zz) / 2^260 < (1.01 + 1.2) / 16 + 1 in p is X - r ZZ, plain.
CJWT_IFMA_INLINE __mmask8 p256_judge(const point8 *sum, const p256_lane_r *lanes, __mmask8 *exceptional) {
    static const uint64_t one[5] = {1, 0, 0, 0, 0};
    *exceptional = fe8_is_zero(fe8_factor_digits(sum->zz));
    fe8_product plain_x = fe8_product_of(fe8_as_factor(sum->x), fe8_as_factor(fe8_set(one)));
    const uint64_t(*words[2])[8] = {lanes->r, lanes->also};
    __mmask8 equal = 0;
    for (int i = 0; i < (lanes->has_second != 0 ? 2 : 1); i++) {
        __m512i w[4];
        for (int j = 0; j < 4; j++) { w[j] = _mm512_load_si512(words[i][j]); }
        fe8_product difference = plain_x;
        fe8_accumulate(&difference, fe8_as_factor(fe8_from_words(w)), sum->zz);
        equal |= fe8_is_zero(fe8_digits(fe8_reduce(difference)));
    }
    return equal;
}

#endif
#endif
