// ecdsa_signature.h: constructed ECDSA signatures, and libcrypto's verdict on any signature. A coordinate has
// `len` bytes, a signature is r and s of `len` bytes each; a hash of `hash_len` bytes is not truncated.

#ifndef ASSAY_ECDSA_SIGNATURE_H
#define ASSAY_ECDSA_SIGNATURE_H

#ifndef OPENSSL_SUPPRESS_DEPRECATED
#define OPENSSL_SUPPRESS_DEPRECATED
#endif

#include <openssl/ecdsa.h>
#include <stddef.h>
#include <stdint.h>

#include "scoped_numbers.h"

/// Writes the coordinates of a point.
static inline void ecdsa_coordinates(const EC_GROUP *group, const EC_POINT *point, size_t len, uint8_t *x, uint8_t *y) {
    NUMBER px = BN_new(), *py = BN_new();
    EC_POINT_get_affine_coordinates(group, point, px, py, NULL);
    BN_bn2binpad(px, x, (int)len);
    BN_bn2binpad(py, y, (int)len);
}

/// One where libcrypto accepts the signature.
static inline int ecdsa_is_valid(EC_KEY *key, size_t len, size_t hash_len, const uint8_t *hash, const uint8_t *sig) {
    ECDSA_SIG *signature = ECDSA_SIG_new();
    ECDSA_SIG_set0(signature, BN_bin2bn(sig, (int)len, NULL), BN_bin2bn(sig + len, (int)len, NULL));
    int valid = ECDSA_do_verify(hash, (int)hash_len, signature, key) == 1;
    ECDSA_SIG_free(signature);
    return valid;
}

/// Makes the valid signature with the multipliers u1 and u2 (not zero): R = u1 G + u2 Q, r = x(R), s = r / u2, hash = u1 s. So the
/// multipliers choose which rows of the tables are summed. Where R is the neutral element, r is one and no signature is valid. Returns zero,
/// without a hash, where the hash needs more than `hash_len` bytes: that can be only on P-521.
static inline int ecdsa_craft(const EC_KEY *key, BN_CTX *context, size_t len, size_t hash_len, const BIGNUM *u1, const BIGNUM *u2,
                              uint8_t *hash, uint8_t *sig) {
    const EC_GROUP *group = EC_KEY_get0_group(key);
    const BIGNUM *order = EC_GROUP_get0_order(group);
    POINT point = EC_POINT_new(group);
    NUMBER r = BN_new(), *s = BN_new(), *e = BN_new();
    EC_POINT_mul(group, point, u1, EC_KEY_get0_public_key(key), u2, context);
    if (EC_POINT_is_at_infinity(group, point)) { BN_one(r); } else { EC_POINT_get_affine_coordinates(group, point, r, NULL, context); }
    BN_nnmod(r, r, order, context);
    BN_mod_inverse(s, u2, order, context);
    BN_mod_mul(s, s, r, order, context);
    BN_mod_mul(e, u1, s, order, context);
    BN_bn2binpad(r, sig, (int)len), BN_bn2binpad(s, sig + len, (int)len);
    return BN_bn2binpad(e, hash, (int)hash_len) >= 0;
}

#endif
