// CJWTKernelsInline.h: what is compiled into its callers: names, dates and issuers are so short that a call would cost more than the
// work.

#ifndef CJWT_KERNELS_INLINE_H
#define CJWT_KERNELS_INLINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// One where the `len` bytes at `a` and at `b` are the same. Time depends on them: for what is public.
static inline int cjwt_is_equal(const uint8_t *a, const uint8_t *b, size_t len) {
    if (len > 16) {
        return memcmp(a, b, len) == 0;
    }
    // Two words that overlap in the middle.
    if (len >= 8) {
        uint64_t a_start, a_end, b_start, b_end;
        memcpy(&a_start, a, 8);
        memcpy(&b_start, b, 8);
        memcpy(&a_end, a + len - 8, 8);
        memcpy(&b_end, b + len - 8, 8);
        return ((a_start ^ b_start) | (a_end ^ b_end)) == 0;
    }
    if (len >= 4) {
        uint32_t a_start, a_end, b_start, b_end;
        memcpy(&a_start, a, 4);
        memcpy(&b_start, b, 4);
        memcpy(&a_end, a + len - 4, 4);
        memcpy(&b_end, b + len - 4, 4);
        return ((a_start ^ b_start) | (a_end ^ b_end)) == 0;
    }
    size_t i = 0;
    while (i < len && a[i] == b[i]) {
        i++;
    }
    return i == len;
}

/// The number that `len` decimal digits are, up to eleven of them; eight in one step where the first is the lowest byte of a word.
static inline int64_t cjwt_decimal(const uint8_t *digits, size_t len) {
    int64_t value = 0;
    size_t i = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (len >= 8) {
        uint64_t word, pairs;
        memcpy(&word, digits, 8);
        word -= UINT64_C(0x3030303030303030);
        pairs = word * 10 + (word >> 8);  // in every other byte
        const uint64_t mask = UINT64_C(0x000000ff000000ff);
        value = (int64_t)(((pairs & mask) * UINT64_C(0x000f424000000064) + (pairs >> 16 & mask) * UINT64_C(0x0000271000000001)) >> 32);
        i = 8;
    }
#endif
    for (; i < len; i++) {
        value = value * 10 + (digits[i] - '0');
    }
    return value;
}

#endif
