// p256_exceptional.h: whether the lane kernels meet an exceptional addition, computed with libcrypto's points added in the same order. That
// takes milliseconds, but only for the few signatures that a kernel leaves undecided.

#ifndef ASSAY_P256_EXCEPTIONAL_H
#define ASSAY_P256_EXCEPTIONAL_H

#include "../../../Sources/CJWTKernels/p256ifma/lanes.h"
#include "ecdsa_case.h"

#if defined(__x86_64__)

// Lists the rows whose sum is u times `q`, or times the generator where `q` is NULL; returns their number.
static int put_places(const ecdsa_fuzz *fuzz, EC_POINT **out, const EC_POINT *q, uint32_t bits, const BIGNUM *u) {
    uint64_t k[4];
    p256_digits digits;
    NUMBER multiple = BN_new();
    BN_bn2lebinpad(u, (uint8_t *)k, 32);
    p256_recode(&digits, k);
    for (uint32_t window = 0; window < 256 / bits; window++) {
        uint32_t row, negative = p256_digit(&digits, bits, window, &row);
        BN_set_word(multiple, 2 * row + 1);
        BN_lshift(multiple, multiple, (int)(bits * window));
        if (negative) { BN_sub(multiple, fuzz->order, multiple); }
        BN_nnmod(multiple, multiple, fuzz->order, fuzz->context);
        out[window] = EC_POINT_new(fuzz->group);
        EC_POINT_mul(fuzz->group, out[window], q == NULL ? multiple : NULL, q, q == NULL ? NULL : multiple, fuzz->context);
    }
    return (int)(256 / bits);
}

// Adds place b to place a; one where the addition is exceptional.
static int add_places(const ecdsa_fuzz *fuzz, EC_POINT *a, const EC_POINT *b) {
    int are_equal = EC_POINT_cmp(fuzz->group, a, b, fuzz->context) == 0;
    EC_POINT_add(fuzz->group, a, a, b, fuzz->context);
    return are_equal || EC_POINT_is_at_infinity(fuzz->group, a);
}

// One token: lanes of every eighth place, then added in pairs. Eight: two chains of every second.
static int lanes_meet(const ecdsa_fuzz *fuzz, const ecdsa_case *c, const void *table, int in_lanes, const BIGNUM *u1, const BIGNUM *u2) {
    EC_POINT *places[kP256MaxPoints];
    int width = in_lanes ? 2 : 8, meet = 0;
    int count = put_places(fuzz, places, NULL, kP256FullBits, u1);
    count += put_places(fuzz, places + count, EC_KEY_get0_public_key(c->key->judge), ((const p256_table *)table)->bits, u2);
    for (int i = width; i < count && !meet; i++) { meet = add_places(fuzz, places[i % width], places[i]); }
    for (int half = width / 2; half > 0; half /= 2) {
        for (int i = 0; i < half && !meet; i++) { meet = add_places(fuzz, places[i], places[i + half]); }
    }
    for (int i = 0; i < count; i++) { EC_POINT_free(places[i]); }
    return meet;
}

#else

static int lanes_meet(const ecdsa_fuzz *fuzz, const ecdsa_case *c, const void *table, int in_lanes, const BIGNUM *u1, const BIGNUM *u2) {
    (void)fuzz, (void)c, (void)table, (void)in_lanes, (void)u1, (void)u2;
    return 1;
}

#endif
#endif
