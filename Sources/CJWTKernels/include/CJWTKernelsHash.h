// CJWTKernelsHash.h: a keyed hash for tables in memory. It is no message authentication code: whoever finds two texts of one hash, which
// takes knowing the secret, costs a table time and nothing else, because what is found there is compared in full.

#ifndef CJWT_KERNELS_HASH_H
#define CJWT_KERNELS_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Random numbers that nobody outside the process knows.
typedef struct cjwt_hash_secret {
    uint64_t words[4];
} cjwt_hash_secret;

/// The hash of `in` under `secret`, another for every `tweak`. The same within one process only: bytes are read in the machine's order.
uint64_t cjwt_keyed_hash(cjwt_hash_secret secret, uint64_t tweak, const uint8_t *in, size_t in_len);

#ifdef __cplusplus
}
#endif

#endif
