#include "cases.h"

#include <COpenSSL.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t message[] = "header.payload", secret[64] = "a secret of thirty-two bytes and more", nonce[COSSL_GCM_NONCE];
enum { message_len = sizeof message - 1, signature_max = 5000 };

/// A key of each kind, and its signature of the message.
typedef struct subject {
    cossl_kind kind;
    cossl_group group;
    cossl_scheme scheme;
    cossl_digest digest;
    cossl_signing_key *signing;
    cossl_components parts;
    cossl_key *key;
    uint8_t signature[signature_max];
    size_t signature_len;
} subject;

static subject subjects[] = {
    {COSSL_KIND_RSA, COSSL_GROUP_NONE, COSSL_SCHEME_RSA_PKCS1, COSSL_DIGEST_SHA256},
    {COSSL_KIND_RSA, COSSL_GROUP_NONE, COSSL_SCHEME_RSA_PSS, COSSL_DIGEST_SHA256},
    {COSSL_KIND_EC, COSSL_GROUP_P256, COSSL_SCHEME_ECDSA, COSSL_DIGEST_SHA256},
    {COSSL_KIND_EC, COSSL_GROUP_P384, COSSL_SCHEME_ECDSA, COSSL_DIGEST_SHA384},
    {COSSL_KIND_EC, COSSL_GROUP_P521, COSSL_SCHEME_ECDSA, COSSL_DIGEST_SHA512},
    {COSSL_KIND_EC, COSSL_GROUP_SECP256K1, COSSL_SCHEME_ECDSA, COSSL_DIGEST_SHA256},
    {COSSL_KIND_OKP, COSSL_GROUP_ED25519, COSSL_SCHEME_EDDSA, COSSL_DIGEST_NONE},
    {COSSL_KIND_OKP, COSSL_GROUP_ED448, COSSL_SCHEME_EDDSA, COSSL_DIGEST_NONE},
    {COSSL_KIND_OCT, COSSL_GROUP_NONE, COSSL_SCHEME_HMAC, COSSL_DIGEST_SHA256},
    {COSSL_KIND_AKP, COSSL_GROUP_MLDSA44, COSSL_SCHEME_MLDSA, COSSL_DIGEST_NONE},
};
enum { subject_count = sizeof subjects / sizeof *subjects };

static int is_available(const subject *s) { return s->group < COSSL_GROUP_ED25519 || cossl_group_available(s->group); }

static int make_key(cossl_key **out, const subject *s) {
    const cossl_components *parts = &s->parts;
    switch (s->kind) {
        case COSSL_KIND_RSA: return cossl_key_new_rsa(out, parts->first, parts->first_len, parts->second, parts->second_len);
        case COSSL_KIND_EC: return cossl_key_new_ec(out, s->group, parts->first, parts->first_len, parts->second, parts->second_len);
        case COSSL_KIND_OCT: return cossl_key_new_oct(out, secret, sizeof secret);
        default: return cossl_key_new_raw(out, s->group, parts->first, parts->first_len);
    }
}

static int make_signing_key(cossl_signing_key **out, const subject *s) {
    if (s->kind == COSSL_KIND_OCT) { return cossl_signing_key_from_secret(out, secret, sizeof secret); }
    return cossl_signing_key_generate(out, s->kind, s->group, 2048);
}

static int sign(uint8_t *out, size_t *out_len, const subject *s) {
    return cossl_sign(out, out_len, signature_max, s->signing, s->scheme, s->digest, message, message_len);
}

void prepare_cases(void) {
    for (subject *s = subjects; s < subjects + subject_count; s++) {
        int ok = !is_available(s) ||
                 (make_signing_key(&s->signing, s) && (s->kind == COSSL_KIND_OCT || cossl_signing_key_public(&s->parts, s->signing)) &&
                  sign(s->signature, &s->signature_len, s) && make_key(&s->key, s));
        if (!ok) { abort(); }
    }
}

/// One where `call` holds for every kind of key that this libcrypto has.
static int each_subject(int (*call)(const subject *s)) {
    int ok = 1;
    for (const subject *s = subjects; s < subjects + subject_count; s++) { ok &= !is_available(s) || call(s); }
    return ok;
}

typedef int verify_function(const cossl_key *key, cossl_scheme scheme, cossl_digest digest, const uint8_t *msg, size_t msg_len,
                            const uint8_t *sig, size_t sig_len);

/// The right signature, one that is too short, and a changed one.
static int judge(const subject *s, verify_function *verify) {
    uint8_t wrong[signature_max];
    memcpy(wrong, s->signature, s->signature_len);
    wrong[s->signature_len / 2] ^= 1;
    return verify(s->key, s->scheme, s->digest, message, message_len, s->signature, s->signature_len) == 1 &&
           verify(s->key, s->scheme, s->digest, message, message_len, s->signature, 1) == 0 &&
           verify(s->key, s->scheme, s->digest, message, message_len, wrong, s->signature_len) == 0;
}

static int verifies(const subject *s) { return judge(s, cossl_verify); }
static int verifies_by_reference(const subject *s) { return judge(s, cossl_verify_reference); }

#define VERIFY(name, number) \
    static int name(void) { return verifies(&subjects[number]); }
VERIFY(verify_pkcs1, 0)
VERIFY(verify_pss, 1)
VERIFY(verify_p256, 2)
VERIFY(verify_p384, 3)
VERIFY(verify_p521, 4)
VERIFY(verify_secp256k1, 5)
VERIFY(verify_ed25519, 6)
VERIFY(verify_ed448, 7)
VERIFY(verify_hmac, 8)

static int verify_mldsa(void) { return !is_available(&subjects[9]) || verifies(&subjects[9]); }
static int verify_reference(void) { return each_subject(verifies_by_reference); }
static int verify_all(void) { return each_subject(verifies) && cossl_thread_context_count() > 0; }

/// An exponent that goes through EVP.
static int verify_odd_exponent(void) {
    static const uint8_t three[] = {3};
    const subject *s = &subjects[0];
    cossl_key *key = NULL;
    int ok = cossl_key_new_rsa(&key, s->parts.first, s->parts.first_len, three, 1) &&
             !cossl_verify(key, s->scheme, s->digest, message, message_len, s->signature, s->signature_len);
    cossl_key_free(key);
    return ok;
}

static int makes_key(const subject *s) {
    cossl_key *key = NULL;
    int ok = make_key(&key, s);
    cossl_key_free(key);
    return ok;
}

static int keys(void) {
    uint8_t zeros[32] = {0};
    cossl_key *none = NULL;
    return each_subject(makes_key) && !cossl_okp_pair_matches(COSSL_GROUP_ED25519, zeros, 32, zeros, 32) &&
           !cossl_key_new_ec(&none, COSSL_GROUP_P256, zeros, cossl_coordinate_length(COSSL_GROUP_P256), zeros, 32);
}

static int digests(void) {
    uint8_t out[COSSL_DIGEST_MAX];
    int ok = 1;
    for (int d = COSSL_DIGEST_SHA256; d <= COSSL_DIGEST_SHAKE256_114; d++) { ok &= cossl_digest_bytes(out, (cossl_digest)d, message, 5); }
    return ok && cossl_digest_pieces(out, COSSL_DIGEST_SHA384, message, 5, secret, 5) &&
           cossl_digest_secret(out, secret, 5, message, 5) && cossl_digest_length(COSSL_DIGEST_SHA512) == 64;
}

static int shake(void) {
    uint8_t out[COSSL_DIGEST_MAX];
    return cossl_digest_bytes(out, COSSL_DIGEST_SHAKE256_114, message, 5);
}

static int hmac(void) {
    uint8_t out[COSSL_DIGEST_MAX];
    return cossl_hmac_bytes(out, COSSL_DIGEST_SHA256, secret, sizeof secret, message, 5) && cossl_equal_constant_time(out, out, 32);
}

static int signs(const subject *s) {
    uint8_t out[signature_max];
    size_t out_len = 0;
    cossl_components parts = {0};
    int ok = sign(out, &out_len, s) && (s->kind == COSSL_KIND_OCT || cossl_signing_key_public(&parts, s->signing));
    cossl_components_free(&parts);
    return ok;
}

static int signing(void) { return each_subject(signs); }

static int signing_keys(void) {
    uint8_t *document = NULL;
    size_t document_len = 0;
    cossl_signing_key *made = NULL, *read = NULL, *shared = NULL;
    int ok = cossl_signing_key_generate(&made, COSSL_KIND_EC, COSSL_GROUP_P384, 0) &&
             cossl_signing_key_document(&document, &document_len, made) && cossl_signing_key_import(&read, document, document_len) &&
             cossl_signing_key_from_secret(&shared, secret, sizeof secret);
    cossl_document_free(document, document_len);
    cossl_signing_key_free(made);
    cossl_signing_key_free(read);
    cossl_signing_key_free(shared);
    return ok;
}

static int secrets(void) {
    uint8_t out[64], tag[COSSL_GCM_TAG], opened[64];
    size_t out_len = 0;
    const cossl_gcm_input text = {secret, nonce, message, message_len, message, 4}, sealed = {secret, nonce, out, message_len, message, 4};
    int ok = cossl_random_bytes(out, sizeof out) && cossl_scrypt(out, 32, secret, 8, message, 8, 4, 8, 1, 1 << 20) &&
             cossl_aes128_ecb_encrypt(out, &out_len, secret, message, message_len) && cossl_gcm_seal(out, tag, &text) &&
             cossl_gcm_open(opened, tag, &sealed);
    cossl_wipe(out, sizeof out);
    return ok;
}

static int oaep(void) {
    uint8_t *document = NULL, pem[2048], sealed[COSSL_OAEP_MAX], opened[COSSL_OAEP_MAX];
    size_t document_len = 0, pem_len = 0, sealed_len = 0, opened_len = 0;
    cossl_pkey *made = NULL, *read = NULL, *shown = NULL;
    cossl_components parts = {0};
    int ok = cossl_oaep_key_generate(&made, 2048) && cossl_pkey_private_document(&document, &document_len, made) &&
             cossl_oaep_key_import_private(&read, document, document_len) && cossl_oaep_key_public_pem(pem, &pem_len, sizeof pem, made) &&
             cossl_oaep_key_import_public(&shown, pem, pem_len) && cossl_import_public_key(&parts, pem, pem_len) &&
             cossl_oaep_encrypt(sealed, &sealed_len, shown, COSSL_MASK_SHA256, message, message_len) &&
             cossl_oaep_decrypt(opened, &opened_len, read, COSSL_MASK_SHA256, sealed, sealed_len) &&
             !cossl_rsa_padding_matches(COSSL_SCHEME_RSA_PSS, COSSL_DIGEST_SHA256, secret, opened, 256);
    cossl_document_free(document, document_len);
    cossl_components_free(&parts);
    cossl_pkey_free(made);
    cossl_pkey_free(read);
    cossl_pkey_free(shown);
    return ok;
}

static int device_keys(void) {
    uint8_t *document = NULL, shown[COSSL_P256_PUBLIC_MAX], signature[COSSL_P256_SIGNATURE_MAX];
    size_t document_len = 0, shown_len = 0, signature_len = 0;
    cossl_pkey *made = NULL, *read = NULL, *other = NULL;
    int ok = cossl_p256_key_generate(&made) && cossl_pkey_private_document(&document, &document_len, made) &&
             cossl_p256_key_import_private(&read, document, document_len) && cossl_p256_key_public_document(shown, &shown_len, read) &&
             cossl_p256_key_import_public(&other, shown, shown_len) &&
             cossl_p256_sign(signature, &signature_len, made, message, message_len) &&
             cossl_p256_verify(other, message, message_len, signature, signature_len);
    cossl_document_free(document, document_len);
    cossl_pkey_free(made);
    cossl_pkey_free(read);
    cossl_pkey_free(other);
    return ok;
}

static int imports(void) {
    cossl_components parts;
    for (size_t len = 0; len <= sizeof secret; len++) {
        if (cossl_import_public_key(&parts, secret, len) || cossl_is_certificate(secret, len)) { return 0; }
    }
    return cossl_count_pem_blocks(secret, sizeof secret).all == 0;
}

static int measures(const subject *s) {
    uint8_t hash[COSSL_DIGEST_MAX], der[144];
    size_t der_len = s->signature_len;
    cossl_raw *raw = NULL;
    if (s->digest == COSSL_DIGEST_NONE) { return 1; }
    int ok = cossl_raw_new(&raw, s->key, s->scheme, s->digest) && cossl_digest_bytes(hash, s->digest, message, message_len);
    const uint8_t *tbs = s->kind == COSSL_KIND_OCT ? message : hash, *signature = s->signature;
    size_t tbs_len = s->kind == COSSL_KIND_OCT ? message_len : cossl_digest_length(s->digest);
    if (ok && s->scheme == COSSL_SCHEME_ECDSA) {
        ok = cossl_ecdsa_to_der(der, &der_len, s->signature, s->signature_len);
        signature = der;
    }
    // What is measured has no bracket of its own.
    cossl_begin();
    ok = ok && cossl_raw_verify(raw, signature, der_len, tbs, tbs_len);
    cossl_end();
    cossl_raw_free(raw);
    return ok;
}

static int measuring(void) { return each_subject(measures); }

static int facts(void) {
    cossl_own_thread();
    cossl_begin();
    cossl_end();
    int are_there = cossl_outlive_exit() && cossl_is_usable() && cossl_version() != NULL && cossl_group_available(COSSL_GROUP_P256);
    return are_there && cossl_open_calls() == 0 && cossl_error_queue_is_empty();
}

static int bare_fetch(void) {
    EVP_MD_free(EVP_MD_fetch(NULL, "SHA256", NULL));
    return 1;
}

const test_case uncovered_case = {"libcrypto without COpenSSL", bare_fetch};
const test_case cases[] = {
    {"keys", keys},
    {"an import", imports},
    {"RS256", verify_pkcs1},
    {"PS256", verify_pss},
    {"an odd exponent", verify_odd_exponent},
    {"ES256", verify_p256},
    {"ES384", verify_p384},
    {"ES512", verify_p521},
    {"ES256K", verify_secp256k1},
    {"Ed25519", verify_ed25519},
    {"Ed448", verify_ed448},
    {"HS256", verify_hmac},
    {"ML-DSA-44", verify_mldsa},
    {"all in one thread", verify_all},
    {"the reference", verify_reference},
    {"digests", digests},
    {"SHAKE256", shake},
    {"an HMAC of stored data", hmac},
    {"signatures", signing},
    {"signing keys", signing_keys},
    {"secrets", secrets},
    {"OAEP", oaep},
    {"device keys", device_keys},
    {"decryption", decryption},
    {"measuring", measuring},
    {"facts", facts},
    {0},
};
