// Fuzzes ECDSA over P-256: the portable kernel, and where the CPU has IFMA those of its lanes, one token at a time and eight.

#include "CJWTKernelsECDSA.h"
#include "CJWTKernelsP256IFMA.h"
#include "ecdsa_fuzz.h"
#include "p256_exceptional.h"

static ecdsa_fuzz fuzz = {
    .bytes = 32,
    .num_families = 1,
    .families = {{cjwt_p256_table_bytes, cjwt_p256_table_build, cjwt_p256_verify, NULL, sums_meet},
                 {cjwt_p256_ifma_table_bytes, cjwt_p256_ifma_table_build, cjwt_p256_ifma_verify, cjwt_p256_ifma_verify8,
                  lanes_meet}},
};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    if (cjwt_ifma_available()) { fuzz.num_families = 2; }
    must(cjwt_p256_self_test() && cjwt_p256_ifma_self_test(), "self test");
    ecdsa_fuzz_start(&fuzz, NID_X9_62_prime256v1);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    ecdsa_fuzz_input(&fuzz, bytes, len);
    return 0;
}
