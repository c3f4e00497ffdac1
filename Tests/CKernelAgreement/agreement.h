// agreement.h: what the checks share: a report, memory against guard pages, and random numbers with a fixed seed.

#ifndef CKERNEL_AGREEMENT_INTERNAL_H
#define CKERNEL_AGREEMENT_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "CJWTKernels.h"
#include "CKernelAgreement.h"

enum {
    kMaxShort = 256,   // lengths 0 to this are checked one by one
    kMaxLong = 8192,   // lengths up to this are checked at random
    kAlignments = 64,
};

// Counts disagreements and keeps the words for the first.
typedef struct report {
    size_t num_disagreements;
    char *message;
    size_t message_max;
} report;

report report_make(char *message, size_t message_max);

// disagree records one disagreement, described as by printf.
void disagree(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Memory of at least CJWT_STOPS_MAX + kAlignments bytes with an inaccessible page directly before `start` and directly after `end`.
typedef struct guarded {
    uint8_t *start, *end;
    uint8_t *map;
    size_t map_len;
} guarded;

// guarded_make never fails: a machine that cannot map a few pages aborts the run.
guarded guarded_make(void);
void guarded_free(guarded *g);

// random_next is splitmix64. The same seed gives the same checks on every machine.
uint64_t random_next(uint64_t *state);

// random_below returns a number from 0 to bound - 1. The slight bias does not matter here.
size_t random_below(uint64_t *state, size_t bound);

#endif
