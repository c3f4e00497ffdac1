#include "openssl.h"

#include <openssl/ecdsa.h>
#include <openssl/pem.h>
#include <string.h>

// EVP_DecodeBlock requires the standard alphabet with padding, and counts the padding's zero bytes.
static bool decode_base64url(unsigned char *bytes, size_t capacity, size_t *length, const char *text, size_t text_length) {
    char padded[700];
    size_t padding = (4 - text_length % 4) % 4;
    if (text_length + padding > sizeof padded || (text_length + padding) / 4 * 3 > capacity || padding == 3) { return false; }
    for (size_t i = 0; i < text_length; i++) { padded[i] = text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i]; }
    memset(padded + text_length, '=', padding);
    int decoded = EVP_DecodeBlock(bytes, (unsigned char *)padded, (int)(text_length + padding));
    if (decoded < 0) { return false; }
    *length = (size_t)decoded - padding;
    return true;
}

// Converts r||s (RFC 7518 section 3.4) to DER, in place.
static bool to_der(openssl_parts *parts) {
    size_t half = parts->signature_length / 2;
    ECDSA_SIG *signature = ECDSA_SIG_new();
    unsigned char *out = parts->signature;
    ECDSA_SIG_set0(signature, BN_bin2bn(out, (int)half, NULL), BN_bin2bn(out + half, (int)half, NULL));
    int length = i2d_ECDSA_SIG(signature, &out);
    ECDSA_SIG_free(signature);
    parts->signature_length = length < 0 ? 0 : (size_t)length;
    return length > 0;
}

bool openssl_split(openssl_parts *parts, const peer_token *token, bool is_ecdsa) {
    const char *dot = strrchr(token->text, '.');
    if (dot == NULL) { return false; }
    parts->signed_length = (size_t)(dot - token->text);
    size_t text_length = token->length - parts->signed_length - 1;
    if (!decode_base64url(parts->signature, sizeof parts->signature, &parts->signature_length, dot + 1, text_length)) { return false; }
    return !is_ecdsa || (parts->signature_length == 64 && to_der(parts));
}

EVP_PKEY *openssl_public_key(const peer_setting *setting) {
    BIO *pem = BIO_new_mem_buf(setting->key, (int)setting->key_length);
    EVP_PKEY *key = PEM_read_bio_PUBKEY(pem, NULL, NULL, NULL);
    BIO_free(pem);
    return key;
}
