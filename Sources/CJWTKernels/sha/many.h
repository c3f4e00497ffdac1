// many.h: messages of unequal length in lanes: the common part of SHA-256 and SHA-512.
//
// The live lanes are the first ones. All advance together, by the smallest number of blocks that any of them has left; a lane whose message
// is finished takes the next message or, if there is none, the last live lane moves into it. So no lane is idle before the messages run
// out, and fewer live lanes allow a narrower kernel.

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

// One hash function, in the first lanes.
typedef struct sha_function {
    size_t lanes;
    // Begins the message in the lane.
    void (*begin)(sha_work *work, size_t lane, const cjwt_message *message);
    // Hashes the next `blocks` blocks of each of the first `live` lanes.
    void (*advance)(sha_work *work, size_t live, size_t blocks);
    // Copies one lane's state to another.
    void (*move)(sha_work *work, size_t to, size_t from);
    // Writes the digest of message work->message[lane] to its place in `out`, which has 64 bytes for each message.
    void (*finish)(const sha_work *work, size_t lane, uint8_t *out);
} sha_function;

// With AVX-512; and SHA-256 with only the SHA instructions.
extern const sha_function sha256_in_lanes, sha384_in_lanes, sha512_in_lanes, sha256_in_pairs;

void sha_hash_many(const sha_function *function, uint8_t *out, const cjwt_message *messages, size_t count);

#endif

#endif
