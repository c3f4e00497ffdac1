// nist_point.h: points of y^2 = x^3 - 3x + b. Affine (x, y), and x = X / ZZ, y = Y / ZZZ with ZZ^3 = ZZZ^2 (Sutherland's XYZZ; formulas
// madd-2008-s, add-2008-s, dbl-2008-s-1 of the Explicit-Formulas Database).
//
// Exceptional cases of all formulas. All curves have prime order, so no point has y = 0, and doublings have no exceptional case. An
// addition of equal or opposite points has P = 0, hence ZZ = ZZZ = 0 afterwards, for any X and Y; an operand with ZZ = 0 gives ZZ = ZZZ = 0
// again, in every formula here. Otherwise ZZ is a product of numbers that are not zero modulo a prime. So after any number of operations,
// ZZ is not zero exactly where every operation was covered by its formula. Check ZZ before using a result.

#ifndef NIST_POINT_H
#define NIST_POINT_H

// Each curve's file includes its field before: nist_field.h or p521_field.h.

typedef struct affine {
    field x, y;
} affine;

typedef struct point {
    field x, y, zz, zzz;
} point;

// y of the affine operand is negated where mask is all ones.
static inline void point_from_affine(point *r, const affine *a, uint64_t mask) {
    r->x = a->x;
    field_negate_if(&r->y, &a->y, mask);
    r->zz = kOne;
    r->zzz = kOne;
}

// finish_addition: the common part of both additions. x1, y1 are the first operand's coordinates over the common denominators, p and r the
// differences of x and y; zz and zzz, the common denominators, become the sum's.
NIST_INLINE void finish_addition(point *sum, const field *x1, const field *y1, const field *p, const field *r) {
    field pp, ppp, q, t;
    field_square(&pp, p);
    field_multiply(&q, x1, &pp);
    field_multiply(&ppp, p, &pp);
    field_multiply(&sum->zz, &sum->zz, &pp);
    field_multiply(&sum->zzz, &sum->zzz, &ppp);
    field_square(&t, r);
    field_subtract(&t, &t, &ppp);
    field_subtract(&t, &t, &q);
    field_subtract(&sum->x, &t, &q);
    field_subtract(&t, &q, &sum->x);
    field_multiply_subtract(&sum->y, r, &t, y1, &ppp);
}

// point_add_affine adds ±b to a. The mask is as above.
NIST_INLINE void point_add_affine(point *a, const affine *b, uint64_t mask) {
    field p, r, y;
    field_negate_if(&y, &b->y, mask);
    field_multiply(&p, &b->x, &a->zz);
    field_multiply(&r, &y, &a->zzz);
    field_subtract(&p, &p, &a->x);
    field_subtract(&r, &r, &a->y);
    finish_addition(a, &a->x, &a->y, &p, &r);
}

// point_add adds b to a.
static inline void point_add(point *a, const point *b) {
    field x1, y1, p, r;
    field_multiply(&x1, &a->x, &b->zz);
    field_multiply(&y1, &a->y, &b->zzz);
    field_multiply(&p, &b->x, &a->zz);
    field_multiply(&r, &b->y, &a->zzz);
    field_subtract(&p, &p, &x1);
    field_subtract(&r, &r, &y1);
    field_multiply(&a->zz, &a->zz, &b->zz);
    field_multiply(&a->zzz, &a->zzz, &b->zzz);
    finish_addition(a, &x1, &y1, &p, &r);
}

static inline void point_double(point *a) {
    field u, v, w, s, m, t;
    field_add(&u, &a->y, &a->y);
    field_square(&v, &u);
    field_multiply(&w, &u, &v);
    field_multiply(&s, &a->x, &v);
    field_square(&t, &a->zz);  // M = 3 (X^2 - ZZ^2) = 3 X^2 + a ZZ^2
    field_square(&m, &a->x);
    field_subtract(&t, &m, &t);
    field_add(&m, &t, &t);
    field_add(&m, &m, &t);
    field_square(&t, &m);
    field_subtract(&t, &t, &s);
    field_subtract(&a->x, &t, &s);
    field_subtract(&t, &s, &a->x);
    field_multiply(&t, &m, &t);
    field_multiply(&u, &w, &a->y);
    field_subtract(&a->y, &t, &u);
    field_multiply(&a->zz, &a->zz, &v);
    field_multiply(&a->zzz, &a->zzz, &w);
}

// affine_is_on_curve: y^2 = x^3 - 3x + b. Such a point is in the group of prime order; there is no cofactor.
static inline int affine_is_on_curve(const affine *a) {
    field left, right, t;
    field_square(&left, &a->y);
    field_square(&right, &a->x);
    field_multiply(&right, &right, &a->x);
    field_add(&t, &a->x, &a->x);
    field_add(&t, &t, &a->x);
    field_subtract(&right, &right, &t);
    field_add(&right, &right, &kCurveB);
    return field_is_equal(&left, &right);
}

#endif
