// SHA-2 (FIPS 180-4) of many messages at once, where this CPU does that faster than libcrypto hashes them one by one.
//
// Messages are public, and time depends on their lengths; nothing is allocated and no state is kept. Only the messages are read. A length
// may be zero, and its pointer then NULL. Less than 14 KiB of stack.

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

/// SHA-256, SHA-384 or SHA-512, by `digest_len`, of each message, any number of them, of any lengths; the digest of message i is at
/// out + 64 * i. One; zero, with nothing written, where no kernel of this CPU is faster than libcrypto for that number of messages (the
/// caller then hashes with libcrypto).
int cjwt_sha2_lanes(uint8_t *out, size_t digest_len, const cjwt_message *messages, size_t count);

/// The SHA-256 of one message. One; zero, with nothing written, where no kernel of this CPU is faster than libcrypto.
int cjwt_sha256_one(uint8_t out[32], const uint8_t *in, size_t len);

/// One where the kernels that this CPU uses give the known answers. Takes 0.5 ms (Ice Lake).
int cjwt_sha_self_test(void);

#ifdef __cplusplus
}
#endif

#endif
