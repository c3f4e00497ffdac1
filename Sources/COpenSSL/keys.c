// Building and freeing public keys.

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/param_build.h>
#include <string.h>

#include "internal.h"

static _Atomic uint64_t next_serial = 1;

void cossl_life_release(cossl_life *life) {
    if (life != NULL && atomic_fetch_sub_explicit(&life->references, 1, memory_order_acq_rel) == 1) { OPENSSL_free(life); }
}

void cossl_key_free(cossl_key *key) {
    if (key == NULL) { return; }
    cossl_enter();
    if (key->life != NULL) { atomic_store_explicit(&key->life->dead, 1, memory_order_release); }
    cossl_life_release(key->life);
    EVP_PKEY_free(key->pkey);
    cossl_ec_key_free(key->ec_key);
    BN_free(key->modulus);
    BN_MONT_CTX_free(key->montgomery);
    OPENSSL_clear_free(key->secret, key->secret_len);
    cossl_hmac_states_free(key->hmac);
    OPENSSL_free(key);
    cossl_leave();
}

static cossl_key *key_new(cossl_kind kind, cossl_group group) {
    cossl_key *key = OPENSSL_zalloc(sizeof *key);
    if (key == NULL) { return NULL; }
    key->kind = kind;
    key->group = group;
    key->serial = atomic_fetch_add_explicit(&next_serial, 1, memory_order_relaxed);
    key->life = OPENSSL_zalloc(sizeof *key->life);
    if (key->life == NULL) {
        OPENSSL_free(key);
        return NULL;
    }
    atomic_store_explicit(&key->life->references, 1, memory_order_relaxed);
    return key;
}

/// Ends what cossl_begin began. Returns `key` if it is complete, frees it otherwise.
static int key_deliver(cossl_key **out, cossl_key *key, int ok) {
    if (!ok) {
        cossl_key_free(key);
        key = NULL;
    }
    *out = key;
    cossl_end();
    return ok;
}

static EVP_PKEY *pkey_from_parameters(const char *type, OSSL_PARAM_BLD *builder) {
    EVP_PKEY *pkey = NULL;
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (parameters == NULL || ctx == NULL || EVP_PKEY_fromdata_init(ctx) != 1 ||
        EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        pkey = NULL;
    }
    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(parameters);
    return pkey;
}

/// Prepares the modulus for cossl_rsa_verify, which supports only e = 65537. Without it the key takes the EVP path.
static int prepare_montgomery(cossl_key *key, const BIGNUM *n, const BIGNUM *e) {
    if (!BN_is_word(e, 65537)) { return 1; }
    BN_CTX *ctx = BN_CTX_new();
    key->modulus = BN_dup(n);
    key->montgomery = BN_MONT_CTX_new();
    int ok = ctx != NULL && key->modulus != NULL && key->montgomery != NULL && BN_MONT_CTX_set(key->montgomery, n, ctx) == 1;
    BN_CTX_free(ctx);
    return ok;
}

int cossl_key_new_rsa(cossl_key **out, const uint8_t *n, size_t n_len, const uint8_t *e, size_t e_len) {
    cossl_begin();
    cossl_key *key = key_new(COSSL_KIND_RSA, COSSL_GROUP_NONE);
    BIGNUM *modulus = BN_bin2bn(n, (int)n_len, NULL);
    BIGNUM *exponent = BN_bin2bn(e, (int)e_len, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    int ok = key != NULL && modulus != NULL && exponent != NULL && builder != NULL && BN_is_odd(modulus) &&
             OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
             OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1;
    if (ok) {
        key->modulus_len = (size_t)BN_num_bytes(modulus);
        key->pkey = pkey_from_parameters("RSA", builder);
        ok = key->pkey != NULL && prepare_montgomery(key, modulus, exponent);
    }
    OSSL_PARAM_BLD_free(builder);
    BN_free(modulus);
    BN_free(exponent);
    return key_deliver(out, key, ok);
}

int cossl_key_new_ec(cossl_key **out, cossl_group group, const uint8_t *x, size_t x_len, const uint8_t *y, size_t y_len) {
    uint8_t point[1 + 2 * 66];
    size_t coordinate = cossl_coordinate_length(group);
    *out = NULL;
    if (coordinate == 0 || x_len != coordinate || y_len != coordinate) { return 0; }
    point[0] = POINT_CONVERSION_UNCOMPRESSED;
    memcpy(point + 1, x, coordinate);
    memcpy(point + 1 + coordinate, y, coordinate);
    cossl_begin();
    cossl_key *key = key_new(COSSL_KIND_EC, group);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    int ok = key != NULL && builder != NULL &&
             OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, cossl_group_name(group), 0) == 1 &&
             OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, 1 + 2 * coordinate) == 1;
    if (ok) {
        key->pkey = pkey_from_parameters("EC", builder);
        EVP_PKEY_CTX *check = key->pkey == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(NULL, key->pkey, NULL);
        ok = check != NULL && EVP_PKEY_public_check(check) == 1;
        EVP_PKEY_CTX_free(check);
        if (ok) { key->ec_key = cossl_ec_key_new(group, x, y); }
    }
    OSSL_PARAM_BLD_free(builder);
    return key_deliver(out, key, ok);
}

int cossl_key_new_raw(cossl_key **out, cossl_group group, const uint8_t *bytes, size_t bytes_len) {
    *out = NULL;
    if (group < COSSL_GROUP_ED25519 || !cossl_group_available(group)) { return 0; }
    cossl_begin();
    cossl_key *key = key_new(group <= COSSL_GROUP_ED448 ? COSSL_KIND_OKP : COSSL_KIND_AKP, group);
    if (key != NULL) { key->pkey = EVP_PKEY_new_raw_public_key_ex(NULL, cossl_group_name(group), NULL, bytes, bytes_len); }
    return key_deliver(out, key, key != NULL && key->pkey != NULL);
}

int cossl_key_new_oct(cossl_key **out, const uint8_t *secret, size_t secret_len) {
    *out = NULL;
    if (secret_len == 0) { return 0; }
    cossl_begin();
    cossl_key *key = key_new(COSSL_KIND_OCT, COSSL_GROUP_NONE);
    if (key != NULL) {
        key->secret = OPENSSL_memdup(secret, secret_len);
        key->secret_len = secret_len;
        key->hmac = cossl_hmac_states_new(secret, secret_len);
    }
    return key_deliver(out, key, key != NULL && key->secret != NULL);
}

int cossl_okp_pair_matches(cossl_group group, const uint8_t *d, size_t d_len, const uint8_t *x, size_t x_len) {
    uint8_t derived[57];
    size_t derived_len = sizeof derived;
    cossl_begin();
    EVP_PKEY *pkey = EVP_PKEY_new_raw_private_key_ex(NULL, cossl_group_name(group), NULL, d, d_len);
    int ok = pkey != NULL && EVP_PKEY_get_raw_public_key(pkey, derived, &derived_len) == 1 && derived_len == x_len &&
             memcmp(derived, x, x_len) == 0;
    EVP_PKEY_free(pkey);
    cossl_end();
    return ok;
}
