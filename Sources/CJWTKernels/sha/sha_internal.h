// sha_internal.h: declarations that the files of the SHA-2 kernels share with each other and with their differential check.

#ifndef CJWT_SHA_INTERNAL_H
#define CJWT_SHA_INTERNAL_H

#include "CJWTKernelsSHA.h"
#include "CJWTKernelsVerdict.h"
#include "cursor.h"

#include <stdalign.h>

enum { kSHA256Lanes = 16, kSHA512Lanes = 8, kSHAMaxLanes = 16 };

extern const uint32_t sha256_initial[8];
extern const uint64_t sha384_initial[8], sha512_initial[8];
extern const uint32_t sha256_constants[64];
extern const uint64_t sha512_constants[80];

#if defined(__x86_64__)

// The states of the lanes: word i of lane l in column l of row i, so that a row is a register.
typedef struct sha256_states {
    alignas(64) uint32_t rows[8][kSHA256Lanes];
} sha256_states;
typedef struct sha512_states {
    alignas(64) uint64_t rows[8][kSHA512Lanes];
} sha512_states;

// Each hashes the next `count` blocks of cursors[l] into lane first + l, for l below `live`, which is one up to the number in the
// function's name; `first` is a multiple of that number. The remaining lanes up to that number become unspecified; all others stay
// unchanged.
typedef void sha256_lanes(sha256_states *states, size_t first, sha_cursor *const *cursors, size_t live, size_t count);
typedef void sha512_lanes(sha512_states *states, size_t first, sha_cursor *const *cursors, size_t live, size_t count);
sha256_lanes sha256_blocks_x16, sha256_blocks_x8;
sha512_lanes sha512_blocks_x8, sha512_blocks_x4, sha512_blocks_x1;

// The least number of messages for which the lanes are faster than libcrypto, for SHA-384 and SHA-512.
size_t sha512_fewest(void);

// The same with the SHA instructions, and together with AVX-512, for one stream and for two, each with its own state.
typedef void sha256_stream(uint32_t state[8], sha_cursor *cursor, size_t count);
typedef void sha256_streams(uint32_t state_a[8], uint32_t state_b[8], sha_cursor *a, sha_cursor *b, size_t count);
sha256_stream sha256_blocks_ni, sha256_blocks_mixed;
sha256_streams sha256_blocks_ni_x2, sha256_blocks_mixed_x2;

// The available kernels. The differential check tests each one separately.
int sha_has_instructions(void);
int sha_has_lanes(void);

#endif

#endif
