// Declarations that decryption.c, decryption_keys.c, agreement.c and content.c share. Not visible outside.

#ifndef ASSAY_COPENSSL_DECRYPTION_H
#define ASSAY_COPENSSL_DECRYPTION_H

#include "internal.h"

struct cossl_decryption_key {
    EVP_PKEY *pkey;
    cossl_recipient recipient;
    /// Of a curve other than X25519. Without it the key takes the EVP path.
    cossl_ec_key *ec_key;
    /// Takes the place of a CEK that cannot be recovered. Random, and the same for all: nothing is ever encrypted under it.
    uint8_t substitute[COSSL_CEK_MAX];
};

/// libcrypto's name of the group, and the length of a coordinate; zero for RSA.
const char *cossl_recipient_name(cossl_recipient recipient);
size_t cossl_recipient_coordinate(cossl_recipient recipient);
/// Whether the key is one of NIST's curves.
int cossl_recipient_is_ec(cossl_recipient recipient);
/// libcrypto's name of a member of an RSA key.
const char *cossl_rsa_parameter(cossl_member member);

/// The private key of `pkey` for cossl_agree, in agreement.c; NULL without the EC_KEY functions.
cossl_ec_key *cossl_agreement_key(EVP_PKEY *pkey);

/// Replaces `out` by `other` unless `is_good`, in a time that does not depend on it.
void cossl_select(uint8_t *out, const uint8_t *other, size_t len, int is_good);

#endif
