// rsa_scalar_multiply, rsa_scalar_square: products modulo n with 64-bit limbs.
//
// A product is rows of eight limbs, from the lowest to the highest. The lowest row m counts for m, so m/B * B takes its place: with the
// number `fold` = 1/B mod n, m * fold is added one row higher, and no quotient is computed. That is one row longer than n, so it takes away
// all rows below R but the last. There Montgomery's q = -row/n mod B makes row + q * n a multiple of B.
//
// The rest, over R, is below R + 2n: a*b is below R^2, the multiples of `fold` are together below R * n, and so is q * n * R/B.

#include <string.h>

#include "rsa_scalar_rows.h"

// take_modulus subtracts n until no carry is above r: of a number below R + 2n, once or twice.
SCALAR_INLINE void take_modulus(uint64_t *r, uint64_t carry, const uint64_t *n, size_t limbs) {
    for (int i = 0; i < 2 && carry > 0; i++) { carry -= subtract(r, n, limbs); }
}

// reduce sets r to t/R mod n, below R. It uses t up.
SCALAR_INLINE void reduce(uint64_t *r, uint64_t *t, const rsa_scalar_key *key) {
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

// square_half is the square of four limbs: six products of two different limbs, doubled, and four squares.
// Contract: => square = half^2
SCALAR_INLINE void square_half(uint64_t *square, const uint64_t *half) {
    uint64_t carry = 0, doubling = 0;
    square[0] = 0;
    square[1] = multiply_add(half[0], half[1], 0, &carry);
    square[2] = multiply_add(half[0], half[2], 0, &carry);
    square[3] = multiply_add(half[0], half[3], 0, &carry);
    square[4] = carry;
    carry = 0;
    square[3] = multiply_add(half[1], half[2], square[3], &carry);
    square[4] = multiply_add(half[1], half[3], square[4], &carry);
    square[5] = carry;
    carry = 0;
    square[5] = multiply_add(half[2], half[3], square[5], &carry);
    square[6] = carry;
    square[7] = 0;
    carry = 0;
    UNROLL_ROW for (int j = 0; j < 4; j++) {
        nist_u128 p = (nist_u128)half[j] * half[j];
        square[2 * j] = add_carry(add_carry(square[2 * j], square[2 * j], &doubling), (uint64_t)p, &carry);
        square[2 * j + 1] = add_carry(add_carry(square[2 * j + 1], square[2 * j + 1], &doubling), (uint64_t)(p >> 64), &carry);
    }
}

// square_row is the square of eight limbs: the squares of both halves, and twice their product between them.
// Contract: => s = a^2
SCALAR_INLINE void square_row(uint64_t *s, const uint64_t *a) {
    uint64_t p[8] = {0}, carry = 0, doubling = 0;
    UNROLL_ROW for (int i = 0; i < 4; i++) {
        UNROLL_ROW for (int j = 0; j < 4; j++) { p[i + j] = multiply_add(a[i], a[4 + j], p[i + j], &carry); }
        p[i + 4] = carry;
        carry = 0;
    }
    square_half(s, a);
    square_half(s + 8, a + 4);
    UNROLL_ROW for (int j = 0; j < 8; j++) { s[4 + j] = add_carry(s[4 + j], add_carry(p[j], p[j], &doubling), &carry); }
    s[12] = add_carry(s[12], doubling, &carry);
    UNROLL_ROW for (int j = 13; j < 16; j++) { s[j] = add_carry(s[j], 0, &carry); }
}

// Contract: twice <= 1, carry <= 1 => t' + 2^1024 twice' + 2^1024 carry' = 2 t + s + twice + carry, twice' <= 1, carry' <= 1, apart
SCALAR_INLINE void double_and_add(uint64_t *t, const uint64_t *s, uint64_t *twice, uint64_t *carry) {
    UNROLL_ROW for (int j = 0; j < 2 * kRowLimbs; j++) { t[j] = add_carry(t[j], t[j], twice); }
    UNROLL_ROW for (int j = 0; j < 2 * kRowLimbs; j++) { t[j] = add_carry(t[j], s[j], carry); }
}

// square adds the products of two different rows, doubles them, and adds the squares of the rows.
SCALAR_INLINE void square(uint64_t *t, const uint64_t *a, size_t limbs) {
    memset(t, 0, limbs * sizeof *t);
    for (size_t i = kRowLimbs; i < limbs; i += kRowLimbs) {
        add_rows(t + i + limbs - kRowLimbs, t + 2 * i - kRowLimbs, a + i - kRowLimbs, a + i, limbs - i);
    }
    memset(t + 2 * limbs - kRowLimbs, 0, kRowLimbs * sizeof *t);
    uint64_t s[2 * kRowLimbs], twice = 0, carry = 0;
    for (size_t i = 0; i < limbs; i += kRowLimbs) {
        square_row(s, a + i);
        double_and_add(t + 2 * i, s, &twice, &carry);
    }
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
