// Compares the parts of the ECDSA kernels with BIGNUM and EC_POINT: products, reductions, inverses, digits, rows, single additions.

#include <string.h>

#include "ecdsa_tables.h"

// is_quotient says whether r, below the modulus, is (a b) / 2^radix_bits for numbers a, b of these limb counts; a NULL b means one.
static int is_quotient(const ecdsa_curve *curve, const uint64_t *r, const uint64_t *a, int a_limbs, const uint64_t *b,
                       const BIGNUM *modulus, int radix_bits) {
    NUMBER left = number_of(r, curve->parts->limbs), *right = number_of(a, a_limbs);
    int holds = BN_ucmp(left, modulus) < 0;
    if (b != NULL) {
        NUMBER factor = number_of(b, curve->parts->limbs);
        BN_mul(right, right, factor, curve->context);
    }
    BN_lshift(left, left, radix_bits);
    BN_sub(left, left, right);
    BN_nnmod(left, left, modulus, curve->context);
    holds = holds && BN_is_zero(left);
    return holds;
}

static void check_product(ecdsa_check *check, const ecdsa_curve *curve, int squared) {
    uint64_t a[kMaxLimbs], b[kMaxLimbs], r[kMaxLimbs];
    draw_number(check, curve, a, curve->prime);
    draw_number(check, curve, b, curve->prime);
    if (squared) {
        curve->parts->square(r, a);
    } else {
        curve->parts->multiply(r, a, b);
    }
    const int holds = is_quotient(curve, r, a, curve->parts->limbs, squared ? a : b, curve->prime, curve->parts->radix_bits);
    expect(check, curve, holds, squared ? "a square" : "a product");
}

// The reduction alone takes halves that no product would have, with empty and full digits.
static void check_reduction(ecdsa_check *check, const ecdsa_curve *curve) {
    uint64_t t[2 * kMaxLimbs], r[kMaxLimbs];
    const int limbs = curve->parts->limbs;
    if (curve->parts->reduce == NULL) { return check_product(check, curve, 0); }
    NUMBER radix = BN_new();
    BN_set_bit(radix, 64 * limbs);
    draw_number(check, curve, t, radix);
    draw_number(check, curve, t + limbs, curve->prime);
    curve->parts->reduce(r, t);
    expect(check, curve, is_quotient(curve, r, t, 2 * limbs, NULL, curve->prime, 64 * limbs), "a reduction");
}

static void check_sum(ecdsa_check *check, const ecdsa_curve *curve, int minus) {
    uint64_t a[kMaxLimbs], b[kMaxLimbs], r[kMaxLimbs], expected[kMaxLimbs];
    const int limbs = curve->parts->limbs;
    draw_number(check, curve, a, curve->prime);
    draw_number(check, curve, b, curve->prime);
    NUMBER x = number_of(a, limbs), *y = number_of(b, limbs);
    if (minus) {
        curve->parts->subtract(r, a, b);
        BN_mod_sub(x, x, y, curve->prime, curve->context);
    } else {
        curve->parts->add(r, a, b);
        BN_mod_add(x, x, y, curve->prime, curve->context);
    }
    limbs_of(curve, expected, x);
    expect(check, curve, memcmp(r, expected, 8 * (size_t)limbs) == 0, minus ? "a difference" : "a sum");
}

// One factor of a product modulo the order may be any number below R, for example a hash.
static void check_scalar_product(ecdsa_check *check, const ecdsa_curve *curve) {
    uint64_t a[kMaxLimbs], b[kMaxLimbs], r[kMaxLimbs];
    NUMBER radix = BN_new();
    BN_set_bit(radix, 64 * curve->parts->limbs);
    draw_number(check, curve, a, radix);
    draw_number(check, curve, b, curve->order);
    curve->parts->scalar_multiply(r, a, b);
    const int limbs = curve->parts->limbs;
    expect(check, curve, is_quotient(curve, r, a, limbs, b, curve->order, 64 * limbs), "a product modulo the order");
}

// Inverses are times R, of the order or, squared, of the prime.
static void check_inverse(ecdsa_check *check, const ecdsa_curve *curve, int of_field) {
    uint64_t a[kMaxLimbs], r[kMaxLimbs], expected[kMaxLimbs];
    const BIGNUM *modulus = of_field ? curve->prime : curve->order;
    draw_number(check, curve, a, modulus);
    NUMBER number = number_of(a, curve->parts->limbs), *inverse = BN_new(), *scale = BN_new();
    const int has_inverse = (of_field ? curve->parts->invert : curve->parts->scalar_inverse)(r, a);
    expect(check, curve, has_inverse == !BN_is_zero(number), "whether a number has an inverse");
    if (!has_inverse) { return; }
    BN_mod_inverse(inverse, number, modulus, curve->context);
    BN_set_bit(scale, of_field ? 2 * curve->parts->radix_bits : 64 * curve->parts->limbs);
    BN_mod_mul(inverse, inverse, scale, modulus, curve->context);
    limbs_of(curve, expected, inverse);
    const int holds = memcmp(r, expected, 8 * (size_t)curve->parts->limbs) == 0;
    expect(check, curve, holds, of_field ? "an inverse" : "an inverse modulo the order");
}

void check_arithmetic(ecdsa_check *check, const ecdsa_curve *curve) {
    switch (below(check, 32)) {
        case 0: check_inverse(check, curve, below(check, 2) == 0); break;
        case 1 ... 2: check_sum(check, curve, 0); break;
        case 3 ... 5: check_sum(check, curve, 1); break;
        case 6 ... 10: check_scalar_product(check, curve); break;
        case 11 ... 16: check_reduction(check, curve); break;
        case 17 ... 23: check_product(check, curve, 1); break;
        default: check_product(check, curve, 0);
    }
}

void check_digits(ecdsa_check *check, const ecdsa_curve *curve, const void *table) {
    uint64_t k[kMaxLimbs];
    int digits[kMaxWindows], window = curve->parts->window(table), bounded = 1;
    draw_number(check, curve, k, curve->order);
    int count = curve->parts->recode(digits, table, k);
    NUMBER sum = BN_new(), *scalar = number_of(k, curve->parts->limbs);
    for (int i = count - 1; i >= 0; i--) {
        int magnitude = digits[i] < 0 ? -digits[i] : digits[i];
        bounded &= magnitude <= 1 << (window - 1);
        BN_lshift(sum, sum, window);
        if (digits[i] < 0) { BN_sub_word(sum, (BN_ULONG)magnitude); } else { BN_add_word(sum, (BN_ULONG)magnitude); }
    }
    BN_nnmod(sum, sum, curve->order, curve->context);
    expect(check, curve, bounded && BN_cmp(sum, scalar) == 0, "the digits of a scalar");
}

void check_row(ecdsa_check *check, const ecdsa_curve *curve, const void *table, const BIGNUM *logarithm) {
    uint64_t x[kMaxLimbs], y[kMaxLimbs], expected_x[kMaxLimbs], expected_y[kMaxLimbs];
    int window = curve->parts->window(table), count = (curve->parts->scalar_bits + window - 1) / window;
    int i = (int)below(check, (uint64_t)count), digit = 1 + (int)below(check, UINT64_C(1) << (window - 1));
    curve->parts->row(x, y, table, i, digit);
    POINT point = EC_POINT_new(curve->group);
    NUMBER scalar = BN_dup(logarithm), *px = BN_new(), *py = BN_new();
    BN_lshift(scalar, scalar, window * i);
    BN_mul_word(scalar, (BN_ULONG)digit);
    BN_mod(scalar, scalar, curve->order, curve->context);
    EC_POINT_mul(curve->group, point, scalar, NULL, NULL, curve->context);
    EC_POINT_get_affine_coordinates(curve->group, point, px, py, curve->context);
    limbs_of(curve, expected_x, px);
    limbs_of(curve, expected_y, py);
    const size_t bytes = 8 * (size_t)curve->parts->limbs;
    expect(check, curve, memcmp(x, expected_x, bytes) == 0 && memcmp(y, expected_y, bytes) == 0, "a row of a table");
}
