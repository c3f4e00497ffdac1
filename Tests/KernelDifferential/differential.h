// differential.h: what the checks of the verification kernels share. Each check holds one family against libcrypto.

#ifndef ASSAY_DIFFERENTIAL_H
#define ASSAY_DIFFERENTIAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// A small generator with a seed (SplitMix64): every failure can be had again.
typedef struct differential_random {
    uint64_t state;
} differential_random;

static inline uint64_t next_random(differential_random *random) {
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline void random_bytes(differential_random *random, uint8_t *out, size_t len) {
    for (size_t i = 0; i < len; i++) { out[i] = (uint8_t)(next_random(random) >> 56); }
}

/// What a check found: how many cases it ran and how many failed. A check prints each failure once, with what makes it again.
typedef struct differential_result {
    uint64_t cases, failures;
} differential_result;

/// Runs about `cases` cases.
typedef differential_result differential_check(uint64_t cases, uint64_t seed);

differential_check check_ecdsa_tables, check_p256_ifma, check_ed25519, check_rsa_ifma, check_rsa_padding, check_sha;

#endif
