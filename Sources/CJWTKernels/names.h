// names.h: the name of a member as a few words, so that it is stored and recognised without reading its bytes one by one.

#ifndef CJWT_NAMES_H
#define CJWT_NAMES_H

#include "internal.h"

#include <string.h>

// eight_bytes is eight bytes as a number, the first byte lowest.
INLINE uint64_t eight_bytes(const uint8_t *in) {
    uint64_t word = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&word, in, 8);
#else
    for (int i = 7; i >= 0; i--) {
        word = word << 8 | in[i];
    }
#endif
    return word;
}

// name_key is the first eight bytes of a name, the first byte lowest; a shorter name is padded with zeros above. A JSON string contains no
// zero byte, so names of up to eight bytes with different keys are different names.
INLINE uint64_t name_key(const uint8_t *in, size_t in_len, size_t start, size_t name_len) {
    if (name_len >= 8) {
        return eight_bytes(in + start);
    }
    if (__builtin_expect(name_len > 0 && in_len - start >= 8, 1)) {
        return eight_bytes(in + start) & UINT64_MAX >> (64 - 8 * name_len);
    }
    uint64_t key = 0;
    for (size_t i = 0; i < name_len; i++) {
        key |= (uint64_t)in[start + i] << 8 * i;
    }
    return key;
}

// name_product is equal for equal names; its high bits differ most.
INLINE uint64_t name_product(uint64_t key, const uint8_t *in, size_t start, size_t name_len) {
    if (name_len > 8) {
        key ^= eight_bytes(in + start + name_len - 8) << 1;
    }
    return key * UINT64_C(0x0a4fe26da4857f5d);
}

// name_hash is a number below 64, equal for equal names. A search found the factor: it separates the names in known_names.h from each other
// and from names that tokens often contain too (name, email, scope, roles and the like).
INLINE unsigned name_hash(uint64_t key, const uint8_t *in, size_t start, size_t name_len) {
    return (unsigned)(name_product(key, in, start, name_len) >> 58);
}

#endif
