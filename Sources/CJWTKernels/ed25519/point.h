// Points of -x^2 + y^2 = 1 + d x^2 y^2 modulo p, d = -121665/121666.
//
// The formulas are from Hisil, Wong, Carter, Dawson ("Twisted Edwards curves revisited", 2008, sections 3.1 and 3.3). Because -1 is a
// square modulo p and d is not, they are complete: they hold for every pair of points of the curve, equal, opposite or of small order, and
// never give Z = 0.

#ifndef CJWT_ED25519_POINT_H
#define CJWT_ED25519_POINT_H

#include "field51.h"

/// x = X / Z, y = Y / Z, x y = T / Z. Every coordinate is tight.
typedef struct point {
    fe51 x, y, z, t;
} point;

/// A point prepared for addition, from Z = 1: y + x, y - x, 2 d x y.
typedef struct addend {
    fe51 sum, difference, xy2d;
} addend;

static const fe51 kCurveD = {{UINT64_C(0x34dca135978a3), UINT64_C(0x1a8283b156ebd), UINT64_C(0x5e7a26001c029), UINT64_C(0x739c663a03cbb),
                              UINT64_C(0x52036cee2b6ff)}};
static const fe51 kCurveTwiceD = {{UINT64_C(0x69b9426b2f159), UINT64_C(0x35050762add7a), UINT64_C(0x3cf44c0038052),
                                   UINT64_C(0x6738cc7407977), UINT64_C(0x2406d9dc56dff)}};

static inline void point_set_identity(point *out) { *out = (point){kFe51Zero, kFe51One, kFe51One, kFe51Zero}; }

// The last step of all formulas: E F, G H, F G, E H. All loose.
static inline __attribute__((always_inline)) void point_finish(point *out, const fe51 *e, const fe51 *f, const fe51 *g, const fe51 *h) {
    fe51_multiply(&out->x, e, f);
    fe51_multiply(&out->y, g, h);
    fe51_multiply(&out->z, f, g);
    fe51_multiply(&out->t, e, h);
}

// p becomes p + q. q's digits are below 2^52. Bounds: 2 Z, Y +- X, E, G and H are below 2^53, F below 2^53.
static inline __attribute__((always_inline)) void point_add(point *p, const addend *q) {
    fe51 a, b, c, z2, e, f, g, h;
    fe51_subtract(&a, &p->y, &p->x);
    fe51_multiply(&a, &a, &q->difference);
    fe51_add(&b, &p->y, &p->x);
    fe51_multiply(&b, &b, &q->sum);
    fe51_multiply(&c, &p->t, &q->xy2d);
    fe51_add(&z2, &p->z, &p->z);
    fe51_subtract(&e, &b, &a);
    fe51_subtract(&f, &z2, &c);
    fe51_add(&g, &z2, &c);
    fe51_add(&h, &b, &a);
    point_finish(p, &e, &f, &g, &h);
}

// Bounds: H and 2 Z^2 are <= 2^52 + 2^14, E and G below 2^53, F below 2^54.
static inline void point_double(point *p) {
    fe51 a, b, c, e, f, g, h;
    fe51_add(&e, &p->x, &p->y);
    fe51_square(&e, &e);
    fe51_square(&a, &p->x);
    fe51_square(&b, &p->y);
    fe51_square(&c, &p->z);
    fe51_add(&c, &c, &c);
    fe51_add(&h, &a, &b);
    fe51_subtract(&e, &h, &e);
    fe51_subtract(&g, &a, &b);
    fe51_add(&f, &c, &g);
    point_finish(p, &e, &f, &g, &h);
}

/// Decodes a key (RFC 8032 section 5.1.3). Zero where it is not a point, is not the point's canonical encoding, or is a point of small
/// order.
int cjwt_ed25519_point_decode(point *out, const uint8_t in[32]);

/// Encodes X / Z and Y / Z, `z_inverse` being 1 / Z (RFC 8032 section 5.1.2).
void cjwt_ed25519_point_encode(uint8_t out[32], const fe51 *x, const fe51 *y, const fe51 *z_inverse);

#endif
