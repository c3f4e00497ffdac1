// Digests over libcrypto's SHA-2 state functions. They take no lock and allocate nothing; an EVP digest in OpenSSL 3.0 frees and allocates
// its state on every init. These functions are deprecated for new designs, but not scheduled for removal. A libcrypto built without them
// (no-deprecated) takes the EVP path below.

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "internal.h"

static const struct {
    const char *name;
    size_t length;
} digests[] = {
    [COSSL_DIGEST_NONE] = {NULL, 0},
    [COSSL_DIGEST_SHA256] = {"SHA256", 32},
    [COSSL_DIGEST_SHA384] = {"SHA384", 48},
    [COSSL_DIGEST_SHA512] = {"SHA512", 64},
    [COSSL_DIGEST_SHAKE256_114] = {"SHAKE256", 114},
};

size_t cossl_digest_length(cossl_digest digest) { return digests[digest].length; }

const char *cossl_digest_name(cossl_digest digest) { return digests[digest].name; }

int cossl_digest_bytes_evp(uint8_t *out, cossl_digest digest, const uint8_t *in, size_t in_len) {
    cossl_begin();
    const EVP_MD *md = cossl_evp_digest(digest);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    int ok = ctx != NULL && md != NULL && EVP_DigestInit_ex2(ctx, md, NULL) == 1 && EVP_DigestUpdate(ctx, in, in_len) == 1;
    if (ok && digest == COSSL_DIGEST_SHAKE256_114) {
        ok = EVP_DigestFinalXOF(ctx, out, cossl_digest_length(digest)) == 1;
    } else if (ok) {
        ok = EVP_DigestFinal_ex(ctx, out, NULL) == 1;
    }
    EVP_MD_CTX_free(ctx);
    cossl_end();
    return ok;
}

int cossl_hmac_bytes(uint8_t *out, cossl_digest digest, const uint8_t *secret, size_t secret_len, const uint8_t *in, size_t in_len) {
    const char *name = cossl_digest_name(digest);
    size_t length = 0;
    cossl_begin();
    int ok = name != NULL && EVP_Q_mac(NULL, "HMAC", NULL, name, NULL, secret, secret_len, in, in_len, out, cossl_digest_length(digest),
                                       &length) != NULL;
    cossl_end();
    return ok && length == cossl_digest_length(digest);
}

#ifndef OPENSSL_NO_DEPRECATED_3_0

int cossl_digest_pieces(uint8_t *out, cossl_digest digest, const uint8_t *first, size_t first_len, const uint8_t *second,
                        size_t second_len) {
    SHA256_CTX sha256;
    SHA512_CTX sha512;
    switch (digest) {
        case COSSL_DIGEST_SHA256:
            return SHA256_Init(&sha256) && SHA256_Update(&sha256, first, first_len) && SHA256_Update(&sha256, second, second_len) &&
                   SHA256_Final(out, &sha256);
        case COSSL_DIGEST_SHA384:
            return SHA384_Init(&sha512) && SHA384_Update(&sha512, first, first_len) && SHA384_Update(&sha512, second, second_len) &&
                   SHA384_Final(out, &sha512);
        case COSSL_DIGEST_SHA512:
            return SHA512_Init(&sha512) && SHA512_Update(&sha512, first, first_len) && SHA512_Update(&sha512, second, second_len) &&
                   SHA512_Final(out, &sha512);
        default: return 0;
    }
}

int cossl_digest_secret(uint8_t out[32], const uint8_t *secret, size_t secret_len, const uint8_t *rest, size_t rest_len) {
    SHA256_CTX sha256;
    int ok = SHA256_Init(&sha256) && SHA256_Update(&sha256, secret, secret_len) && SHA256_Update(&sha256, rest, rest_len) &&
             SHA256_Final(out, &sha256);
    // The digest stands in the state.
    OPENSSL_cleanse(&sha256, sizeof sha256);
    return ok;
}

int cossl_digest_bytes(uint8_t *out, cossl_digest digest, const uint8_t *in, size_t in_len) {
    if (digest == COSSL_DIGEST_SHAKE256_114) { return cossl_digest_bytes_evp(out, digest, in, in_len); }
    return cossl_digest_pieces(out, digest, in, in_len, NULL, 0);
}

#else

int cossl_digest_pieces(uint8_t *out, cossl_digest digest, const uint8_t *first, size_t first_len, const uint8_t *second,
                        size_t second_len) {
    const EVP_MD *md = cossl_evp_digest(digest);
    if (digest < COSSL_DIGEST_SHA256 || digest > COSSL_DIGEST_SHA512) { return 0; }
    cossl_begin();
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    int ok = ctx != NULL && md != NULL && EVP_DigestInit_ex2(ctx, md, NULL) == 1 && EVP_DigestUpdate(ctx, first, first_len) == 1 &&
             EVP_DigestUpdate(ctx, second, second_len) == 1 && EVP_DigestFinal_ex(ctx, out, NULL) == 1;
    EVP_MD_CTX_free(ctx);
    cossl_end();
    return ok;
}

/// libcrypto wipes the state of a context that it frees.
int cossl_digest_secret(uint8_t out[32], const uint8_t *secret, size_t secret_len, const uint8_t *rest, size_t rest_len) {
    return cossl_digest_pieces(out, COSSL_DIGEST_SHA256, secret, secret_len, rest, rest_len);
}

int cossl_digest_bytes(uint8_t *out, cossl_digest digest, const uint8_t *in, size_t in_len) {
    return cossl_digest_bytes_evp(out, digest, in, in_len);
}

#endif

int cossl_equal_constant_time(const uint8_t *a, const uint8_t *b, size_t len) {
    return CRYPTO_memcmp(a, b, len) == 0;
}
