// rsa_digits.h: converts big-endian bytes to digits of 52 bits and back, and compares numbers, before and after a power.

#ifndef CJWT_RSA_DIGITS_H
#define CJWT_RSA_DIGITS_H

#include <string.h>

#include "rsa_ifma.h"

static inline uint64_t big_endian_64(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return __builtin_bswap64(word);
}

// bits_above is the 64-bit number from bit 8 * `low` on; bits above the top byte are zero.
static inline uint64_t bits_above(const uint8_t *bytes, size_t len, size_t low) {
    if (low + 8 <= len) {
        return big_endian_64(bytes + len - low - 8);
    }
    uint64_t word = 0;
    for (size_t i = len; i > low; i--) {
        word |= (uint64_t)bytes[len - i] << (8 * (i - low - 1));
    }
    return word;
}

// Two digits are thirteen bytes: an even digit begins at a byte, an odd one in the middle of a byte.
// Contract: => out = bytes, digits(out) < 2^52
static inline void digits_from_bytes(uint64_t *out, const uint8_t *bytes, const rsa_ifma_shape *shape) {
    for (size_t i = 0; i < shape->digits; i += 2) {
        size_t low = i / 2 * 13;
        out[i] = bits_above(bytes, shape->bytes, low) & DIGIT_MASK;
        out[i + 1] = (bits_above(bytes, shape->bytes, low + 6) >> 4) & DIGIT_MASK;
    }
}

// The number must be below 2^(8 * shape->bytes).
// Contract: digits(digits) < 2^52, digits < B => out = digits
static inline void bytes_from_digits(uint8_t *out, const uint64_t *digits, const rsa_ifma_shape *shape) {
    unsigned __int128 pending = 0;
    unsigned bits = 0;
    size_t left = shape->bytes;
    for (size_t i = 0; left > 0; i++) {
        pending |= (unsigned __int128)digits[i] << bits;
        bits += kDigitBits;
        if (bits < 64) {
            continue;
        }
        uint64_t word = __builtin_bswap64((uint64_t)pending);
        left -= sizeof word;
        memcpy(out + left, &word, sizeof word);
        pending >>= 64;
        bits -= 64;
    }
}

// The first difference from the top decides: usually in the first nonzero digit.
// Contract: digits(a) < 2^52, digits(b) < 2^52 => return = [a < b]
static inline int digits_less(const uint64_t *a, const uint64_t *b, size_t count) {
    for (size_t i = count; i-- > 0;) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return 0;
}

// reduce_once makes a number below 2n canonical. It rarely subtracts, because its input is below n + n/2^31.
// Contract: digits(x) < 2^52, digits(n) < 2^52, x < 2 n => x' = x (mod n), x' < n, digits(x') < 2^52, apart
static inline void reduce_once(uint64_t *x, const uint64_t *n, size_t count) {
    if (digits_less(x, n, count)) {
        return;
    }
    uint64_t borrow = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t difference = x[i] - n[i] - borrow;
        x[i] = difference & DIGIT_MASK;
        borrow = difference >> 63;
    }
}

#endif
