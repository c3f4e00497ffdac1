// Fuzzes ECDSA over P-384: the portable kernel and, where the CPU has IFMA, the lane kernels, one token at a time and eight.

#include "CJWTKernelsECDSA.h"
#include "CJWTKernelsNISTIFMA.h"
#include "nist_exceptional.h"

static int lanes_meet(const ecdsa_fuzz *fuzz, const ecdsa_case *c, const void *table, int in_lanes, const BIGNUM *u1, const BIGNUM *u2) {
    return rows_meet(fuzz, &p384_internal, c, table, in_lanes, u1, u2);
}

static ecdsa_fuzz fuzz = {
    .bytes = 48,
    .hash_bytes = 48,
    .nid = NID_secp384r1,
    .num_families = 1,
    .families = {{cjwt_p384_table_bytes, cjwt_p384_table_build, cjwt_p384_verify, NULL, sums_meet},
                 {cjwt_p384_table_bytes, cjwt_p384_table_build, cjwt_p384_ifma_verify, cjwt_p384_ifma_verify8, lanes_meet}},
};

static int start(void) {
    if (cjwt_ifma_available()) { fuzz.num_families = 2; }
    return cjwt_p384_self_test() && cjwt_p384_ifma_self_test();
}

#include "ecdsa_fuzz.h"
