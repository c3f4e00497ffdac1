// cjwt_rsa_ifma_key_bytes, cjwt_rsa_ifma_key_build: a modulus with its constants for Montgomery's multiplication.

#include "rsa_ifma.h"

#include "../include/CJWTKernelsVerdict.h"

static const rsa_ifma_shape kShapes[] = {
    {.bytes = 256, .digits = 40, .vectors = 5}, {.bytes = 384, .digits = 60, .vectors = 8}, {.bytes = 512, .digits = 80, .vectors = 10}};

static inline size_t number_words(const rsa_ifma_shape *shape) {
    return shape->vectors * kLanes;
}

#include "rsa_modulus.h"

size_t cjwt_rsa_ifma_key_bytes(size_t modulus_len) {
    return key_bytes(modulus_len);
}

#if defined(__x86_64__)

enum { kSquarings = 6 };

static inline void square_modulo(const rsa_ifma_key *key, uint64_t *x) {
    rsa_ifma_square(key, x, x);
}

#include "rsa_doublings.h"

int cjwt_rsa_ifma_key_build(void *memory, const uint8_t *modulus, size_t modulus_len) {
    const rsa_ifma_shape *shape = shape_for(modulus_len);
    if (shape == NULL || modulus[0] < 0x80 || modulus[modulus_len - 1] % 2 == 0 || !cjwt_ifma_available()) {
        return 0;
    }
    rsa_ifma_key *key = memory;
    begin_key(key, shape, modulus);
    power_of_two(key->numbers + number_words(shape), key, kDigitBits * (size_t)shape->digits);
    return 1;
}

#endif
