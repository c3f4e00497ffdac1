// differential.h: shared by the checks of the verification kernels. Each check compares one family with libcrypto.

#ifndef ASSAY_DIFFERENTIAL_H
#define ASSAY_DIFFERENTIAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../Cases/seeded_random.h"

/// A small seeded generator: every failure can be repeated.
typedef struct differential_random {
    uint64_t state;
} differential_random;

static inline uint64_t next_random(differential_random *random) { return random_next(&random->state); }

static inline void random_bytes(differential_random *random, uint8_t *out, size_t len) { random_fill(&random->state, out, len); }

/// A number from 0 to bound - 1, for a check with its generator in `random`.
#define below(CHECK, BOUND) random_below(&(CHECK)->random.state, BOUND)

/// A check's result: how many cases ran and how many failed. A check prints each failure once, with the data that reproduces it.
typedef struct differential_result {
    uint64_t cases, failures;
} differential_result;

/// Runs about `cases` cases.
typedef differential_result differential_check(uint64_t cases, uint64_t seed);

/// The part of check_sha that works on blocks, not messages: about `cases` cases of each kernel that this CPU supports, added to `result`.
void sha_check_blocks(differential_random *random, differential_result *result, uint64_t cases);

/// The part of check_p256_ifma that constructs keys, in ecdsa_tables.c.
differential_check check_p256_ifma_keys;

differential_check check_ecdsa_tables, check_nist_ifma, check_p256_ifma, check_ed25519, check_rsa_ifma, check_rsa_lanes,
    check_rsa_scalar, check_rsa_padding, check_sha;

#endif
