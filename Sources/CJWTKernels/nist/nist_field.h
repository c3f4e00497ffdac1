// nist_field.h: arithmetic modulo the prime p of a curve, in Montgomery form (a stands for a / R, R = 2^(64 LIMBS)).
//
// Each curve's file includes this once, after it defines LIMBS, kPrime and reduce_low. Every element is always below p: so zero is unique,
// and two elements are equal where their limbs are.

#ifndef NIST_FIELD_H
#define NIST_FIELD_H

#include "nist_inverse.h"

#define NIST_MONTGOMERY
enum { kRadixBits = 64 * LIMBS };

typedef struct field {
    uint64_t v[LIMBS];
} field;

// add_row adds a * b to t[0...LIMBS]; t[LIMBS] was not yet used. Two chains, the low words and the high ones, each with its own carry;
// t[LIMBS] cannot overflow, because t + a b is below 2^(64 (LIMBS + 1)).
// Contract: t < R => t' = t + a b
NIST_INLINE void add_row(uint64_t *t, const uint64_t *a, uint64_t b) {
    uint64_t high[LIMBS], carry = 0;
    for (int j = 0; j < LIMBS; j++) {
        nist_u128 product = (nist_u128)a[j] * b;
        high[j] = (uint64_t)(product >> 64);
        t[j] = add_carry(t[j], (uint64_t)product, &carry);
    }
    t[LIMBS] = carry;
    carry = 0;
    for (int j = 0; j < LIMBS; j++) { t[j + 1] = add_carry(t[j + 1], high[j], &carry); }
}

// montgomery_reduce sets r to t / R mod p for t below p R: reduce_low maps the lower half to at most p, and the upper half is below p.
// Contract: t < p R => r R = t (mod p), r < p
NIST_INLINE void montgomery_reduce(field *r, const uint64_t t[2 * LIMBS]) {
    uint64_t low[LIMBS];
    reduce_low(low, t);
    uint64_t carry = number_add(low, low, t + LIMBS, LIMBS);
    number_reduce_once(r->v, low, carry, kPrime.limbs, LIMBS);
}

// Contract: => t = a b
NIST_INLINE void product(uint64_t t[2 * LIMBS], const field *a, const field *b) {
    for (int i = 0; i < 2 * LIMBS; i++) { t[i] = 0; }
    NIST_UNROLL
    for (int i = 0; i < LIMBS; i++) { add_row(t + i, a->v, b->v[i]); }
}

// Contract: a < p, b < p => r R = a b (mod p), r < p
static inline void field_multiply(field *r, const field *a, const field *b) {
    uint64_t t[2 * LIMBS];
    product(t, a, b);
    montgomery_reduce(r, t);
}

// field_multiply_subtract sets r to a b - c d, with one reduction: adding p R to a negative difference gives a number below p R.
// Contract: a < p, b < p, c < p, d < p => r R = a b - c d (mod p), r < p
static inline void field_multiply_subtract(field *r, const field *a, const field *b, const field *c, const field *d) {
    uint64_t t[2 * LIMBS], u[2 * LIMBS], back[LIMBS];
    product(t, a, b);
    product(u, c, d);
    uint64_t mask = (uint64_t)0 - number_sub(t, t, u, 2 * LIMBS);
    for (int i = 0; i < LIMBS; i++) { back[i] = kPrime.limbs[i] & mask; }
    (void)number_add(t + LIMBS, t + LIMBS, back, LIMBS);
    montgomery_reduce(r, t);
}

// Computes each product of two different limbs once, doubles it, then adds the squares of the limbs.
// Contract: a < p => r R = a^2 (mod p), r < p
static inline void field_square(field *r, const field *a) {
    uint64_t t[2 * LIMBS] = {0};
    NIST_UNROLL
    for (int i = 0; i < LIMBS - 1; i++) {
        uint64_t carry = 0;
        NIST_UNROLL
        for (int j = i + 1; j < LIMBS; j++) { t[i + j] = multiply_add(a->v[i], a->v[j], t[i + j], &carry); }
        t[i + LIMBS] = carry;
    }
    uint64_t doubling = 0, carry = 0;
    NIST_UNROLL
    for (int i = 0; i < LIMBS; i++) {
        nist_u128 square = (nist_u128)a->v[i] * a->v[i];
        uint64_t even = add_carry(t[2 * i], t[2 * i], &doubling);
        t[2 * i] = add_carry(even, (uint64_t)square, &carry);
        uint64_t odd = add_carry(t[2 * i + 1], t[2 * i + 1], &doubling);
        t[2 * i + 1] = add_carry(odd, (uint64_t)(square >> 64), &carry);
    }
    montgomery_reduce(r, t);
}

// Contract: a < p, b < p => r = a + b (mod p), r < p
NIST_INLINE void field_add(field *r, const field *a, const field *b) {
    uint64_t sum[LIMBS];
    uint64_t carry = number_add(sum, a->v, b->v, LIMBS);
    number_reduce_once(r->v, sum, carry, kPrime.limbs, LIMBS);
}

// Contract: a < p, b < p => r = a - b (mod p), r < p
NIST_INLINE void field_subtract(field *r, const field *a, const field *b) {
    uint64_t difference[LIMBS], back[LIMBS];
    uint64_t mask = (uint64_t)0 - number_sub(difference, a->v, b->v, LIMBS);
    for (int i = 0; i < LIMBS; i++) { back[i] = kPrime.limbs[i] & mask; }
    (void)number_add(r->v, difference, back, LIMBS);
}

// field_negate_if sets r to -a where mask is all ones, to a where it is zero. a must not be zero: p itself is not an element.
// Contract: mask = 0, a < p => r = a
// Contract: mask = 2^64 - 1, 0 < a < p => r = -a (mod p), r < p
NIST_INLINE void field_negate_if(field *r, const field *a, uint64_t mask) {
    uint64_t negated[LIMBS];
    (void)number_sub(negated, kPrime.limbs, a->v, LIMBS);
    for (int i = 0; i < LIMBS; i++) { r->v[i] = (negated[i] & mask) | (a->v[i] & ~mask); }
}

// field_from converts a plain number below R to an element.
// Contract: => r = a R (mod p), r < p
static inline void field_from(field *r, const uint64_t a[LIMBS]) {
    field plain, r_squared;
    for (int i = 0; i < LIMBS; i++) { plain.v[i] = a[i], r_squared.v[i] = kPrime.r_squared[i]; }
    field_multiply(r, &plain, &r_squared);
}

// field_to_words is the number that an element stands for: a / R.
// Contract: a < p => R words = a (mod p), words < p
static inline void field_to_words(uint64_t words[LIMBS], const field *a) {
    static const field one = {{1}};
    field plain;
    field_multiply(&plain, a, &one);
    for (int i = 0; i < LIMBS; i++) { words[i] = plain.v[i]; }
}

// claim_inverse sets r to what division steps give for 1 / a; zero where that is no element. Not trusted: field_invert multiplies back.
static inline int claim_inverse(field *r, const field *a) {
    inverse(r->v, a->v, &kPrime, LIMBS);
    return number_is_below(r->v, kPrime.limbs, LIMBS);
}

// Contract: => return = [a = 0]
static inline int field_is_zero(const field *a) { return number_is_zero(a->v, LIMBS); }

// Contract: => return = [a = b]
static inline int field_is_equal(const field *a, const field *b) { return number_is_equal(a->v, b->v, LIMBS); }

#endif
