// nist_self_test.h: a known signature and what becomes of it when something is changed; and the exceptional additions.
//
// The curve's file includes its vector before this.

#ifndef NIST_SELF_TEST_H
#define NIST_SELF_TEST_H

#include <string.h>

#include "nist_generator.h"

enum {
    kCoordinateBytes = 8 * LIMBS,
    kSelfTestRows = ((kScalarBits + kSmallWindow - 1) / kSmallWindow) << (kSmallWindow - 1),
};

static struct {
    _Alignas(kTableAlignment) uint8_t bytes[sizeof(table) + kSelfTestRows * sizeof(affine)];
} self_test_memory;

typedef cjwt_verdict verify_function(const void *table, const uint8_t *hash, const uint8_t *sig);

static void number_write(uint8_t *bytes, const uint64_t a[LIMBS]) {
    for (int i = 0; i < kCoordinateBytes; i++) { bytes[kCoordinateBytes - 1 - i] = (uint8_t)(a[i / 8] >> (8 * (i % 8))); }
}

// vector_says: the vector's verdict with one bit of hash or signature changed, and with r and s replaced where they are given.
static int vector_says(verify_function *verify, cjwt_verdict expected, int hash_bit, int sig_bit, const uint64_t *r, const uint64_t *s) {
    uint8_t hash[sizeof kVectorHash], sig[sizeof kVectorSignature];
    memcpy(hash, kVectorHash, sizeof hash);
    memcpy(sig, kVectorSignature, sizeof sig);
    if (hash_bit >= 0) { hash[hash_bit / 8] ^= (uint8_t)(1 << (hash_bit % 8)); }
    if (sig_bit >= 0) { sig[sig_bit / 8] ^= (uint8_t)(1 << (sig_bit % 8)); }
    if (r != NULL) { number_write(sig, r); }
    if (s != NULL) { number_write(sig + kCoordinateBytes, s); }
    return verify(self_test_memory.bytes, hash, sig) == expected;
}

// vector_passes: accepted as it is and, since ECDSA cannot tell them apart, with n - s; refused with anything else.
static int vector_passes(verify_function *verify) {
    const uint64_t zero[LIMBS] = {0};
    uint64_t s[LIMBS];
    number_read(s, kVectorSignature + kCoordinateBytes, LIMBS);
    (void)number_sub(s, kOrder.limbs, s, LIMBS);
    return vector_says(verify, CJWT_ACCEPTED, -1, -1, NULL, NULL) && vector_says(verify, CJWT_ACCEPTED, -1, -1, NULL, s) &&
           vector_says(verify, CJWT_REFUSED, 0, -1, NULL, NULL) && vector_says(verify, CJWT_REFUSED, -1, 7, NULL, NULL) &&
           vector_says(verify, CJWT_REFUSED, -1, 16 * kCoordinateBytes - 8, NULL, NULL) &&
           vector_says(verify, CJWT_REFUSED, -1, -1, zero, NULL) && vector_says(verify, CJWT_REFUSED, -1, -1, NULL, zero) &&
           vector_says(verify, CJWT_REFUSED, -1, -1, kOrder.limbs, NULL) && vector_says(verify, CJWT_REFUSED, -1, -1, NULL, kOrder.limbs);
}

// With the generator for a key and r = s = 1, a hash h has h G + G judged: exceptional for 1 and n - 1, and not of x = 1 for 0.
static int generator_says(verify_function *verify, cjwt_verdict expected, uint64_t hash, int negative) {
    uint64_t number[LIMBS] = {hash}, one[LIMBS] = {1};
    uint8_t hash_bytes[kCoordinateBytes], sig[2 * kCoordinateBytes];
    if (negative) { (void)number_sub(number, kOrder.limbs, number, LIMBS); }
    number_write(hash_bytes, number);
    number_write(sig, one);
    number_write(sig + kCoordinateBytes, one);
    return verify(generator_table(), hash_bytes, sig) == expected;
}

static int self_test(verify_function *verify) {
    uint8_t off_curve[kCoordinateBytes];
    memcpy(off_curve, kVectorY, sizeof off_curve);
    off_curve[0] ^= 1;
    return !build_table(self_test_memory.bytes, CJWT_TABLE_SMALL, kVectorX, off_curve) &&
           build_table(self_test_memory.bytes, CJWT_TABLE_SMALL, kVectorX, kVectorY) && vector_passes(verify) &&
           generator_says(verify, CJWT_UNDECIDED, 1, 0) && generator_says(verify, CJWT_UNDECIDED, 1, 1) &&
           generator_says(verify, CJWT_REFUSED, 0, 0) && generator_says(verify, CJWT_REFUSED, 5, 1);
}

#endif
