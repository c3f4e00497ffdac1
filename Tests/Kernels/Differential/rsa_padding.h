// rsa_padding.h: shared by the parts of the RSA encoding check.

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

/// A scheme, a digest and a modulus size, with a hash and its encoding. Both have exactly their length, so that AddressSanitizer detects
/// any access outside them.
typedef struct encoding {
    cossl_scheme scheme;
    cossl_digest digest;
    unsigned bits;
    size_t hash_len, len;
    EVP_MD *md, *other_md;
    RSA *modulus, *whole_modulus;  // of `bits` bits, and of 8 * len bits, which the function under test assumes
    uint8_t *hash, *em;
} encoding;

void encoding_open(encoding *e, cossl_scheme scheme, cossl_digest digest, unsigned bits);
void encoding_close(encoding *e);

/// Draws a hash and encodes it as RFC 8017 says.
void encoding_draw(padding_check *check, encoding *e);

/// Encodes the hash almost correctly; `form` counts from 0, the correct form. Returns the form's description, NULL after the last.
const char *encoding_form(padding_check *check, encoding *e, size_t form);

/// Changes a byte of the hash within a PSS encoding for a modulus of whole bytes, and updates the mask that depends on it: only the hash is
/// then wrong.
void encoding_change_hash(encoding *e, size_t at, uint8_t change);

/// The verdict on `em` that the function under test must give.
int encoding_is_right(const encoding *e);

/// Counts a case: the function must give the verdict `expected`.
void padding_expect(padding_check *check, const encoding *e, int expected, const char *what);

/// Changes one byte of `em` to another value.
void encoding_change(padding_check *check, encoding *e);

/// Whole signatures over encodings, which EVP verifies with their keys.
void check_padding_signatures(padding_check *check);

#endif
