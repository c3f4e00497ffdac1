// rsa_modulus.h: the size of a modulus, and a key with its digits and -1/n of the lowest.
//
// The including file has numbers as rsa_digits.h says, and keys as rsa_lanes_key. kShapes are its sizes, and a number of a key takes
// number_words(shape) words.

#ifndef CJWT_RSA_MODULUS_H
#define CJWT_RSA_MODULUS_H

#include "rsa_digits.h"

static inline const rsa_shape *shape_for(size_t modulus_len) {
    for (size_t i = 0; i < sizeof kShapes / sizeof kShapes[0]; i++) {
        if (kShapes[i].bytes == modulus_len) {
            return &kShapes[i];
        }
    }
    return NULL;
}

static inline size_t key_bytes(size_t modulus_len) {
    const rsa_shape *shape = shape_for(modulus_len);
    return shape == NULL ? 0 : sizeof(rsa_lanes_key) + 2 * sizeof(uint64_t) * number_words(shape);
}

// Newton's iteration doubles the number of correct low bits; an odd number is its own inverse mod 2^3.
static inline uint64_t negative_inverse(uint64_t odd) {
    uint64_t inverse = odd;
    for (int bits = 3; bits < kDigitBits; bits *= 2) {
        inverse *= 2 - odd * inverse;
    }
    return (0 - inverse) & DIGIT_MASK;
}

// begin_key has the numbers of a key, but for its power of two, which is zero.
static inline void begin_key(rsa_lanes_key *key, const rsa_shape *shape, const uint8_t *modulus) {
    memset(key, 0, key_bytes(shape->bytes));
    key->shape = shape;
    digits_from_bytes(key->numbers, modulus, shape);
    key->inverse = negative_inverse(key->numbers[0]);
}

#endif
