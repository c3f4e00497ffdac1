// nist_pairs.h: lists of rows, made half as long. Two rows are added affinely, and one inversion serves all pairs of both lists
// (Montgomery's trick). Such an addition takes six products, an addition to a sum in XYZZ coordinates ten: the inversion pays from about
// thirty pairs on.
//
// A row is then the sum of some neighbouring digits of a scalar. As an integer it is not zero, and more than what the digits below it can
// sum to: so two rows of a list are neither equal nor opposite, no denominator is zero, and sum_both still meets no exceptional case.

#ifndef NIST_PAIRS_H
#define NIST_PAIRS_H

#include "nist_table.h"

// The most sums that two rounds take: of lists that are full, then of what the first round leaves of them.
enum {
    kGeneratorTerms = (kScalarBits + kGeneratorWindow - 1) / kGeneratorWindow,
    kFirstSums = kMaxTerms / 2 + kGeneratorTerms / 2,
    kSecondSums = (kMaxTerms + 1) / 2 / 2 + (kGeneratorTerms + 1) / 2 / 2,
    kMaxSums = kFirstSums + kSecondSums,
};

// defer_pairs: the sum of rows 2 i and 2 i + 1 waits in sums[i] for one over its denominator. It returns what follows the sums.
static inline affine *defer_pairs(affine *sums, const terms *list, field *product) {
    const int pairs = list->count / 2;
    for (int i = 0; i < pairs; i++) {
        field denominator;
        slope_denominator(&denominator, list->rows[2 * i], list->rows[2 * i + 1]);
        defer_inversion(&sums[i], &denominator, product);
    }
    return sums + pairs;
}

// add_signed sets sum to a + b, or a - b where mask is all ones, given one over x of b less x of a.
static inline void add_signed(affine *sum, const affine *a, const affine *b, uint64_t mask, const field *inverted) {
    field slope, x;
    field_negate_if(&slope, &b->y, mask);
    field_subtract(&slope, &slope, &a->y);
    field_multiply(&slope, &slope, inverted);
    field_square_less(&x, &slope, &a->x, &b->x);
    field_subtract(&sum->x, &a->x, &x);
    field_multiply_less(&sum->y, &slope, &sum->x, &a->y);
    sum->x = x;
}

// add_pairs makes the sums that wait, with the sign of their second row relative to that of the first. `inverted` is one over the product
// of their denominators and all previous ones.
static inline void add_pairs(affine *sums, const terms *list, field *inverted) {
    for (int i = list->count / 2; i-- > 0;) {
        field one;
        take_inverse(&one, &sums[i], inverted);
        add_signed(&sums[i], list->rows[2 * i], list->rows[2 * i + 1], list->masks[2 * i] ^ list->masks[2 * i + 1], &one);
    }
}

// list_pairs replaces two rows of a list by their sum, with the first one's sign; the last row of an odd count stays.
static inline void list_pairs(terms *list, const affine *sums) {
    const int pairs = list->count / 2, rest = list->count % 2;
    for (int i = 0; i < pairs; i++) {
        list->rows[i] = &sums[i];
        list->masks[i] = list->masks[2 * i];
    }
    if (rest != 0) {
        list->rows[pairs] = list->rows[2 * pairs];
        list->masks[pairs] = list->masks[2 * pairs];
    }
    list->count = pairs + rest;
}

// halve makes both lists half as long, with memory for the sums, and returns what follows the sums. NULL where the inverse does not pass
// its check: then the lists are as before.
static inline affine *halve(affine *sums, terms *a, terms *b) {
    field product = kOne, inverted;
    affine *sums_of_b = defer_pairs(sums, a, &product), *end = defer_pairs(sums_of_b, b, &product);
    if (!field_invert(&inverted, &product)) { return NULL; }
    add_pairs(sums_of_b, b, &inverted);
    add_pairs(sums, a, &inverted);
    list_pairs(b, sums_of_b);
    list_pairs(a, sums);
    return end;
}

#endif
