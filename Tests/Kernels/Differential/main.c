// kernel-differential [CASES [SEED [NAME…]]]: compares every verification kernel, and the check of RSA encodings, with libcrypto. Names
// choose checks; with -NAME instead, all others run.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../../Sources/CJWTKernels/sha/sha_internal.h"
#include "CJWTKernelsVerdict.h"
#include "differential.h"

static const struct {
    const char *name;
    differential_check *check;
    enum { kAny, kX86, kIFMA } needs;  // and is not called otherwise
} checks[] = {
    {"ecdsa-tables", check_ecdsa_tables, kAny}, {"nist-ifma", check_nist_ifma, kIFMA}, {"p256-ifma", check_p256_ifma, kIFMA},
    {"ed25519", check_ed25519, kAny},           {"rsa-ifma", check_rsa_ifma, kIFMA},   {"rsa-lanes", check_rsa_lanes, kAny},
    {"rsa-scalar", check_rsa_scalar, kAny},     {"rsa-padding", check_rsa_padding, kAny}, {"sha", check_sha, kX86},
};

#if defined(__x86_64__)
static const int is_x86 = 1;
#else
static const int is_x86 = 0;
#endif

// Linux's report of the CPU's features; -1 where none is available. A kernel that wrongly reports itself unavailable would pass every check
// here.
static int system_says(const char *feature) {
#if !defined(__x86_64__)
    // An emulator shows its host's report.
    (void)feature;
    return -1;
#endif
    FILE *cpuinfo = fopen("/proc/cpuinfo", "r");
    char *line = NULL;
    size_t size = 0;
    int says = -1;
    if (cpuinfo == NULL) { return -1; }
    while (says < 0 && getline(&line, &size, cpuinfo) >= 0) {
        if (strncmp(line, "flags", 5) == 0) { says = strstr(line, feature) != NULL; }
    }
    free(line);
    (void)fclose(cpuinfo);
    return says;
}

static int disagreements_with_system(void) {
    const struct { const char *feature, *and; int available; } said[] = {
        {" avx512ifma", " avx512dq", cjwt_ifma_available()}, {" avx512f", " avx2", cjwt_avx512f_available()},
        {" avx2", " avx2", cjwt_avx2_available()},           {" avx512ifma", " avx512vl", cjwt_avx512vl_available()},
        {" avx_ifma", " avx2", cjwt_avxifma_available()},    {" adx", " bmi2", cjwt_adx_available()},
#if defined(__x86_64__)
        {" sha_ni", " sse4_1", sha_has_instructions()},
#endif
    };
    int count = 0;
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        int one = system_says(said[i].feature), two = system_says(said[i].and);
        if (one >= 0 && (one && two) != said[i].available) {
            printf("the system and the kernels disagree about%s and%s\n", said[i].feature, said[i].and);
            count++;
        }
    }
    return count;
}

static int is_chosen(const char *name, int count, char **names) {
    int all = 1;
    for (int i = 0; i < count; i++) {
        const int leaves_out = names[i][0] == '-';
        if (strcmp(names[i] + leaves_out, name) == 0) { return !leaves_out; }
        all &= leaves_out;
    }
    return all;
}

// Returns the first argument that names no check, or NULL if each names one.
static const char *unknown_name(int count, char **names) {
    for (int i = 0; i < count; i++) {
        const char *name = names[i] + (names[i][0] == '-');
        size_t place = 0;
        while (place < sizeof checks / sizeof checks[0] && strcmp(checks[place].name, name) != 0) { place++; }
        if (place == sizeof checks / sizeof checks[0]) { return names[i]; }
    }
    return NULL;
}

// read_number: one where the text is a decimal number of at most 18 digits.
static int read_number(uint64_t *number, const char *text) {
    const size_t len = strlen(text);
    *number = strtoull(text, NULL, 10);
    return len > 0 && len <= 18 && strspn(text, "0123456789") == len;
}

int main(int argc, char **argv) {
    if (argc < 1) {
        fputs("the arguments of this program cannot be read\n", stderr);
        return 2;
    }
    uint64_t cases = 1000000, seed = (uint64_t)time(NULL), failures = 0;
    int names = argc > 3 ? argc - 3 : 0;
    const char *unknown = unknown_name(names, argv + 3);
    if (unknown != NULL) {
        // Otherwise a check of another name would pass by not running.
        fprintf(stderr, "no check is called %s\n", unknown);
        return 2;
    }
    if ((argc > 1 && !read_number(&cases, argv[1])) || (argc > 2 && !read_number(&seed, argv[2]))) {
        fputs("CASES and SEED are numbers\n", stderr);
        return 2;
    }
    printf("seed %" PRIu64 "\n", seed);
    failures += (uint64_t)disagreements_with_system();
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (!is_chosen(checks[i].name, names, argv + 3)) { continue; }
        if (checks[i].needs == kIFMA && !cjwt_ifma_available()) {
            printf("%-14s skipped: this CPU has no AVX-512 IFMA\n", checks[i].name);
            continue;
        }
        if (checks[i].needs == kX86 && !is_x86) {
            printf("%-14s skipped: its kernels are for x86-64\n", checks[i].name);
            continue;
        }
        differential_result result = checks[i].check(cases, seed);
        printf("%-14s %12" PRIu64 " cases, %" PRIu64 " failed\n", checks[i].name, result.cases, result.failures);
        fflush(stdout);
        failures += result.failures + (result.cases == 0);
    }
    return failures == 0 ? 0 : 1;
}
