// Fuzzes ECDSA over P-256: the portable kernel and, where the CPU has IFMA, the lane kernels, one token at a time and eight.

#include "CJWTKernelsECDSA.h"
#include "CJWTKernelsP256IFMA.h"
#include "p256_exceptional.h"

static ecdsa_fuzz fuzz = {
    .bytes = 32,
    .hash_bytes = 32,
    .nid = NID_X9_62_prime256v1,
    .num_families = 1,
    .families = {{cjwt_p256_table_bytes, cjwt_p256_table_build, cjwt_p256_verify, NULL, sums_meet},
                 {cjwt_p256_ifma_table_bytes, cjwt_p256_ifma_table_build, cjwt_p256_ifma_verify, cjwt_p256_ifma_verify8,
                  lanes_meet}},
};

static int start(void) {
    if (cjwt_ifma_available()) { fuzz.num_families = 2; }
    return cjwt_p256_self_test() && cjwt_p256_ifma_self_test();
}

#include "ecdsa_fuzz.h"
