// cjwt_rsa_ifma256_key_bytes, cjwt_rsa_ifma256_key_build, cjwt_rsa_ifma256_power4: keys for both encodings of IFMA in 256-bit registers,
// and the choice of one.

#define RSA_LANES 1

#include "rsa_ifma256.h"
#include "rsa_power_of_two.h"

#include "../include/CJWTKernelsVerdict.h"

static const rsa_ifma256_shape kShapes[] = {
    {.bytes = 256, .digits = kDigits2048}, {.bytes = 384, .digits = kDigits3072}, {.bytes = 512, .digits = kDigits4096}};

static inline size_t number_words(const rsa_ifma256_shape *shape) {
    return shape->digits;
}

#include "rsa_modulus.h"

size_t cjwt_rsa_ifma256_key_bytes(size_t modulus_len) {
    return key_bytes(modulus_len);
}

#if defined(__x86_64__)

int cjwt_rsa_ifma256_key_build(void *memory, const uint8_t *modulus, size_t modulus_len) {
    const rsa_ifma256_shape *shape = shape_for(modulus_len);
    uint8_t r_squared[512];
    if (shape == NULL || modulus[0] < 0x80 || modulus[modulus_len - 1] % 2 == 0 || !cjwt_ifma256_available()) {
        return 0;
    }
    rsa_ifma256_key *key = memory;
    begin_key(key, shape, modulus);
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
