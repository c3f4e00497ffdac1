// Runs the checks of CKernelAgreement for every kernel of the machine it is built for, and prints what passed and failed.
// run.sh builds it for AArch64, where a machine without Swift, or an emulator, can then prove the NEON kernels.

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

int main(void) {
    static const char *const names[] = {"generic", "avx2", "neon"};
    char message[256];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (cjwt_kernels_named(names[i]) == NULL) {
            continue;
        }
        tell(names[i], "base64url", ckernel_base64url_disagreements(names[i], message, sizeof(message)), message);
        tell(names[i], "span", ckernel_span_disagreements(names[i], message, sizeof(message)), message);
        tell(names[i], "utf8", ckernel_utf8_disagreements(names[i], message, sizeof(message)), message);
    }
    tell("", "dispatch", ckernel_dispatch_disagreements(message, sizeof(message)), message);
    tell("", "json_tape", ckernel_json_tape_disagreements(message, sizeof(message)), message);
    tell("", "kept", ckernel_kept_disagreements(message, sizeof(message)), message);
    tell("", "equality", ckernel_equality_disagreements(message, sizeof(message)), message);
    tell("", "scratch", ckernel_scratch_disagreements(message, sizeof(message)), message);
    printf("%d passed, %d failed\n", num_passed, num_failed);
    return num_failed != 0;
}
