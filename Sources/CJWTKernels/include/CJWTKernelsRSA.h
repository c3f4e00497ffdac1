// RSA's public operation, signature^65537 mod n: with AVX-512 IFMA one token at a time, and eight at a time; with 64-bit products one token
// at a time.
//
// The result is the encoded message EM of RFC 8017, 8.1.2 and 8.2.2: always the one value below n, so that the caller may compare or decode
// it byte for byte. These functions do not check paddings or hashes, so they accept no signature by themselves.
//
// Where cjwt_ifma_available() is zero, every cjwt_rsa_ifma function except cjwt_rsa_ifma_key_bytes returns zero. Stack: 4 KiB for one
// token; for eight, 11 KiB (2048 bits), 17 KiB (3072) and 21 KiB (4096), because four buffers hold eight numbers each; for the self test,
// 39 KiB.

#ifndef CJWT_KERNELS_RSA_H
#define CJWT_KERNELS_RSA_H

#include <stddef.h>
#include <stdint.h>

/// The size of a prepared key for a modulus of 256, 384 or 512 bytes; zero for any other length.
size_t cjwt_rsa_ifma_key_bytes(size_t modulus_len);

/// Prepares a modulus, big-endian, in the caller's 64-byte aligned memory. One; zero where the modulus is even, its top bit is not set, its
/// length is unsupported, or this CPU lacks the instructions: then the memory holds no key.
int cjwt_rsa_ifma_key_build(void *key, const uint8_t *modulus, size_t modulus_len);

/// em = sig^65537 mod n, both big-endian and of the modulus' length. One where em was written; zero, with em unchanged, where sig >= n,
/// which RFC 8017, 5.2.2 refuses.
int cjwt_rsa_ifma_power(const void *key, uint8_t *em, const uint8_t *sig);

/// Eight at a time, of moduli of one length. A lane with a NULL keys[i] is idle: its em and sig are not accessed. So is a lane whose key
/// has another length than the first key.
/// results[i] is one where ems[i] was written, and zero, with ems[i] unchanged, where sig >= n or the lane is idle.
/// The cost is the same for one lane as for eight: as much as about five tokens one at a time.
void cjwt_rsa_ifma_power8(int results[8], const void *const keys[8], uint8_t *const ems[8], const uint8_t *const sigs[8]);

/// Known answers: one where this machine reproduces them.
int cjwt_rsa_ifma_self_test(void);

/// The same functions with 64-bit products, for one token. On x86-64, cjwt_rsa_scalar_key_build returns zero where cjwt_adx_available() is
/// zero; elsewhere portable C runs. A key needs no alignment beyond that of uint64_t. Stack: 3 KiB; for the self test, 13 KiB.
size_t cjwt_rsa_scalar_key_bytes(size_t modulus_len);
int cjwt_rsa_scalar_key_build(void *key, const uint8_t *modulus, size_t modulus_len);
int cjwt_rsa_scalar_power(const void *key, uint8_t *em, const uint8_t *sig);
int cjwt_rsa_scalar_self_test(void);

/// One where this CPU runs that kernel, and libcrypto is known to need more for a modulus of so many bytes. On AArch64 that is 2048 bits: for
/// longer ones libcrypto has code of its own for some CPUs, and no measurement compares both.
int cjwt_rsa_scalar_pays(size_t modulus_len);

#endif
