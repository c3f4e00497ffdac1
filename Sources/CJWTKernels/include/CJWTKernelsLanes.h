// cjwt_sha2_lanes: the many-stream hashes laid out as batches of signatures want them.

#ifndef CJWT_KERNELS_LANES_H
#define CJWT_KERNELS_LANES_H

#include <string.h>

#include "CJWTKernelsSHA.h"

/// SHA-256, SHA-384 or SHA-512, by `digest_len`, of at most eight messages; that of message i goes to out + 64 * i. One; zero where
/// libcrypto is to hash them.
static inline int cjwt_sha2_lanes(uint8_t *out, size_t digest_len, const cjwt_message *messages, size_t count) {
    uint8_t sha256[8][32], sha384[8][48];
    if (count > 8) {
        return 0;
    }
    switch (digest_len) {
        case 32:
            if (!cjwt_sha256_many(sha256, messages, count)) {
                return 0;
            }
            for (size_t i = 0; i < count; i++) {
                memcpy(out + 64 * i, sha256[i], 32);
            }
            return 1;
        case 48:
            if (!cjwt_sha384_many(sha384, messages, count)) {
                return 0;
            }
            for (size_t i = 0; i < count; i++) {
                memcpy(out + 64 * i, sha384[i], 48);
            }
            return 1;
        case 64: return cjwt_sha512_many((uint8_t(*)[64])(void *)out, messages, count);
        default: return 0;
    }
}

#endif
