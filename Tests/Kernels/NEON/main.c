// Runs the checks of CKernelAgreement for every kernel of the target machine, and the self tests of the verification kernels; prints how
// many passed and failed.
// run.sh builds it for AArch64, so that a machine without Swift, or an emulator, can test the NEON kernels.

#include <stdio.h>

#include "CJWTKernels.h"
#include "CKernelAgreement.h"

static int num_passed, num_failed;

static void tell(const char *kernels, const char *check, size_t num_disagreements, const char *message) {
    if (num_disagreements == 0) {
        num_passed++;
        printf("ok      %-8s %s\n", kernels, check);
    } else {
        num_failed++;
        printf("FAILED  %-8s %s: %zu disagreements, the first: %s\n", kernels, check, num_disagreements, message);
    }
    (void)fflush(stdout);
}

static void expect(const char *kernels, const char *check, int holds) { tell(kernels, check, holds ? 0 : 1, "self test"); }

#if !defined(__x86_64__)
// Where the instructions do not exist, the kernels must report that, or callers would not use the portable kernels.
static void stubs(void) {
    uint8_t out[64] = {0}, number[512] = {0};
    const cjwt_message message = {NULL, 0, NULL, 0};
    const void *const tables[8] = {number};
    const uint8_t *const inputs[8] = {number};
    cjwt_verdict p256[8] = {CJWT_ACCEPTED}, ed25519[8] = {CJWT_ACCEPTED};
    cjwt_p256_ifma_verify8(p256, tables, inputs, inputs);
    cjwt_ed25519_ifma_verify8(ed25519, tables, inputs, inputs);
    int undecided = 0;
    for (int i = 0; i < 8; i++) { undecided += (p256[i] == CJWT_UNDECIDED) + (ed25519[i] == CJWT_UNDECIDED); }
    expect("stubs", "ifma", !cjwt_ifma_available() && undecided == 16);
    expect("stubs", "p256_ifma", cjwt_p256_ifma_table_bytes(CJWT_TABLE_SMALL) == 0 && cjwt_p256_ifma_table_bytes(CJWT_TABLE_FULL) == 0 &&
                                     !cjwt_p256_ifma_table_build(number, CJWT_TABLE_SMALL, number, number) &&
                                     cjwt_p256_ifma_verify(number, number, number) == CJWT_UNDECIDED && cjwt_p256_ifma_self_test());
    expect("stubs", "ed25519_ifma", cjwt_ed25519_ifma_verify(number, number, number) == CJWT_UNDECIDED && !cjwt_ed25519_ifma_self_test());
    expect("stubs", "rsa_ifma", cjwt_rsa_ifma_key_bytes(256) > 0 && cjwt_rsa_ifma_key_bytes(255) == 0 &&
                                    !cjwt_rsa_ifma_key_build(number, number, 256) && !cjwt_rsa_ifma_self_test() && !cjwt_adx_available());
    expect("stubs", "rsa_lanes", cjwt_rsa_lanes_key_bytes(256) > 0 && !cjwt_rsa_lanes_key_build(number, number, 256) &&
                                     !cjwt_rsa_avx2_self_test() && !cjwt_rsa_avx512f_self_test() && !cjwt_avx2_available() &&
                                     !cjwt_avx512f_available());
    expect("stubs", "rsa_ifma256", cjwt_rsa_ifma256_key_bytes(256) > 0 && !cjwt_rsa_ifma256_key_build(number, number, 256) &&
                                       !cjwt_rsa_ifma256_self_test() && !cjwt_ifma256_available());
    expect("stubs", "sha", !cjwt_sha2_lanes(out, 32, &message, 1) && !cjwt_sha2_lanes(out, 48, &message, 1) &&
                               !cjwt_sha2_lanes(out, 64, &message, 1) && !cjwt_sha256_one(out, number, 0));
}
#endif

static void check(const char *name, const char *kernels) {
    char message[256];
    tell(kernels, name, ckernel_disagreements(name, kernels, message, sizeof(message)), message);
}

int main(void) {
    static const char *const names[] = {"generic", "avx2", "neon"};
    static const char *const of_kernels[] = {"base64url", "span", "utf8", "json_issuer"};
    static const char *const others[] = {"dispatch", "json_tape", "kept", "equality", "scratch"};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 4 && cjwt_kernels_named(names[i]) != NULL; j++) { check(of_kernels[j], names[i]); }
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) { check(others[i], "generic"); }
    expect("portable", "p256", cjwt_p256_self_test());
    expect("portable", "p384", cjwt_p384_self_test());
    expect("portable", "p521", cjwt_p521_self_test());
    expect("portable", "ed25519", cjwt_ed25519_self_test());
    expect("portable", "rsa_scalar", cjwt_rsa_scalar_self_test());
#if defined(__aarch64__)
    expect("portable", "rsa_scalar pays", cjwt_rsa_scalar_pays(256) && !cjwt_rsa_scalar_pays(384) && !cjwt_rsa_scalar_pays(512));
#endif
#if !defined(__x86_64__)
    stubs();
#endif
    printf("%d passed, %d failed\n", num_passed, num_failed);
    return num_failed != 0;
}
