// agreement.h: shared by the checks.

#ifndef CKERNEL_AGREEMENT_INTERNAL_H
#define CKERNEL_AGREEMENT_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "../Cases/guarded_memory.h"
#include "../Cases/seeded_random.h"
#include "CJWTKernels.h"
#include "CKernelAgreement.h"

enum {
    kMaxShort = 256,   // every length up to this is checked
    kMaxLong = 8192,   // random lengths up to this are checked
    kAlignments = 64,
};

// A run of one check: the kernels, memory and random numbers for its cases, and the report, which describes the first disagreement.
typedef struct agreement {
    const cjwt_kernels *kernels;
    guarded in, out;  // each large enough for the longest case at every alignment
    uint64_t random;
    size_t num_disagreements;
    char *message;
    size_t message_max;
} agreement;

// disagree records one disagreement, described as by printf.
void disagree(agreement *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef void agreement_check(agreement *run);
agreement_check check_base64url, check_span, check_utf8, check_scratch, check_json_tape, check_json_runs, check_json_texts;
agreement_check check_json_names, check_followed_stops, check_json_issuer, check_kept, check_equality;

// runs_read is the number of records that read_runs_avx512 makes of a text, zero where it gives up; SIZE_MAX on other processors.
size_t runs_read(const char *text, size_t len, const cjwt_json_limits *limits);

#endif
