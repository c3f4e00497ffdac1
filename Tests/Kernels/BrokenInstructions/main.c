// Runs the self tests of the verification kernels on a CPU whose multiplications are wrong: in one lane, always or for one factor in
// sixteen. Each self test must fail then, and hold otherwise. `main scalar` expects that of the kernel with 64-bit products, whose assembly
// run.sh has changed.

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CJWTKernelsECDSA.h"
#include "CJWTKernelsEd25519.h"
#include "CJWTKernelsNISTIFMA.h"
#include "CJWTKernelsP256IFMA.h"
#include "CJWTKernelsRSA.h"
#include "CJWTKernelsRSALanes.h"
#include "broken.h"

broken_instruction broken;

typedef struct family {
    const char *name;
    int (*available)(void), (*self_test)(void);
    int lanes, first, last;  // which instructions it has
} family;

static const family kFamilies[] = {
    {"p256, IFMA", cjwt_ifma_available, cjwt_p256_ifma_self_test, 8, BROKEN_LOW, BROKEN_HIGH},
    {"p384, IFMA", cjwt_ifma_available, cjwt_p384_ifma_self_test, 8, BROKEN_LOW, BROKEN_HIGH},
    {"p521, IFMA", cjwt_ifma_available, cjwt_p521_ifma_self_test, 8, BROKEN_LOW, BROKEN_HIGH},
    {"ed25519, IFMA", cjwt_ifma_available, cjwt_ed25519_ifma_self_test, 8, BROKEN_LOW, BROKEN_HIGH},
    {"rsa, IFMA", cjwt_ifma_available, cjwt_rsa_ifma_self_test, 8, BROKEN_LOW, BROKEN_HIGH},
    {"rsa, IFMA in 256 bits", cjwt_ifma256_available, cjwt_rsa_ifma256_self_test, 4, BROKEN_LOW, BROKEN_HIGH},
    {"rsa, AVX-512F", cjwt_avx512f_available, cjwt_rsa_avx512f_self_test, 8, BROKEN_MULUDQ, BROKEN_MULUDQ},
    {"rsa, AVX2", cjwt_avx2_available, cjwt_rsa_avx2_self_test, 4, BROKEN_MULUDQ, BROKEN_MULUDQ},
};

static int num_passed, num_failed;

static void note(int holds, const char *name, const char *what) {
    num_passed += holds;
    num_failed += !holds;
    if (!holds) { printf("FAIL %s: %s\n", name, what); }
}

// A self test keeps its answer, so each runs in a process of its own.
static int answer(int (*self_test)(void)) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) { _exit(self_test() == 1 ? 1 : 0); }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect_failure(const family *f, int which, int lane, uint64_t factor, uint64_t change) {
    char what[120];
    memset(&broken, 0, sizeof broken);
    broken.which = which, broken.lanes = (uint8_t)(1u << lane), broken.factor = factor, broken.change[lane] = change;
    snprintf(what, sizeof what, "the self test holds with instruction %d broken in lane %d, factor %d", which, lane, (int)factor);
    note(answer(f->self_test) == 0, f->name, what);
}

static void test(const family *f) {
    memset(&broken, 0, sizeof broken);
    note(answer(f->self_test) == 1, f->name, "the self test fails with nothing broken");
    for (int which = f->first; which <= f->last; which++) {
        for (int lane = 0; lane < f->lanes; lane++) {
            expect_failure(f, which, lane, 0, 1);
            expect_failure(f, which, lane, 0, UINT64_C(1) << 40);
            if (which != BROKEN_MULUDQ) { expect_failure(f, which, lane, 15, 1); }
        }
    }
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "scalar") == 0) {
        note(answer(cjwt_rsa_scalar_self_test) == (count > 2 ? 1 : 0), "rsa, 64-bit products", "the self test");
    }
    for (size_t i = 0; count == 1 && i < sizeof kFamilies / sizeof kFamilies[0]; i++) {
        if (kFamilies[i].available()) {
            test(&kFamilies[i]);
        } else {
            printf("skipped: %s\n", kFamilies[i].name);
        }
    }
    printf("%d passed, %d failed\n", num_passed, num_failed);
    return num_failed != 0;
}
