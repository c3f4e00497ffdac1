// The parts of a token as bytes, for both OpenSSL programs, with the signature in the form that libcrypto takes.

#ifndef PEER_OPENSSL_H
#define PEER_OPENSSL_H

#include <openssl/evp.h>

#include "peer.h"

typedef struct {
    size_t signed_length; // of header.payload, from the token's first character
    unsigned char signature[512];
    size_t signature_length;
} openssl_parts;

bool openssl_split(openssl_parts *parts, const peer_token *token, bool is_ecdsa);
// The public key in PEM; NULL if the text is not a public key.
EVP_PKEY *openssl_public_key(const peer_setting *setting);

#endif
