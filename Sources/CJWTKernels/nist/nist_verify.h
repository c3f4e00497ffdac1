// nist_verify.h: FIPS 186-5, 6.4.2, over the tables of the generator and of a key.

#ifndef NIST_VERIFY_H
#define NIST_VERIFY_H

#include "nist_table.h"

// sum_half adds up rows[from..<to], at least one.
static inline void sum_terms(point *sum, const terms *list, int from, int to) {
    point_from_affine(sum, list->rows[from], list->masks[from]);
    for (int i = from + 1; i < to; i++) { point_add_affine(sum, list->rows[i], list->masks[i]); }
}

// x_is_r says whether the x of p, which is not infinity, is r modulo the order: r itself, or r + n where that is still below the prime.
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

// judge says whether r is the x of u1 G + u2 Q. u2 is not zero, so there is a term.
static inline cjwt_verdict judge(const table *generator, const table *key, const uint64_t u1[LIMBS], const uint64_t u2[LIMBS],
                                 const uint64_t r[LIMBS]) {
    terms list;
    point sum;
    list.count = 0;
    terms_append(&list, generator, u1);
    terms_append(&list, key, u2);
    sum_terms(&sum, &list, 0, list.count);
    if (field_is_zero(&sum.zz)) { return CJWT_UNDECIDED; }
    return x_is_r(&sum, r) ? CJWT_ACCEPTED : CJWT_REFUSED;
}

#endif
