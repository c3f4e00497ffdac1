// Verification. What depends on a thread and a key alone is prepared once and kept in a small table of the thread's own, so that
// the way of a token takes no lock, fetches nothing, and two threads never meet.

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <pthread.h>
#include <string.h>

#include "internal.h"

// Contexts of one thread: sets of four by key serial, the oldest of a set replaced. 32 sets hold what a gateway keeps hot.
enum { SETS = 32, WAYS = 4 };

typedef struct prepared {
    uint64_t serial;
    cossl_scheme scheme;
    cossl_digest digest;
    cossl_life *life;
    EVP_PKEY_CTX *pkey_ctx;
    EVP_MAC_CTX *mac_ctx;
    EVP_MD_CTX *md_ctx;
} prepared;

typedef struct thread_state {
    prepared contexts[SETS][WAYS];
    unsigned next_victim[SETS];
    BN_CTX *bn_ctx;
    BIGNUM *base;
    BIGNUM *power;
    ECDSA_SIG *ecdsa;
} thread_state;

static _Thread_local thread_state *this_thread;
static pthread_key_t thread_exit_key;
static pthread_once_t thread_exit_once = PTHREAD_ONCE_INIT;
static atomic_int reference_only;

void cossl_set_reference_only(int on) { atomic_store_explicit(&reference_only, on, memory_order_relaxed); }

// Preparing

int cossl_scheme_fits(const cossl_key *key, cossl_scheme scheme) {
    switch (scheme) {
        case COSSL_SCHEME_RSA_PKCS1:
        case COSSL_SCHEME_RSA_PSS: return key->kind == COSSL_KIND_RSA;
        case COSSL_SCHEME_ECDSA: return key->kind == COSSL_KIND_EC;
        case COSSL_SCHEME_EDDSA: return key->kind == COSSL_KIND_OKP;
        case COSSL_SCHEME_HMAC: return key->kind == COSSL_KIND_OCT;
        case COSSL_SCHEME_MLDSA: return key->kind == COSSL_KIND_AKP;
    }
    return 0;
}

static int set_rsa_padding(EVP_PKEY_CTX *ctx, cossl_scheme scheme, const EVP_MD *md) {
    if (scheme == COSSL_SCHEME_RSA_PKCS1) { return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) == 1; }
    return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 && EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, md) == 1 &&
           EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1;
}

EVP_PKEY_CTX *cossl_prepare_pkey_context(EVP_PKEY *pkey, cossl_scheme scheme, cossl_digest digest) {
    const EVP_MD *md = cossl_evp_digest(digest);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, pkey, NULL);
    int ok = md != NULL && ctx != NULL && EVP_PKEY_verify_init(ctx) == 1;
    if (ok && scheme != COSSL_SCHEME_ECDSA) {
        ok = EVP_PKEY_CTX_set_signature_md(ctx, md) == 1 && set_rsa_padding(ctx, scheme, md);
    }
    if (!ok) {
        EVP_PKEY_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

EVP_MAC_CTX *cossl_prepare_mac_context(const cossl_key *key, cossl_digest digest) {
    char name[16];
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(cossl_evp_hmac());
    strncpy(name, cossl_digest_name(digest), sizeof name - 1);
    name[sizeof name - 1] = 0;
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string("digest", name, 0), OSSL_PARAM_construct_end()};
    if (ctx == NULL || EVP_MAC_init(ctx, key->secret, key->secret_len, parameters) != 1) {
        EVP_MAC_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

static EVP_MD_CTX *prepare_md_context(EVP_PKEY *pkey) {
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    if (ctx == NULL || EVP_DigestVerifyInit_ex(ctx, NULL, NULL, NULL, NULL, pkey, NULL) != 1) {
        EVP_MD_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

static int prepare(prepared *p, const cossl_key *key, cossl_scheme scheme, cossl_digest digest) {
    switch (scheme) {
        case COSSL_SCHEME_HMAC: return (p->mac_ctx = cossl_prepare_mac_context(key, digest)) != NULL;
        case COSSL_SCHEME_EDDSA:
        case COSSL_SCHEME_MLDSA: return (p->md_ctx = prepare_md_context(key->pkey)) != NULL;
        default: return (p->pkey_ctx = cossl_prepare_pkey_context(key->pkey, scheme, digest)) != NULL;
    }
}

// The thread's table

static void discard(prepared *p) {
    EVP_PKEY_CTX_free(p->pkey_ctx);
    EVP_MAC_CTX_free(p->mac_ctx);
    EVP_MD_CTX_free(p->md_ctx);
    cossl_life_release(p->life);
    *p = (prepared){0};
}

static void thread_state_free(void *state) {
    thread_state *thread = state;
    for (int s = 0; s < SETS; s++) {
        for (int w = 0; w < WAYS; w++) { discard(&thread->contexts[s][w]); }
    }
    BN_free(thread->base);
    BN_free(thread->power);
    ECDSA_SIG_free(thread->ecdsa);
    BN_CTX_free(thread->bn_ctx);
    OPENSSL_free(thread);
    this_thread = NULL;
}

static void make_thread_exit_key(void) { pthread_key_create(&thread_exit_key, thread_state_free); }

static thread_state *thread_state_new(void) {
    pthread_once(&thread_exit_once, make_thread_exit_key);
    thread_state *thread = OPENSSL_zalloc(sizeof *thread);
    if (thread == NULL) { return NULL; }
    thread->bn_ctx = BN_CTX_new();
    thread->base = BN_new();
    thread->power = BN_new();
    thread->ecdsa = cossl_ecdsa_scratch_new();
    if (thread->bn_ctx == NULL || thread->base == NULL || thread->power == NULL || thread->ecdsa == NULL ||
        pthread_setspecific(thread_exit_key, thread) != 0) {
        thread_state_free(thread);
        return NULL;
    }
    this_thread = thread;
    return thread;
}

/// A removed key's contexts go when the thread next prepares one: it holds no more than its table until then.
static void discard_dead(thread_state *thread) {
    for (int s = 0; s < SETS; s++) {
        for (int w = 0; w < WAYS; w++) {
            prepared *p = &thread->contexts[s][w];
            if (p->life != NULL && atomic_load_explicit(&p->life->dead, memory_order_acquire)) { discard(p); }
        }
    }
}

static prepared *prepare_into(thread_state *thread, const cossl_key *key, cossl_scheme scheme, cossl_digest digest) {
    unsigned set = (unsigned)(key->serial % SETS);
    discard_dead(thread);
    prepared *p = &thread->contexts[set][thread->next_victim[set]++ % WAYS];
    discard(p);
    ERR_set_mark();
    int ok = prepare(p, key, scheme, digest);
    ERR_pop_to_mark();
    if (!ok) { return NULL; }
    atomic_fetch_add_explicit(&key->life->references, 1, memory_order_relaxed);
    p->life = key->life;
    p->serial = key->serial;
    p->scheme = scheme;
    p->digest = digest;
    return p;
}

static prepared *find_prepared(thread_state *thread, const cossl_key *key, cossl_scheme scheme, cossl_digest digest) {
    prepared *set = thread->contexts[key->serial % SETS];
    for (int w = 0; w < WAYS; w++) {
        if (set[w].serial == key->serial && set[w].scheme == scheme && set[w].digest == digest) { return &set[w]; }
    }
    return prepare_into(thread, key, scheme, digest);
}

size_t cossl_thread_context_count(void) {
    size_t count = 0;
    for (int s = 0; this_thread != NULL && s < SETS; s++) {
        for (int w = 0; w < WAYS; w++) { count += this_thread->contexts[s][w].life != NULL; }
    }
    return count;
}

// Verifying

static int mac_matches(EVP_MAC_CTX *ctx, cossl_digest digest, const uint8_t *msg, size_t msg_len, const uint8_t *sig, size_t sig_len) {
    uint8_t tag[EVP_MAX_MD_SIZE];
    size_t tag_len = 0, expected_len = cossl_digest_length(digest);
    int ok = sig_len == expected_len && EVP_MAC_init(ctx, NULL, 0, NULL) == 1 && EVP_MAC_update(ctx, msg, msg_len) == 1 &&
             EVP_MAC_final(ctx, tag, &tag_len, sizeof tag) == 1 && tag_len == expected_len &&
             CRYPTO_memcmp(tag, sig, expected_len) == 0;
    OPENSSL_cleanse(tag, sizeof tag);
    return ok;
}

int cossl_digest_verify(EVP_MD_CTX *ctx, EVP_PKEY *pkey, const uint8_t *msg, size_t msg_len, const uint8_t *sig, size_t sig_len) {
    // From 3.4 on a context is finished by its first use and must be initialised again; 3.0 to 3.3 may repeat, at no cost.
    if (OPENSSL_version_major() > 3 || OPENSSL_version_minor() >= 4) {
        if (EVP_DigestVerifyInit_ex(ctx, NULL, NULL, NULL, NULL, pkey, NULL) != 1) { return 0; }
    }
    return EVP_DigestVerify(ctx, sig, sig_len, msg, msg_len) == 1;
}

static int ecdsa_verify_der(EVP_PKEY_CTX *ctx, const cossl_key *key, const uint8_t *hash, size_t hash_len, const uint8_t *sig, size_t sig_len) {
    uint8_t der[144];
    size_t der_len = 0;
    if (sig_len != 2 * cossl_coordinate_length(key->group) || !cossl_ecdsa_to_der(der, &der_len, sig, sig_len)) { return 0; }
    return EVP_PKEY_verify(ctx, der, der_len, hash, hash_len) == 1;
}

typedef int digest_function(uint8_t *out, cossl_digest digest, const uint8_t *in, size_t in_len);

static int verify_prepared(const prepared *p, const cossl_key *key, digest_function *digest_bytes, const uint8_t *msg, size_t msg_len,
                           const uint8_t *sig, size_t sig_len) {
    uint8_t hash[COSSL_DIGEST_MAX];
    size_t hash_len = cossl_digest_length(p->digest);
    if (p->mac_ctx != NULL) { return mac_matches(p->mac_ctx, p->digest, msg, msg_len, sig, sig_len); }
    if (p->md_ctx != NULL) { return cossl_digest_verify(p->md_ctx, key->pkey, msg, msg_len, sig, sig_len); }
    if (!digest_bytes(hash, p->digest, msg, msg_len)) { return 0; }
    if (p->scheme == COSSL_SCHEME_ECDSA) { return ecdsa_verify_der(p->pkey_ctx, key, hash, hash_len, sig, sig_len); }
    return sig_len == key->modulus_len && EVP_PKEY_verify(p->pkey_ctx, sig, sig_len, hash, hash_len) == 1;
}

int cossl_verify_reference(const cossl_key *key, cossl_scheme scheme, cossl_digest digest, const uint8_t *msg, size_t msg_len,
                           const uint8_t *sig, size_t sig_len) {
    prepared p = {.scheme = scheme, .digest = digest};
    if (!cossl_scheme_fits(key, scheme)) { return 0; }
    ERR_set_mark();
    int ok = prepare(&p, key, scheme, digest) && verify_prepared(&p, key, cossl_digest_bytes_evp, msg, msg_len, sig, sig_len);
    ERR_pop_to_mark();
    discard(&p);
    return ok;
}

/// The ways that need nothing prepared for thread and key together. One if the key goes one of them; then *verdict is set.
static int verify_directly(int *verdict, thread_state *thread, const cossl_key *key, cossl_scheme scheme, cossl_digest digest,
                           const uint8_t *msg, size_t msg_len, const uint8_t *sig, size_t sig_len) {
    uint8_t hash[COSSL_DIGEST_MAX];
    *verdict = 0;
    if (scheme == COSSL_SCHEME_HMAC && key->hmac != NULL) {
        *verdict = cossl_hmac_verify(key->hmac, digest, msg, msg_len, sig, sig_len);
    } else if (scheme == COSSL_SCHEME_RSA_PKCS1 && key->montgomery != NULL) {
        *verdict = cossl_digest_bytes(hash, digest, msg, msg_len) &&
                   cossl_rsa_pkcs1_verify(key, digest, hash, sig, sig_len, thread->bn_ctx, thread->base, thread->power);
    } else if (scheme == COSSL_SCHEME_ECDSA && key->ec_key != NULL) {
        *verdict = cossl_digest_bytes(hash, digest, msg, msg_len) &&
                   cossl_ecdsa_verify(key, thread->ecdsa, hash, cossl_digest_length(digest), sig, sig_len);
    } else {
        return 0;
    }
    return 1;
}

int cossl_verify(const cossl_key *key, cossl_scheme scheme, cossl_digest digest, const uint8_t *msg, size_t msg_len,
                 const uint8_t *sig, size_t sig_len) {
    int verdict = 0;
    if (!cossl_scheme_fits(key, scheme)) { return 0; }
    thread_state *thread = this_thread != NULL ? this_thread : thread_state_new();
    if (thread == NULL || atomic_load_explicit(&reference_only, memory_order_relaxed)) {
        return cossl_verify_reference(key, scheme, digest, msg, msg_len, sig, sig_len);
    }
    if (verify_directly(&verdict, thread, key, scheme, digest, msg, msg_len, sig, sig_len)) { return verdict; }
    const prepared *p = find_prepared(thread, key, scheme, digest);
    if (p == NULL) { return 0; }
    ERR_set_mark();
    verdict = verify_prepared(p, key, cossl_digest_bytes, msg, msg_len, sig, sig_len);
    ERR_pop_to_mark();
    return verdict;
}
