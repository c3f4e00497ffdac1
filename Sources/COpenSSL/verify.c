// Verification: each key takes libcrypto's shortest path, and the reference path can give every verdict as well.

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <string.h>

#include "internal.h"

int cossl_scheme_fits(const cossl_key *key, cossl_scheme scheme) {
    switch (scheme) {
        case COSSL_SCHEME_RSA_PKCS1:
        case COSSL_SCHEME_RSA_PSS: return key->kind == COSSL_KIND_RSA;
        case COSSL_SCHEME_ECDSA: return key->kind == COSSL_KIND_EC;
        case COSSL_SCHEME_EDDSA: return key->kind == COSSL_KIND_OKP;
        case COSSL_SCHEME_HMAC: return key->kind == COSSL_KIND_OCT;
        case COSSL_SCHEME_MLDSA: return key->kind == COSSL_KIND_AKP;
    }
    return 0;
}

static int mac_matches(EVP_MAC_CTX *ctx, cossl_digest digest, const uint8_t *msg, size_t msg_len, const uint8_t *sig, size_t sig_len) {
    uint8_t tag[EVP_MAX_MD_SIZE];
    size_t tag_len = 0, expected_len = cossl_digest_length(digest);
    int ok = sig_len == expected_len && EVP_MAC_init(ctx, NULL, 0, NULL) == 1 && EVP_MAC_update(ctx, msg, msg_len) == 1 &&
             EVP_MAC_final(ctx, tag, &tag_len, sizeof tag) == 1 && tag_len == expected_len &&
             CRYPTO_memcmp(tag, sig, expected_len) == 0;
    OPENSSL_cleanse(tag, sizeof tag);
    return ok;
}

int cossl_digest_verify(EVP_MD_CTX *ctx, EVP_PKEY *pkey, const uint8_t *msg, size_t msg_len, const uint8_t *sig, size_t sig_len) {
    // From 3.4 on, the first use of a context finishes it and it must be initialised again; 3.0 to 3.3 may repeat this at no cost.
    if (OPENSSL_version_major() > 3 || OPENSSL_version_minor() >= 4) {
        if (EVP_DigestVerifyInit_ex(ctx, NULL, NULL, NULL, NULL, pkey, NULL) != 1) { return 0; }
    }
    return EVP_DigestVerify(ctx, sig, sig_len, msg, msg_len) == 1;
}

static int ecdsa_verify_der(EVP_PKEY_CTX *ctx, const cossl_key *key, const uint8_t *hash, size_t hash_len, const uint8_t *sig, size_t sig_len) {
    uint8_t der[144];
    size_t der_len = 0;
    if (sig_len != 2 * cossl_coordinate_length(key->group) || !cossl_ecdsa_to_der(der, &der_len, sig, sig_len)) { return 0; }
    return EVP_PKEY_verify(ctx, der, der_len, hash, hash_len) == 1;
}

typedef int digest_function(uint8_t *out, cossl_digest digest, const uint8_t *in, size_t in_len);

static int verify_prepared(const cossl_prepared *p, const cossl_key *key, digest_function *digest_bytes, const uint8_t *msg, size_t msg_len,
                           const uint8_t *sig, size_t sig_len) {
    uint8_t hash[COSSL_DIGEST_MAX];
    size_t hash_len = cossl_digest_length(p->digest);
    if (p->mac_ctx != NULL) { return mac_matches(p->mac_ctx, p->digest, msg, msg_len, sig, sig_len); }
    if (p->md_ctx != NULL) { return cossl_digest_verify(p->md_ctx, key->pkey, msg, msg_len, sig, sig_len); }
    if (!digest_bytes(hash, p->digest, msg, msg_len)) { return 0; }
    if (p->scheme == COSSL_SCHEME_ECDSA) { return ecdsa_verify_der(p->pkey_ctx, key, hash, hash_len, sig, sig_len); }
    return sig_len == key->modulus_len && EVP_PKEY_verify(p->pkey_ctx, sig, sig_len, hash, hash_len) == 1;
}

int cossl_verify_reference(const cossl_key *key, cossl_scheme scheme, cossl_digest digest, const uint8_t *msg, size_t msg_len,
                           const uint8_t *sig, size_t sig_len) {
    cossl_prepared p = {.scheme = scheme, .digest = digest};
    if (!cossl_scheme_fits(key, scheme)) { return 0; }
    cossl_begin();
    // libcrypto's answers and its error queue do not always tell a failed allocation from a wrong signature; malloc always tells it here.
    errno = 0;
    int ok = cossl_prepare(&p, key, scheme, digest) && verify_prepared(&p, key, cossl_digest_bytes_evp, msg, msg_len, sig, sig_len);
    int lacked_memory = !ok && errno == ENOMEM;
    cossl_discard(&p);
    cossl_end();
    return lacked_memory ? -1 : ok;
}

/// The paths that need no context per thread and key. Returns one if the key takes one of them; then *verdict is set.
static int verify_directly(int *verdict, cossl_thread *thread, const cossl_key *key, cossl_scheme scheme, cossl_digest digest,
                           const uint8_t *msg, size_t msg_len, const uint8_t *sig, size_t sig_len) {
    uint8_t hash[COSSL_DIGEST_MAX];
    *verdict = 0;
    if (scheme == COSSL_SCHEME_HMAC && key->hmac != NULL) {
        *verdict = cossl_hmac_verify(key->hmac, digest, msg, msg_len, sig, sig_len);
    } else if (cossl_rsa_is_direct(key, scheme)) {
        *verdict = cossl_digest_bytes(hash, digest, msg, msg_len) &&
                   cossl_rsa_verify(key, scheme, digest, hash, sig, sig_len, thread->bn_ctx, thread->base, thread->power);
    } else if (scheme == COSSL_SCHEME_ECDSA && key->ec_key != NULL) {
        *verdict = cossl_digest_bytes(hash, digest, msg, msg_len) &&
                   cossl_ecdsa_verify(key, thread->ecdsa, hash, cossl_digest_length(digest), sig, sig_len);
    } else {
        return 0;
    }
    return 1;
}

int cossl_verify(const cossl_key *key, cossl_scheme scheme, cossl_digest digest, const uint8_t *msg, size_t msg_len,
                 const uint8_t *sig, size_t sig_len) {
    int verdict = 0;
    if (!cossl_scheme_fits(key, scheme)) { return 0; }
    cossl_thread *thread = cossl_this_thread();
    if (thread == NULL) { return 0; }
    if (verify_directly(&verdict, thread, key, scheme, digest, msg, msg_len, sig, sig_len)) { return verdict; }
    cossl_begin();
    const cossl_prepared *p = cossl_find_prepared(thread, key, scheme, digest);
    if (p != NULL) { verdict = verify_prepared(p, key, cossl_digest_bytes, msg, msg_len, sig, sig_len); }
    cossl_end();
    return verdict;
}
