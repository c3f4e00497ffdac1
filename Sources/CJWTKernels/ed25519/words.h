// Little-endian words, on machines of either byte order.

#ifndef CJWT_ED25519_WORDS_H
#define CJWT_ED25519_WORDS_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t load_le64(const uint8_t in[8]) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--) { word = word << 8 | in[i]; }
    return word;
}

static inline void load_le_words(uint64_t *words, size_t count, const uint8_t *in) {
    for (size_t i = 0; i < count; i++) { words[i] = load_le64(in + 8 * i); }
}

#endif
