// ECDH (NIST SP 800-56A section 5.7.1.2) and X25519 (RFC 7748) with the ephemeral key of a token.
//
// EVP makes a key of its own for each point, which on P-256 takes a third of the time of the multiplication. The EC_KEY functions take
// the point itself; they are deprecated for new designs, and a libcrypto built without them takes the EVP path.

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/param_build.h>
#include <string.h>

#include "decryption.h"

static int agree_by_evp(uint8_t *out, size_t *out_len, const cossl_decryption_key *key, EVP_PKEY *peer) {
    *out_len = COSSL_AGREED_MAX;
    EVP_PKEY_CTX *ctx = peer == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(NULL, key->pkey, NULL);
    // A shared secret of zeros, from a point of small order, is a failure in libcrypto (RFC 7748 section 6.1).
    int ok = ctx != NULL && EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer_ex(ctx, peer, 0) == 1 &&
             EVP_PKEY_derive(ctx, out, out_len) == 1;
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(peer);
    return ok;
}

#ifndef OPENSSL_NO_DEPRECATED_3_0

cossl_ec_key *cossl_agreement_key(EVP_PKEY *pkey) { return EVP_PKEY_get1_EC_KEY(pkey); }

static int agree_on_curve(uint8_t *out, size_t *out_len, const cossl_decryption_key *key, const uint8_t *point, size_t point_len) {
    if (key->ec_key == NULL) { return 0; }
    const EC_GROUP *group = EC_KEY_get0_group(key->ec_key);
    EC_POINT *peer = EC_POINT_new(group);
    // Checks the point: its coordinates are in range and it is on the curve, whose points all have the same prime order.
    int ok = peer != NULL && EC_POINT_oct2point(group, peer, point, point_len, NULL) == 1;
    int length = ok ? ECDH_compute_key(out, COSSL_AGREED_MAX, peer, key->ec_key, NULL) : 0;
    EC_POINT_free(peer);
    *out_len = length > 0 ? (size_t)length : 0;
    return length == (int)cossl_recipient_coordinate(key->recipient);
}

#else

cossl_ec_key *cossl_agreement_key(EVP_PKEY *pkey) {
    (void)pkey;
    return NULL;
}

static EVP_PKEY *peer_of_point(const char *group, const uint8_t *point, size_t point_len) {
    EVP_PKEY *peer = NULL;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)group, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, point_len),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    // Checks that the point is on the curve.
    if (ctx == NULL || EVP_PKEY_fromdata_init(ctx) != 1 || EVP_PKEY_fromdata(ctx, &peer, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        peer = NULL;
    }
    EVP_PKEY_CTX_free(ctx);
    return peer;
}

static int agree_on_curve(uint8_t *out, size_t *out_len, const cossl_decryption_key *key, const uint8_t *point, size_t point_len) {
    return agree_by_evp(out, out_len, key, peer_of_point(cossl_recipient_name(key->recipient), point, point_len));
}

#endif

int cossl_agree(uint8_t *out, size_t *out_len, const cossl_decryption_key *key, const uint8_t *x, size_t x_len, const uint8_t *y,
                size_t y_len) {
    uint8_t point[1 + 2 * COSSL_AGREED_MAX];
    size_t coordinate = cossl_recipient_coordinate(key->recipient);
    int is_curve = key->recipient != COSSL_RECIPIENT_X25519, ok = 0;
    *out_len = 0;
    if (coordinate == 0 || x_len != coordinate || y_len != (is_curve ? coordinate : 0)) { return 0; }
    point[0] = POINT_CONVERSION_UNCOMPRESSED;
    memcpy(point + 1, x, coordinate);
    if (is_curve) { memcpy(point + 1 + coordinate, y, coordinate); }
    cossl_begin();
    if (is_curve) {
        ok = agree_on_curve(out, out_len, key, point, 1 + 2 * coordinate);
    } else {
        ok = agree_by_evp(out, out_len, key, EVP_PKEY_new_raw_public_key_ex(NULL, "X25519", NULL, x, x_len));
    }
    cossl_end();
    return ok;
}
