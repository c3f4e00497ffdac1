// cjwt_rsa_lanes_key_bytes, cjwt_rsa_lanes_key_build: a modulus with its constants for Montgomery's multiplication in digits of 27 bits.
// And rsa_power_of_two, for other digits.

#define RSA_LANES 1

#include "rsa_muludq.h"
#include "rsa_power_of_two.h"

#include "../include/CJWTKernelsVerdict.h"

static const rsa_muludq_shape kShapes[] = {{.bytes = 256, .digits = 76}, {.bytes = 384, .digits = 116}, {.bytes = 512, .digits = 152}};

static inline size_t number_words(const rsa_muludq_shape *shape) {
    return shape->digits;
}

#include "rsa_modulus.h"

size_t cjwt_rsa_lanes_key_bytes(size_t modulus_len) {
    return key_bytes(modulus_len);
}

#if defined(__x86_64__)

#define MULUDQ
#define MULUDQ_INLINE static inline __attribute__((always_inline))

#include "rsa_muludq_multiply.h"

enum { kSquarings = 4 };

static inline void square_modulo(const rsa_muludq_key *key, uint64_t *x) {
    uint64_t q[kMaxDigits];
    montgomery_square(x, key_modulus(key), &key->inverse, q, key->shape->digits);
}

#include "rsa_doublings.h"

int cjwt_rsa_lanes_key_build(void *memory, const uint8_t *modulus, size_t modulus_len) {
    const rsa_muludq_shape *shape = shape_for(modulus_len);
    if (shape == NULL || modulus[0] < 0x80 || modulus[modulus_len - 1] % 2 == 0 || !cjwt_avx2_available()) {
        return 0;
    }
    rsa_muludq_key *key = memory;
    begin_key(key, shape, modulus);
    power_of_two(key->numbers + shape->digits, key, kDigitBits * (size_t)shape->digits);
    return 1;
}

void rsa_power_of_two(uint8_t *out, const uint8_t *modulus, size_t modulus_len, size_t exponent) {
    const rsa_muludq_shape *shape = shape_for(modulus_len);
    _Alignas(rsa_muludq_key) uint8_t memory[sizeof(rsa_muludq_key) + 2 * sizeof(uint64_t) * kMaxDigits];
    rsa_muludq_key *key = (rsa_muludq_key *)memory;
    begin_key(key, shape, modulus);
    power_of_two(key->numbers + shape->digits, key, exponent - kDigitBits * (size_t)shape->digits);
    bytes_from_digits(out, key_r_squared(key), shape);
}

#endif
