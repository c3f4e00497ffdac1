// plan.h: the rows that the lanes add, step by step, and their sum.
//
// A token's rows are those of u1 G and of u2 Q, as nist_table.h lists them. Eight tokens: lane i adds the rows of token i. One token: its
// rows go to the lanes in turn, and the lanes are added at the end. A lane without a row in a step keeps its sum.

#ifndef CJWT_NISTIFMA_PLAN_H
#define CJWT_NISTIFMA_PLAN_H

#include "rows8.h"

enum { kMaxSteps = 2 * kMaxTerms };

typedef struct plan {
    const affine *rows[kMaxSteps][8];
    uint8_t negative[kMaxSteps], active[kMaxSteps];  // a bit for a lane
    int count;
} plan;

// plan_clear: no lane has a row. Every step loads eight rows; where a lane has none, that is `unused`.
static inline void plan_clear(plan *p, const affine *unused) {
    for (int i = 0; i < kMaxSteps; i++) {
        p->negative[i] = p->active[i] = 0;
        for (int lane = 0; lane < 8; lane++) { p->rows[i][lane] = unused; }
    }
    p->count = 0;
}

// plan_place lists the rows of a list at the places first, first + stride and so on: place n is lane n % 8 of step n / 8.
static inline void plan_place(plan *p, int first, int stride, const terms *list) {
    int place = first;
    for (int i = 0; i < list->count; i++, place += stride) {
        p->rows[place / 8][place % 8] = list->rows[i];
        p->negative[place / 8] |= (uint8_t)((list->masks[i] & 1) << (place % 8));
        p->active[place / 8] |= (uint8_t)(1u << (place % 8));
        p->count = place / 8 >= p->count ? place / 8 + 1 : p->count;
    }
}

NIST_LANES_INLINE void keep_lanes(point8 *p, const point8 *before, __mmask8 kept) {
    for (int i = 0; i < DIGITS; i++) {
        p->x.l[i] = _mm512_mask_mov_epi64(p->x.l[i], kept, before->x.l[i]);
        p->y.l[i] = _mm512_mask_mov_epi64(p->y.l[i], kept, before->y.l[i]);
        p->zz.l[i] = _mm512_mask_mov_epi64(p->zz.l[i], kept, before->zz.l[i]);
        p->zzz.l[i] = _mm512_mask_mov_epi64(p->zzz.l[i], kept, before->zzz.l[i]);
    }
}

// plan_sum adds up each lane's rows. In the first step every lane must have one.
NIST_LANES_APART static void plan_sum(point8 *sum, const plan *p) {
    affine8 q;
    rows8_load(&q, p->rows[0], p->negative[0]);
    point8_set(sum, &q);
    for (int i = 1; i < p->count; i++) {
        rows8_load(&q, p->rows[i], p->negative[i]);
        if (p->active[i] == 0xff) {
            point8_add_affine(sum, &q);
        } else {
            point8 before = *sum;
            point8_add_affine(sum, &q);
            keep_lanes(sum, &before, (__mmask8)~p->active[i]);
        }
    }
    point8_unscale(sum);
}

#endif
