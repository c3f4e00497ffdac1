// ckernel_disagreements, and the check of the kernel choice.

#include "agreement.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void disagree(agreement *run, const char *format, ...) {
    if (run->num_disagreements++ == 0 && run->message_max > 0) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(run->message, run->message_max, format, arguments);
        va_end(arguments);
    }
}

static void check_dispatch(agreement *run) {
    (void)cjwt_kernels_force(NULL);
    const cjwt_kernels *best = cjwt_kernels_best();
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
