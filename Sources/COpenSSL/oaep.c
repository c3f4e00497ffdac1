// RSAES-OAEP (RFC 8017 section 7.1) with SHA-256 and an empty label. Decryption blinds and checks the padding in constant time within
// libcrypto; nothing here looks at why it failed.

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "internal.h"

/// Hands `key` out if it is an RSA key of a size worth having.
static int deliver(cossl_oaep_key **out, EVP_PKEY *key) {
    if (key != NULL && (!EVP_PKEY_is_a(key, "RSA") || EVP_PKEY_get_bits(key) < 2048 || EVP_PKEY_get_bits(key) > 8192)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    *out = key;
    ERR_pop_to_mark();
    return key != NULL;
}

void cossl_oaep_key_free(cossl_oaep_key *key) { EVP_PKEY_free(key); }

int cossl_oaep_key_generate(cossl_oaep_key **out, unsigned bits) {
    ERR_set_mark();
    return deliver(out, bits >= 2048 && bits <= 8192 ? EVP_RSA_gen(bits) : NULL);
}

int cossl_oaep_key_import_private(cossl_oaep_key **out, const uint8_t *der, size_t der_len) {
    const uint8_t *cursor = der;
    EVP_PKEY *key = NULL;
    ERR_set_mark();
    PKCS8_PRIV_KEY_INFO *info = der_len == 0 || der_len > (1 << 16) ? NULL : d2i_PKCS8_PRIV_KEY_INFO(NULL, &cursor, (long)der_len);
    if (info != NULL && cursor == der + der_len) { key = EVP_PKCS82PKEY_ex(info, NULL, NULL); }
    PKCS8_PRIV_KEY_INFO_free(info);
    return deliver(out, key);
}

int cossl_oaep_key_import_public(cossl_oaep_key **out, const uint8_t *in, size_t in_len) {
    ERR_set_mark();
    return deliver(out, in_len == 0 || in_len > (1 << 16) ? NULL : cossl_public_pkey(in, in_len));
}

int cossl_private_document(uint8_t **out, size_t *out_len, EVP_PKEY *pkey) {
    *out = NULL;
    *out_len = 0;
    ERR_set_mark();
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(pkey);
    int length = info == NULL ? -1 : i2d_PKCS8_PRIV_KEY_INFO(info, out);
    PKCS8_PRIV_KEY_INFO_free(info);
    ERR_pop_to_mark();
    if (length <= 0) { return 0; }
    *out_len = (size_t)length;
    return 1;
}

int cossl_oaep_key_private_document(uint8_t **out, size_t *out_len, const cossl_oaep_key *key) {
    return cossl_private_document(out, out_len, (EVP_PKEY *)key);
}

void cossl_document_free(uint8_t *document, size_t document_len) { OPENSSL_clear_free(document, document_len); }

int cossl_oaep_key_public_pem(uint8_t *out, size_t *out_len, size_t max_out, const cossl_oaep_key *key) {
    int length = 0;
    ERR_set_mark();
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio != NULL && PEM_write_bio_PUBKEY(bio, key) == 1 && BIO_pending(bio) <= (long)max_out) {
        length = BIO_read(bio, out, (int)max_out);
    }
    BIO_free(bio);
    ERR_pop_to_mark();
    *out_len = length > 0 ? (size_t)length : 0;
    return length > 0;
}

static int set_oaep(EVP_PKEY_CTX *ctx, cossl_mask mask) {
    return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) == 1 && EVP_PKEY_CTX_set_rsa_oaep_md(ctx, EVP_sha256()) == 1 &&
           EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, mask == COSSL_MASK_SHA1 ? EVP_sha1() : EVP_sha256()) == 1;
}

int cossl_oaep_encrypt(uint8_t *out, size_t *out_len, const cossl_oaep_key *key, cossl_mask mask, const uint8_t *in, size_t in_len) {
    *out_len = COSSL_OAEP_MAX;
    ERR_set_mark();
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, (EVP_PKEY *)key, NULL);
    int ok = ctx != NULL && EVP_PKEY_encrypt_init(ctx) == 1 && set_oaep(ctx, mask) && EVP_PKEY_encrypt(ctx, out, out_len, in, in_len) == 1;
    EVP_PKEY_CTX_free(ctx);
    ERR_pop_to_mark();
    return ok;
}

int cossl_oaep_decrypt(uint8_t *out, size_t *out_len, const cossl_oaep_key *key, cossl_mask mask, const uint8_t *in, size_t in_len) {
    *out_len = COSSL_OAEP_MAX;
    if (in_len != (size_t)EVP_PKEY_get_size(key)) { return 0; }
    ERR_set_mark();
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, (EVP_PKEY *)key, NULL);
    int ok = ctx != NULL && EVP_PKEY_decrypt_init(ctx) == 1 && set_oaep(ctx, mask) && EVP_PKEY_decrypt(ctx, out, out_len, in, in_len) == 1;
    EVP_PKEY_CTX_free(ctx);
    ERR_pop_to_mark();
    return ok;
}
