// ckernel_disagreements, and the check of the kernel choice.

#include "agreement.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void disagree(agreement *run, const char *format, ...) {
    if (run->num_disagreements++ == 0 && run->message_max > 0) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(run->message, run->message_max, format, arguments);
        va_end(arguments);
    }
}

#if defined(__x86_64__)
// The flags of the first CPU in Linux's report, a space before and after each; NULL without a report. The caller frees them.
static char *system_flags(void) {
    FILE *report = fopen("/proc/cpuinfo", "r");
    char *line = NULL;
    size_t size = 0;
    while (report != NULL && getline(&line, &size, report) >= 0) {
        if (strncmp(line, "flags", 5) != 0) { continue; }
        line[strcspn(line, "\n")] = ' ';
        (void)fclose(report);
        return line;
    }
    free(line);
    if (report != NULL) { (void)fclose(report); }
    return NULL;
}

static int has_all(const char *flags, const char *const *wanted) {
    while (*wanted != NULL && strstr(flags, *wanted) != NULL) { wanted++; }
    return *wanted == NULL;
}
#endif

// The kernels that fit the CPU by what the system says of it; NULL where it says nothing. Kernels that are wrongly unavailable would pass
// every other check, because none would run.
static const char *fitting_by_system(void) {
#if defined(__x86_64__)
    static const char *const avx2[] = {" avx2 ", " bmi1 ", " popcnt ", NULL};
    static const char *const avx512[] = {" avx512f ", " avx512bw ", " avx512vbmi ", " avx512_vbmi2 ", " bmi2 ", NULL};
    char *flags = system_flags();
    const char *name = flags == NULL ? NULL : !has_all(flags, avx2) ? "generic" : has_all(flags, avx512) ? "avx512" : "avx2";
    free(flags);
    return name;
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
    return "neon";
#else
    return "generic";
#endif
}

static void check_dispatch(agreement *run) {
    (void)cjwt_kernels_force(NULL);
    const cjwt_kernels *best = cjwt_kernels_best();
    const char *fitting = fitting_by_system();
    if (fitting != NULL && strcmp(best->name, fitting) != 0) {
        disagree(run, "the kernels are %s, and the system says that %s fit", best->name, fitting);
    }
    if (cjwt_kernels_best() != best) {
        disagree(run, "two calls of cjwt_kernels_best differ");
    }
    if (cjwt_kernels_named(best->name) != best) {
        disagree(run, "the best kernels are not found by their name, %s", best->name);
    }
    if (cjwt_kernels_named("generic") != &cjwt_kernels_generic) {
        disagree(run, "\"generic\" does not name the generic kernels");
    }
    if (cjwt_kernels_named("") != NULL || cjwt_kernels_named("AVX2") != NULL) {
        disagree(run, "a name that nothing has is found");
    }
    if (!cjwt_kernels_force("generic") || cjwt_kernels_best() != &cjwt_kernels_generic) {
        disagree(run, "forcing \"generic\" has no effect");
    }
    if (cjwt_kernels_force("none of that name") || cjwt_kernels_best() != &cjwt_kernels_generic) {
        disagree(run, "forcing an unknown name changes the choice");
    }
    if (!cjwt_kernels_force(NULL) || cjwt_kernels_best() != best) {
        disagree(run, "the choice is not given back to the CPU");
    }
}

static const struct {
    const char *name;
    agreement_check *check;
} kChecks[] = {
    {"base64url", check_base64url}, {"span", check_span},           {"utf8", check_utf8}, {"dispatch", check_dispatch},
    {"scratch", check_scratch},     {"json_tape", check_json_tape}, {"kept", check_kept}, {"equality", check_equality},
    {"json_issuer", check_json_issuer},
};

size_t ckernel_disagreements(const char *check, const char *kernels, char *message, size_t message_max) {
    agreement run = {.kernels = cjwt_kernels_named(kernels), .random = 7515, .message = message, .message_max = message_max};
    size_t i = 0, count = sizeof(kChecks) / sizeof(kChecks[0]);
    while (i < count && strcmp(kChecks[i].name, check) != 0) { i++; }
    if (message_max > 0) { message[0] = '\0'; }
    if (i == count || run.kernels == NULL) {
        disagree(&run, "there is no check %s, or there are no kernels %s here", check, kernels);
        return run.num_disagreements;
    }
    run.in = guarded_make(CJWT_STOPS_MAX + kAlignments);
    run.out = guarded_make(CJWT_STOPS_MAX + kAlignments);
    kChecks[i].check(&run);
    guarded_free(run.in);
    guarded_free(run.out);
    return run.num_disagreements;
}
