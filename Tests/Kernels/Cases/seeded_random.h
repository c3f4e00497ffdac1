// seeded_random.h: numbers that look random and are the same for the same seed on every machine (SplitMix64), so that every failure can be
// repeated.

#ifndef ASSAY_SEEDED_RANDOM_H
#define ASSAY_SEEDED_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/// A number from 0 to bound - 1. The slight bias does not matter here.
static inline size_t random_below(uint64_t *state, size_t bound) { return (size_t)(random_next(state) % bound); }

static inline void random_fill(uint64_t *state, uint8_t *out, size_t len) {
    for (size_t i = 0; i < len; i++) { out[i] = (uint8_t)(random_next(state) >> 56); }
}

#endif
