// many.h: messages of unequal length through lanes: what SHA-256 and SHA-512 have in common.
//
// The live lanes are the first ones. All go on together, by as many blocks as the one with the fewest has left; a lane whose message is
// done takes the next message, and where there is none left, the last live lane moves into it. So no lane is idle before the messages run
// out, and the fewer are live, the narrower a kernel does.

#ifndef CJWT_SHA_MANY_H
#define CJWT_SHA_MANY_H

#include "sha_internal.h"

#if defined(__x86_64__)

typedef struct sha_work {
    union {
        sha256_states sha256;
        sha512_states sha512;
    } states;
    sha_cursor *cursor[kSHAMaxLanes];
    size_t message[kSHAMaxLanes];
    sha_cursor cursors[kSHAMaxLanes];
} sha_work;

// One hash function, in lanes of the first so many.
typedef struct sha_function {
    size_t lanes;
    // Begins the message in the lane.
    void (*begin)(sha_work *work, size_t lane, const cjwt_message *message);
    // Takes the next `blocks` blocks of each of the first `live` lanes.
    void (*advance)(sha_work *work, size_t live, size_t blocks);
    // Gives one lane the state of another.
    void (*move)(sha_work *work, size_t to, size_t from);
    // Writes the digest of message work->message[lane] to its place in `out`.
    void (*finish)(const sha_work *work, size_t lane, uint8_t *out);
} sha_function;

void sha_hash_many(const sha_function *function, uint8_t *out, const cjwt_message *messages, size_t count);

#endif

#endif
