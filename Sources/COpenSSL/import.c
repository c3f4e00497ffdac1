// Reads public keys from PEM and DER into their components. The caller then builds the key as from a JWK, under the same rules.

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <string.h>

#include "internal.h"

void cossl_components_free(cossl_components *components) {
    OPENSSL_free(components->first);
    OPENSSL_free(components->second);
    *components = (cossl_components){0};
}

static int take_bignum(uint8_t **out, size_t *out_len, EVP_PKEY *pkey, const char *name, size_t width) {
    BIGNUM *number = NULL;
    if (EVP_PKEY_get_bn_param(pkey, name, &number) != 1) { return 0; }
    *out_len = width != 0 ? width : (size_t)BN_num_bytes(number);
    *out = OPENSSL_malloc(*out_len + 1);
    int ok = *out != NULL && BN_bn2binpad(number, *out, (int)*out_len) >= 0;
    BN_free(number);
    return ok;
}

static int take_raw(cossl_components *out, EVP_PKEY *pkey) {
    if (EVP_PKEY_get_raw_public_key(pkey, NULL, &out->first_len) != 1) { return 0; }
    out->first = OPENSSL_malloc(out->first_len + 1);
    return out->first != NULL && EVP_PKEY_get_raw_public_key(pkey, out->first, &out->first_len) == 1;
}

static cossl_group group_of_curve(EVP_PKEY *pkey) {
    char name[64];
    return EVP_PKEY_get_group_name(pkey, name, sizeof name, NULL) == 1 ? cossl_curve_named(name) : COSSL_GROUP_NONE;
}

static int take_ec(cossl_components *out, EVP_PKEY *pkey) {
    out->kind = COSSL_KIND_EC;
    out->group = group_of_curve(pkey);
    size_t width = cossl_coordinate_length(out->group);
    return width != 0 && take_bignum(&out->first, &out->first_len, pkey, OSSL_PKEY_PARAM_EC_PUB_X, width) &&
           take_bignum(&out->second, &out->second_len, pkey, OSSL_PKEY_PARAM_EC_PUB_Y, width);
}

int cossl_components_of(cossl_components *out, EVP_PKEY *pkey) {
    if (EVP_PKEY_is_a(pkey, "RSA")) {
        out->kind = COSSL_KIND_RSA;
        return take_bignum(&out->first, &out->first_len, pkey, OSSL_PKEY_PARAM_RSA_N, 0) &&
               take_bignum(&out->second, &out->second_len, pkey, OSSL_PKEY_PARAM_RSA_E, 0);
    }
    if (EVP_PKEY_is_a(pkey, "EC")) { return take_ec(out, pkey); }
    for (int g = COSSL_GROUP_ED25519; g <= COSSL_GROUP_MLDSA87; g++) {
        if (!EVP_PKEY_is_a(pkey, cossl_group_name((cossl_group)g))) { continue; }
        out->kind = g <= COSSL_GROUP_ED448 ? COSSL_KIND_OKP : COSSL_KIND_AKP;
        out->group = (cossl_group)g;
        return take_raw(out, pkey);
    }
    return 0;
}

static X509 *certificate_of(const uint8_t *der, size_t der_len) {
    const uint8_t *cursor = der;
    X509 *certificate = d2i_X509(NULL, &cursor, (long)der_len);
    if (cursor == der + der_len) { return certificate; }
    X509_free(certificate);
    return NULL;
}

static EVP_PKEY *pkey_of_certificate(const uint8_t *der, size_t der_len) {
    X509 *certificate = certificate_of(der, der_len);
    EVP_PKEY *pkey = certificate == NULL ? NULL : X509_get_pubkey(certificate);
    X509_free(certificate);
    return pkey;
}

/// The key, where the document ends with it.
static EVP_PKEY *whole(EVP_PKEY *pkey, const uint8_t *cursor, const uint8_t *end) {
    if (cursor == end) { return pkey; }
    EVP_PKEY_free(pkey);
    return NULL;
}

static EVP_PKEY *pkey_of_spki(const uint8_t *der, size_t der_len) {
    const uint8_t *cursor = der;
    EVP_PKEY *pkey = d2i_PUBKEY_ex(NULL, &cursor, (long)der_len, NULL, NULL);
    return whole(pkey, cursor, der + der_len);
}

static EVP_PKEY *pkey_of_pkcs1(const uint8_t *der, size_t der_len) {
    const uint8_t *cursor = der;
    EVP_PKEY *pkey = d2i_PublicKey(EVP_PKEY_RSA, NULL, &cursor, (long)der_len);
    return whole(pkey, cursor, der + der_len);
}

typedef struct block {
    char *label, *header;
    uint8_t *der;
    long der_len;
} block;

static int read_block(block *out, BIO *text) {
    *out = (block){0};
    return PEM_read_bio(text, &out->label, &out->header, &out->der, &out->der_len) == 1;
}

static void block_free(block *block) {
    OPENSSL_free(block->label);
    OPENSSL_free(block->header);
    OPENSSL_free(block->der);
}

static int is_called(const block *block, const char *label) { return strcmp(block->label, label) == 0; }

static EVP_PKEY *pkey_of_block(const block *block) {
    size_t der_len = (size_t)block->der_len;
    if (is_called(block, PEM_STRING_PUBLIC)) { return pkey_of_spki(block->der, der_len); }
    if (is_called(block, PEM_STRING_RSA_PUBLIC)) { return pkey_of_pkcs1(block->der, der_len); }
    return is_called(block, PEM_STRING_X509) ? pkey_of_certificate(block->der, der_len) : NULL;
}

static X509 *certificate_of_block(const block *block) {
    return is_called(block, PEM_STRING_X509) ? certificate_of(block->der, (size_t)block->der_len) : NULL;
}

/// The certificate of the next block, if the certificate `issued` is signed with its key.
static X509 *next_issuer(BIO *text, X509 *issued) {
    block next;
    X509 *issuer = read_block(&next, text) ? certificate_of_block(&next) : NULL;
    block_free(&next);
    if (issuer != NULL && X509_verify(issued, X509_get0_pubkey(issuer)) == 1) { return issuer; }
    X509_free(issuer);
    return NULL;
}

/// Whether the next blocks of the text are the issuers of the first one, in the order of RFC 8446 section 4.4.2.
static int have_issued(const block *first, BIO *text, size_t issuers) {
    X509 *certificate = certificate_of_block(first);
    for (; certificate != NULL && issuers > 0; issuers--) {
        X509 *issuer = next_issuer(text, certificate);
        X509_free(certificate);
        certificate = issuer;
    }
    int are_all = certificate != NULL;
    X509_free(certificate);
    return are_all;
}

/// The key of a text with one block, or of the first certificate in a chain. Of other blocks, each reader would take another one.
static EVP_PKEY *pkey_of_pem(const uint8_t *in, size_t in_len) {
    size_t blocks = cossl_count_pem_blocks(in, in_len).all;
    BIO *text = blocks == 0 || blocks > COSSL_CHAIN_MAX ? NULL : BIO_new_mem_buf(in, (int)in_len);
    EVP_PKEY *pkey = NULL;
    block first = {0};
    if (text != NULL && read_block(&first, text) && (blocks == 1 || have_issued(&first, text, blocks - 1))) {
        pkey = pkey_of_block(&first);
    }
    block_free(&first);
    BIO_free(text);
    return pkey;
}

EVP_PKEY *cossl_public_pkey(const uint8_t *in, size_t in_len) {
    typedef EVP_PKEY *reader(const uint8_t *in, size_t in_len);
    static reader *const readers[] = {pkey_of_spki, pkey_of_certificate, pkey_of_pkcs1};
    if (!cossl_is_sequence(in, in_len)) { return pkey_of_pem(in, in_len); }
    EVP_PKEY *pkey = NULL;
    for (size_t i = 0; pkey == NULL && i < sizeof readers / sizeof *readers; i++) {
        // The queue keeps sixteen errors and forgets older ones, so each form leaves its own behind.
        cossl_begin();
        pkey = readers[i](in, in_len);
        cossl_end();
    }
    return pkey;
}

int cossl_is_certificate(const uint8_t *der, size_t der_len) {
    if (der_len == 0 || der_len > (1 << 20)) { return 0; }
    cossl_begin();
    const uint8_t *cursor = der;
    X509 *certificate = d2i_X509(NULL, &cursor, (long)der_len);
    unsigned char *written = NULL;
    int ok = certificate != NULL && cursor == der + der_len;
    // libcrypto also reads BER, such as an object of indefinite length, and writes DER.
    ok = ok && i2d_X509(certificate, &written) == (int)der_len && memcmp(written, der, der_len) == 0;
    OPENSSL_free(written);
    X509_free(certificate);
    cossl_end();
    return ok;
}

int cossl_import_public_key(cossl_components *out, const uint8_t *in, size_t in_len) {
    *out = (cossl_components){0};
    if (in_len == 0 || in_len > (1 << 20)) { return 0; }
    cossl_begin();
    EVP_PKEY *pkey = cossl_public_pkey(in, in_len);
    int ok = pkey != NULL && cossl_components_of(out, pkey);
    if (!ok) { cossl_components_free(out); }
    EVP_PKEY_free(pkey);
    cossl_end();
    return ok;
}
