// nist_internal.h: the parts of the ECDSA kernels, only for the checks that compare each part with other arithmetic.

#ifndef NIST_INTERNAL_H
#define NIST_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

/// One curve's parts. Numbers are `limbs` 64-bit limbs, least significant first. R is 2^radix_bits modulo the prime, and 2^(64 limbs) modulo
/// the order; a scalar has `scalar_bits`.
typedef struct nist_internal {
    int limbs, radix_bits, scalar_bits;
    const uint64_t *prime, *order;

    /// Modulo the prime, operands below it: a b / R, a^2 / R, a + b, a - b, R^2 / a. `invert` returns zero for a = 0.
    void (*multiply)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    void (*square)(uint64_t *r, const uint64_t *a);
    void (*add)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    void (*subtract)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    int (*invert)(uint64_t *r, const uint64_t *a);
    /// t / R modulo the prime for t of 2 limbs, below the prime times R. NULL where a product is not reduced by itself.
    void (*reduce)(uint64_t *r, const uint64_t *t);

    /// Modulo the order: a b / R for b below it; R / a, or zero for a = 0.
    void (*scalar_multiply)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    int (*scalar_inverse)(uint64_t *r, const uint64_t *a);

    /// The digits of k below the order over the table's windows: k is their sum, modulo the order. Returns how many there are.
    int (*recode)(int *digits, const void *table, const uint64_t *k);
    int (*window)(const void *table);
    /// The row of a digit > 0 in window i: plain affine coordinates.
    void (*row)(uint64_t *x, uint64_t *y, const void *table, int i, int digit);
    const void *(*generator)(void);

    /// (X, Y, ZZ, ZZZ) plus or minus (x, y), and plus another such point; all in Montgomery form.
    void (*add_affine)(uint64_t *point, const uint64_t *affine, int negative);
    void (*add_point)(uint64_t *point, const uint64_t *other);
} nist_internal;

extern const nist_internal p256_internal, p384_internal, p521_internal;

#endif
