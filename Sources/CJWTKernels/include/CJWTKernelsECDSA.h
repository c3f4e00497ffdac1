// ECDSA over P-256 and P-384 (ES256, ES384) with a table of each key: sums of its rows, no doublings.
//
// What CJWTKernelsVerdict.h says of every kernel holds here. Hashes, coordinates, r and s are numbers of fixed length, most significant
// byte first. Portable: the same functions, and the same verdicts, on every CPU.

#ifndef CJWT_KERNELS_ECDSA_H
#define CJWT_KERNELS_ECDSA_H

#include <stddef.h>
#include <stdint.h>

#include "CJWTKernelsVerdict.h"

/// Bytes of a key's table: memory of the caller, 64-byte aligned.
size_t cjwt_p256_table_bytes(cjwt_table_size size);

/// Builds the table of the key (x, y). One; zero, and no table, where that is no point of the curve (a coordinate not below p, or off it).
int cjwt_p256_table_build(void *table, cjwt_table_size size, const uint8_t x[32], const uint8_t y[32]);

/// Judges r||s over a SHA-256 hash, with a table of either size.
cjwt_verdict cjwt_p256_verify(const void *table, const uint8_t hash[32], const uint8_t sig[64]);

/// One where fixed signatures, good and bad, get the verdicts they should.
int cjwt_p256_self_test(void);

/// The same for P-384 and SHA-384.
size_t cjwt_p384_table_bytes(cjwt_table_size size);
int cjwt_p384_table_build(void *table, cjwt_table_size size, const uint8_t x[48], const uint8_t y[48]);
cjwt_verdict cjwt_p384_verify(const void *table, const uint8_t hash[48], const uint8_t sig[96]);
int cjwt_p384_self_test(void);

#endif
