// rsa_padding.h: what the parts of the check of RSA's encodings share.

#ifndef ASSAY_RSA_PADDING_H
#define ASSAY_RSA_PADDING_H

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

#include "COpenSSL.h"
#include "differential.h"

enum { kMostEncodedBytes = 1025, kMostHashBytes = 64, kDigests = 3 };

typedef struct padding_check {
    differential_random random;
    differential_result result;
    uint64_t seed, signatures;
} padding_check;

static inline size_t below(padding_check *check, size_t bound) { return (size_t)(next_random(&check->random) % bound); }

/// A scheme, a digest and a modulus' size, with a hash and what has been made of it. Both are of exactly their length, so that
/// AddressSanitizer sees who leaves them.
typedef struct encoding {
    cossl_scheme scheme;
    cossl_digest digest;
    unsigned bits;
    size_t hash_len, len;
    EVP_MD *md, *other_md;
    RSA *modulus, *whole_modulus;  // of `bits` bits, and of 8 * len, as which the function under test takes every one
    uint8_t *hash, *em;
} encoding;

void encoding_open(encoding *e, cossl_scheme scheme, cossl_digest digest, unsigned bits);
void encoding_close(encoding *e);

/// Draws a hash and encodes it as RFC 8017 says.
void encoding_draw(padding_check *check, encoding *e);

/// Encodes the hash in a way that is close to it; `form` counts from 0, which is the right one. Returns what it is, NULL past the last.
const char *encoding_form(padding_check *check, encoding *e, size_t form);

/// Changes a byte of the hash within a PSS encoding for a modulus of whole bytes, and the mask that is made of it with it: of all that is
/// looked at, only the hash is wrong.
void encoding_change_hash(encoding *e, size_t at, uint8_t change);

/// What the function under test is to say of `em`.
int encoding_is_right(const encoding *e);

/// Counts a case: the function's verdict is to be `expected`.
void padding_expect(padding_check *check, const encoding *e, int expected, const char *what);

/// Changes one byte of `em` to any other.
void encoding_change(padding_check *check, encoding *e);

/// Whole signatures over encodings, which EVP judges by their keys.
void check_padding_signatures(padding_check *check);

#endif
