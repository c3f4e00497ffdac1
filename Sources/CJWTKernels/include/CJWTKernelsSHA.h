// SHA-2 (FIPS 180-4) of many messages at once, where this CPU does that faster than libcrypto does one after the other.
//
// As everywhere in these kernels: the messages are public, time depends on their lengths; nothing is allocated and no state is kept.
// Nothing is read outside the messages. A length may be zero, and its pointer then NULL. Less than 14 KiB of stack.

#ifndef CJWT_KERNELS_SHA_H
#define CJWT_KERNELS_SHA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One message in up to two pieces: `prefix` (may be empty) then `bytes`. For Ed25519 the prefix is R || A, 64 bytes.
typedef struct cjwt_message {
    const uint8_t *prefix;
    size_t prefix_len;
    const uint8_t *bytes;
    size_t len;
} cjwt_message;

/// The SHA-256 of each message, any number of them, of any lengths. One; zero, with nothing written, where this CPU has no kernel that
/// beats libcrypto at that number of messages (the caller then hashes with libcrypto).
int cjwt_sha256_many(uint8_t (*out)[32], const cjwt_message *messages, size_t count);
int cjwt_sha384_many(uint8_t (*out)[48], const cjwt_message *messages, size_t count);
int cjwt_sha512_many(uint8_t (*out)[64], const cjwt_message *messages, size_t count);

/// The SHA-256 of one message. One; zero, with nothing written, where this CPU has no kernel that beats libcrypto.
int cjwt_sha256_one(uint8_t out[32], const uint8_t *in, size_t len);

/// One where what this CPU uses of the above gives the known answers. Takes 0.5 ms (Ice Lake).
int cjwt_sha_self_test(void);

#ifdef __cplusplus
}
#endif

#endif
