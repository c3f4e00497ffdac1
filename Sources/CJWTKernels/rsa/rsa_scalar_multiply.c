// rsa_scalar_multiply, rsa_scalar_square, rsa_scalar_times_row: products modulo n with 64-bit limbs.
//
// A product is rows of eight limbs. Row i above R, m, counts for m R B^i. The key has R B^i mod n, so m times that takes its place, one row
// longer than n, and no quotient is computed. All rows above R go so but the lowest, which stays. Then Montgomery's q = -row/n mod B makes
// row + q * n of the lowest row a multiple of B.
//
// The rest, over B, is below R + 2n: what stays before row 1 goes is below R*B, and m * (R B mod n) and q * n are each below B*n.

#include <string.h>

#include "rsa_scalar_squares.h"

// copy sets r to a. A call of memcpy makes a product 1 % longer.
SCALAR_INLINE void copy(uint64_t *r, const uint64_t *a, size_t limbs) {
    for (size_t i = 0; i < limbs; i += kRowLimbs) {
        UNROLL_ROW for (size_t j = i; j < i + kRowLimbs; j++) { r[j] = a[j]; }
    }
}

// take_modulus subtracts n until no carry is above r: of a number below R + 2n, once or twice.
SCALAR_INLINE void take_modulus(uint64_t *r, uint64_t carry, const uint64_t *n, size_t limbs) {
    for (int i = 0; i < 2 && carry > 0; i++) { carry -= subtract(r, n, limbs); }
}

// fold_row adds m * fold to t, which has a row above R, and returns the carry out of that row.
SCALAR_INLINE uint64_t fold_row(uint64_t *t, const uint64_t *m, const uint64_t *fold, size_t limbs) {
    uint64_t top[kRowLimbs];
    add_rows(top, t, m, fold, limbs);
    return add_top(t + limbs, top, 0);
}

// reduce_rows sets r to t/B mod n, below R, of a number t below R * B^2. It uses t up. Its code is large, so all callers share it.
SCALAR static __attribute__((noinline)) void reduce_rows(uint64_t *r, uint64_t *t, const rsa_scalar_key *key) {
    const size_t limbs = key->limbs;
    uint64_t q[kRowLimbs];
    uint64_t carry = fold_row(t, t + limbs + kRowLimbs, scalar_fold(key, 1), limbs);
    low_product(q, t, key->inverse);
    carry += fold_row(t, q, scalar_modulus(key), limbs);
    copy(r, t + kRowLimbs, limbs);
    take_modulus(r, carry, scalar_modulus(key), limbs);
}

// reduce sets r to t/B mod n, below R, of a number t below R^2. It uses t up. Carries out of the row that stays go to row 1. A carry out of
// row 1 is one in row 2, which went before: it almost never comes, and not twice, because it leaves row 1 small.
SCALAR static __attribute__((noinline)) void reduce(uint64_t *r, uint64_t *t, const rsa_scalar_key *key) {
    const size_t limbs = key->limbs;
    const uint64_t one[kRowLimbs] = {1};
    uint64_t carries[kRowLimbs] = {0};
    for (size_t row = limbs / kRowLimbs - 1; row > 1; row--) {
        carries[0] += fold_row(t, t + limbs + row * kRowLimbs, scalar_fold(key, row), limbs);
    }
    while (add_top(t + limbs + kRowLimbs, carries, 0) > 0) { carries[0] = fold_row(t, one, scalar_fold(key, 2), limbs); }
    reduce_rows(r, t, key);
}

SCALAR_INLINE void product(uint64_t *t, const uint64_t *a, const uint64_t *b, size_t limbs) {
    memset(t, 0, limbs * sizeof *t);
    for (size_t i = 0; i < limbs; i += kRowLimbs) { add_rows(t + i + limbs, t + i, b + i, a, limbs); }
}

// square adds the products of two different rows to those within rows, doubles all of them, and adds the squares of the limbs.
SCALAR_INLINE void square(uint64_t *t, const uint64_t *a, size_t limbs) {
    uint64_t top[kRowLimbs], above = 0, twice = 0, carry = 0;
    for (size_t i = 0; i < limbs; i += kRowLimbs) { triangle(t + 2 * i, a + i); }
    for (size_t i = kRowLimbs; i < limbs; i += kRowLimbs) {
        add_rows(top, t + 2 * i - kRowLimbs, a + i - kRowLimbs, a + i, limbs - i);
        above = add_top(t + i + limbs - kRowLimbs, top, above);
    }
    memset(top, 0, sizeof top);
    (void)add_top(t + 2 * limbs - kRowLimbs, top, above);
    for (size_t i = 0; i < limbs; i += kRowLimbs) { double_and_add(t + 2 * i, a + i, &twice, &carry); }
}

// Contract: n < R, R <= 2 n, fold_i = R B^i (mod n), fold_1 <= n, inverse n = -1 (mod B) => B r = a b (mod n), r < R
SCALAR void rsa_scalar_multiply(const rsa_scalar_key *key, uint64_t *r, const uint64_t *a, const uint64_t *b) {
    uint64_t t[2 * kMostLimbs];
    product(t, a, b, key->limbs);
    reduce(r, t, key);
}

// Contract: n < R, R <= 2 n, fold_i = R B^i (mod n), fold_1 <= n, inverse n = -1 (mod B) => B r = a^2 (mod n), r < R
SCALAR void rsa_scalar_square(const rsa_scalar_key *key, uint64_t *r, const uint64_t *a) {
    uint64_t t[2 * kMostLimbs];
    square(t, a, key->limbs);
    reduce(r, t, key);
}

// Contract: n < R, R <= 2 n, fold_i = R B^i (mod n), fold_1 <= n, inverse n = -1 (mod B) => r = B a (mod n), r < R
SCALAR void rsa_scalar_times_row(const rsa_scalar_key *key, uint64_t *r, const uint64_t *a) {
    uint64_t t[kMostLimbs + 2 * kRowLimbs] = {0};
    copy(t + 2 * kRowLimbs, a, key->limbs);
    reduce_rows(r, t, key);
}
