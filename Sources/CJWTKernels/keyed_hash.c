// cjwt_keyed_hash: four lanes, each of which multiplies sixteen bytes, masked with the secret and the lane's previous value, and folds the
// product's halves into one word (as in Wang Yi's wyhash). The lanes are independent, so that four multiplications run at once.

#include "CJWTKernels.h"

#include <string.h>

enum { kLanes = 4, kStep = 16 * kLanes };

static inline uint64_t fold(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t word_at(const uint8_t *in) {
    uint64_t word;
    memcpy(&word, in, sizeof word);
    return word;
}

static inline void step(uint64_t lanes[kLanes], const cjwt_hash_secret *secret, const uint8_t *in) {
    for (size_t lane = 0; lane < kLanes; lane++) {
        lanes[lane] = fold(word_at(in + 16 * lane) ^ secret->words[lane], word_at(in + 16 * lane + 8) ^ lanes[lane]);
    }
}

uint64_t cjwt_keyed_hash(cjwt_hash_secret secret, uint64_t tweak, const uint8_t *in, size_t in_len) {
    // Every lane starts with another word than the one that masks its first factor.
    uint64_t lanes[kLanes];
    for (size_t lane = 0; lane < kLanes; lane++) {
        lanes[lane] = secret.words[(lane + 1) % kLanes] + tweak;
    }
    size_t left = in_len;
    for (; left >= kStep; in += kStep, left -= kStep) {
        step(lanes, &secret, in);
    }
    if (left > 0 && in_len >= kStep) {
        // The last whole step, some bytes of which were taken before: a copy of the rest would be read before it has reached the cache.
        step(lanes, &secret, in + left - kStep);
    } else if (left > 0) {
        // Zeros at the end: the length, below, distinguishes them from zeros in the input.
        uint8_t rest[kStep] = {0};
        memcpy(rest, in, left);
        step(lanes, &secret, rest);
    }
    uint64_t hash = fold(lanes[0] ^ secret.words[2], lanes[1] ^ (uint64_t)in_len);
    hash ^= fold(lanes[2] ^ secret.words[0], lanes[3] ^ secret.words[1]);
    return fold(hash ^ secret.words[3], hash + secret.words[1]);
}
