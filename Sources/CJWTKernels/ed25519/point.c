// cjwt_ed25519_point_decode, cjwt_ed25519_point_encode: points and their 32-byte encodings.

#include "point.h"

static const fe51 kRootOfMinusOne = {{UINT64_C(0x61b274a0ea0b0), UINT64_C(0x0d5a5fc8f189d), UINT64_C(0x7ef5e9cbd0c60),
                                      UINT64_C(0x78595a6804c9e), UINT64_C(0x2b8324804fc1d)}};

// out = a^(2^n) b. `out` may be `a` or `b`.
static void square_times(fe51 *out, const fe51 *a, int n, const fe51 *b) {
    fe51 t = *a;
    for (int i = 0; i < n; i++) { fe51_square(&t, &t); }
    fe51_multiply(out, &t, b);
}

// a^((p - 5) / 8) = a^(2^252 - 3). With e(n) = 2^n - 1: e(m + n) = 2^n e(m) + e(n).
static void power_p58(fe51 *out, const fe51 *a) {
    fe51 e2, e4, e5, e10, e20, e40, e50, e100, t;
    square_times(&e2, a, 1, a);
    square_times(&e4, &e2, 2, &e2);
    square_times(&e5, &e4, 1, a);
    square_times(&e10, &e5, 5, &e5);
    square_times(&e20, &e10, 10, &e10);
    square_times(&e40, &e20, 20, &e20);
    square_times(&e50, &e40, 10, &e10);
    square_times(&e100, &e50, 50, &e50);
    square_times(&t, &e100, 100, &e100);
    square_times(&t, &t, 50, &e50);
    square_times(out, &t, 2, a);
}

// x with x^2 = u / v. Zero where there is none. v is never zero here: d is not a square.
static int root_of_quotient(fe51 *x, const fe51 *u, const fe51 *v) {
    fe51 v3, t, check, minus_u;
    fe51_square(&t, v);
    fe51_multiply(&v3, &t, v);
    fe51_square(&t, &v3);
    fe51_multiply(&t, &t, v);
    fe51_multiply(&t, &t, u);
    power_p58(&t, &t);
    fe51_multiply(x, u, &v3);
    fe51_multiply(x, x, &t);

    fe51_square(&check, x);
    fe51_multiply(&check, &check, v);
    if (fe51_equal(&check, u)) { return 1; }
    fe51_subtract(&minus_u, &kFe51Zero, u);
    fe51_multiply(x, x, &kRootOfMinusOne);
    return fe51_equal(&check, &minus_u);
}

// Sets y from its bytes. Zero where they are p or more.
static int read_y(fe51 *y, const uint8_t in[32]) {
    uint64_t words[4], canonical[4];
    load_le_words(words, 4, in);
    words[3] &= INT64_MAX;
    fe51_from_words(y, words);
    fe51_to_words(canonical, y);
    return memcmp(words, canonical, sizeof words) == 0;
}

// The cofactor is eight: a point has small order where eight times it is the identity. Both points with x = 0 do, so their invalid
// encodings with the sign bit are refused too.
static int is_of_small_order(const point *p) {
    point eight = *p;
    for (int i = 0; i < 3; i++) { point_double(&eight); }
    return fe51_is_zero(&eight.x) && fe51_equal(&eight.y, &eight.z);
}

int cjwt_ed25519_point_decode(point *out, const uint8_t in[32]) {
    fe51 u, v;
    uint64_t x[4];
    if (!read_y(&out->y, in)) { return 0; }
    fe51_square(&u, &out->y);
    fe51_multiply(&v, &u, &kCurveD);
    fe51_add(&v, &v, &kFe51One);
    fe51_subtract(&u, &u, &kFe51One);
    fe51_carry(&u, &u);
    if (!root_of_quotient(&out->x, &u, &v)) { return 0; }
    fe51_to_words(x, &out->x);
    if ((x[0] & 1) != (uint64_t)(in[31] >> 7)) {
        fe51_subtract(&out->x, &kFe51Zero, &out->x);
        fe51_carry(&out->x, &out->x);
    }
    out->z = kFe51One;
    fe51_multiply(&out->t, &out->x, &out->y);
    return !is_of_small_order(out);
}

void cjwt_ed25519_point_encode(uint8_t out[32], const fe51 *x, const fe51 *y, const fe51 *z_inverse) {
    fe51 affine_x, affine_y;
    uint64_t x_words[4], y_words[4];
    fe51_multiply(&affine_x, x, z_inverse);
    fe51_multiply(&affine_y, y, z_inverse);
    fe51_to_words(x_words, &affine_x);
    fe51_to_words(y_words, &affine_y);
    y_words[3] |= x_words[0] << 63;
    for (int i = 0; i < 32; i++) { out[i] = (uint8_t)(y_words[i / 8] >> (8 * (i % 8))); }
}
