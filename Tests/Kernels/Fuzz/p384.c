// Fuzzes ECDSA over P-384.

#include "CJWTKernelsECDSA.h"
#include "ecdsa_case.h"

static ecdsa_fuzz fuzz = {
    .bytes = 48,
    .nid = NID_secp384r1,
    .num_families = 1,
    .families = {{cjwt_p384_table_bytes, cjwt_p384_table_build, cjwt_p384_verify, NULL, sums_meet}},
};

static int start(void) { return cjwt_p384_self_test(); }

#include "ecdsa_fuzz.h"
