// nist_self_test.h: the self test of a curve, over a table of the vector's key.

#ifndef NIST_SELF_TEST_H
#define NIST_SELF_TEST_H

#include "ecdsa_cases.h"
#include "nist_generator.h"

enum { kSelfTestRows = ((kScalarBits + kSmallWindow - 1) / kSmallWindow) << (kSmallWindow - 1) };

static struct {
    _Alignas(kTableAlignment) uint8_t bytes[sizeof(table) + kSelfTestRows * sizeof(affine)];
} self_test_memory;

static int self_test(const ecdsa_vector *vector, verify_function *verify) {
    uint8_t x[kNumberBytes], y[kNumberBytes], off_curve[kNumberBytes];
    void *key = self_test_memory.bytes;
    signature_cases all = {.hash_len = kHashBytes, .half_len = sizeof x};
    from_hex(x, sizeof x, vector->x);
    from_hex(y, sizeof y, vector->y);
    memcpy(off_curve, y, sizeof y);
    off_curve[0] ^= 1;
    if (build_table(key, CJWT_TABLE_SMALL, x, off_curve) || !build_table(key, CJWT_TABLE_SMALL, x, y)) { return 0; }
    add_ecdsa_cases(&all, vector, key, generator_table());
    add_sum_cases(&all, vector, generator_table());
    return cases_hold(&all, verify);
}

#endif
