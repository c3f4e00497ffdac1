// kernel-differential [CASES [SEED [NAME…]]]: every verification kernel, and what judges RSA encodings, against libcrypto.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "differential.h"

static const struct {
    const char *name;
    differential_check *check;
} checks[] = {
    {"ecdsa-tables", check_ecdsa_tables}, {"p256-ifma", check_p256_ifma},     {"ed25519", check_ed25519},
    {"rsa-ifma", check_rsa_ifma},         {"rsa-padding", check_rsa_padding}, {"sha", check_sha},
};

static int is_named(const char *name, int count, char **names) {
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) { return 1; }
    }
    return count == 0;
}

int main(int argc, char **argv) {
    uint64_t cases = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
    int names = argc > 3 ? argc - 3 : 0;
    uint64_t failures = 0;
    printf("seed %" PRIu64 "\n", seed);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (!is_named(checks[i].name, names, argv + 3)) { continue; }
        differential_result result = checks[i].check(cases, seed);
        printf("%-14s %12" PRIu64 " cases, %" PRIu64 " failed\n", checks[i].name, result.cases, result.failures);
        fflush(stdout);
        failures += result.failures;
    }
    return failures == 0 ? 0 : 1;
}
