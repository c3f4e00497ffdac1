// ECDSA with P-256 and SHA-256 over messages, in the DER form of X9.62: the signatures of devices, not of tokens. Only for Secrets.

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <string.h>

#include "internal.h"

/// Returns `key` if it is on P-256.
static int deliver(cossl_pkey **out, EVP_PKEY *key) {
    char group[16] = {0};
    size_t length = 0;
    int ok = key != NULL && EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, group, sizeof group, &length) == 1 &&
             strcmp(group, "prime256v1") == 0;
    if (!ok) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    *out = key;
    cossl_end();
    return ok;
}

int cossl_p256_key_generate(cossl_pkey **out) {
    cossl_begin();
    return deliver(out, EVP_EC_gen("P-256"));
}

int cossl_p256_key_import_private(cossl_pkey **out, const uint8_t *der, size_t der_len) {
    cossl_begin();
    return deliver(out, cossl_private_pkey(der, der_len, 4096));
}

/// SubjectPublicKeyInfo of a key on P-256 before its coordinates: the named curve and an uncompressed point (RFC 5480).
static const uint8_t public_head[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06,
                                      0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};

int cossl_p256_key_import_public(cossl_pkey **out, const uint8_t *der, size_t der_len) {
    const uint8_t *cursor = der;
    cossl_begin();
    // libcrypto also reads compressed points and explicit curve parameters. One key would have several documents then.
    int is_canonical = der_len == sizeof public_head + 64 && memcmp(der, public_head, sizeof public_head) == 0;
    return deliver(out, is_canonical ? d2i_PUBKEY_ex(NULL, &cursor, (long)der_len, NULL, NULL) : NULL);
}

int cossl_p256_key_public_document(uint8_t out[COSSL_P256_PUBLIC_MAX], size_t *out_len, const cossl_pkey *key) {
    uint8_t *cursor = out;
    *out_len = 0;
    cossl_begin();
    int length = i2d_PUBKEY(key, NULL);
    if (length > 0 && length <= COSSL_P256_PUBLIC_MAX && i2d_PUBKEY(key, &cursor) == length) { *out_len = (size_t)length; }
    cossl_end();
    return *out_len != 0;
}

int cossl_p256_sign(uint8_t out[COSSL_P256_SIGNATURE_MAX], size_t *out_len, const cossl_pkey *key, const uint8_t *msg, size_t msg_len) {
    *out_len = COSSL_P256_SIGNATURE_MAX;
    cossl_begin();
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    int ok = md != NULL && EVP_DigestSignInit_ex(md, NULL, "SHA256", NULL, NULL, (EVP_PKEY *)key, NULL) == 1 &&
             EVP_DigestSign(md, out, out_len, msg, msg_len) == 1;
    EVP_MD_CTX_free(md);
    cossl_end();
    return ok;
}

int cossl_p256_verify(const cossl_pkey *key, const uint8_t *msg, size_t msg_len, const uint8_t *sig, size_t sig_len) {
    cossl_begin();
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    int ok = md != NULL && EVP_DigestVerifyInit_ex(md, NULL, "SHA256", NULL, NULL, (EVP_PKEY *)key, NULL) == 1 &&
             EVP_DigestVerify(md, sig, sig_len, msg, msg_len) == 1;
    EVP_MD_CTX_free(md);
    cossl_end();
    return ok;
}
