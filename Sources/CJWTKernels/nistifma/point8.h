// point8.h: points of a NIST curve in eight lanes, in XYZZ coordinates: x = X / ZZ, y = Y / ZZZ with ZZ^3 = ZZZ^2. The formulas are those
// of nist_point.h; so are their exceptional cases, which leave a ZZ of zero.
//
// Rows of a table are in another Montgomery form: a coordinate x of a row is, as a number of the lanes, x / c for a constant c. Therefore
// ZZ and ZZZ are kept times c while rows are added, and `point8_unscale` divides them by c at the end.
//
// Bounds, in units of p: X is at most 8, Y, ZZ and ZZZ are below 2; a row's x is below 64 and its y at most 4.

#ifndef CJWT_NISTIFMA_POINT8_H
#define CJWT_NISTIFMA_POINT8_H

#include "fe8.h"

typedef struct point8 {
    fe8 x, y, zz, zzz;
} point8;

typedef struct affine8 {
    fe8 x, y;
} affine8;

NIST_LANES_INLINE void point8_set(point8 *r, const affine8 *a) {
    const fe8 scale = fe8_set(kScale);
    fe8_multiply(&r->x, &a->x, &scale);
    fe8_multiply(&r->y, &a->y, &scale);
    r->zz = scale;
    r->zzz = scale;
}

// point8_unscale divides ZZ and ZZZ by c, after the last row.
NIST_LANES_INLINE void point8_unscale(point8 *r) {
    const fe8 unscale = fe8_set(kUnscale);
    fe8_multiply(&r->zz, &r->zz, &unscale);
    fe8_multiply(&r->zzz, &r->zzz, &unscale);
}

// point8_finish: the common part of both additions. x1, y1 are the first operand's coordinates over the common denominators, p and r the
// differences of x and y; zz and zzz, the common denominators, become the sum's.
NIST_LANES_INLINE void point8_finish(point8 *sum, const fe8 *x1, const fe8 *y1, const fe8 *p, const fe8 *r) {
    fe8 pp, ppp, q, t, minus_y;
    fe8_square(&pp, p);
    fe8_multiply(&q, x1, &pp);
    fe8_multiply(&ppp, p, &pp);
    fe8_multiply(&sum->zz, &sum->zz, &pp);
    fe8_multiply(&sum->zzz, &sum->zzz, &ppp);
    fe8_minus(&minus_y, y1, 2);
    fe8_square(&t, r);
    fe8_subtract(&t, &t, &ppp, 2);
    fe8_subtract(&t, &t, &q, 2);
    fe8_subtract(&sum->x, &t, &q, 2);
    fe8_subtract(&t, &q, &sum->x, 8);
    fe8_multiply_add(&sum->y, r, &t, &minus_y, &ppp);
}

NIST_LANES_APART static void point8_add_affine(point8 *a, const affine8 *b) {
    fe8 p, r;
    fe8_multiply(&p, &b->x, &a->zz);
    fe8_multiply(&r, &b->y, &a->zzz);
    fe8_subtract(&p, &p, &a->x, 8);
    fe8_subtract(&r, &r, &a->y, 2);
    point8_finish(a, &a->x, &a->y, &p, &r);
}

// point8_add adds b to a, both without the factor c.
NIST_LANES_APART static void point8_add(point8 *a, const point8 *b) {
    fe8 x1, y1, p, r;
    fe8_multiply(&x1, &a->x, &b->zz);
    fe8_multiply(&y1, &a->y, &b->zzz);
    fe8_multiply(&p, &b->x, &a->zz);
    fe8_multiply(&r, &b->y, &a->zzz);
    fe8_subtract(&p, &p, &x1, 2);
    fe8_subtract(&r, &r, &y1, 2);
    fe8_multiply(&a->zz, &a->zz, &b->zz);
    fe8_multiply(&a->zzz, &a->zzz, &b->zzz);
    point8_finish(a, &x1, &y1, &p, &r);
}

#endif
