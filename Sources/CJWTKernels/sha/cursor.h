// cursor.h: a message in two pieces and its padding (FIPS 180-4 section 5.1) as runs of whole blocks.

#ifndef CJWT_SHA_CURSOR_H
#define CJWT_SHA_CURSOR_H

#include "CJWTKernelsSHA.h"

enum { kSHA256Block = 64, kSHA512Block = 128 };

// Consecutive whole blocks in memory.
typedef struct sha_run {
    const uint8_t *blocks;
    size_t count;
} sha_run;

// The runs of a padded message, none of them empty: blocks of the prefix, the block where prefix and bytes meet, blocks of the bytes, and
// the end with its padding. The second and the last are assembled here; the others are hashed in the caller's memory.
typedef struct sha_cursor {
    sha_run *run;
    size_t left;      // blocks of all runs
    sha_run runs[5];  // one more than the maximum: the cursor's position at the end
    uint8_t joint[kSHA512Block];
    uint8_t end[3 * kSHA512Block];  // one or two blocks, starting at the second
} sha_cursor;

// sha_cursor_begin sets the cursor before the first block. Do not move the cursor in memory afterwards.
void sha256_cursor_begin(sha_cursor *cursor, const cjwt_message *message);
void sha512_cursor_begin(sha_cursor *cursor, const cjwt_message *message);

// sha_cursor_next returns the next block, which must exist. The caller subtracts it from `left`.
static inline const uint8_t *sha_cursor_next(sha_cursor *cursor, size_t block) {
    sha_run *run = cursor->run;
    const uint8_t *next = run->blocks;
    run->blocks += block;
    run->count--;
    // No branch: where a run ends differs from message to message.
    cursor->run = run + (run->count == 0);
    return next;
}

#endif
