// ECDSA over P-384 and P-521 (ES384, ES512) in the eight lanes of AVX-512 IFMA: one token at a time or eight, with the tables of CJWTKernelsECDSA.h.
//
// The conventions of CJWTKernelsVerdict.h apply; call these only where cjwt_ifma_available() is one. On other architectures than
// x86-64 every verdict is undecided. P-384 takes up to 27 KiB of stack, P-521 up to 50 KiB.

#ifndef CJWT_KERNELS_NIST_IFMA_H
#define CJWT_KERNELS_NIST_IFMA_H

#include <stddef.h>
#include <stdint.h>

#include "CJWTKernelsVerdict.h"

/// One token: its rows are summed in eight lanes.
cjwt_verdict cjwt_p384_ifma_verify(const void *table, const uint8_t hash[48], const uint8_t sig[96]);

/// Eight tokens, one in each lane. A lane with a NULL tables[i] is idle: hashes[i] and sigs[i] are not read and its verdict is undecided.
/// Tables may differ in key and in size; eight full ones are fastest.
void cjwt_p384_ifma_verify8(cjwt_verdict verdicts[8], const void *const tables[8], const uint8_t *const hashes[8],
                            const uint8_t *const sigs[8]);

/// One where known valid and invalid answers are reproduced, alone and in mixed lanes. Also one where the kernels cannot run.
int cjwt_p384_ifma_self_test(void);

/// The same for P-521 and SHA-512.
cjwt_verdict cjwt_p521_ifma_verify(const void *table, const uint8_t hash[64], const uint8_t sig[132]);
void cjwt_p521_ifma_verify8(cjwt_verdict verdicts[8], const void *const tables[8], const uint8_t *const hashes[8],
                            const uint8_t *const sigs[8]);

int cjwt_p521_ifma_self_test(void);

/// The generators' tables, full. Each exists wherever a key's table of its curve does.
const void *cjwt_p384_generator(void);
const void *cjwt_p521_generator(void);

/// The small table of the key with which a curve's self test works, after that test.
const void *cjwt_p384_self_test_table(void);
const void *cjwt_p521_self_test_table(void);

#endif
