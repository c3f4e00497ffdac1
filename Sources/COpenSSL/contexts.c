// The contexts of each pair of thread and key, prepared once and kept in a small table of the thread. So token verification fetches no
// algorithm and shares no state between threads.

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <pthread.h>
#include <string.h>

#include "internal.h"

static _Thread_local cossl_thread *this_thread;
static pthread_key_t thread_exit_key;
static int thread_exit_key_exists;
static pthread_once_t thread_exit_once = PTHREAD_ONCE_INIT;

// Preparing

static int set_rsa_padding(EVP_PKEY_CTX *ctx, cossl_scheme scheme, const EVP_MD *md) {
    if (scheme == COSSL_SCHEME_RSA_PKCS1) { return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) == 1; }
    return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 && EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, md) == 1 &&
           EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1;
}

static EVP_PKEY_CTX *prepare_pkey_context(EVP_PKEY *pkey, cossl_scheme scheme, cossl_digest digest) {
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

int cossl_prepare(cossl_prepared *p, const cossl_key *key, cossl_scheme scheme, cossl_digest digest) {
    switch (scheme) {
        case COSSL_SCHEME_HMAC: return (p->mac_ctx = cossl_prepare_mac_context(key, digest)) != NULL;
        case COSSL_SCHEME_EDDSA:
        case COSSL_SCHEME_MLDSA: return (p->md_ctx = prepare_md_context(key->pkey)) != NULL;
        default: return (p->pkey_ctx = prepare_pkey_context(key->pkey, scheme, digest)) != NULL;
    }
}

// The thread's table

void cossl_discard(cossl_prepared *p) {
    EVP_PKEY_CTX_free(p->pkey_ctx);
    EVP_MAC_CTX_free(p->mac_ctx);
    EVP_MD_CTX_free(p->md_ctx);
    cossl_life_release(p->life);
    *p = (cossl_prepared){0};
}

static void thread_free(void *state) {
    cossl_thread *thread = state;
    cossl_enter();
    for (int s = 0; s < COSSL_SETS; s++) {
        for (int w = 0; w < COSSL_WAYS; w++) { cossl_discard(&thread->contexts[s][w]); }
    }
    BN_free(thread->base);
    BN_free(thread->power);
    ECDSA_SIG_free(thread->ecdsa);
    BN_CTX_free(thread->bn_ctx);
    OPENSSL_free(thread);
    cossl_leave();
    this_thread = NULL;
}

static void make_thread_exit_key(void) { thread_exit_key_exists = pthread_key_create(&thread_exit_key, thread_free) == 0; }

/// Between cossl_begin and cossl_end, which also make the thread's error queue: verifying with RSA or HMAC finds it and takes no lock.
static cossl_thread *thread_new(void) {
    pthread_once(&thread_exit_once, make_thread_exit_key);
    cossl_thread *thread = OPENSSL_zalloc(sizeof *thread);
    if (thread == NULL) { return NULL; }
    thread->bn_ctx = BN_CTX_new();
    thread->base = BN_new();
    thread->power = BN_new();
    thread->ecdsa = cossl_ecdsa_scratch_new();
    if (thread->bn_ctx == NULL || thread->base == NULL || thread->power == NULL || thread->ecdsa == NULL ||
        !thread_exit_key_exists || pthread_setspecific(thread_exit_key, thread) != 0) {
        thread_free(thread);
        return NULL;
    }
    this_thread = thread;
    return thread;
}

/// The contexts of a removed key stay in the thread's table until the thread next prepares a context.
static void discard_dead(cossl_thread *thread) {
    for (int s = 0; s < COSSL_SETS; s++) {
        for (int w = 0; w < COSSL_WAYS; w++) {
            cossl_prepared *p = &thread->contexts[s][w];
            if (p->life != NULL && atomic_load_explicit(&p->life->dead, memory_order_acquire)) { cossl_discard(p); }
        }
    }
}

static cossl_prepared *prepare_into(cossl_thread *thread, const cossl_key *key, cossl_scheme scheme, cossl_digest digest) {
    unsigned set = (unsigned)(key->serial % COSSL_SETS);
    discard_dead(thread);
    cossl_prepared *p = &thread->contexts[set][thread->next_victim[set]++ % COSSL_WAYS];
    cossl_discard(p);
    int ok = cossl_prepare(p, key, scheme, digest);
    if (!ok) { return NULL; }
    atomic_fetch_add_explicit(&key->life->references, 1, memory_order_relaxed);
    p->life = key->life;
    p->serial = key->serial;
    p->scheme = scheme;
    p->digest = digest;
    return p;
}

cossl_prepared *cossl_find_prepared(cossl_thread *thread, const cossl_key *key, cossl_scheme scheme, cossl_digest digest) {
    cossl_prepared *set = thread->contexts[key->serial % COSSL_SETS];
    for (int w = 0; w < COSSL_WAYS; w++) {
        if (set[w].serial == key->serial && set[w].scheme == scheme && set[w].digest == digest) { return &set[w]; }
    }
    return prepare_into(thread, key, scheme, digest);
}

cossl_thread *cossl_this_thread(void) {
    if (this_thread != NULL) { return this_thread; }
    cossl_begin();
    cossl_thread *thread = thread_new();
    cossl_end();
    return thread;
}

size_t cossl_thread_context_count(void) {
    size_t count = 0;
    for (int s = 0; this_thread != NULL && s < COSSL_SETS; s++) {
        for (int w = 0; w < COSSL_WAYS; w++) { count += this_thread->contexts[s][w].life != NULL; }
    }
    return count;
}
