// rsa_check.h: shared by the checks of RSA.

#ifndef ASSAY_RSA_CHECK_H
#define ASSAY_RSA_CHECK_H

#include "../Cases/scoped_numbers.h"
#include "differential.h"

enum { kSizes = 3, kMostBytes = 512 };

typedef struct rsa_check {
    differential_random random;
    differential_result result;
    const char *name;  // of the check
    uint64_t seed, powers[2];  // powers computed one at a time, and in lanes
} rsa_check;

/// Counts a case; prints a failure with the data that reproduces it.
static inline void expect(rsa_check *check, int holds, const char *what, size_t bytes) {
    check->result.cases++;
    if (!holds) {
        check->result.failures++;
        printf("%s: %s, %zu bits, case %llu of seed %llu\n", check->name, what, 8 * bytes, (unsigned long long)check->result.cases,
               (unsigned long long)check->seed);
    }
}

/// 256, 384 and 512 in turn.
static inline size_t size_of(size_t index) {
    return 256 + 128 * (index % kSizes);
}

enum { kModulusKinds = 12 };

/// A modulus of one of the kinds: extreme ones first, then random bits. Its factors may be unknown.
void rsa_modulus(rsa_check *check, uint8_t *modulus, size_t len, size_t kind);

#endif
