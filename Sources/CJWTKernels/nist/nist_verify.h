// nist_verify.h: FIPS 186-5, 6.4.2, over the tables of the generator and of a key.

#ifndef NIST_VERIFY_H
#define NIST_VERIFY_H

#include "nist_table.h"

#if defined(NIST_PAIRS)
#include "nist_pairs.h"
#endif

// sum_both adds up the rows of each list. The two sums are independent, so the CPU computes them in parallel.
//
// A sum of rows of one point meets no exceptional case. The digits below window i sum to less than 2^(w i), and a digit in window i is at
// least that: as integers, the sum so far is neither the next term nor its opposite, and the two together are less than the order. So an
// attacker who chooses key and signature can cause an exceptional case only where the two sums are added: u1 G = ±u2 Q.
static inline void sum_both(point *a, const terms *a_list, point *b, const terms *b_list) {
    const int a_count = a_list->count, b_count = b_list->count, common = a_count < b_count ? a_count : b_count;
    point_from_affine(a, a_list->rows[0], a_list->masks[0]);
    point_from_affine(b, b_list->rows[0], b_list->masks[0]);
    for (int i = 1; i < common; i++) {
        point_add_affine(a, a_list->rows[i], a_list->masks[i]);
        point_add_affine(b, b_list->rows[i], b_list->masks[i]);
    }
    for (int i = common; i < a_count; i++) { point_add_affine(a, a_list->rows[i], a_list->masks[i]); }
    for (int i = common; i < b_count; i++) { point_add_affine(b, b_list->rows[i], b_list->masks[i]); }
}

static inline void sum_one(point *sum, const terms *list) {
    point_from_affine(sum, list->rows[0], list->masks[0]);
    for (int i = 1; i < list->count; i++) { point_add_affine(sum, list->rows[i], list->masks[i]); }
}

// x_is_r says whether the x of p, which is not infinity, equals r modulo the order: r itself, or r + n if that is below the prime.
static inline int x_is_r(const point *p, const uint64_t r[LIMBS]) {
    field candidate;
    uint64_t other[LIMBS];
    field_from(&candidate, r);
    field_multiply(&candidate, &candidate, &p->zz);
    if (field_is_equal(&candidate, &p->x)) { return 1; }
    if (!number_is_below(r, kPrimeLessOrder, LIMBS)) { return 0; }
    (void)number_add(other, r, kOrder.limbs, LIMBS);
    field_from(&candidate, other);
    field_multiply(&candidate, &candidate, &p->zz);
    return field_is_equal(&candidate, &p->x);
}

// judge says whether r is the x of u1 G + u2 Q. u1 may be zero (a hash may be), u2 must not be.
static inline cjwt_verdict judge(const table *generator, const table *key, const uint64_t u1[LIMBS], const uint64_t u2[LIMBS],
                                 const uint64_t r[LIMBS]) {
    terms generator_terms, key_terms;
    point sum, other;
    terms_of(&generator_terms, generator, u1);
    terms_of(&key_terms, key, u2);
#if defined(NIST_PAIRS)
    affine sums[kMaxSums];
    affine *rest = halve(sums, &key_terms, &generator_terms);
    if (rest == NULL || halve(rest, &key_terms, &generator_terms) == NULL) { return CJWT_UNDECIDED; }
#endif
    if (generator_terms.count == 0) {
        sum_one(&sum, &key_terms);
    } else {
        sum_both(&sum, &key_terms, &other, &generator_terms);
        point_add(&sum, &other);
    }
    if (field_is_zero(&sum.zz)) { return CJWT_UNDECIDED; }
    return x_is_r(&sum, r) ? CJWT_ACCEPTED : CJWT_REFUSED;
}

#endif
