// sha_internal.h: what the files of the SHA-2 kernels share with each other and with their differential check.

#ifndef CJWT_SHA_INTERNAL_H
#define CJWT_SHA_INTERNAL_H

#include "CJWTKernelsSHA.h"
#include "CJWTKernelsVerdict.h"

#include <stdalign.h>

enum {
    kSHA256Block = 64,
    kSHA512Block = 128,
    kSHA256Lanes = 16,
    kSHA512Lanes = 8,
    kSHAMaxLanes = 16,
};

extern const uint32_t sha256_initial[8];
extern const uint64_t sha384_initial[8], sha512_initial[8];
extern const uint32_t sha256_constants[64];
extern const uint64_t sha512_constants[80];

// Whole blocks that lie one after the other in memory.
typedef struct sha_run {
    const uint8_t *blocks;
    size_t count;
} sha_run;

// A padded message as runs of whole blocks: those of the prefix, the one where prefix and bytes meet, those of the bytes, and the end with
// its padding. The second and the last are put together in `joint` and `end`; the others are hashed where the caller has them.
typedef struct sha_cursor {
    sha_run *run;
    sha_run runs[4];
    uint8_t joint[kSHA512Block], end[2 * kSHA512Block];
} sha_cursor;

// sha_pad ends the `filled` bytes of `end`, less than a block, as the end of a message of `total` bytes: a one bit, zeros, and the length in
// bits, 64 or 128 bits of it. Returns the number of blocks, one or two.
size_t sha_pad(uint8_t *end, size_t filled, size_t block, uint64_t total);

// sha_cursor_begin sets the cursor to the first run of the padded message. `block` is 64 or 128. It must not be moved from then on.
void sha_cursor_begin(sha_cursor *cursor, const cjwt_message *message, size_t block);

// sha_cursor_blocks is how many blocks lie at cursor->run->blocks: at least one before the end of the padded message, and then zero.
static inline size_t sha_cursor_blocks(const sha_cursor *cursor) { return cursor->run->count; }

// sha_cursor_skip goes on by `blocks`, at most sha_cursor_blocks(cursor).
static inline void sha_cursor_skip(sha_cursor *cursor, size_t blocks, size_t block) {
    cursor->run->blocks += blocks * block;
    cursor->run->count -= blocks;
    while (cursor->run->count == 0 && cursor->run < &cursor->runs[3]) { cursor->run++; }
}

#if defined(__x86_64__)

// The states of the lanes: word i of lane l in column l of row i, so that a row is a register.
typedef struct sha256_states {
    alignas(64) uint32_t rows[8][kSHA256Lanes];
} sha256_states;
typedef struct sha512_states {
    alignas(64) uint64_t rows[8][kSHA512Lanes];
} sha512_states;

// Each takes `count` blocks, at least one, from lanes[l] into lane first + l, for l below the number in its name, and reads nothing else.
// Only those lanes change. `first` is a multiple of that number.
void sha256_blocks_x16(sha256_states *states, size_t first, const uint8_t *const *lanes, size_t count);
void sha256_blocks_x8(sha256_states *states, size_t first, const uint8_t *const *lanes, size_t count);
void sha512_blocks_x8(sha512_states *states, size_t first, const uint8_t *const *lanes, size_t count);
void sha512_blocks_x4(sha512_states *states, size_t first, const uint8_t *const *lanes, size_t count);

// The same by the SHA instructions, for one and for two streams, each with a state of its own.
void sha256_blocks_ni(uint32_t state[8], const uint8_t *blocks, size_t count);
void sha256_blocks_ni_x2(uint32_t state_a[8], uint32_t state_b[8], const uint8_t *a, const uint8_t *b, size_t count);

// What there is to choose from. The differential check takes each by itself.
int sha_has_instructions(void);
int sha_has_lanes(void);

#endif

#endif
