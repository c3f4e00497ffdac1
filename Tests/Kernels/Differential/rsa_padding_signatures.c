// Signatures made from correct and wrong encodings with a raw private operation: EVP_PKEY_verify must give the same verdict as the
// function.

#include "rsa_padding.h"

#include <openssl/core_names.h>
#include <openssl/err.h>

// Three or four primes: finding them is faster than finding two, and the key only serves one run.
static EVP_PKEY *key_of(unsigned bits) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    if (EVP_PKEY_keygen_init(context) != 1 || EVP_PKEY_CTX_set_rsa_keygen_bits(context, (int)bits) != 1 ||
        EVP_PKEY_CTX_set_rsa_keygen_primes(context, bits < 4096 ? 3 : 4) != 1 || EVP_PKEY_generate(context, &key) != 1) {
        abort();
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

// Zero where `em` is not below the modulus.
static int sign_raw(EVP_PKEY *key, const encoding *e, uint8_t *sig) {
    size_t sig_len = e->len;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    if (EVP_PKEY_sign_init(context) != 1 || EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) != 1) { abort(); }
    int is_signed = EVP_PKEY_sign(context, sig, &sig_len, e->em, e->len) == 1 && sig_len == e->len;
    EVP_PKEY_CTX_free(context);
    return is_signed;
}

static int is_valid(EVP_PKEY *key, const encoding *e, const uint8_t *sig) {
    int is_pss = e->scheme == COSSL_SCHEME_RSA_PSS;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    if (EVP_PKEY_verify_init(context) != 1 ||
        EVP_PKEY_CTX_set_rsa_padding(context, is_pss ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING) != 1 ||
        EVP_PKEY_CTX_set_signature_md(context, e->md) != 1 ||
        (is_pss && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) != 1)) {
        abort();
    }
    int valid = EVP_PKEY_verify(context, sig, e->len, e->hash, e->hash_len) == 1;
    EVP_PKEY_CTX_free(context);
    return valid;
}

static void check_signature(padding_check *check, EVP_PKEY *key, const encoding *e, int must_be_valid, const char *what) {
    uint8_t sig[kMostEncodedBytes];
    if (!sign_raw(key, e, sig)) { return; }
    int valid = is_valid(key, e, sig);
    check->signatures++;
    padding_expect(check, e, valid, what);
    if (must_be_valid) { padding_expect(check, e, 1, "a signature over the right encoding"); }
}

static void check_key(padding_check *check, EVP_PKEY *key, encoding *e) {
    enum { kChanges = 16 };
    const char *what;
    random_bytes(&check->random, e->hash, e->hash_len);
    for (size_t form = 0; (what = encoding_form(check, e, form)) != NULL; form++) { check_signature(check, key, e, form == 0, what); }
    for (int i = 0; i < kChanges; i++) {
        (void)encoding_form(check, e, 0);
        encoding_change(check, e);
        check_signature(check, key, e, 0, "a signature over a changed encoding");
    }
}

// The function does not support a PSS encoding for a modulus whose bits do not fill whole bytes.
void check_padding_signatures(padding_check *check) {
    static const unsigned sizes[] = {2048, 2049, 2055, 2056, 3072, 4096};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        EVP_PKEY *key = key_of(sizes[i]);
        for (int scheme = COSSL_SCHEME_RSA_PKCS1; scheme <= (sizes[i] % 8 == 0 ? COSSL_SCHEME_RSA_PSS : COSSL_SCHEME_RSA_PKCS1); scheme++) {
            for (int digest = COSSL_DIGEST_SHA256; digest <= COSSL_DIGEST_SHA512; digest++) {
                encoding e;
                encoding_open(&e, (cossl_scheme)scheme, (cossl_digest)digest, sizes[i]);
                check_key(check, key, &e);
                encoding_close(&e);
            }
        }
        EVP_PKEY_free(key);
    }
}
