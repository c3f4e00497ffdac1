// Fuzzes ECDSA over P-384.

#include "CJWTKernelsECDSA.h"
#include "ecdsa_fuzz.h"

static ecdsa_fuzz fuzz = {
    .bytes = 48,
    .num_families = 1,
    .families = {{cjwt_p384_table_bytes, cjwt_p384_table_build, cjwt_p384_verify, NULL, sums_meet}},
};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    must(cjwt_p384_self_test(), "self test");
    ecdsa_fuzz_start(&fuzz, NID_secp384r1);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    ecdsa_fuzz_input(&fuzz, bytes, len);
    return 0;
}
