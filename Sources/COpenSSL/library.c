// libcrypto's process-wide objects: fetched algorithms, names, facts about the library.

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <pthread.h>
#include <string.h>

#include "internal.h"

static pthread_once_t fetched_once = PTHREAD_ONCE_INIT;
static atomic_int has_fetched;
static EVP_MD *fetched_digests[COSSL_DIGEST_SHAKE256_114 + 1];
static EVP_MAC *fetched_hmac;
static int group_is_available[COSSL_GROUP_MLDSA87 + 1];
static int is_usable;

static int probe(const char *name) {
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, name, NULL);
    EVP_PKEY_CTX_free(ctx);
    return ctx != NULL;
}

static void fetch_all(void) {
    // Where libcrypto got no memory for its own start, 3.0 takes a lock that it does not have.
    if (OSSL_LIB_CTX_get0_global_default() == NULL) { return; }
    for (int d = COSSL_DIGEST_SHA256; d <= COSSL_DIGEST_SHAKE256_114; d++) {
        fetched_digests[d] = EVP_MD_fetch(NULL, cossl_digest_name((cossl_digest)d), NULL);
    }
    fetched_hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    for (int g = COSSL_GROUP_P256; g <= COSSL_GROUP_SECP256K1; g++) { group_is_available[g] = 1; }
    for (int g = COSSL_GROUP_ED25519; g <= COSSL_GROUP_MLDSA87; g++) { group_is_available[g] = probe(cossl_group_name((cossl_group)g)); }
    is_usable = fetched_digests[COSSL_DIGEST_SHA256] != NULL && fetched_hmac != NULL && probe("RSA") && probe("EC");
}

/// Begins before the first thread fetches and others wait for it. Otherwise a fork could wait for one of those, and the first for the fork.
static void fetch(void) {
    // Later calls take no lock.
    if (atomic_load_explicit(&has_fetched, memory_order_acquire)) { return; }
    cossl_begin();
    pthread_once(&fetched_once, fetch_all);
    cossl_end();
    atomic_store_explicit(&has_fetched, 1, memory_order_release);
}

const EVP_MD *cossl_evp_digest(cossl_digest digest) {
    fetch();
    return fetched_digests[digest];
}

EVP_MAC *cossl_evp_hmac(void) {
    fetch();
    return fetched_hmac;
}

int cossl_group_available(cossl_group group) {
    fetch();
    return group_is_available[group];
}

/// libcrypto's names of a group, the second in its own list of curves, and the length of a coordinate.
static const struct {
    const char *name, *curve;
    size_t coordinate;
} groups[] = {
    [COSSL_GROUP_P256] = {"P-256", "prime256v1", 32},
    [COSSL_GROUP_P384] = {"P-384", "secp384r1", 48},
    [COSSL_GROUP_P521] = {"P-521", "secp521r1", 66},
    [COSSL_GROUP_SECP256K1] = {"secp256k1", "secp256k1", 32},
    [COSSL_GROUP_ED25519] = {.name = "ED25519"},
    [COSSL_GROUP_ED448] = {.name = "ED448"},
    [COSSL_GROUP_MLDSA44] = {.name = "ML-DSA-44"},
    [COSSL_GROUP_MLDSA65] = {.name = "ML-DSA-65"},
    [COSSL_GROUP_MLDSA87] = {.name = "ML-DSA-87"},
};

const char *cossl_group_name(cossl_group group) { return groups[group].name; }

const char *cossl_curve_name(cossl_group group) { return groups[group].curve; }

size_t cossl_coordinate_length(cossl_group group) { return groups[group].coordinate; }

cossl_group cossl_curve_named(const char *name) {
    for (int g = COSSL_GROUP_P256; g <= COSSL_GROUP_SECP256K1; g++) {
        if (strcmp(name, groups[g].name) == 0 || strcmp(name, groups[g].curve) == 0) { return (cossl_group)g; }
    }
    return COSSL_GROUP_NONE;
}

int cossl_is_usable(void) {
    fetch();
    return is_usable;
}

int cossl_outlive_exit(void) { return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL); }

const char *cossl_version(void) { return OpenSSL_version(OPENSSL_VERSION); }

int cossl_error_queue_is_empty(void) {
    cossl_begin();
    int is_empty = ERR_peek_error() == 0;
    cossl_end();
    return is_empty;
}
