// cjwt_rsa_lanes_key_bytes, cjwt_rsa_lanes_key_build: a modulus with its constants for Montgomery's multiplication in digits of 27 bits.
// And rsa_power_of_two, for other digits.

#define RSA_LANES 1

#include "rsa_muludq.h"
#include "rsa_power_of_two.h"

#include "../include/CJWTKernelsVerdict.h"

static const rsa_muludq_shape kShapes[] = {{.bytes = 256, .digits = 76}, {.bytes = 384, .digits = 116}, {.bytes = 512, .digits = 152}};

static const rsa_muludq_shape *shape_for(size_t modulus_len) {
    for (size_t i = 0; i < sizeof kShapes / sizeof kShapes[0]; i++) {
        if (kShapes[i].bytes == modulus_len) {
            return &kShapes[i];
        }
    }
    return NULL;
}

size_t cjwt_rsa_lanes_key_bytes(size_t modulus_len) {
    const rsa_muludq_shape *shape = shape_for(modulus_len);
    return shape == NULL ? 0 : sizeof(rsa_muludq_key) + 2 * sizeof(uint64_t) * shape->digits;
}

#if defined(__x86_64__)

#define MULUDQ
#define MULUDQ_INLINE static inline __attribute__((always_inline))

#include "rsa_digits.h"
#include "rsa_muludq_multiply.h"

// Newton's iteration doubles the number of correct low bits; an odd number is its own inverse mod 2^3.
static uint64_t negative_inverse(uint64_t odd) {
    uint64_t inverse = odd;
    for (int bits = 3; bits < kDigitBits; bits *= 2) {
        inverse *= 2 - odd * inverse;
    }
    return (0 - inverse) & DIGIT_MASK;
}

// double_modulo: x = 2x mod n for x < n, so that 2x < 2n fits the digits and one subtraction is enough.
// Contract: digits(x) < W, digits(n) < W, x < n, 2 n < R => x' = 2 x (mod n), x' < n, digits(x') < W, apart
static void double_modulo(uint64_t *x, const uint64_t *n, size_t digits) {
    uint64_t carry = 0;
    for (size_t i = 0; i < digits; i++) {
        uint64_t doubled = 2 * x[i] + carry;
        x[i] = doubled & DIGIT_MASK;
        carry = doubled >> kDigitBits;
    }
    reduce_once(x, n, digits);
}

// power_of_two makes 2^k * R mod n, for R = 2^(27 * digits), in zeroed x. 2^(8 * bytes - 1) < n, as the top bit of n is set; doublings take
// it to 2^(k / 16) * R. A Montgomery squaring takes 2^j * R to 2^2j * R, and a doubling after it makes an odd exponent: as many squarings
// as bits were left out of k / 16.
static void power_of_two(uint64_t *x, const rsa_muludq_key *key, size_t k) {
    const size_t digits = key->shape->digits, top = 8 * (size_t)key->shape->bytes - 1;
    uint64_t q[kMaxDigits];
    x[top / kDigitBits] = UINT64_C(1) << (top % kDigitBits);
    for (size_t exponent = top; exponent < kDigitBits * digits + (k >> 4); exponent++) { double_modulo(x, key_modulus(key), digits); }
    for (size_t left = 4; left-- > 0;) {
        montgomery_square(x, key_modulus(key), &key->inverse, q, digits);
        reduce_once(x, key_modulus(key), digits);
        if (k >> left & 1) { double_modulo(x, key_modulus(key), digits); }
    }
}

// begin_key has the numbers of a key, but for its power of two, which is zero.
static void begin_key(rsa_muludq_key *key, const rsa_muludq_shape *shape, const uint8_t *modulus) {
    memset(key, 0, cjwt_rsa_lanes_key_bytes(shape->bytes));
    key->shape = shape;
    digits_from_bytes(key->numbers, modulus, shape);
    key->inverse = negative_inverse(key->numbers[0]);
}

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
