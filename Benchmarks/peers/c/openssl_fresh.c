// libcrypto as its manual shows it: split, base64url, and a fresh EVP_DigestVerify for each token. Claims are not checked.

#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <string.h>

#include "openssl.h"

static const peer_setting *common;
static EVP_PKEY *key; // NULL under HS256
static const EVP_MD *digest; // NULL under EdDSA
static bool is_ecdsa;

const char *peer_lacks(const char *algorithm) {
    (void)algorithm;
    return NULL;
}

bool peer_prepare(const peer_setting *setting) {
    common = setting;
    is_ecdsa = strcmp(setting->algorithm, "ES256") == 0;
    digest = strcmp(setting->algorithm, "EdDSA") == 0 ? NULL : EVP_sha256();
    if (strcmp(setting->algorithm, "HS256") == 0) { return true; }
    key = openssl_public_key(setting);
    return key != NULL;
}

static bool mac_matches(const peer_token *token, const openssl_parts *parts) {
    unsigned char mac[EVP_MAX_MD_SIZE];
    unsigned length;
    HMAC(digest, common->key, (int)common->key_length, (const unsigned char *)token->text, parts->signed_length, mac, &length);
    return length == parts->signature_length && CRYPTO_memcmp(mac, parts->signature, length) == 0;
}

bool peer_accepts(peer_token *token) {
    openssl_parts parts;
    if (!openssl_split(&parts, token, is_ecdsa)) { return false; }
    if (key == NULL) { return mac_matches(token, &parts); }
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool valid = EVP_DigestVerifyInit(context, NULL, digest, NULL, key) == 1 &&
                 EVP_DigestVerify(context, parts.signature, parts.signature_length, (const unsigned char *)token->text,
                                  parts.signed_length) == 1;
    EVP_MD_CTX_free(context);
    return valid;
}
