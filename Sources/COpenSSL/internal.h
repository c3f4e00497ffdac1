// What the files of COpenSSL share. Nothing here is visible outside.

#ifndef ASSAY_COPENSSL_INTERNAL_H
#define ASSAY_COPENSSL_INTERNAL_H

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <stdatomic.h>

#include "COpenSSL.h"

/// Outlives its key as long as a thread still keeps a context made from it, so that such contexts can be told and dropped.
typedef struct cossl_life {
    atomic_int references;
    atomic_int dead;
} cossl_life;

typedef struct cossl_hmac_states cossl_hmac_states;
/// OpenSSL's EC_KEY, by the name that is there even where its functions are not.
typedef struct ec_key_st cossl_ec_key;

struct cossl_key {
    cossl_kind kind;
    cossl_group group;
    /// Never reused within a process: what per-thread contexts are found by.
    uint64_t serial;
    cossl_life *life;
    EVP_PKEY *pkey;
    /// RSA with e = 65537 only: the modulus, ready for Montgomery multiplication. Read-only after construction.
    BIGNUM *modulus;
    BN_MONT_CTX *montgomery;
    size_t modulus_len;
    /// COSSL_KIND_EC only. Without it the key takes the EVP path.
    cossl_ec_key *ec_key;
    /// COSSL_KIND_OCT only. Without `hmac` the key takes the EVP path.
    uint8_t *secret;
    size_t secret_len;
    cossl_hmac_states *hmac;
};

/// HMAC's inner and outer state of one secret under each digest, in hmac.c. Read-only after construction; freeing wipes.
cossl_hmac_states *cossl_hmac_states_new(const uint8_t *secret, size_t secret_len);
void cossl_hmac_states_free(cossl_hmac_states *states);
int cossl_hmac_verify(const cossl_hmac_states *states, cossl_digest digest, const uint8_t *msg, size_t msg_len, const uint8_t *sig,
                      size_t sig_len);

void cossl_life_release(cossl_life *life);

/// libcrypto's name of a group, and of a digest.
const char *cossl_group_name(cossl_group group);
const char *cossl_digest_name(cossl_digest digest);
/// Fetched once for the process and never freed.
const EVP_MD *cossl_evp_digest(cossl_digest digest);
EVP_MAC *cossl_evp_hmac(void);

/// cossl_digest_bytes through EVP, for the reference path.
int cossl_digest_bytes_evp(uint8_t *out, cossl_digest digest, const uint8_t *in, size_t in_len);

// Contexts of one thread: sets of four by key serial, the oldest of a set replaced. 32 sets hold what a gateway keeps hot.
enum { COSSL_SETS = 32, COSSL_WAYS = 4 };

typedef struct cossl_prepared {
    uint64_t serial;
    cossl_scheme scheme;
    cossl_digest digest;
    cossl_life *life;
    EVP_PKEY_CTX *pkey_ctx;
    EVP_MAC_CTX *mac_ctx;
    EVP_MD_CTX *md_ctx;
} cossl_prepared;

typedef struct cossl_thread {
    cossl_prepared contexts[COSSL_SETS][COSSL_WAYS];
    unsigned next_victim[COSSL_SETS];
    BN_CTX *bn_ctx;
    BIGNUM *base;
    BIGNUM *power;
    ECDSA_SIG *ecdsa;
} cossl_thread;

/// The calling thread's own, made at its first call; NULL where memory is exhausted. In contexts.c.
cossl_thread *cossl_this_thread(void);
/// The thread's context for a key, prepared now if it has none; NULL if that fails.
cossl_prepared *cossl_find_prepared(cossl_thread *thread, const cossl_key *key, cossl_scheme scheme, cossl_digest digest);
/// Prepares one outside the table. Whether or not it succeeds, cossl_discard is to follow.
int cossl_prepare(cossl_prepared *p, const cossl_key *key, cossl_scheme scheme, cossl_digest digest);
void cossl_discard(cossl_prepared *p);

/// A context ready for EVP_PKEY_verify, or NULL. The caller frees it.
EVP_PKEY_CTX *cossl_prepare_pkey_context(EVP_PKEY *pkey, cossl_scheme scheme, cossl_digest digest);
/// A context keyed for HMAC, or NULL. The caller frees it.
EVP_MAC_CTX *cossl_prepare_mac_context(const cossl_key *key, cossl_digest digest);

/// What cossl_import_public_key reads, as libcrypto's own; NULL for anything else. The caller frees it and minds the error queue.
EVP_PKEY *cossl_public_pkey(const uint8_t *in, size_t in_len);

/// `pkey` in PKCS#8 DER, if it has a private part. The caller frees it with cossl_document_free. In oaep.c.
int cossl_private_document(uint8_t **out, size_t *out_len, EVP_PKEY *pkey);

/// The public parts of `pkey`.
int cossl_components_of(cossl_components *out, EVP_PKEY *pkey);

/// One where `key` can be asked for `scheme` at all: its kind fits.
int cossl_scheme_fits(const cossl_key *key, cossl_scheme scheme);

/// RSASSA-PKCS1-v1_5 over the Montgomery form of the modulus, in rsa.c. The scratch numbers belong to the calling thread.
int cossl_rsa_pkcs1_verify(const cossl_key *key, cossl_digest digest, const uint8_t *hash, const uint8_t *sig, size_t sig_len,
                           BN_CTX *ctx, BIGNUM *base, BIGNUM *power);

/// ECDSA over r||s, in ecdsa.c. The scratch signature belongs to the calling thread.
cossl_ec_key *cossl_ec_key_new(cossl_group group, const uint8_t *x, const uint8_t *y);
void cossl_ec_key_free(cossl_ec_key *key);
ECDSA_SIG *cossl_ecdsa_scratch_new(void);
int cossl_ecdsa_verify(const cossl_key *key, ECDSA_SIG *scratch, const uint8_t *hash, size_t hash_len, const uint8_t *sig, size_t sig_len);

/// One EdDSA or ML-DSA verification on a context that EVP_DigestVerifyInit has prepared for `pkey`.
int cossl_digest_verify(EVP_MD_CTX *ctx, EVP_PKEY *pkey, const uint8_t *msg, size_t msg_len, const uint8_t *sig, size_t sig_len);

#endif
