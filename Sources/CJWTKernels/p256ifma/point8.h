// point8.h: points of P-256 in eight lanes, in XYZZ coordinates (x = X/ZZ, y = Y/ZZZ, ZZ^3 = ZZZ^2; hyperelliptic.org, shortw-xyzz).
//
// The signs avoid most subtractions: zz is -ZZ; zzz is ZZZ or -ZZZ, the same in all lanes. A newly set point begins with -ZZZ, and every
// addition flips the sign.
//
// Exceptional cases are not checked at each addition. P + P, P - P and sums with the neutral element have H = 0 mod p or begin with a zz
// that is 0 mod p, and the zz of a sum is the product of its summands' and of H^2. p is prime: so the last zz is 0 mod p if and only if
// some addition was exceptional. Then the coordinates are meaningless and must not be used; otherwise every addition was regular and the
// sum is right.
//
// All functions require and keep these bounds, in p: x < 1.01, y < 1.7, zz and zzz < 1.2.

#ifndef CJWT_P256IFMA_POINT8_H
#define CJWT_P256IFMA_POINT8_H

#include "fe8.h"

typedef struct point8 {
    fe8 x, y;
    fe8_factor zz, zzz;
} point8;

/// Affine points, at most p.
typedef struct affine8 {
    fe8 x;
    fe8 y;
} affine8;

// -1, that is p - (2^260 mod p).
static const uint64_t kP256MinusOne[5] = {UINT64_C(0xfffffffffffef), UINT64_C(0x10fffffffffff), UINT64_C(0), UINT64_C(0x11000000000),
                                          UINT64_C(0xffffffef0000)};

CJWT_IFMA_INLINE void point8_set(point8 *p, const affine8 *q) {
    fe8_factor minus_one = fe8_as_factor(fe8_set(kP256MinusOne));
    *p = (point8){.x = q->x, .y = q->y, .zz = minus_one, .zzz = minus_one};
}

// point8_add_affine adds q; the caller negates q's y where zzz is ZZZ: in the second addition, the fourth and so on. It returns H: zz
// becomes zz H^2 and zzz becomes zzz H^3.
//
//   h < 1.2/16 + 1 + 1.01 < 2.1     hh < 1.28   hhh < 1.17   v < 1.09
//   r < 1.2/16 + 1 + 1.7 < 2.8      rr < 1.5    rr + hhh - 2 v + 3 in (0.8, 5.7)
//   slope = x - v + 2 in (0.9, 3.02)            y < (2.8 * 3.02 + 1.7 * 1.17) / 16 + 1 < 1.66
CJWT_IFMA_INLINE fe8_factor point8_add_affine(point8 *p, const affine8 *q) {
    fe8_factor h = fe8_carry(fe8_add(fe8_mul(fe8_as_factor(q->x), p->zz), fe8_as_sum(p->x)));
    fe8_factor r = fe8_carry(fe8_add(fe8_mul(fe8_as_factor(q->y), p->zzz), fe8_as_sum(p->y)));
    fe8_factor hh = fe8_carry(fe8_sqr(h));
    fe8_sum rr = fe8_sqr(r);
    fe8_sum hhh_sum = fe8_mul(h, hh);
    fe8_sum v = fe8_mul(fe8_as_factor(p->x), hh);
    fe8_factor hhh = fe8_carry(hhh_sum);
    p->zz = fe8_carry(fe8_mul(p->zz, hh));
    // Products have limbs below 16 * 2^52: here a limb is below (16 + 16 + 34) * 2^52 and at least (33 - 2 * 16) * 2^52 - 33.
    p->x = fe8_fold(fe8_sub(fe8_sub(fe8_add(fe8_add(rr, hhh_sum), fe8_times_p(3, 33)), v), v));
    fe8_factor slope = fe8_carry(fe8_sub(fe8_add(fe8_as_sum(p->x), fe8_times_p(2, 17)), v));
    fe8_product y = fe8_product_of(fe8_as_factor(p->y), hhh);
    fe8_accumulate(&y, r, slope);
    p->y = fe8_digits(fe8_reduce(y));
    p->zzz = fe8_carry(fe8_mul(p->zzz, hhh));
    return h;
}

/// What a sum takes from its summands p and q: x and y of each times zz and zzz of the other; zz and zzz of q.
typedef struct point8_crossed {
    fe8_sum u1, s1, u2, s2;
    fe8_factor zz, zzz;
} point8_crossed;

// point8_cross multiplies x by another point's zz, and y by its zzz.
CJWT_IFMA_INLINE void point8_cross(fe8_sum *u, fe8_sum *s, const point8 *p, const fe8_factor *zz, const fe8_factor *zzz) {
    *u = fe8_mul(fe8_as_factor(p->x), *zz);
    *s = fe8_mul(fe8_as_factor(p->y), *zzz);
}

// point8_join adds the point that `c` was crossed with. The sign of zzz must be the same in both.
//
//   u < 1.08   s < 1.13   h = u2 - u1 + 2 < 3.1   r = s1 - s2 + 2 < 3.2   hh < 1.61   hhh < 1.32   v < 1.11   rr < 1.64
//   rr + hhh + 2 v + 1 in (1, 6.2)   slope < 2.13   y < (3.2 * 2.13 + 1.13 * 1.32) / 16 + 1 < 1.6   zz < 1.1 * 2 / 16 + 1 < 1.2
CJWT_IFMA_INLINE void point8_join(point8 *p, const point8_crossed *c) {
    fe8_factor h = fe8_carry(fe8_sub(fe8_add(c->u2, fe8_times_p(2, 17)), c->u1));
    fe8_factor r = fe8_carry(fe8_sub(fe8_add(c->s1, fe8_times_p(2, 17)), c->s2));
    fe8_sum hh_sum = fe8_sqr(h), rr = fe8_sqr(r);
    fe8_factor hh = fe8_carry(hh_sum);
    fe8_sum hhh_sum = fe8_mul(h, hh), v = fe8_mul(fe8_carry(c->u1), hh);
    fe8_factor hhh = fe8_carry(hhh_sum);
    p->x = fe8_fold(fe8_add(fe8_add(fe8_add(rr, hhh_sum), fe8_times_p(1, 1)), fe8_add(v, v)));
    fe8_product y = fe8_product_of(fe8_carry(c->s1), hhh);
    fe8_accumulate(&y, r, fe8_carry(fe8_add(fe8_as_sum(p->x), v)));
    p->y = fe8_digits(fe8_reduce(y));
    fe8_factor minus_hh = fe8_carry(fe8_sub(fe8_times_p(2, 17), hh_sum));
    p->zz = fe8_carry(fe8_mul(fe8_carry(fe8_mul(p->zz, c->zz)), minus_hh));
    p->zzz = fe8_carry(fe8_mul(fe8_carry(fe8_mul(p->zzz, c->zzz)), hhh));
}

// point8_add adds q. The sign of zzz must be the same in both.
CJWT_IFMA_INLINE void point8_add(point8 *p, const point8 *q) {
    point8_crossed c;
    c.zz = q->zz, c.zzz = q->zzz;
    point8_cross(&c.u1, &c.s1, p, &q->zz, &q->zzz);
    point8_cross(&c.u2, &c.s2, q, &p->zz, &p->zzz);
    point8_join(p, &c);
}

// point8_double doubles; it is only for building tables and not optimised. No point of the curve has order two, so y is not 0.
//
//   w = 2 y < 3.4   ww < 1.73   www < 1.37   s = x ww < 1.11   m = 3 (x^2 - zz^2 + 2) in (2.7, 9.3): x^2 < 1.07, zz^2 < 1.1
//   m^2 < 6.5   m^2 - 2 s + 3 in (0.7, 9.5)   y = (m (s - x + 2) + www (2 - y)) / 2^260 < (9.3 * 3.2 + 1.37 * 2) / 16 + 1 < 3.1: fold
CJWT_IFMA_INLINE void point8_double(point8 *p) {
    fe8_factor x = fe8_as_factor(p->x);
    fe8_factor w = fe8_carry(fe8_add(fe8_as_sum(p->y), fe8_as_sum(p->y)));
    fe8_factor ww = fe8_carry(fe8_sqr(w));
    fe8_factor www = fe8_carry(fe8_mul(w, ww));
    fe8_sum s = fe8_mul(x, ww);
    fe8_sum third = fe8_sub(fe8_add(fe8_sqr(x), fe8_times_p(2, 17)), fe8_sqr(p->zz));
    fe8_factor m = fe8_carry(fe8_add(fe8_add(third, third), third));
    p->x = fe8_fold(fe8_sub(fe8_sub(fe8_add(fe8_sqr(m), fe8_times_p(3, 33)), s), s));
    fe8_product y = fe8_product_of(www, fe8_carry(fe8_sub(fe8_times_p(2, 2), fe8_as_sum(p->y))));
    fe8_accumulate(&y, m, fe8_carry(fe8_sub(fe8_add(s, fe8_times_p(2, 2)), fe8_as_sum(p->x))));
    p->y = fe8_fold(fe8_add(fe8_reduce(y), fe8_times_p(1, 1)));
    p->zz = fe8_carry(fe8_mul(p->zz, ww));
    p->zzz = fe8_carry(fe8_mul(p->zzz, www));
}

#endif
