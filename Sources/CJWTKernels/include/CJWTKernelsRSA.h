// RSA's public operation, signature^65537 mod n, with AVX-512 IFMA: one token at a time, and eight at a time.
//
// What these functions give is the encoded message EM of RFC 8017, 8.1.2 and 8.2.2: always the one value below n, so that the caller
// may compare or decode it byte for byte. They know nothing of paddings or hashes and accept no signature by themselves.
//
// Call nothing but cjwt_rsa_ifma_key_bytes where cjwt_ifma_available() is zero: every other function there answers zero.
// Stack: 4 KiB for one token; for eight, 11 KiB (2048 bits), 17 KiB (3072) and 21 KiB (4096), as four buffers hold eight numbers
// each; for the self test, 35 KiB.

#ifndef CJWT_KERNELS_RSA_H
#define CJWT_KERNELS_RSA_H

#include <stddef.h>
#include <stdint.h>

/// Bytes of a prepared key for a modulus of 256, 384 or 512 bytes; zero for any other length.
size_t cjwt_rsa_ifma_key_bytes(size_t modulus_len);

/// Prepares a modulus, big-endian, in 64-byte aligned memory of the caller. One; zero where the modulus is even, its top bit is not
/// set, its length is none of the three, or this CPU lacks the instructions: then the memory is no key.
int cjwt_rsa_ifma_key_build(void *key, const uint8_t *modulus, size_t modulus_len);

/// em = sig^65537 mod n, both big-endian and of the modulus' length. One where em was written; zero, with em as it was, where
/// sig >= n, which RFC 8017, 5.2.2 refuses.
int cjwt_rsa_ifma_power(const void *key, uint8_t *em, const uint8_t *sig);

/// Eight at a time, of moduli of one length. keys[i] == NULL is a lane without work, and its em and sig are not looked at; so is a
/// key of another length than the first one has.
/// results[i] is one where ems[i] was written, and zero, with ems[i] as it was, where sig >= n or there was no work.
/// It costs the same for one lane as for eight: as much as about five tokens one at a time.
void cjwt_rsa_ifma_power8(int results[8], const void *const keys[8], uint8_t *const ems[8], const uint8_t *const sigs[8]);

/// Known answers: one where this machine computes them.
int cjwt_rsa_ifma_self_test(void);

#endif
