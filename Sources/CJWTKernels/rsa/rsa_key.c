// cjwt_rsa_ifma_key_bytes, cjwt_rsa_ifma_key_build: a modulus with its constants for Montgomery's multiplication.

#include "rsa_ifma.h"
#include "rsa_digits.h"

#include "../include/CJWTKernelsVerdict.h"

// 40 * 52 = 65 * 2^5, 60 * 52 = 195 * 2^4, 80 * 52 = 65 * 2^6.
static const rsa_ifma_shape kShapes[] = {
    {.bytes = 256, .digits = 40, .vectors = 5, .odd_part = 65, .doublings = 5},
    {.bytes = 384, .digits = 60, .vectors = 8, .odd_part = 195, .doublings = 4},
    {.bytes = 512, .digits = 80, .vectors = 10, .odd_part = 65, .doublings = 6},
};

static const rsa_ifma_shape *shape_for(size_t modulus_len) {
    for (size_t i = 0; i < sizeof kShapes / sizeof kShapes[0]; i++) {
        if (kShapes[i].bytes == modulus_len) {
            return &kShapes[i];
        }
    }
    return NULL;
}

size_t cjwt_rsa_ifma_key_bytes(size_t modulus_len) {
    const rsa_ifma_shape *shape = shape_for(modulus_len);
    return shape == NULL ? 0 : sizeof(rsa_ifma_key) + 2 * sizeof(uint64_t) * kLanes * shape->vectors;
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

// double_modulo: x = 2x mod n for x < n, so that 2x < 2n fits the digits and one subtraction is enough.
// Contract: digits(x) < 2^52, digits(n) < 2^52, x < n, 2 n < R => x' = 2 x (mod n), x' < n, digits(x') < 2^52, apart
static void double_modulo(uint64_t *x, const uint64_t *n, size_t digits) {
    uint64_t carry = 0;
    for (size_t i = 0; i < digits; i++) {
        uint64_t doubled = 2 * x[i] + carry;
        x[i] = doubled & DIGIT_MASK;
        carry = doubled >> kDigitBits;
    }
    reduce_once(x, n, digits);
}

// r_squared makes R^2 mod n. 2^(bits - 1) < n, as the top bit of n is set; doublings take it to 2^odd_part * R. A Montgomery squaring
// takes 2^k * R to 2^2k * R, so `doublings` of them end at 2^(52 * digits) * R = R^2.
static void r_squared(uint64_t *x, const rsa_ifma_key *key) {
    const rsa_ifma_shape *shape = key->shape;
    size_t top = 8 * (size_t)shape->bytes - 1;
    x[top / kDigitBits] = UINT64_C(1) << (top % kDigitBits);
    for (size_t exponent = top; exponent < kDigitBits * shape->digits + shape->odd_part; exponent++) {
        double_modulo(x, key_modulus(key), shape->digits);
    }
    for (size_t i = 0; i < shape->doublings; i++) {
        rsa_ifma_square(key, x, x);
    }
    reduce_once(x, key_modulus(key), shape->digits);
}

int cjwt_rsa_ifma_key_build(void *memory, const uint8_t *modulus, size_t modulus_len) {
    const rsa_ifma_shape *shape = shape_for(modulus_len);
    if (shape == NULL || modulus[0] < 0x80 || modulus[modulus_len - 1] % 2 == 0 || !cjwt_ifma_available()) {
        return 0;
    }
    rsa_ifma_key *key = memory;
    memset(key, 0, cjwt_rsa_ifma_key_bytes(modulus_len));
    key->shape = shape;
    uint64_t *n = key->numbers;
    digits_from_bytes(n, modulus, shape);
    key->inverse = negative_inverse(n[0]);
    r_squared(n + shape->vectors * kLanes, key);
    return 1;
}

#endif
