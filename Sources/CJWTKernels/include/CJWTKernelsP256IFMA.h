// ECDSA over P-256 with a table for each key, in the eight lanes of AVX-512 IFMA: one token at a time or eight.
//
// The conventions of CJWTKernelsVerdict.h apply. On other architectures than x86-64 no table can be built, and every verdict is undecided.

#ifndef CJWT_KERNELS_P256_IFMA_H
#define CJWT_KERNELS_P256_IFMA_H

#include <stddef.h>
#include <stdint.h>

#include "CJWTKernelsVerdict.h"

/// Zero where these kernels were not compiled.
size_t cjwt_p256_ifma_table_bytes(cjwt_table_size size);

/// Builds the table of the key (x, y), most significant byte first, in the caller's 64-byte aligned memory. One; zero where (x, y) is not a
/// point of the curve, or where cjwt_ifma_available() is zero. The process's first call also builds the generator's table.
int cjwt_p256_ifma_table_build(void *table, cjwt_table_size size, const uint8_t x[32], const uint8_t y[32]);

/// One token: its points are summed in eight lanes. `sig` is r and s (RFC 7518, 3.4); `hash` is the SHA-256 of the signed text.
cjwt_verdict cjwt_p256_ifma_verify(const void *table, const uint8_t hash[32], const uint8_t sig[64]);

/// Eight tokens, one in each lane. A lane with a NULL tables[i] is idle: hashes[i] and sigs[i] are not read and its verdict is undecided.
/// Tables may differ in key and in size; eight full ones are fastest.
void cjwt_p256_ifma_verify8(cjwt_verdict verdicts[8], const void *const tables[8], const uint8_t *const hashes[8],
                            const uint8_t *const sigs[8]);

/// One where known valid and invalid answers are reproduced, alone and in mixed lanes. Also one where the kernels cannot run.
int cjwt_p256_ifma_self_test(void);

#endif
