// rsa_scalar_multiply, rsa_scalar_square: products modulo n with 64-bit limbs.
//
// A product is rows of eight limbs, from the lowest to the highest. The lowest row m counts for m, so m/B * B takes its place: with the
// number `fold` = 1/B mod n, m * fold is added one row higher, and no quotient is computed. That is one row longer than n, so it takes away
// all rows below R but the last. There Montgomery's q = -row/n mod B makes row + q * n a multiple of B.
//
// The rest, over R, is below R + 2n: a*b is below R^2, the multiples of `fold` are together below R * n, and so is q * n * R/B.

#include <string.h>

#include "rsa_scalar_squares.h"

// take_modulus subtracts n until no carry is above r: of a number below R + 2n, once or twice.
SCALAR_INLINE void take_modulus(uint64_t *r, uint64_t carry, const uint64_t *n, size_t limbs) {
    for (int i = 0; i < 2 && carry > 0; i++) { carry -= subtract(r, n, limbs); }
}

// reduce sets r to t/R mod n, below R. It uses t up. Its code is large, so both callers share it.
SCALAR static __attribute__((noinline)) void reduce(uint64_t *r, uint64_t *t, const rsa_scalar_key *key) {
    const size_t limbs = key->limbs;
    uint64_t top[kRowLimbs], q[kRowLimbs], carry = 0;
    for (size_t i = kRowLimbs; i < limbs; i += kRowLimbs) {
        add_rows(top, t + i, t + i - kRowLimbs, scalar_fold(key), limbs);
        carry = add_top(t + i + limbs, top, carry);
    }
    uint64_t *last = t + limbs - kRowLimbs;
    low_product(q, last, key->inverse);
    add_rows(top, last, q, scalar_modulus(key), limbs);
    carry += add_top(last + limbs, top, 0);
    memcpy(r, t + limbs, limbs * sizeof *r);
    take_modulus(r, carry, scalar_modulus(key), limbs);
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

// Contract: n < R, R <= 2 n, B fold = 1 (mod n), fold <= n, inverse n = -1 (mod B) => R r = a b (mod n), r < R
SCALAR void rsa_scalar_multiply(const rsa_scalar_key *key, uint64_t *r, const uint64_t *a, const uint64_t *b) {
    uint64_t t[2 * kMostLimbs];
    product(t, a, b, key->limbs);
    reduce(r, t, key);
}

// Contract: n < R, R <= 2 n, B fold = 1 (mod n), fold <= n, inverse n = -1 (mod B) => R r = a^2 (mod n), r < R
SCALAR void rsa_scalar_square(const rsa_scalar_key *key, uint64_t *r, const uint64_t *a) {
    uint64_t t[2 * kMostLimbs];
    square(t, a, key->limbs);
    reduce(r, t, key);
}
