// The operation that `openssl speed` measures, for a ratio within one run: a single verification over a prepared context.

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "internal.h"

struct cossl_raw {
    EVP_PKEY *pkey;  // NULL for HMAC
    cossl_prepared prepared;
};

void cossl_raw_free(cossl_raw *raw) {
    if (raw == NULL) { return; }
    cossl_enter();
    cossl_discard(&raw->prepared);
    EVP_PKEY_free(raw->pkey);
    OPENSSL_free(raw);
    cossl_leave();
}

static int prepare_raw(cossl_raw *raw, const cossl_key *key, cossl_scheme scheme, cossl_digest digest) {
    if (scheme != COSSL_SCHEME_HMAC) {
        if (EVP_PKEY_up_ref(key->pkey) != 1) { return 0; }
        raw->pkey = key->pkey;
    }
    return cossl_prepare(&raw->prepared, key, scheme, digest);
}

int cossl_raw_new(cossl_raw **out, const cossl_key *key, cossl_scheme scheme, cossl_digest digest) {
    cossl_begin();
    *out = cossl_scheme_fits(key, scheme) ? OPENSSL_zalloc(sizeof **out) : NULL;
    int ok = *out != NULL && prepare_raw(*out, key, scheme, digest);
    if (!ok) {
        cossl_raw_free(*out);
        *out = NULL;
    }
    cossl_end();
    return ok;
}

int cossl_raw_verify(cossl_raw *raw, const uint8_t *sig, size_t sig_len, const uint8_t *tbs, size_t tbs_len) {
    if (raw->prepared.mac_ctx != NULL) {
        uint8_t tag[EVP_MAX_MD_SIZE];
        size_t tag_len = 0;
        return EVP_MAC_init(raw->prepared.mac_ctx, NULL, 0, NULL) == 1 && EVP_MAC_update(raw->prepared.mac_ctx, tbs, tbs_len) == 1 &&
               EVP_MAC_final(raw->prepared.mac_ctx, tag, &tag_len, sizeof tag) == 1 && tag_len == sig_len &&
               CRYPTO_memcmp(tag, sig, tag_len) == 0;
    }
    if (raw->prepared.md_ctx != NULL) { return cossl_digest_verify(raw->prepared.md_ctx, raw->pkey, tbs, tbs_len, sig, sig_len); }
    return EVP_PKEY_verify(raw->prepared.pkey_ctx, sig, sig_len, tbs, tbs_len) == 1;
}
