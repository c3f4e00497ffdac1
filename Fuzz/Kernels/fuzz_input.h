// fuzz_input.h: how the fuzzers of the kernels read their input, and what they do with a wrong answer.
//
// An input that has run out goes on with zeros: every input is a case. Whatever it chooses depends on its bytes alone, so that a crash
// comes again from its file.

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

/// Up to seven single bytes changed, anywhere: the input says how many, and for each where and how.
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

/// Exactly so many bytes, so that AddressSanitizer sees who leaves them.
static inline void *room(size_t len) {
    void *memory = NULL;
    if (posix_memalign(&memory, 64, len == 0 ? 1 : len) != 0) { give_up("out of memory"); }
    return memory;
}

static inline uint8_t *exact_copy(const uint8_t *bytes, size_t len) { return len == 0 ? room(0) : memcpy(room(len), bytes, len); }

#endif
