// Eight points, one in each lane, and their additions: the formulas of point.h, with carries only before multiplications.

#ifndef CJWT_ED25519_LANES_POINT_H
#define CJWT_ED25519_LANES_POINT_H

#include "lanes.h"

#if defined(__x86_64__)

#include "table.h"

/// The parts of a sum that an addition reads: Y + X, Y - X, T and Z. Z is never multiplied there, so it stays an uncarried product.
typedef struct point8 {
    fe8 sum, difference, t;
    fe8_wide z;
} point8;

/// A point to be added; digits below 2^52.
typedef struct addend8 {
    fe8 sum, difference, xy2d;
} addend8;

LANES_INLINE void point8_set_identity(point8 *out) {
    fe8_set(&out->sum, &kFe51One);
    fe8_set(&out->difference, &kFe51One);
    fe8_set(&out->t, &kFe51Zero);
    for (int i = 0; i < 5; i++) { out->z.digit[i] = lanes_of(i == 0); }
}

// From A, B, C and D = 2 Z1 Z2 of the formulas. In units of 2^51, A and B are below 250, C below 345 and D below 500; so the carried
// numbers are at most 762 (E), 1012 (F), 845 (G), 500 (H, Y + X) and 762 (Y - X), below the 1024 that a carry takes.
LANES_INLINE void point8_finish(point8 *out, const fe8_wide *a, const fe8_wide *b, const fe8_wide *c, const fe8_wide *d) {
    fe8_wide wide, x, y;
    fe8 e, f, g, h;
    fe8_subtract(&wide, b, a);
    fe8_carry(&e, &wide);
    fe8_subtract(&wide, d, c);
    fe8_carry(&f, &wide);
    fe8_add(&wide, d, c);
    fe8_carry(&g, &wide);
    fe8_add(&wide, b, a);
    fe8_carry(&h, &wide);

    fe8_multiply(&x, &e, &f);
    fe8_multiply(&y, &g, &h);
    fe8_add(&wide, &y, &x);
    fe8_carry(&out->sum, &wide);
    fe8_subtract(&wide, &y, &x);
    fe8_carry(&out->difference, &wide);
    fe8_multiply(&out->z, &f, &g);
    fe8_multiply_and_carry(&out->t, &e, &h);
}

// p becomes p + q.
LANES_INLINE void point8_add(point8 *p, const addend8 *q) {
    fe8_wide a, b, c, d;
    fe8_multiply(&a, &p->difference, &q->difference);
    fe8_multiply(&b, &p->sum, &q->sum);
    fe8_multiply(&c, &p->t, &q->xy2d);
    fe8_add(&d, &p->z, &p->z);
    point8_finish(p, &a, &b, &c, &d);
}

// p becomes p + q; neither needs Z = 1.
LANES_INLINE void point8_add_point(point8 *p, const point8 *q) {
    fe8_wide a, b, c, d;
    fe8 twice_d, t, p_z, q_z;
    fe8_set(&twice_d, &kCurveTwiceD);
    fe8_multiply_and_carry(&t, &q->t, &twice_d);
    fe8_carry(&p_z, &p->z);
    fe8_carry(&q_z, &q->z);
    fe8_multiply(&a, &p->difference, &q->difference);
    fe8_multiply(&b, &p->sum, &q->sum);
    fe8_multiply(&c, &p->t, &t);
    fe8_multiply(&d, &p_z, &q_z);
    fe8_add(&d, &d, &d);
    point8_finish(p, &a, &b, &c, &d);
}

#endif
#endif
