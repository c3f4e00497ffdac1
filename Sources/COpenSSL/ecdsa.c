// ECDSA verification of r||s (RFC 7518 section 3.4) without conversion. EVP_PKEY_verify takes only DER, which this code would have to write
// and libcrypto to parse. The EC_KEY functions take the two numbers; they are deprecated for new designs, and a libcrypto built without
// them takes the EVP path.

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/objects.h>

#include "internal.h"

#ifndef OPENSSL_NO_DEPRECATED_3_0

cossl_ec_key *cossl_ec_key_new(cossl_group group, const uint8_t *x, const uint8_t *y) {
    int coordinate = (int)cossl_coordinate_length(group);
    EC_KEY *key = EC_KEY_new_by_curve_name(OBJ_sn2nid(cossl_curve_name(group)));
    BIGNUM *x_number = BN_bin2bn(x, coordinate, NULL);
    BIGNUM *y_number = BN_bin2bn(y, coordinate, NULL);
    // Checks the point: on the curve, in range, of the right order.
    int ok = key != NULL && x_number != NULL && y_number != NULL &&
             EC_KEY_set_public_key_affine_coordinates(key, x_number, y_number) == 1;
    BN_free(x_number);
    BN_free(y_number);
    if (ok) { return key; }
    EC_KEY_free(key);
    return NULL;
}

void cossl_ec_key_free(cossl_ec_key *key) { EC_KEY_free(key); }

int cossl_ecdsa_verify(const cossl_key *key, ECDSA_SIG *scratch, const uint8_t *hash, size_t hash_len, const uint8_t *sig, size_t sig_len) {
    int coordinate = (int)cossl_coordinate_length(key->group);
    if (sig_len != 2 * (size_t)coordinate) { return 0; }
    // The scratch signature owns the numbers; libcrypto only returns them as const.
    BIGNUM *r = (BIGNUM *)ECDSA_SIG_get0_r(scratch);
    BIGNUM *s = (BIGNUM *)ECDSA_SIG_get0_s(scratch);
    if (BN_bin2bn(sig, coordinate, r) == NULL || BN_bin2bn(sig + coordinate, coordinate, s) == NULL) { return 0; }
    cossl_begin();
    int ok = ECDSA_do_verify(hash, (int)hash_len, scratch, key->ec_key) == 1;
    cossl_end();
    return ok;
}

#else

cossl_ec_key *cossl_ec_key_new(cossl_group group, const uint8_t *x, const uint8_t *y) {
    (void)group;
    (void)x;
    (void)y;
    return NULL;
}

void cossl_ec_key_free(cossl_ec_key *key) { (void)key; }

int cossl_ecdsa_verify(const cossl_key *key, ECDSA_SIG *scratch, const uint8_t *hash, size_t hash_len, const uint8_t *sig, size_t sig_len) {
    (void)key;
    (void)scratch;
    (void)hash;
    (void)hash_len;
    (void)sig;
    (void)sig_len;
    return 0;
}

#endif

ECDSA_SIG *cossl_ecdsa_scratch_new(void) {
    ECDSA_SIG *scratch = ECDSA_SIG_new();
    BIGNUM *r = BN_new();
    BIGNUM *s = BN_new();
    if (scratch != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(scratch, r, s) == 1) { return scratch; }
    ECDSA_SIG_free(scratch);
    BN_free(r);
    BN_free(s);
    return NULL;
}
