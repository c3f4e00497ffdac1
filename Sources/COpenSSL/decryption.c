// What private keys of recipients of encrypted tokens are made of, and RSAES-OAEP (RFC 8017 section 7.1) of content encryption keys.

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/rsa.h>
#include <string.h>

#include "decryption.h"

/// libcrypto's names of the groups, of its parameters for the members of an RSA key, and the length of a coordinate.
static const struct {
    const char *name;
    cossl_group group;
    size_t coordinate;
} recipients[] = {
    [COSSL_RECIPIENT_RSA] = {"RSA", COSSL_GROUP_NONE, 0},
    [COSSL_RECIPIENT_P256] = {"P-256", COSSL_GROUP_P256, 32},
    [COSSL_RECIPIENT_P384] = {"P-384", COSSL_GROUP_P384, 48},
    [COSSL_RECIPIENT_P521] = {"P-521", COSSL_GROUP_P521, 66},
    [COSSL_RECIPIENT_X25519] = {"X25519", COSSL_GROUP_NONE, 32},
};

static const char *const rsa_parameters[] = {
    [COSSL_MEMBER_N] = OSSL_PKEY_PARAM_RSA_N,          [COSSL_MEMBER_E] = OSSL_PKEY_PARAM_RSA_E,
    [COSSL_MEMBER_D] = OSSL_PKEY_PARAM_RSA_D,          [COSSL_MEMBER_P] = OSSL_PKEY_PARAM_RSA_FACTOR1,
    [COSSL_MEMBER_Q] = OSSL_PKEY_PARAM_RSA_FACTOR2,    [COSSL_MEMBER_DP] = OSSL_PKEY_PARAM_RSA_EXPONENT1,
    [COSSL_MEMBER_DQ] = OSSL_PKEY_PARAM_RSA_EXPONENT2, [COSSL_MEMBER_QI] = OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
};

size_t cossl_recipient_coordinate(cossl_recipient recipient) { return recipients[recipient].coordinate; }

const char *cossl_rsa_parameter(cossl_member member) { return rsa_parameters[member]; }

const char *cossl_recipient_name(cossl_recipient recipient) { return recipients[recipient].name; }

int cossl_recipient_is_ec(cossl_recipient recipient) { return recipients[recipient].group != COSSL_GROUP_NONE; }

void cossl_decryption_key_free(cossl_decryption_key *key) {
    if (key == NULL) { return; }
    cossl_enter();
    EVP_PKEY_free(key->pkey);
    cossl_ec_key_free(key->ec_key);
    OPENSSL_clear_free(key, sizeof *key);
    cossl_leave();
}

cossl_recipient cossl_decryption_key_recipient(const cossl_decryption_key *key) { return key->recipient; }

unsigned cossl_decryption_key_bits(const cossl_decryption_key *key) {
    return key->recipient == COSSL_RECIPIENT_X25519 ? 255 : (unsigned)EVP_PKEY_get_bits(key->pkey);
}

// Members

static int number_member(uint8_t *out, size_t *out_len, size_t max_out, EVP_PKEY *pkey, const char *name, size_t width) {
    BIGNUM *number = NULL;
    if (EVP_PKEY_get_bn_param(pkey, name, &number) != 1) { return 0; }
    size_t length = width != 0 ? width : (size_t)BN_num_bytes(number);
    int ok = length <= max_out && BN_bn2binpad(number, out, (int)length) == (int)length;
    BN_clear_free(number);
    *out_len = ok ? length : 0;
    return ok;
}

static int ec_member(uint8_t *out, size_t *out_len, size_t max_out, const cossl_decryption_key *key, cossl_member member) {
    size_t width = recipients[key->recipient].coordinate;
    switch (member) {
        case COSSL_MEMBER_D: return number_member(out, out_len, max_out, key->pkey, OSSL_PKEY_PARAM_PRIV_KEY, width);
        case COSSL_MEMBER_X: return number_member(out, out_len, max_out, key->pkey, OSSL_PKEY_PARAM_EC_PUB_X, width);
        case COSSL_MEMBER_Y: return number_member(out, out_len, max_out, key->pkey, OSSL_PKEY_PARAM_EC_PUB_Y, width);
        default: return 0;
    }
}

static int x25519_member(uint8_t *out, size_t *out_len, size_t max_out, const cossl_decryption_key *key, cossl_member member) {
    *out_len = max_out;
    if (member == COSSL_MEMBER_D) { return EVP_PKEY_get_raw_private_key(key->pkey, out, out_len) == 1; }
    return member == COSSL_MEMBER_X && EVP_PKEY_get_raw_public_key(key->pkey, out, out_len) == 1;
}

int cossl_decryption_key_member(uint8_t *out, size_t *out_len, size_t max_out, const cossl_decryption_key *key, cossl_member member) {
    int ok = 0;
    *out_len = 0;
    cossl_begin();
    if (key->recipient == COSSL_RECIPIENT_RSA) {
        ok = member <= COSSL_MEMBER_QI && number_member(out, out_len, max_out, key->pkey, rsa_parameters[member], 0);
    } else if (key->recipient == COSSL_RECIPIENT_X25519) {
        ok = x25519_member(out, out_len, max_out, key, member);
    } else {
        ok = ec_member(out, out_len, max_out, key, member);
    }
    cossl_end();
    return ok;
}

// RSAES-OAEP

static EVP_PKEY_CTX *oaep_context(const cossl_decryption_key *key, int uses_sha1, int (*begin)(EVP_PKEY_CTX *ctx)) {
    const EVP_MD *md = uses_sha1 ? EVP_sha1() : EVP_sha256();
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key->pkey, NULL);
    if (ctx != NULL && begin(ctx) == 1 && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) == 1 &&
        EVP_PKEY_CTX_set_rsa_oaep_md(ctx, md) == 1 && EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, md) == 1) {
        return ctx;
    }
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

void cossl_select(uint8_t *out, const uint8_t *other, size_t len, int is_good) {
    // Opaque to the compiler, which otherwise may make a branch of it.
    volatile uint8_t keep = (uint8_t)-(is_good != 0);
    uint8_t mask = keep;
    for (size_t i = 0; i < len; i++) { out[i] = (uint8_t)((out[i] & mask) | (other[i] & (uint8_t)~mask)); }
}

int cossl_decrypt_cek(uint8_t *out, size_t out_len, const cossl_decryption_key *key, int uses_sha1, const uint8_t *in, size_t in_len) {
    uint8_t decrypted[COSSL_OAEP_MAX] = {0};
    size_t decrypted_len = sizeof decrypted;
    if (key->recipient != COSSL_RECIPIENT_RSA || out_len > COSSL_CEK_MAX || in_len != (size_t)EVP_PKEY_get_size(key->pkey)) { return 0; }
    cossl_begin();
    EVP_PKEY_CTX *ctx = oaep_context(key, uses_sha1, EVP_PKEY_decrypt_init);
    int has_tried = ctx != NULL;
    int is_good = has_tried && EVP_PKEY_decrypt(ctx, decrypted, &decrypted_len, in, in_len) == 1;
    EVP_PKEY_CTX_free(ctx);
    cossl_end();
    is_good &= decrypted_len == out_len;
    memcpy(out, decrypted, out_len);
    cossl_select(out, key->substitute, out_len, is_good);
    OPENSSL_cleanse(decrypted, sizeof decrypted);
    return has_tried;
}

int cossl_encrypt_cek(uint8_t *out, size_t *out_len, const cossl_decryption_key *key, int uses_sha1, const uint8_t *in, size_t in_len) {
    *out_len = COSSL_OAEP_MAX;
    if (key->recipient != COSSL_RECIPIENT_RSA) { return 0; }
    cossl_begin();
    EVP_PKEY_CTX *ctx = oaep_context(key, uses_sha1, EVP_PKEY_encrypt_init);
    int ok = ctx != NULL && EVP_PKEY_encrypt(ctx, out, out_len, in, in_len) == 1;
    EVP_PKEY_CTX_free(ctx);
    cossl_end();
    return ok;
}
