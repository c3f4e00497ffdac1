// Ed25519 verification (RFC 8032) with a table for each key: sixty-four additions and no doubling.
//
// CJWTKernelsVerdict.h states the conventions and the meaning of a verdict. The verdicts equal OpenSSL's for the same key: S below L, no
// cofactor, R compared as bytes. Undecided: a lane without work, and a signature whose inverse does not pass its check, which no input is
// known to cause.

#ifndef CJWT_KERNELS_ED25519_H
#define CJWT_KERNELS_ED25519_H

#include <stddef.h>
#include <stdint.h>

#include "CJWTKernelsVerdict.h"

/// The size of a key's table in bytes.
size_t cjwt_ed25519_table_bytes(cjwt_table_size size);

/// Builds the table of multiples of -A, where A is the key. One; zero where the key does not decode (RFC 8032 section 5.1.3), and for y of
/// p or more, for x = 0 with the sign bit, and for a point of small order: then the caller passes the key to OpenSSL, which decides. The
/// portable and the IFMA kernels use the same table.
int cjwt_ed25519_table_build(void *table, cjwt_table_size size, const uint8_t key[32]);

/// Verifies a signature; `h` is SHA-512(R || A || M), 64 bytes, not reduced.
cjwt_verdict cjwt_ed25519_verify(const void *table, const uint8_t h[64], const uint8_t sig[64]);

/// Same, for a CPU where cjwt_ifma_available. Undecided on other architectures.
cjwt_verdict cjwt_ed25519_ifma_verify(const void *table, const uint8_t h[64], const uint8_t sig[64]);

/// Same, eight signatures at once. `tables[i]` may be NULL: a lane without work, its verdict undecided and its `h` and `sig` not read.
void cjwt_ed25519_ifma_verify8(cjwt_verdict verdicts[8], const void *const tables[8], const uint8_t *const h[8],
                               const uint8_t *const sigs[8]);

/// One where the kernels give the correct verdicts on signatures in the source. Zero where they do not, and where there is no memory for two
/// tables: `errno` is then ENOMEM, and the test says nothing of the kernels. Otherwise a zero leaves `errno` zero.
int cjwt_ed25519_self_test(void);
/// Same, for the kernels that need cjwt_ifma_available; zero on other architectures.
int cjwt_ed25519_ifma_self_test(void);

#endif
