// Compares the ECDSA kernels' point additions with EC_POINT, over random denominators; and checks that exceptional cases are visible.

#include <string.h>

#include "ecdsa_tables.h"

typedef struct coordinates {
    BIGNUM *x, *y;
} coordinates;

static void draw_nonzero(ecdsa_check *check, const ecdsa_curve *curve, BIGNUM *out, const BIGNUM *modulus) {
    uint64_t limbs[kMaxLimbs];
    do {
        draw_number(check, curve, limbs, modulus);
        BN_lebin2bn((const unsigned char *)limbs, (int)curve->bytes, out);
    } while (BN_is_zero(out));
}

// put_montgomery writes a R mod p, where R is one for a field in plain digits.
static void put_montgomery(const ecdsa_curve *curve, uint64_t *out, const BIGNUM *a) {
    NUMBER scaled = BN_new();
    BN_lshift(scaled, a, curve->parts->radix_bits);
    BN_mod(scaled, scaled, curve->prime, curve->context);
    limbs_of(curve, out, scaled);
}

// put_point writes the point over the denominator z: (x z^2, y z^3, z^2, z^3).
static void put_point(ecdsa_check *check, const ecdsa_curve *curve, uint64_t *out, const coordinates *point) {
    const int limbs = curve->parts->limbs;
    NUMBER z = BN_new(), *zz = BN_new(), *zzz = BN_new(), *t = BN_new();
    draw_nonzero(check, curve, z, curve->prime);
    BN_mod_sqr(zz, z, curve->prime, curve->context);
    BN_mod_mul(zzz, zz, z, curve->prime, curve->context);
    BN_mod_mul(t, point->x, zz, curve->prime, curve->context);
    put_montgomery(curve, out, t);
    BN_mod_mul(t, point->y, zzz, curve->prime, curve->context);
    put_montgomery(curve, out + limbs, t);
    put_montgomery(curve, out + 2 * limbs, zz);
    put_montgomery(curve, out + 3 * limbs, zzz);
}

// is_point says whether the kernel's point has these affine coordinates. Both parts of a quotient carry a factor R, which cancels.
static int is_point(const ecdsa_curve *curve, const uint64_t *point, const coordinates *expected) {
    const int limbs = curve->parts->limbs;
    int holds = 1;
    for (int i = 0; i < 2; i++) {
        NUMBER numerator = number_of(point + i * limbs, limbs), *denominator = number_of(point + (2 + i) * limbs, limbs);
        BN_mod_mul(denominator, denominator, i == 0 ? expected->x : expected->y, curve->prime, curve->context);
        holds &= BN_cmp(numerator, denominator) == 0;
    }
    return holds;
}

static int is_all_zero(const uint64_t *limbs, int count) {
    uint64_t any = 0;
    for (int i = 0; i < count; i++) { any |= limbs[i]; }
    return any == 0;
}

static void affine_of(const ecdsa_curve *curve, const EC_POINT *point, coordinates *out) {
    EC_POINT_get_affine_coordinates(curve->group, point, out->x, out->y, curve->context);
}

// add runs one of the kernel's two additions; `negative` is only for the affine one.
static void add(ecdsa_check *check, const ecdsa_curve *curve, uint64_t *sum, const coordinates *other, int is_affine, int negative) {
    uint64_t operand[4 * kMaxLimbs];
    if (is_affine) {
        put_montgomery(curve, operand, other->x);
        put_montgomery(curve, operand + curve->parts->limbs, other->y);
        curve->parts->add_affine(sum, operand, negative);
    } else {
        put_point(check, curve, operand, other);
        curve->parts->add_point(sum, operand);
    }
}

// relation 0: the same point; 1: its opposite; otherwise another point. The first two give a zero denominator, now and after one more
// addition.
static void check_pair(ecdsa_check *check, const ecdsa_curve *curve, EC_POINT *p, EC_POINT *q, uint64_t relation) {
    uint64_t sum[4 * kMaxLimbs];
    const int limbs = curve->parts->limbs, is_affine = below(check, 2) == 0, negative = is_affine && below(check, 2) == 0;
    NUMBER ax = BN_new(), *ay = BN_new(), *bx = BN_new(), *by = BN_new();
    coordinates a = {ax, ay}, b = {bx, by};
    affine_of(curve, p, &a);
    put_point(check, curve, sum, &a);
    if (relation < 2) { EC_POINT_copy(q, p); }
    if (relation == 1) { EC_POINT_invert(curve->group, q, curve->context); }
    affine_of(curve, q, &b);
    add(check, curve, sum, &b, is_affine, negative);
    if (relation < 2) {
        int gone = is_all_zero(sum + 2 * limbs, 2 * limbs);
        EC_POINT_dbl(curve->group, q, q, curve->context);
        affine_of(curve, q, &b);
        add(check, curve, sum, &b, below(check, 2) == 0, negative);
        expect(check, curve, gone && is_all_zero(sum + 2 * limbs, 2 * limbs), "an exceptional addition that does not show");
    } else {
        if (negative) { EC_POINT_invert(curve->group, q, curve->context); }
        EC_POINT_add(curve->group, q, p, q, curve->context);
        affine_of(curve, q, &b);
        expect(check, curve, is_point(curve, sum, &b), is_affine ? "an affine addition" : "an addition");
    }
}

void check_addition(ecdsa_check *check, const ecdsa_curve *curve) {
    NUMBER k = BN_new(), *l = BN_new();
    POINT p = EC_POINT_new(curve->group), *q = EC_POINT_new(curve->group);
    draw_nonzero(check, curve, k, curve->order);
    draw_nonzero(check, curve, l, curve->order);
    EC_POINT_mul(curve->group, p, k, NULL, NULL, curve->context);
    EC_POINT_mul(curve->group, q, l, NULL, NULL, curve->context);
    uint64_t relation = below(check, 4);
    NUMBER opposite = BN_new();
    BN_sub(opposite, curve->order, l);
    if (BN_cmp(k, l) == 0 || BN_cmp(k, opposite) == 0) { relation = 0; }
    check_pair(check, curve, p, q, relation);
}
