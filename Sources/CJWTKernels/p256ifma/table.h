// table.h: a key's table: odd multiples of 2^(w i) Q for every window i of w bits.
//
// An odd number k < 2^256 is a sum of d_i 2^(w i) with odd digits, |d_i| < 2^w: no digit is zero, so every window costs exactly one
// addition. With K = (k + 2^256 - 1) / 2, which is k >> 1 with the top bit set, and b_i the i-th w bits of K,
//
//   d_i = 2 b_i - (2^w - 1),  as the sum of (2^w - 1) 2^(w i) is 2^256 - 1.
//
// For an even k the negated points of n - k are used; n is odd. k = 0 gives n - 0, whose digits sum to n, the neutral element: the general
// formulas give it or, after an exceptional addition, leave it undecided.

#ifndef CJWT_P256IFMA_TABLE_H
#define CJWT_P256IFMA_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "../include/CJWTKernelsP256IFMA.h"

enum {
    kP256FullBits = 8,
    kP256SmallBits = 4,
    kP256FullRows = 256 / kP256FullBits << (kP256FullBits - 1),
    kP256SmallRows = 256 / kP256SmallBits << (kP256SmallBits - 1),
};

/// Row d of window i, at i * 2^(bits - 1) + d, is (2 d + 1) 2^(bits i) Q: x and y in four words each, below p, in Montgomery form for
/// 2^260.
typedef struct p256_table {
    uint32_t bits, windows;
    uint64_t unused[7];
    uint64_t rows[][8];
} p256_table;

_Static_assert(sizeof(p256_table) == 64, "a row is a line of the cache");

static inline uint32_t p256_table_rows_per_window(uint32_t bits) { return UINT32_C(1) << (bits - 1); }

/// p in words.
extern const uint64_t p256_prime[4];

/// The generator's table, full. It exists wherever a key's table does.
const p256_table *p256_generator_table(void);

/// A scalar's digits: the row of each, and whether its point is negated.
typedef struct p256_digits {
    uint64_t half[4];   // K
    uint32_t negative;  // one: all points are negated
} p256_digits;

/// Recodes k <= n.
void p256_recode(p256_digits *digits, const uint64_t k[4]);

static inline uint32_t p256_digit(const p256_digits *digits, uint32_t bits, uint32_t window, uint32_t *row) {
    uint32_t at = window * bits, top = UINT32_C(1) << (bits - 1);
    uint32_t b = (uint32_t)(digits->half[at / 64] >> (at % 64)) & (2 * top - 1);
    uint32_t below = (b & top) == 0;
    *row = (b ^ (0 - below)) & (top - 1);
    return below ^ digits->negative;
}

#endif
