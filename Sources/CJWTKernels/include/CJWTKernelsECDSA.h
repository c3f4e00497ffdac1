// ECDSA over P-256, P-384 and P-521 (ES256, ES384, ES512) with a table for each key: sums of its rows, no doublings.
//
// The conventions of CJWTKernelsVerdict.h apply. Hashes, coordinates, r and s are numbers of fixed length, most significant byte first.
// Portable: the same functions, and the same verdicts, on every CPU.

#ifndef CJWT_KERNELS_ECDSA_H
#define CJWT_KERNELS_ECDSA_H

#include <stddef.h>
#include <stdint.h>

#include "CJWTKernelsVerdict.h"

/// The size of a key's table in bytes: the caller's memory, 64-byte aligned.
size_t cjwt_p256_table_bytes(cjwt_table_size size);

/// Builds the table of the key (x, y). One; zero, without a table, where (x, y) is not on the curve or a coordinate is not below p.
int cjwt_p256_table_build(void *table, cjwt_table_size size, const uint8_t x[32], const uint8_t y[32]);

/// Verifies r||s over a SHA-256 hash, with a table of either size.
cjwt_verdict cjwt_p256_verify(const void *table, const uint8_t hash[32], const uint8_t sig[64]);

/// One where fixed valid and invalid signatures get the correct verdicts.
int cjwt_p256_self_test(void);

/// The same for P-384 and SHA-384.
size_t cjwt_p384_table_bytes(cjwt_table_size size);
int cjwt_p384_table_build(void *table, cjwt_table_size size, const uint8_t x[48], const uint8_t y[48]);
cjwt_verdict cjwt_p384_verify(const void *table, const uint8_t hash[48], const uint8_t sig[96]);
int cjwt_p384_self_test(void);

/// The same for P-521 and SHA-512. Coordinates, r and s have 66 bytes (RFC 7518, 3.4), the hash 64. Takes 28 KiB of
/// stack.
size_t cjwt_p521_table_bytes(cjwt_table_size size);
int cjwt_p521_table_build(void *table, cjwt_table_size size, const uint8_t x[66], const uint8_t y[66]);
cjwt_verdict cjwt_p521_verify(const void *table, const uint8_t hash[64], const uint8_t sig[132]);
int cjwt_p521_self_test(void);

#endif
