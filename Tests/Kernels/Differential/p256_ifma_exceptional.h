// p256_ifma_exceptional.h: predicts exactly which signatures the lanes must leave undecided. Where a key's logarithm is known, every row is
// a known multiple of G, so the kernels' sums can be followed as numbers modulo the order: an addition is exceptional where its operands
// are equal or opposite.

#ifndef ASSAY_P256_IFMA_EXCEPTIONAL_H
#define ASSAY_P256_IFMA_EXCEPTIONAL_H

#include "p256_ifma_run.h"

#if defined(__x86_64__)

// add_logarithm adds b to a; returns one where the points' addition is exceptional: then a is invalid. Neither operand is zero, nor is the
// sum.
static int add_logarithm(const run *r, logarithm a, const logarithm b) {
    logarithm sum, reduced;
    if (memcmp(a, b, sizeof sum) == 0) { return 1; }
    uint64_t carry = number_add(sum, a, b, 4), borrow = number_sub(reduced, sum, r->order_words, 4);
    memcpy(a, carry >= borrow ? reduced : sum, sizeof sum);
    return memcmp(sum, r->order_words, sizeof sum) == 0;
}

// sums_meet follows the kernel of one token (lanes of every eighth place, added in pairs) or of eight (two chains of every second).
static int sums_meet(const run *r, const logarithm *places, int count, int in_lanes) {
    logarithm sums[8];
    int width = in_lanes ? 2 : 8, meet = 0;
    for (int i = 0; i < count; i++) {
        if (i < width) { memcpy(sums[i], places[i], sizeof sums[i]); } else { meet |= add_logarithm(r, sums[i % width], places[i]); }
    }
    for (int half = width / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) { meet |= add_logarithm(r, sums[i], sums[i + half]); }
    }
    return meet;
}

// put_places lists the rows whose sum is u times a point, and returns their number.
static int put_places(const run *r, logarithm *out, const logarithm *rows, uint32_t bits, const BIGNUM *u) {
    uint64_t k[4];
    p256_digits digits;
    BN_bn2lebinpad(u, (uint8_t *)k, 32);
    p256_recode(&digits, k);
    for (uint32_t window = 0; window < 256 / bits; window++) {
        uint32_t row, negative = p256_digit(&digits, bits, window, &row);
        const uint64_t *at = rows[window * p256_table_rows_per_window(bits) + row];
        memcpy(out[window], at, sizeof out[window]);
        if (negative) { (void)number_sub(out[window], r->order_words, at, 4); }
    }
    return (int)(256 / bits);
}

static void predict_multipliers(const run *r, const key *k, sample *s, const BIGNUM *u1, const BIGNUM *u2) {
    logarithm places[kP256MaxPoints];
    int generator = put_places(r, places, r->generator_rows, kP256FullBits, u1);
    for (int size = 0; size < 2; size++) {
        int count = generator + put_places(r, places + generator, k->rows[size], table_bits(size), u2);
        s->exceptional[size][0] = (uint8_t)sums_meet(r, places, count, 0);
        s->exceptional[size][1] = (uint8_t)sums_meet(r, places, count, 1);
    }
}

// predict says whether the signature must be undecided. Under a key of unknown logarithm it never must be: no such case can be constructed.
static void predict(run *r, const key *k, sample *s) {
    NUMBER u1 = BN_bin2bn(s->hash, 32, NULL), *u2 = BN_bin2bn(s->sig, 32, NULL), *inverse = BN_bin2bn(s->sig + 32, 32, NULL);
    int in_range = !BN_is_zero(u2) && !BN_is_zero(inverse) && BN_cmp(u2, r->order) < 0 && BN_cmp(inverse, r->order) < 0;
    memset(s->exceptional, 0, sizeof s->exceptional);
    if (in_range && k->d != NULL) {
        BN_mod_inverse(inverse, inverse, r->order, r->context);
        BN_mod_mul(u1, u1, inverse, r->order, r->context);
        BN_mod_mul(u2, u2, inverse, r->order, r->context);
        predict_multipliers(r, k, s, u1, u2);
    }
}

#endif
#endif
