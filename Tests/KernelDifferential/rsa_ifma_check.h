// rsa_ifma_check.h: what the parts of the RSA check share.

#ifndef ASSAY_RSA_IFMA_CHECK_H
#define ASSAY_RSA_IFMA_CHECK_H

#include "../../Sources/CJWTKernels/rsa/rsa_digits.h"
#include "differential.h"

enum { kSizes = 3, kMostBytes = 512, kMostWords = 80 };

typedef struct rsa_check {
    differential_random random;
    differential_result result;
    uint64_t seed, powers[2];  // powers: of those one at a time, and of those in lanes
} rsa_check;

/// Counts a case; one that fails is printed with what makes it again.
static inline void expect(rsa_check *check, int holds, const char *what, size_t bytes) {
    check->result.cases++;
    if (!holds) {
        check->result.failures++;
        printf("rsa-ifma: %s, %zu bits, case %llu of seed %llu\n", what, 8 * bytes, (unsigned long long)check->result.cases,
               (unsigned long long)check->seed);
    }
}

static inline size_t below(rsa_check *check, size_t bound) {
    return (size_t)(next_random(&check->random) % bound);
}

/// 256, 384 and 512 in turn.
static inline size_t size_of(size_t index) {
    return 256 + 128 * (index % kSizes);
}

enum { kModulusKinds = 12 };

/// A modulus of one of the kinds: extreme ones first, then of random bits. It need have no factors one knows.
void rsa_modulus(rsa_check *check, uint8_t *modulus, size_t len, size_t kind);

/// A prepared key in aligned memory, to be freed. It must be a suitable modulus.
rsa_ifma_key *rsa_prepared(const uint8_t *modulus, size_t len);

void check_rsa_arithmetic(rsa_check *check, uint64_t cases);
void check_rsa_powers(rsa_check *check, uint64_t cases);

#endif
