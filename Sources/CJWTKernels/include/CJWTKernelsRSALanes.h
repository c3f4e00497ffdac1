// RSA's public operation, signature^65537 mod n, for CPUs without 512-bit IFMA: eight tokens at a time with AVX-512F, four with AVX2 or
// with IFMA in 256-bit registers.
//
// The results are those of CJWTKernelsRSA.h: the encoded message EM of RFC 8017, 8.1.2 and 8.2.2, always the one value below n. These
// functions do not check paddings or hashes, so they accept no signature by themselves. One prepared key serves AVX-512F and AVX2; IFMA has
// its own. There is no function for one token: its time would be that of all lanes.
//
// Stack of eight: 19 KiB (2048 bits), 30 KiB (3072), 39 KiB (4096), as four buffers hold eight numbers each; of four: half as much, and
// with IFMA a quarter. Self tests: 53 KiB.

#ifndef CJWT_KERNELS_RSA_LANES_H
#define CJWT_KERNELS_RSA_LANES_H

#include <stddef.h>
#include <stdint.h>

/// The size of a prepared key for a modulus of 256, 384 or 512 bytes; zero for any other length.
size_t cjwt_rsa_lanes_key_bytes(size_t modulus_len);

/// Prepares a modulus, big-endian, in the caller's 64-byte aligned memory. One; zero where the modulus is even, its top bit is not set, its
/// length is unsupported, or this CPU lacks AVX2: then the memory holds no key.
int cjwt_rsa_lanes_key_build(void *key, const uint8_t *modulus, size_t modulus_len);

/// em = sig^65537 mod n in each lane, both big-endian and of the modulus' length; all moduli are of one length. A lane with a NULL keys[i]
/// is idle: its em and sig are not accessed. So is a lane whose key has another length than the first key.
/// results[i] is one where ems[i] was written, and zero, with ems[i] unchanged, where sig >= n (RFC 8017, 5.2.2) or the lane is idle.
/// The cost is the same for one lane as for all. The caller has asked cjwt_avx512f_available().
void cjwt_rsa_avx512f_power8(int results[8], const void *const keys[8], uint8_t *const ems[8], const uint8_t *const sigs[8]);

/// The same with four lanes. The caller has asked cjwt_avx2_available().
void cjwt_rsa_avx2_power4(int results[4], const void *const keys[4], uint8_t *const ems[4], const uint8_t *const sigs[4]);

/// The same with IFMA in 256-bit registers, for keys of its own. Building one takes 4 KiB of stack and the instructions: zero also where
/// cjwt_ifma256_available() is zero. The caller of cjwt_rsa_ifma256_power4 has asked cjwt_ifma256_available().
size_t cjwt_rsa_ifma256_key_bytes(size_t modulus_len);
int cjwt_rsa_ifma256_key_build(void *key, const uint8_t *modulus, size_t modulus_len);
void cjwt_rsa_ifma256_power4(int results[4], const void *const keys[4], uint8_t *const ems[4], const uint8_t *const sigs[4]);

/// Known answers: one where this machine reproduces them.
int cjwt_rsa_avx512f_self_test(void);
int cjwt_rsa_avx2_self_test(void);
int cjwt_rsa_ifma256_self_test(void);

#endif
