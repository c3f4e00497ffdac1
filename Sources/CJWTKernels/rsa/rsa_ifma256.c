// cjwt_rsa_ifma256_key_bytes, cjwt_rsa_ifma256_key_build, cjwt_rsa_ifma256_power4: keys for both encodings of IFMA in 256-bit registers,
// and the choice of one.

#define RSA_LANES 1

#include "rsa_ifma256.h"
#include "rsa_digits.h"
#include "rsa_power_of_two.h"

#include "../include/CJWTKernelsVerdict.h"

static const rsa_ifma256_shape kShapes[] = {
    {.bytes = 256, .digits = kDigits2048}, {.bytes = 384, .digits = kDigits3072}, {.bytes = 512, .digits = kDigits4096}};

static const rsa_ifma256_shape *shape_for(size_t modulus_len) {
    for (size_t i = 0; i < sizeof kShapes / sizeof kShapes[0]; i++) {
        if (kShapes[i].bytes == modulus_len) {
            return &kShapes[i];
        }
    }
    return NULL;
}

size_t cjwt_rsa_ifma256_key_bytes(size_t modulus_len) {
    const rsa_ifma256_shape *shape = shape_for(modulus_len);
    return shape == NULL ? 0 : sizeof(rsa_ifma256_key) + 2 * sizeof(uint64_t) * shape->digits;
}

#if defined(__x86_64__)

// Newton's iteration doubles the number of correct low bits; an odd number is its own inverse mod 2^3.
static uint64_t negative_inverse(uint64_t odd) {
    uint64_t inverse = odd;
    for (int bits = 3; bits < kDigitBits; bits *= 2) {
        inverse *= 2 - odd * inverse;
    }
    return (0 - inverse) & DIGIT_MASK;
}

int cjwt_rsa_ifma256_key_build(void *memory, const uint8_t *modulus, size_t modulus_len) {
    const rsa_ifma256_shape *shape = shape_for(modulus_len);
    uint8_t r_squared[512];
    if (shape == NULL || modulus[0] < 0x80 || modulus[modulus_len - 1] % 2 == 0 || !cjwt_ifma256_available()) {
        return 0;
    }
    rsa_ifma256_key *key = memory;
    key->shape = shape;
    digits_from_bytes(key->numbers, modulus, shape);
    key->inverse = negative_inverse(key->numbers[0]);
    rsa_power_of_two(r_squared, modulus, modulus_len, 2 * kDigitBits * (size_t)shape->digits);
    digits_from_bytes(key->numbers + shape->digits, r_squared, shape);
    return 1;
}

void cjwt_rsa_ifma256_power4(int results[4], const void *const keys[4], uint8_t *const ems[4], const uint8_t *const sigs[4]) {
    if (cjwt_avx512vl_available()) {
        rsa_avx512vl_power4(results, keys, ems, sigs);
    } else {
        rsa_avxifma_power4(results, keys, ems, sigs);
    }
}

#endif
