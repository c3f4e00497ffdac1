// names.h: the name of a member as a few words, so that it is noted and recognised without a look at its bytes one by one.

#ifndef CJWT_NAMES_H
#define CJWT_NAMES_H

#include "internal.h"

#include <string.h>

// eight_bytes is the number that eight bytes are, the first lowest.
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

// name_key is the first eight bytes of a name, the eighth highest; a shorter one ends there and has zeros below. No zero stands in a
// JSON string, so a key with one is of one name only, and one without of all names that begin so.
INLINE uint64_t name_key(const uint8_t *in, size_t in_len, size_t start, size_t name_len) {
    if (name_len >= 8) {
        return eight_bytes(in + start);
    }
    if (__builtin_expect(name_len > 0 && in_len - start >= 8, 1)) {
        return eight_bytes(in + start) << (64 - 8 * name_len);
    }
    uint64_t key = 0;
    for (size_t i = 0; i < name_len; i++) {
        key = key >> 8 | (uint64_t)in[start + i] << 56;
    }
    return key;
}

// name_key_within is the same for a name of at least one byte behind which the text goes on for eight bytes from its start at least.
INLINE uint64_t name_key_within(const uint8_t *in, size_t start, size_t name_len) {
    uint64_t key = eight_bytes(in + start);
    return name_len >= 8 ? key : key << (64 - 8 * name_len);
}

// name_hash is a number below 64, equal for equal names. The factor was searched for: it tells apart the names in known_names.h, and
// those that tokens often have beside them (name, email, scope, roles and the like).
INLINE unsigned name_hash(uint64_t key, const uint8_t *in, size_t start, size_t name_len) {
    if (name_len > 8) {
        key ^= eight_bytes(in + start + name_len - 8) << 1;
    }
    return (unsigned)(key * UINT64_C(0x79670907db8b395b) >> 58);
}

#endif
