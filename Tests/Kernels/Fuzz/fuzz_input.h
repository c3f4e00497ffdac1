// fuzz_input.h: how the kernel fuzzers read their input and report a wrong answer.
//
// An exhausted input continues with zeros, so every input is a case. Every choice depends only on the input's bytes, so a crash can be
// repeated from its file.

#ifndef ASSAY_FUZZ_INPUT_H
#define ASSAY_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLanes = 8 };

typedef struct fuzz_input {
    const uint8_t *bytes;
    size_t left;
} fuzz_input;

static inline uint8_t take_byte(fuzz_input *input) {
    if (input->left == 0) { return 0; }
    input->left--;
    return *input->bytes++;
}

static inline void take(fuzz_input *input, uint8_t *out, size_t len) {
    for (size_t i = 0; i < len; i++) { out[i] = take_byte(input); }
}

/// Changes up to seven single bytes, anywhere: the input gives the number, and each offset and change.
static inline void take_changes(fuzz_input *input, uint8_t *bytes, size_t len) {
    for (int i = take_byte(input) % 8; i > 0; i--) {
        size_t at = take_byte(input);
        at |= (size_t)take_byte(input) << 8;
        bytes[at % len] ^= take_byte(input);
    }
}

static inline _Noreturn void give_up(const char *what) {
    fprintf(stderr, "differs: %s\n", what);
    abort();
}

static inline void must(int holds, const char *what) {
    if (!holds) { give_up(what); }
}

/// Exactly this many bytes, so that AddressSanitizer detects any access outside them.
static inline void *room(size_t len) {
    void *memory = NULL;
    if (posix_memalign(&memory, 64, len == 0 ? 1 : len) != 0) { give_up("out of memory"); }
    return memory;
}

static inline uint8_t *exact_copy(const uint8_t *bytes, size_t len) { return len == 0 ? room(0) : memcpy(room(len), bytes, len); }

#endif
