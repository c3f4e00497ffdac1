// nist_pairs.h: lists of rows, made half as long. Two rows are added affinely, and one inversion serves all pairs of both lists
// (Montgomery's trick). Such an addition takes six products, an addition to a sum in XYZZ coordinates ten: the inversion pays from about
// thirty pairs on.
//
// A row is then the sum of some neighbouring digits of a scalar. As an integer it is not zero, and more than what the digits below it can
// sum to: so two rows of a list are neither equal nor opposite, no denominator is zero, and sum_both still meets no exceptional case.

#ifndef NIST_PAIRS_H
#define NIST_PAIRS_H

#include "nist_table.h"

enum {
    kGeneratorTerms = (kScalarBits + kGeneratorWindow - 1) / kGeneratorWindow,
    kMaxPairs = (kMaxTerms + kGeneratorTerms) / 2,
    kMaxSums = kMaxPairs + kMaxPairs / 2,  // in two rounds
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

static inline void signed_row(affine *r, const terms *list, int i) {
    r->x = list->rows[i]->x;
    field_negate_if(&r->y, &list->rows[i]->y, list->masks[i]);
}

// add_pairs makes the sums that wait. `inverted` is one over the product of their denominators and all previous ones.
static inline void add_pairs(affine *sums, const terms *list, field *inverted) {
    for (int i = list->count / 2; i-- > 0;) {
        affine a, b;
        field one;
        signed_row(&a, list, 2 * i);
        signed_row(&b, list, 2 * i + 1);
        take_inverse(&one, &sums[i], inverted);
        affine_add(&sums[i], &a, &b, &one);
    }
}

// list_pairs replaces the rows of a list by their sums, and the last row of an odd count by itself.
static inline void list_pairs(terms *list, const affine *sums) {
    const int pairs = list->count / 2, rest = list->count % 2;
    if (rest != 0) {
        list->rows[pairs] = list->rows[2 * pairs];
        list->masks[pairs] = list->masks[2 * pairs];
    }
    for (int i = 0; i < pairs; i++) {
        list->rows[i] = &sums[i];
        list->masks[i] = 0;
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
