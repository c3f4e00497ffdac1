// rsa_digits.h: converts big-endian bytes to digits and back, and compares numbers, before and after a power.
//
// The header that the including file includes before says how it holds a number: digits of kDigitBits bits, which DIGIT_MASK covers, each
// kStride words after the one below it; and rsa_shape has the sizes.

#ifndef CJWT_RSA_DIGITS_H
#define CJWT_RSA_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

// A digit begins in a byte, and ends at most 63 bits above that byte's lowest.
// Contract: => out = bytes, digits(out) < W
static inline void digits_from_bytes(uint64_t *out, const uint8_t *bytes, const rsa_shape *shape) {
    _Static_assert(kDigitBits + 7 <= 64, "a digit and the bits below it in its first byte fit a word");
    for (size_t i = 0; i < shape->digits; i++) {
        size_t low = i * kDigitBits;
        out[kStride * i] = (bits_above(bytes, shape->bytes, low / 8) >> (low % 8)) & DIGIT_MASK;
    }
}

// The number must be below 2^(8 * shape->bytes).
// Contract: digits(digits) < W, digits < B => out = digits
static inline void bytes_from_digits(uint8_t *out, const uint64_t *digits, const rsa_shape *shape) {
    unsigned __int128 pending = 0;
    unsigned bits = 0;
    size_t left = shape->bytes;
    for (size_t i = 0; left > 0; i++) {
        pending |= (unsigned __int128)digits[kStride * i] << bits;
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
// Contract: digits(a) < W, digits(b) < W => return = [a < b]
static inline int digits_less(const uint64_t *a, const uint64_t *b, size_t count) {
    for (size_t i = count; i-- > 0;) {
        if (a[kStride * i] != b[kStride * i]) {
            return a[kStride * i] < b[kStride * i];
        }
    }
    return 0;
}

// reduce_once makes a number below 2n canonical. It rarely subtracts: after a power its input is below n + 2n/R * n.
// Contract: digits(x) < W, digits(n) < W, x < 2 n => x' = x (mod n), x' < n, digits(x') < W, apart
static inline void reduce_once(uint64_t *x, const uint64_t *n, size_t count) {
    if (digits_less(x, n, count)) {
        return;
    }
    uint64_t borrow = 0;
    for (size_t i = 0; i < kStride * count; i += kStride) {
        uint64_t difference = x[i] - n[i] - borrow;
        x[i] = difference & DIGIT_MASK;
        borrow = difference >> 63;
    }
}

#endif
