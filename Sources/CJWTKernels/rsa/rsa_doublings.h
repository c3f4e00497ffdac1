// rsa_doublings.h: powers of two modulo n, by doublings and squarings.
//
// Beside what rsa_modulus.h needs, the including file has square_modulo(key, x), x = x*x/R mod n, and how many of these are worth their
// time: kSquarings.

#ifndef CJWT_RSA_DOUBLINGS_H
#define CJWT_RSA_DOUBLINGS_H

#include "rsa_digits.h"

// double_modulo: x = 2x mod n for x < n, so that 2x < 2n fits the digits and one subtraction is enough.
// Contract: digits(x) < W, digits(n) < W, x < n, 2 n < R => x' = 2 x (mod n), x' < n, digits(x') < W, apart
static inline void double_modulo(uint64_t *x, const uint64_t *n, size_t digits) {
    uint64_t carry = 0;
    for (size_t i = 0; i < digits; i++) {
        uint64_t doubled = 2 * x[i] + carry;
        x[i] = doubled & DIGIT_MASK;
        carry = doubled >> kDigitBits;
    }
    reduce_once(x, n, digits);
}

// power_of_two makes 2^k * R mod n in zeroed x. 2^(8 * bytes - 1) < n, as the top bit of n is set; doublings take it to
// 2^(k / 2^kSquarings) * R. A Montgomery squaring takes 2^j * R to 2^2j * R, and a doubling after it makes an odd exponent: as many
// squarings as bits were left out of k.
static inline void power_of_two(uint64_t *x, const rsa_lanes_key *key, size_t k) {
    const size_t digits = key->shape->digits, top = 8 * (size_t)key->shape->bytes - 1;
    x[top / kDigitBits] = UINT64_C(1) << (top % kDigitBits);
    for (size_t exponent = top; exponent < kDigitBits * digits + (k >> kSquarings); exponent++) {
        double_modulo(x, key_modulus(key), digits);
    }
    for (size_t left = kSquarings; left-- > 0;) {
        square_modulo(key, x);
        reduce_once(x, key_modulus(key), digits);
        if (k >> left & 1) { double_modulo(x, key_modulus(key), digits); }
    }
}

#endif
