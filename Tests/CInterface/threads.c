/* Threads that share a verifier, and keys that change while they verify. Each has its own result. */

#include <pthread.h>
#include <stdatomic.h>
#include "objects.h"

enum { thread_count = 4, rounds = 3000 };

static assay_verifier *fixed, *hosted, *cached;
static assay_keys *keys;
static atomic_int wrong, is_over;

static void *verify(void *context) {
    (void)context;
    assay_result *result = assay_result_init(malloc(4096), 4096);
    const char *text;
    size_t len;
    for (int i = 0; i < rounds; i++) {
        wrong += assay_verify(result, fixed, TEXT(TOKEN), NOW) != ASSAY_OK;
        wrong += assay_result_subject(&text, &len, result) != ASSAY_OK || !is_text(text, len, "user-1");
        wrong += assay_verify(result, fixed, TEXT(TOKEN_TAMPERED), NOW) != ASSAY_SIGNATURE_INVALID;
        wrong += assay_verify(result, cached, TEXT(TOKEN), NOW) != ASSAY_OK;
        wrong += assay_result_subject(&text, &len, result) != ASSAY_OK || !is_text(text, len, "user-1");
        /* Every set of the rotation has this key. */
        wrong += assay_verify(result, hosted, TEXT(TOKEN), NOW) != ASSAY_OK;
        assay_code code = assay_verify(result, hosted, TEXT(TOKEN_SECOND), NOW);
        wrong += code != ASSAY_OK && code != ASSAY_UNKNOWN_KEY && code != ASSAY_KEYS_UNAVAILABLE;
        assay_keys_state state = {.size = sizeof state};
        wrong += assay_keys_status(&state, keys) != ASSAY_OK || assay_keys_next_due(keys) < 0;
    }
    free(result);
    return NULL;
}

/* Many threads may read a result while none changes it. */
static void *read_result(void *context) {
    const assay_result *result = context;
    for (int i = 0; i < rounds; i++) {
        assay_value value;
        const char *text;
        size_t len;
        wrong += assay_result_claim(&value, result, TEXT("text")) != ASSAY_OK || assay_value_string(&text, &len, &value) != ASSAY_OK;
        wrong += assay_result_code(result) != ASSAY_OK;
    }
    return NULL;
}

/* The host's thread: fetches whenever told to, and rotates the keys. */
static void *drive(void *context) {
    (void)context;
    for (int i = 0; !is_over; i++) {
        assay_fetch *fetch = NULL;
        assay_keys_refresh(keys);
        if (assay_keys_request(&fetch, keys) != ASSAY_OK) { continue; }
        const char *document = i % 2 ? JWKS : JWKS_BOTH;
        assay_keys_install(keys, fetch, 200, NULL, 0, document, strlen(document));
        assay_fetch_free(fetch);
    }
    return NULL;
}

int main(void) {
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_keys_new_url(&keys, TEXT("https://idp.example/keys"), NULL), ASSAY_OK);
    hosted = new_verifier_with(keys);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_OK);
    CHECK_EQUAL(assay_keys_install(keys, fetch, 200, NULL, 0, TEXT(JWKS)), ASSAY_OK);
    assay_fetch_free(fetch);
    fixed = new_verifier(JWKS);
    assay_policy *policy = new_policy(ISSUER);
    assay_keys *same = new_keys(JWKS);
    assay_issuer issuer = {policy, same};
    assay_verifier_options options = {sizeof options, 0, 1 << 20, 0, 0, 0};
    CHECK_EQUAL(assay_verifier_new(&cached, &issuer, 1, &options), ASSAY_OK);

    assay_result *shared = new_result(4096);
    CHECK_EQUAL(assay_verify(shared, fixed, TEXT(TOKEN_ESCAPED), NOW), ASSAY_OK);
    pthread_t threads[thread_count], readers[2], driver;
    pthread_create(&driver, NULL, drive, NULL);
    for (int i = 0; i < thread_count; i++) { pthread_create(&threads[i], NULL, verify, NULL); }
    for (int i = 0; i < 2; i++) { pthread_create(&readers[i], NULL, read_result, shared); }
    for (int i = 0; i < thread_count; i++) { pthread_join(threads[i], NULL); }
    for (int i = 0; i < 2; i++) { pthread_join(readers[i], NULL); }
    is_over = 1;
    pthread_join(driver, NULL);
    CHECK_EQUAL(wrong, 0);
    free(shared);
    assay_policy_free(policy);
    assay_keys_free(keys);
    assay_keys_free(same);
    assay_verifier_free(hosted);
    assay_verifier_free(fixed);
    assay_verifier_free(cached);
    return report();
}
