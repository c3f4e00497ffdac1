// CJWTKernelsInline.h: functions inlined into their callers: names, dates and issuers are so short that a call would cost more than the
// work.

#ifndef CJWT_KERNELS_INLINE_H
#define CJWT_KERNELS_INLINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// One where the `len` bytes at `a` and at `b` are equal. Time depends on them: only for public data.
static inline int cjwt_is_equal(const uint8_t *a, const uint8_t *b, size_t len) {
    if (len > 32) {
        return memcmp(a, b, len) == 0;
    }
    // Words that overlap in the middle: four, or two.
    if (len > 16) {
        uint64_t a_words[4], b_words[4];
        memcpy(a_words, a, 16);
        memcpy(b_words, b, 16);
        memcpy(a_words + 2, a + len - 16, 16);
        memcpy(b_words + 2, b + len - 16, 16);
        return ((a_words[0] ^ b_words[0]) | (a_words[1] ^ b_words[1]) | (a_words[2] ^ b_words[2]) | (a_words[3] ^ b_words[3])) == 0;
    }
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

/// Has the first `len` bytes at `address` loaded into the cache, at most 4 KB, while other code runs. Any address is allowed.
static inline void cjwt_prefetch(const void *address, size_t len) {
    for (size_t i = 0; i < len && i < 4096; i += 64) {
        __builtin_prefetch((const uint8_t *)address + i);
    }
}

/// The offset of the first byte of this value among the `len` bytes, or `len`.
static inline size_t cjwt_find(const uint8_t *bytes, size_t len, uint8_t value) {
    const uint8_t *found = len == 0 ? NULL : memchr(bytes, value, len);
    return found ? (size_t)(found - bytes) : len;
}

/// Adds eight bytes, as a number, to a hash of the preceding bytes.
static inline uint64_t cjwt_hash_step(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/// Fewer than eight bytes as a number, the first byte lowest.
static inline uint64_t cjwt_short_word(const uint8_t *bytes, size_t len) {
    uint64_t word = 0;
    for (size_t i = 0; i < len; i++) {
        word |= (uint64_t)bytes[i] << 8 * i;
    }
    return word;
}

/// A hash of `len` bytes: eight at a time, the first byte lowest; then the rest, possibly empty; then the length. Only for tables whose
/// entries an attacker cannot choose.
static inline uint64_t cjwt_hash(const uint8_t *bytes, size_t len) {
    uint64_t hash = 0, word = 0;
    size_t i = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; len - i >= 8; i += 8) {
        memcpy(&word, bytes + i, 8);
        hash = cjwt_hash_step(hash, word);
    }
    if (i < len && len >= 8) {
        memcpy(&word, bytes + len - 8, 8);
        word >>= 8 * (8 - (len - i));
    } else {
        word = cjwt_short_word(bytes + i, len - i);
    }
#else
    for (; len - i >= 8; i += 8) {
        hash = cjwt_hash_step(hash, cjwt_short_word(bytes + i, 8));
    }
    word = cjwt_short_word(bytes + i, len - i);
#endif
    return cjwt_hash_step(cjwt_hash_step(hash, word), len);
}

/// One where `name` is one of the `count` concatenated names in `names`, each of which ends at its offset in `ends`.
static inline int cjwt_is_listed(const uint8_t *names, const intptr_t *ends, size_t count, const uint8_t *name, size_t name_len) {
    size_t start = 0;
    for (size_t i = 0; i < count; i++) {
        size_t len = (size_t)ends[i] - start;
        if (len == name_len && cjwt_is_equal(names + start, name, len)) {
            return 1;
        }
        start += len;
    }
    return 0;
}

/// The value of `len` decimal digits, at most eleven; eight in one step on little-endian machines.
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
    // Two or three more digits: unrolled or vectorised code for a longer loop would cost more.
#if defined(__clang__)
#pragma clang loop unroll(disable) vectorize(disable)
#endif
    for (; i < len; i++) {
        value = value * 10 + (digits[i] - '0');
    }
    return value;
}

#endif
