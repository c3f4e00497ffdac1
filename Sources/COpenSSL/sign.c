// Signing, only for JWTSigning: reference server, tests, vectors and measurements. Not used to verify tokens.

#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <string.h>

#include "internal.h"

struct cossl_signing_key {
    EVP_PKEY *pkey;
    uint8_t *secret;
    size_t secret_len;
};

void cossl_signing_key_free(cossl_signing_key *key) {
    if (key == NULL) { return; }
    cossl_enter();
    EVP_PKEY_free(key->pkey);
    OPENSSL_clear_free(key->secret, key->secret_len);
    OPENSSL_free(key);
    cossl_leave();
}

static int deliver(cossl_signing_key **out, EVP_PKEY *pkey) {
    *out = pkey == NULL ? NULL : OPENSSL_zalloc(sizeof **out);
    if (*out == NULL) {
        EVP_PKEY_free(pkey);
        return 0;
    }
    (*out)->pkey = pkey;
    return 1;
}

int cossl_signing_key_generate(cossl_signing_key **out, cossl_kind kind, cossl_group group, unsigned bits) {
    EVP_PKEY *pkey = NULL;
    cossl_begin();
    if (kind == COSSL_KIND_RSA) { pkey = EVP_RSA_gen(bits); }
    if (kind == COSSL_KIND_EC) { pkey = EVP_EC_gen(cossl_group_name(group)); }
    if (kind == COSSL_KIND_OKP || kind == COSSL_KIND_AKP) { pkey = EVP_PKEY_Q_keygen(NULL, NULL, cossl_group_name(group)); }
    int ok = deliver(out, pkey);
    cossl_end();
    return ok;
}

int cossl_signing_key_import(cossl_signing_key **out, const uint8_t *in, size_t in_len) {
    *out = NULL;
    if (in_len == 0 || in_len > (1 << 20)) { return 0; }
    cossl_begin();
    int ok = deliver(out, cossl_private_document_pkey(in, in_len));
    cossl_end();
    return ok;
}

int cossl_signing_key_from_secret(cossl_signing_key **out, const uint8_t *secret, size_t secret_len) {
    *out = secret_len == 0 ? NULL : OPENSSL_zalloc(sizeof **out);
    if (*out == NULL) { return 0; }
    (*out)->secret = OPENSSL_memdup(secret, secret_len);
    (*out)->secret_len = secret_len;
    if ((*out)->secret != NULL) { return 1; }
    cossl_signing_key_free(*out);
    *out = NULL;
    return 0;
}

int cossl_signing_key_public(cossl_components *out, const cossl_signing_key *key) {
    *out = (cossl_components){0};
    if (key->pkey == NULL) { return 0; }
    cossl_begin();
    int ok = cossl_components_of(out, key->pkey);
    if (!ok) { cossl_components_free(out); }
    cossl_end();
    return ok;
}

int cossl_signing_key_document(uint8_t **out, size_t *out_len, const cossl_signing_key *key) {
    *out = NULL;
    *out_len = 0;
    return key->pkey != NULL && cossl_pkey_private_document(out, out_len, key->pkey);
}

static int hmac_sign(uint8_t *out, size_t *out_len, size_t max_out, const cossl_signing_key *key, cossl_digest digest,
                     const uint8_t *msg, size_t msg_len) {
    const cossl_key secret = {.kind = COSSL_KIND_OCT, .secret = key->secret, .secret_len = key->secret_len};
    EVP_MAC_CTX *ctx = cossl_prepare_mac_context(&secret, digest);
    int ok = ctx != NULL && EVP_MAC_update(ctx, msg, msg_len) == 1 && EVP_MAC_final(ctx, out, out_len, max_out) == 1;
    EVP_MAC_CTX_free(ctx);
    return ok;
}

/// Converts DER to r||s, each padded to the coordinate length.
static int der_to_fixed(uint8_t *out, size_t *out_len, size_t max_out, size_t coordinate, const uint8_t *der, size_t der_len) {
    ECDSA_SIG *parsed = d2i_ECDSA_SIG(NULL, &der, (long)der_len);
    int ok = parsed != NULL && max_out >= 2 * coordinate && BN_bn2binpad(ECDSA_SIG_get0_r(parsed), out, (int)coordinate) >= 0 &&
             BN_bn2binpad(ECDSA_SIG_get0_s(parsed), out + coordinate, (int)coordinate) >= 0;
    *out_len = 2 * coordinate;
    ECDSA_SIG_free(parsed);
    return ok;
}

static int evp_sign(uint8_t *out, size_t *out_len, size_t max_out, EVP_PKEY *pkey, cossl_scheme scheme, cossl_digest digest,
                    const uint8_t *msg, size_t msg_len) {
    EVP_PKEY_CTX *ctx = NULL;
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    const char *name = scheme == COSSL_SCHEME_EDDSA || scheme == COSSL_SCHEME_MLDSA ? NULL : cossl_digest_name(digest);
    int ok = md != NULL && EVP_DigestSignInit_ex(md, &ctx, name, NULL, NULL, pkey, NULL) == 1;
    if (ok && scheme == COSSL_SCHEME_RSA_PSS) {
        ok = EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
             EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1;
    }
    *out_len = max_out;
    ok = ok && EVP_DigestSign(md, out, out_len, msg, msg_len) == 1;
    EVP_MD_CTX_free(md);
    return ok;
}

static int ecdsa_sign(uint8_t *out, size_t *out_len, size_t max_out, EVP_PKEY *pkey, cossl_digest digest, const uint8_t *msg,
                      size_t msg_len) {
    uint8_t der[160];
    size_t der_len = 0;
    size_t coordinate = (size_t)(EVP_PKEY_get_bits(pkey) + 7) / 8;
    return evp_sign(der, &der_len, sizeof der, pkey, COSSL_SCHEME_ECDSA, digest, msg, msg_len) &&
           der_to_fixed(out, out_len, max_out, coordinate, der, der_len);
}

int cossl_sign(uint8_t *out, size_t *out_len, size_t max_out, const cossl_signing_key *key, cossl_scheme scheme,
               cossl_digest digest, const uint8_t *msg, size_t msg_len) {
    int ok;
    if ((scheme == COSSL_SCHEME_HMAC) != (key->secret != NULL)) { return 0; }
    cossl_begin();
    if (scheme == COSSL_SCHEME_HMAC) {
        ok = hmac_sign(out, out_len, max_out, key, digest, msg, msg_len);
    } else if (scheme == COSSL_SCHEME_ECDSA) {
        ok = EVP_PKEY_is_a(key->pkey, "EC") && ecdsa_sign(out, out_len, max_out, key->pkey, digest, msg, msg_len);
    } else {
        ok = evp_sign(out, out_len, max_out, key->pkey, scheme, digest, msg, msg_len);
    }
    cossl_end();
    return ok;
}
