// nist_exceptional.h: whether the kernels of P-384 and P-521 in lanes meet an exceptional addition, computed with libcrypto's points added
// in the same order. That takes milliseconds, but only for the few signatures that a kernel leaves undecided.

#ifndef ASSAY_NIST_EXCEPTIONAL_H
#define ASSAY_NIST_EXCEPTIONAL_H

#include "../../../Sources/CJWTKernels/nist/nist_internal.h"
#include "ecdsa_case.h"

enum { kMostWindows = 136, kMostWords = 9 };

// Lists the rows whose sum is u times `q`, or times the generator where `q` is NULL; returns their number. A digit zero has no row.
static int put_rows(const ecdsa_fuzz *fuzz, const nist_internal *parts, EC_POINT **out, const EC_POINT *q, const void *table,
                    const BIGNUM *u) {
    uint64_t k[kMostWords];
    int digits[kMostWindows], count = 0;
    NUMBER multiple = BN_new();
    BN_bn2lebinpad(u, (uint8_t *)k, 8 * parts->limbs);
    const int windows = parts->recode(digits, table, k), bits = parts->window(table);
    for (int i = 0; i < windows; i++) {
        if (digits[i] == 0) { continue; }
        BN_set_word(multiple, (BN_ULONG)(digits[i] < 0 ? -digits[i] : digits[i]));
        BN_lshift(multiple, multiple, bits * i);
        if (digits[i] < 0) { BN_sub(multiple, fuzz->order, multiple); }
        BN_nnmod(multiple, multiple, fuzz->order, fuzz->context);
        out[count] = EC_POINT_new(fuzz->group);
        EC_POINT_mul(fuzz->group, out[count++], q == NULL ? multiple : NULL, q, q == NULL ? NULL : multiple, fuzz->context);
    }
    return count;
}

// Adds row b to sum a; one where the addition is exceptional.
static int add_rows(const ecdsa_fuzz *fuzz, EC_POINT *a, const EC_POINT *b) {
    int are_equal = EC_POINT_cmp(fuzz->group, a, b, fuzz->context) == 0;
    EC_POINT_add(fuzz->group, a, a, b, fuzz->context);
    return are_equal || EC_POINT_is_at_infinity(fuzz->group, a);
}

// One token: lanes of every eighth row, then added in pairs; with fewer rows than lanes, the two sums of the portable kernel. Eight: one
// sum of the key's rows, then the generator's.
static int rows_meet(const ecdsa_fuzz *fuzz, const nist_internal *parts, const ecdsa_case *c, const void *table, int in_lanes,
                     const BIGNUM *u1, const BIGNUM *u2) {
    EC_POINT *rows[2 * kMostWindows];
    int count = put_rows(fuzz, parts, rows, EC_KEY_get0_public_key(c->key->judge), table, u2);
    count += put_rows(fuzz, parts, rows + count, NULL, parts->generator(), u1);
    const int width = in_lanes ? 1 : 8;
    int meet = count < width && sums_meet(fuzz, c, table, in_lanes, u1, u2);
    for (int i = width; i < count && !meet; i++) { meet = add_rows(fuzz, rows[i % width], rows[i]); }
    for (int half = count < width ? 0 : width / 2; half > 0; half /= 2) {
        for (int i = 0; i < half && !meet; i++) { meet = add_rows(fuzz, rows[i], rows[i + half]); }
    }
    for (int i = 0; i < count; i++) { EC_POINT_free(rows[i]); }
    return meet;
}

#endif
