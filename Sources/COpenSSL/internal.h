// Declarations that the files of COpenSSL share. Not visible outside.

#ifndef ASSAY_COPENSSL_INTERNAL_H
#define ASSAY_COPENSSL_INTERNAL_H

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <stdatomic.h>

#include "COpenSSL.h"

/// Outlives its key while a thread keeps a context of the key, so that the thread can detect and drop that context.
typedef struct cossl_life {
    atomic_int references;
    atomic_int dead;
} cossl_life;

typedef struct cossl_hmac_states cossl_hmac_states;
/// OpenSSL's EC_KEY, under a name that exists even without its functions.
typedef struct ec_key_st cossl_ec_key;

struct cossl_key {
    cossl_kind kind;
    cossl_group group;
    /// Identifies the key's contexts in each thread. Never reused within a process.
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

/// HMAC's inner and outer state of one secret under each digest, in hmac.c. Read-only after construction; wiped when freed.
cossl_hmac_states *cossl_hmac_states_new(const uint8_t *secret, size_t secret_len);
void cossl_hmac_states_free(cossl_hmac_states *states);
int cossl_hmac_verify(const cossl_hmac_states *states, cossl_digest digest, const uint8_t *msg, size_t msg_len, const uint8_t *sig,
                      size_t sig_len);

void cossl_life_release(cossl_life *life);

/// cossl_begin and cossl_end for what is freed: without the error queue, which a thread that ends no longer has.
void cossl_enter(void);
void cossl_leave(void);

/// libcrypto's names of a group, of an EC group in its list of curves, and of a digest.
const char *cossl_group_name(cossl_group group);
const char *cossl_curve_name(cossl_group group);
const char *cossl_digest_name(cossl_digest digest);
/// The EC group with either name; COSSL_GROUP_NONE for another.
cossl_group cossl_curve_named(const char *name);
/// Fetched once for the process and never freed.
const EVP_MD *cossl_evp_digest(cossl_digest digest);
EVP_MAC *cossl_evp_hmac(void);

/// cossl_digest_bytes through EVP, for the reference path.
int cossl_digest_bytes_evp(uint8_t *out, cossl_digest digest, const uint8_t *in, size_t in_len);

// Contexts of one thread: sets of four, found by key serial; a new context replaces the oldest of its set. 32 sets hold a gateway's active
// keys.
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

/// The calling thread's table, made at its first call; NULL where memory is exhausted. In contexts.c.
cossl_thread *cossl_this_thread(void);
/// The thread's context for a key, prepared now if missing; NULL if that fails.
cossl_prepared *cossl_find_prepared(cossl_thread *thread, const cossl_key *key, cossl_scheme scheme, cossl_digest digest);
/// Prepares a context outside the table. Call cossl_discard afterwards, even on failure.
int cossl_prepare(cossl_prepared *p, const cossl_key *key, cossl_scheme scheme, cossl_digest digest);
void cossl_discard(cossl_prepared *p);

/// A context keyed for HMAC, or NULL. The caller frees it.
EVP_MAC_CTX *cossl_prepare_mac_context(const cossl_key *key, cossl_digest digest);

/// One where the bytes can be the SEQUENCE that every key in DER is (X.690 section 8.1), and so no text: the second byte of a long one is
/// not ASCII, and a text that begins with a zero is longer than a short one says. libcrypto would read PEM also from within a certificate.
int cossl_is_sequence(const uint8_t *in, size_t in_len);

/// The key that cossl_import_public_key reads, as libcrypto's own type; NULL otherwise. The caller frees it and restores the error queue.
EVP_PKEY *cossl_public_pkey(const uint8_t *in, size_t in_len);

/// The key of a PKCS#8 PrivateKeyInfo of at most `max_len` bytes; NULL for anything else. The caller frees it and restores the error queue.
EVP_PKEY *cossl_private_pkey(const uint8_t *der, size_t der_len, size_t max_len);

/// The key of a document that has one private key, unencrypted, in PEM or DER (PKCS#8, or a traditional form); NULL for anything else. The
/// caller frees it and restores the error queue.
EVP_PKEY *cossl_private_document_pkey(const uint8_t *in, size_t in_len);

/// The public parts of `pkey`.
int cossl_components_of(cossl_components *out, EVP_PKEY *pkey);

/// One where the kind of `key` fits `scheme`.
int cossl_scheme_fits(const cossl_key *key, cossl_scheme scheme);

/// One where cossl_rsa_verify takes signatures of `scheme` under `key`. Otherwise the key takes the EVP path.
int cossl_rsa_is_direct(const cossl_key *key, cossl_scheme scheme);
/// RSASSA-PKCS1-v1_5 and RSASSA-PSS over the Montgomery form of the modulus, in rsa.c. The scratch numbers belong to the calling thread.
int cossl_rsa_verify(const cossl_key *key, cossl_scheme scheme, cossl_digest digest, const uint8_t *hash, const uint8_t *sig,
                     size_t sig_len, BN_CTX *ctx, BIGNUM *base, BIGNUM *power);

/// ECDSA over r||s, in ecdsa.c. The scratch signature belongs to the calling thread.
cossl_ec_key *cossl_ec_key_new(cossl_group group, const uint8_t *x, const uint8_t *y);
void cossl_ec_key_free(cossl_ec_key *key);
ECDSA_SIG *cossl_ecdsa_scratch_new(void);
int cossl_ecdsa_verify(const cossl_key *key, ECDSA_SIG *scratch, const uint8_t *hash, size_t hash_len, const uint8_t *sig, size_t sig_len);

/// One EdDSA or ML-DSA verification on a context that EVP_DigestVerifyInit has prepared for `pkey`.
int cossl_digest_verify(EVP_MD_CTX *ctx, EVP_PKEY *pkey, const uint8_t *msg, size_t msg_len, const uint8_t *sig, size_t sig_len);

#endif
