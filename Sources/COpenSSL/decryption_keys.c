// Makes private keys of recipients of encrypted tokens: of the members of a JWK, of a document, or new ones. Each is proved to be one key.

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <string.h>

#include "decryption.h"

typedef struct bytes {
    const uint8_t *start;
    size_t len;
} bytes;

enum { LEAST_BITS = 2048, MOST_BITS = 8192, DOCUMENT_MAX = 1 << 16 };

static cossl_recipient recipient_of(EVP_PKEY *pkey) {
    char group[64];
    if (EVP_PKEY_is_a(pkey, "RSA")) { return COSSL_RECIPIENT_RSA; }
    if (EVP_PKEY_is_a(pkey, "X25519")) { return COSSL_RECIPIENT_X25519; }
    if (!EVP_PKEY_is_a(pkey, "EC") || EVP_PKEY_get_group_name(pkey, group, sizeof group, NULL) != 1) { return 0; }
    switch (cossl_curve_named(group)) {
        case COSSL_GROUP_P256: return COSSL_RECIPIENT_P256;
        case COSSL_GROUP_P384: return COSSL_RECIPIENT_P384;
        case COSSL_GROUP_P521: return COSSL_RECIPIENT_P521;
        default: return 0;
    }
}

static BIGNUM *number_of(const cossl_decryption_key *key, cossl_member member) {
    BIGNUM *number = NULL;
    return EVP_PKEY_get_bn_param(key->pkey, cossl_rsa_parameter(member), &number) == 1 ? number : NULL;
}

/// n = p * q and qi * q = 1 (mod p). `one` is scratch.
static int factors_fit(BIGNUM *const numbers[], BIGNUM *product, BIGNUM *one, BN_CTX *ctx) {
    return BN_mul(product, numbers[COSSL_MEMBER_P], numbers[COSSL_MEMBER_Q], ctx) == 1 && BN_cmp(product, numbers[COSSL_MEMBER_N]) == 0 &&
           BN_mod_mul(one, numbers[COSSL_MEMBER_QI], numbers[COSSL_MEMBER_Q], numbers[COSSL_MEMBER_P], ctx) == 1 && BN_is_one(one);
}

/// Half the exponents of CRT: d = `half` and d * e = 1 (mod prime - 1). An exponent of one encrypts nothing, whatever `e` looks like.
static int exponent_fits(BIGNUM *const numbers[], cossl_member prime, cossl_member half, BIGNUM *order, BIGNUM *rest, BN_CTX *ctx) {
    return BN_sub(order, numbers[prime], BN_value_one()) == 1 && BN_mod(rest, numbers[COSSL_MEMBER_D], order, ctx) == 1 &&
           BN_cmp(rest, numbers[half]) == 0 && !BN_is_one(rest) &&
           BN_mod_mul(rest, rest, numbers[COSSL_MEMBER_E], order, ctx) == 1 && BN_is_one(rest);
}

/// libcrypto does not compare the members of a key: it decrypts with `d` where the others fail. Without a test for primes, which takes
/// seconds; an operator's key may be weak, but its parts are those of one key.
static int rsa_is_one_key(const cossl_decryption_key *key) {
    BIGNUM *numbers[COSSL_MEMBER_QI + 1], *first = BN_secure_new(), *second = BN_secure_new();
    BN_CTX *ctx = BN_CTX_secure_new();
    int ok = first != NULL && second != NULL && ctx != NULL;
    for (int m = COSSL_MEMBER_N; m <= COSSL_MEMBER_QI; m++) { ok &= (numbers[m] = number_of(key, (cossl_member)m)) != NULL; }
    ok = ok && !BN_is_zero(numbers[COSSL_MEMBER_P]) && factors_fit(numbers, first, second, ctx) &&
         exponent_fits(numbers, COSSL_MEMBER_P, COSSL_MEMBER_DP, first, second, ctx) &&
         exponent_fits(numbers, COSSL_MEMBER_Q, COSSL_MEMBER_DQ, first, second, ctx);
    for (int m = COSSL_MEMBER_N; m <= COSSL_MEMBER_QI; m++) { BN_clear_free(numbers[m]); }
    BN_clear_free(first);
    BN_clear_free(second);
    BN_CTX_free(ctx);
    return ok;
}

static int is_one_key(const cossl_decryption_key *key) {
    int bits = EVP_PKEY_get_bits(key->pkey);
    if (key->recipient == COSSL_RECIPIENT_RSA) { return bits >= LEAST_BITS && bits <= MOST_BITS && rsa_is_one_key(key); }
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key->pkey, NULL);
    int ok = ctx != NULL && EVP_PKEY_public_check(ctx) == 1 && EVP_PKEY_pairwise_check(ctx) == 1;
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/// Takes over `pkey`, which may be NULL, and ends what cossl_begin began.
static int deliver(cossl_decryption_key **out, EVP_PKEY *pkey) {
    cossl_recipient recipient = pkey == NULL ? 0 : recipient_of(pkey);
    cossl_decryption_key *key = recipient == 0 ? NULL : OPENSSL_zalloc(sizeof *key);
    if (key == NULL) {
        EVP_PKEY_free(pkey);
    } else {
        key->pkey = pkey;
        key->recipient = recipient;
        if (cossl_recipient_is_ec(recipient)) { key->ec_key = cossl_agreement_key(pkey); }
        if (RAND_priv_bytes(key->substitute, sizeof key->substitute) != 1 || !is_one_key(key)) {
            cossl_decryption_key_free(key);
            key = NULL;
        }
    }
    *out = key;
    cossl_end();
    return key != NULL;
}

/// A number of a builder, which the caller frees with its list after the builder.
static int push_number(OSSL_PARAM_BLD *builder, const char *name, bytes digits, BIGNUM **number) {
    *number = digits.len == 0 || digits.len > COSSL_OAEP_MAX ? NULL : BN_secure_new();
    return *number != NULL && BN_bin2bn(digits.start, (int)digits.len, *number) != NULL &&
           OSSL_PARAM_BLD_push_BN(builder, name, *number) == 1;
}

static EVP_PKEY *pkey_of_builder(const char *type, OSSL_PARAM_BLD *builder) {
    EVP_PKEY *pkey = NULL;
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (parameters == NULL || ctx == NULL || EVP_PKEY_fromdata_init(ctx) != 1 ||
        EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_KEYPAIR, parameters) != 1) {
        pkey = NULL;
    }
    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(parameters);
    return pkey;
}

static EVP_PKEY *rsa_pkey(const bytes members[COSSL_MEMBERS]) {
    BIGNUM *numbers[COSSL_MEMBER_QI + 1] = {0};
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    bytes n = members[COSSL_MEMBER_N];
    int ok = builder != NULL && n.len != 0 && (n.start[n.len - 1] & 1) != 0;
    for (int m = COSSL_MEMBER_N; ok && m <= COSSL_MEMBER_QI; m++) {
        ok = push_number(builder, cossl_rsa_parameter((cossl_member)m), members[m], &numbers[m]);
    }
    EVP_PKEY *pkey = ok ? pkey_of_builder("RSA", builder) : NULL;
    OSSL_PARAM_BLD_free(builder);
    for (int m = COSSL_MEMBER_N; m <= COSSL_MEMBER_QI; m++) { BN_clear_free(numbers[m]); }
    return pkey;
}

static EVP_PKEY *ec_pkey(cossl_recipient recipient, const bytes members[COSSL_MEMBERS]) {
    uint8_t point[1 + 2 * COSSL_AGREED_MAX];
    size_t coordinate = cossl_recipient_coordinate(recipient);
    bytes x = members[COSSL_MEMBER_X], y = members[COSSL_MEMBER_Y], d = members[COSSL_MEMBER_D];
    if (x.len != coordinate || y.len != coordinate || d.len != coordinate) { return NULL; }
    BIGNUM *number = NULL;
    point[0] = POINT_CONVERSION_UNCOMPRESSED;
    memcpy(point + 1, x.start, coordinate);
    memcpy(point + 1 + coordinate, y.start, coordinate);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    const char *group = cossl_recipient_name(recipient);
    int ok = builder != NULL && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) == 1 &&
             OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, 1 + 2 * coordinate) == 1 &&
             push_number(builder, OSSL_PKEY_PARAM_PRIV_KEY, d, &number);
    EVP_PKEY *pkey = ok ? pkey_of_builder("EC", builder) : NULL;
    OSSL_PARAM_BLD_free(builder);
    BN_clear_free(number);
    return pkey;
}

/// The public key that libcrypto derives from `d` must be `x`.
static EVP_PKEY *x25519_pkey(const bytes members[COSSL_MEMBERS]) {
    uint8_t derived[32];
    size_t derived_len = sizeof derived;
    bytes x = members[COSSL_MEMBER_X], d = members[COSSL_MEMBER_D];
    EVP_PKEY *pkey = EVP_PKEY_new_raw_private_key_ex(NULL, "X25519", NULL, d.start, d.len);
    int ok = pkey != NULL && EVP_PKEY_get_raw_public_key(pkey, derived, &derived_len) == 1 && x.len == derived_len &&
             memcmp(derived, x.start, derived_len) == 0;
    if (ok) { return pkey; }
    EVP_PKEY_free(pkey);
    return NULL;
}

int cossl_decryption_key_new(cossl_decryption_key **out, cossl_recipient recipient, const uint8_t *start,
                             const size_t lengths[COSSL_MEMBERS]) {
    bytes members[COSSL_MEMBERS];
    for (int m = 0; m < COSSL_MEMBERS; start += lengths[m++]) { members[m] = (bytes){start, lengths[m]}; }
    cossl_begin();
    EVP_PKEY *pkey = NULL;
    if (recipient == COSSL_RECIPIENT_RSA) { pkey = rsa_pkey(members); }
    if (cossl_recipient_is_ec(recipient)) { pkey = ec_pkey(recipient, members); }
    if (recipient == COSSL_RECIPIENT_X25519) { pkey = x25519_pkey(members); }
    return deliver(out, pkey);
}

int cossl_decryption_key_import(cossl_decryption_key **out, const uint8_t *in, size_t in_len) {
    *out = NULL;
    if (in_len == 0 || in_len > DOCUMENT_MAX) { return 0; }
    cossl_begin();
    return deliver(out, cossl_private_document_pkey(in, in_len));
}

int cossl_decryption_key_generate(cossl_decryption_key **out, cossl_recipient recipient, unsigned bits) {
    EVP_PKEY *pkey = NULL;
    cossl_begin();
    if (recipient == COSSL_RECIPIENT_RSA && bits >= LEAST_BITS && bits <= MOST_BITS) { pkey = EVP_RSA_gen(bits); }
    if (cossl_recipient_is_ec(recipient)) { pkey = EVP_EC_gen(cossl_recipient_name(recipient)); }
    if (recipient == COSSL_RECIPIENT_X25519) { pkey = EVP_PKEY_Q_keygen(NULL, NULL, "X25519"); }
    return deliver(out, pkey);
}
