// RSAES-OAEP (RFC 8017 section 7.1) with SHA-256 and an empty label. Within libcrypto, decryption blinds and checks the padding in constant
// time; this code does not inspect the reason for a failure.

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "internal.h"

/// Returns `key` if it is an RSA key of a supported size.
static int deliver(cossl_pkey **out, EVP_PKEY *key) {
    if (key != NULL && (!EVP_PKEY_is_a(key, "RSA") || EVP_PKEY_get_bits(key) < 2048 || EVP_PKEY_get_bits(key) > 8192)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    *out = key;
    cossl_end();
    return key != NULL;
}

void cossl_pkey_free(cossl_pkey *key) {
    cossl_enter();
    EVP_PKEY_free(key);
    cossl_leave();
}

int cossl_oaep_key_generate(cossl_pkey **out, unsigned bits) {
    cossl_begin();
    return deliver(out, bits >= 2048 && bits <= 8192 ? EVP_RSA_gen(bits) : NULL);
}

EVP_PKEY *cossl_private_pkey(const uint8_t *der, size_t der_len, size_t max_len) {
    const uint8_t *cursor = der;
    EVP_PKEY *key = NULL;
    PKCS8_PRIV_KEY_INFO *info = der_len == 0 || der_len > max_len ? NULL : d2i_PKCS8_PRIV_KEY_INFO(NULL, &cursor, (long)der_len);
    if (info != NULL && cursor == der + der_len) { key = EVP_PKCS82PKEY_ex(info, NULL, NULL); }
    PKCS8_PRIV_KEY_INFO_free(info);
    return key;
}

int cossl_oaep_key_import_private(cossl_pkey **out, const uint8_t *der, size_t der_len) {
    cossl_begin();
    return deliver(out, cossl_private_pkey(der, der_len, 1 << 16));
}

int cossl_oaep_key_import_public(cossl_pkey **out, const uint8_t *in, size_t in_len) {
    cossl_begin();
    return deliver(out, in_len == 0 || in_len > (1 << 16) ? NULL : cossl_public_pkey(in, in_len));
}

int cossl_pkey_private_document(uint8_t **out, size_t *out_len, const cossl_pkey *key) {
    *out = NULL;
    *out_len = 0;
    cossl_begin();
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
    int length = info == NULL ? -1 : i2d_PKCS8_PRIV_KEY_INFO(info, out);
    PKCS8_PRIV_KEY_INFO_free(info);
    cossl_end();
    if (length <= 0) { return 0; }
    *out_len = (size_t)length;
    return 1;
}

void cossl_document_free(uint8_t *document, size_t document_len) { OPENSSL_clear_free(document, document_len); }

int cossl_oaep_key_public_pem(uint8_t *out, size_t *out_len, size_t max_out, const cossl_pkey *key) {
    int length = 0;
    cossl_begin();
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio != NULL && PEM_write_bio_PUBKEY(bio, key) == 1 && BIO_pending(bio) <= (long)max_out) {
        length = BIO_read(bio, out, (int)max_out);
    }
    BIO_free(bio);
    cossl_end();
    *out_len = length > 0 ? (size_t)length : 0;
    return length > 0;
}

static int set_oaep(EVP_PKEY_CTX *ctx, cossl_mask mask) {
    return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) == 1 && EVP_PKEY_CTX_set_rsa_oaep_md(ctx, EVP_sha256()) == 1 &&
           EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, mask == COSSL_MASK_SHA1 ? EVP_sha1() : EVP_sha256()) == 1;
}

typedef int oaep_operation(EVP_PKEY_CTX *ctx, unsigned char *out, size_t *out_len, const unsigned char *in, size_t in_len);

static int run(uint8_t *out, size_t *out_len, const cossl_pkey *key, cossl_mask mask, const uint8_t *in, size_t in_len,
               int (*begin)(EVP_PKEY_CTX *ctx), oaep_operation *operation) {
    *out_len = COSSL_OAEP_MAX;
    cossl_begin();
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, (EVP_PKEY *)key, NULL);
    int ok = ctx != NULL && begin(ctx) == 1 && set_oaep(ctx, mask) && operation(ctx, out, out_len, in, in_len) == 1;
    EVP_PKEY_CTX_free(ctx);
    cossl_end();
    return ok;
}

int cossl_oaep_encrypt(uint8_t *out, size_t *out_len, const cossl_pkey *key, cossl_mask mask, const uint8_t *in, size_t in_len) {
    return run(out, out_len, key, mask, in, in_len, EVP_PKEY_encrypt_init, EVP_PKEY_encrypt);
}

int cossl_oaep_decrypt(uint8_t *out, size_t *out_len, const cossl_pkey *key, cossl_mask mask, const uint8_t *in, size_t in_len) {
    *out_len = COSSL_OAEP_MAX;
    return in_len == (size_t)EVP_PKEY_get_size(key) && run(out, out_len, key, mask, in, in_len, EVP_PKEY_decrypt_init, EVP_PKEY_decrypt);
}
