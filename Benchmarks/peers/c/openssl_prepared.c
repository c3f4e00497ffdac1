// The reference: libcrypto's bare operation over a prepared context, as `openssl speed` times it. Split, base64url, and the hash under
// RS256 and ES256 are done beforehand, once per token; claims are not checked.

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <string.h>
#include <stdlib.h>

#include "openssl.h"

typedef struct {
    openssl_parts parts;
    unsigned char digest[SHA256_DIGEST_LENGTH];
} ready_token;

static bool is_ecdsa, is_rsa, is_hmac;
static EVP_PKEY_CTX *key_context;
static EVP_MD_CTX *message_context;
static EVP_MAC_CTX *mac_context;

const char *peer_lacks(const char *algorithm) {
    (void)algorithm;
    return NULL;
}

static bool prepare_mac(const peer_setting *setting) {
    char sha256[] = "SHA256";
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, sha256, 0), OSSL_PARAM_construct_end()};
    mac_context = EVP_MAC_CTX_new(EVP_MAC_fetch(NULL, "HMAC", NULL));
    return EVP_MAC_init(mac_context, (const unsigned char *)setting->key, setting->key_length, parameters) == 1;
}

bool peer_prepare(const peer_setting *setting) {
    is_ecdsa = strcmp(setting->algorithm, "ES256") == 0;
    is_rsa = strcmp(setting->algorithm, "RS256") == 0;
    is_hmac = strcmp(setting->algorithm, "HS256") == 0;
    if (is_hmac) { return prepare_mac(setting); }
    EVP_PKEY *key = openssl_public_key(setting);
    if (key == NULL) { return false; }
    if (!is_rsa && !is_ecdsa) {
        message_context = EVP_MD_CTX_new();
        return EVP_DigestVerifyInit(message_context, NULL, NULL, NULL, key) == 1;
    }
    key_context = EVP_PKEY_CTX_new(key, NULL);
    return EVP_PKEY_verify_init(key_context) == 1 && EVP_PKEY_CTX_set_signature_md(key_context, EVP_sha256()) == 1 &&
           (!is_rsa || EVP_PKEY_CTX_set_rsa_padding(key_context, RSA_PKCS1_PADDING) == 1);
}

static bool prepare_token(peer_token *token) {
    ready_token *ready = malloc(sizeof *ready);
    if (ready == NULL || !openssl_split(&ready->parts, token, is_ecdsa)) { return false; }
    SHA256((const unsigned char *)token->text, ready->parts.signed_length, ready->digest);
    token->prepared = ready;
    return true;
}

static bool mac_matches(const peer_token *token, const openssl_parts *parts) {
    unsigned char mac[EVP_MAX_MD_SIZE];
    size_t length;
    return EVP_MAC_init(mac_context, NULL, 0, NULL) == 1 &&
           EVP_MAC_update(mac_context, (const unsigned char *)token->text, parts->signed_length) == 1 &&
           EVP_MAC_final(mac_context, mac, &length, sizeof mac) == 1 && length == parts->signature_length &&
           CRYPTO_memcmp(mac, parts->signature, length) == 0;
}

bool peer_accepts(peer_token *token) {
    if (token->prepared == NULL && !prepare_token(token)) { return false; }
    const ready_token *ready = token->prepared;
    const openssl_parts *parts = &ready->parts;
    if (is_hmac) { return mac_matches(token, parts); }
    if (is_rsa || is_ecdsa) {
        return EVP_PKEY_verify(key_context, parts->signature, parts->signature_length, ready->digest, sizeof ready->digest) == 1;
    }
    return EVP_DigestVerify(message_context, parts->signature, parts->signature_length, (const unsigned char *)token->text,
                            parts->signed_length) == 1;
}
