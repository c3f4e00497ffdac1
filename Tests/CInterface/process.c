/* What the library does to its process: forks at each moment, signals, descriptors, threads. */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include "inspection.h"
#include "objects.h"

static int use_verifier(void *context) {
    assay_verifier *verifier = context;
    assay_result *result = new_result(4096);
    for (int i = 0; i < 200; i++) {
        CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        CHECK_EQUAL(assay_verify(result, verifier, TEXT(TOKEN_TAMPERED), NOW), ASSAY_SIGNATURE_INVALID);
    }
    free(result);
    return 0;
}

/* A child also makes its own objects: its first key starts its own builder of tables. */
static int use_both(void *context) {
    if (context != NULL) { use_verifier(context); }
    assay_verifier *own = new_verifier(JWKS);
    use_verifier(own);
    usleep(20000);
    use_verifier(own);
    assay_verifier_free(own);
    return 0;
}

/* Goes on with a fetch that the parent has begun. */
struct hosted {
    assay_keys *keys;
    assay_verifier *verifier;
    assay_fetch *fetch;
};

static int install(void *context) {
    struct hosted *hosted = context;
    CHECK_EQUAL(assay_keys_install(hosted->keys, hosted->fetch, 200, NULL, 0, TEXT(JWKS)), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, hosted->verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    return 0;
}

/* Refreshes keys that the parent had already. */
static int rotate(void *context) {
    struct hosted *hosted = context;
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_verify(NULL, hosted->verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, hosted->verifier, TEXT(TOKEN_SECOND), NOW), ASSAY_KEYS_UNAVAILABLE);
    CHECK_EQUAL(assay_keys_request(&fetch, hosted->keys), ASSAY_OK);
    CHECK_EQUAL(assay_keys_install(hosted->keys, fetch, 200, NULL, 0, TEXT(JWKS_BOTH)), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, hosted->verifier, TEXT(TOKEN_SECOND), NOW), ASSAY_OK);
    assay_fetch_free(fetch);
    return 0;
}

static void hosted_keys(void) {
    struct hosted hosted = {0};
    CHECK_EQUAL(assay_keys_new_url(&hosted.keys, TEXT("https://idp.example/keys"), NULL), ASSAY_OK);
    hosted.verifier = new_verifier_with(hosted.keys);
    CHECK_EQUAL(assay_keys_request(&hosted.fetch, hosted.keys), ASSAY_OK);
    in_child(install, &hosted);
    /* The child's keys are its own. */
    CHECK_EQUAL(assay_verify(NULL, hosted.verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
    CHECK_EQUAL(assay_keys_install(hosted.keys, hosted.fetch, 200, NULL, 0, TEXT(JWKS)), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, hosted.verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    in_child(rotate, &hosted);
    in_child(rotate, &hosted);
    in_child(use_both, hosted.verifier);
    CHECK_EQUAL(assay_verify(NULL, hosted.verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    assay_fetch_free(hosted.fetch);
    assay_verifier_free(hosted.verifier);
    assay_keys_free(hosted.keys);
}

/* Handlers of forks that a host registers after it has loaded the library: they may use all of it. */
static int are_handlers_calling, handlers_served;

static void use_everything(void) {
    struct hosted hosted = {0};
    assay_verifier_options options = {sizeof options, 0, 1 << 20, 0, 0, 0};
    CHECK_EQUAL(assay_keys_new_url(&hosted.keys, TEXT("https://idp.example/keys"), NULL), ASSAY_OK);
    CHECK_EQUAL(assay_keys_request(&hosted.fetch, hosted.keys), ASSAY_OK);
    CHECK_EQUAL(assay_keys_install(hosted.keys, hosted.fetch, 200, NULL, 0, TEXT(JWKS)), ASSAY_OK);
    assay_policy *policy = new_policy(ISSUER);
    assay_issuer issuer = {policy, hosted.keys};
    CHECK_EQUAL(assay_verifier_new(&hosted.verifier, &issuer, 1, &options), ASSAY_OK);
    use_verifier(hosted.verifier);
    assay_policy_free(policy);
    assay_fetch_free(hosted.fetch);
    assay_verifier_free(hosted.verifier);
    assay_keys_free(hosted.keys);
}

static void handle_fork(void) {
    if (!are_handlers_calling) { return; }
    int before = failed;
    use_everything();
    handlers_served += failed == before;
}

static int two_handlers_served(void *unused) {
    (void)unused;
    CHECK_EQUAL(handlers_served, 2);
    return 0;
}

static void handlers(void) {
    use_everything();
    are_handlers_calling = 1;
    alarm(300);
    in_child(two_handlers_served, NULL);
    alarm(0);
    are_handlers_calling = 0;
    two_handlers_served(NULL);
}

/* Forks while other threads verify, load keys, drive hosted keys and fill a cache. */
static atomic_int is_over;

static void *disturb(void *context) {
    assay_verifier *verifier = context, *own = NULL;
    assay_result *result = assay_result_init(malloc(4096), 4096);
    while (!is_over) {
        assay_keys *keys = NULL;
        assay_fetch *fetch = NULL;
        assay_keys_new_url(&keys, TEXT("https://idp.example/keys"), NULL);
        assay_keys_request(&fetch, keys);
        assay_keys_install(keys, fetch, 200, NULL, 0, TEXT(JWKS_BOTH));
        assay_fetch_free(fetch);
        assay_keys_free(keys);
        assay_verifier_new_jwks(&own, TEXT(JWKS), TEXT(ISSUER), TEXT("client-1"));
        for (int i = 0; i < 30; i++) {
            assay_verify(result, verifier, TEXT(TOKEN), NOW);
            assay_verify(result, own, TEXT(TOKEN), NOW);
        }
        assay_verifier_free(own);
    }
    free(result);
    return NULL;
}

static void beside_threads(int rounds) {
    assay_policy *policy = new_policy(ISSUER);
    assay_keys *keys = new_keys(JWKS);
    assay_issuer issuer = {policy, keys};
    assay_verifier_options options = {sizeof options, 0, 1 << 20, 0, 0, 0};
    assay_verifier *verifier = NULL;
    CHECK_EQUAL(assay_verifier_new(&verifier, &issuer, 1, &options), ASSAY_OK);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) { pthread_create(&threads[i], NULL, disturb, verifier); }
    usleep(20000);
    for (int round = 0; round < rounds; round++) { in_child(use_both, verifier); }
    is_over = 1;
    for (int i = 0; i < 2; i++) { pthread_join(threads[i], NULL); }
    assay_verifier_free(verifier);
    assay_keys_free(keys);
    assay_policy_free(policy);
}

int main(int argc, char **argv) {
    static struct sigaction before[NSIG], after[NSIG];
    sigset_t mask_before, mask_after;
    read_dispositions(before);
    pthread_sigmask(SIG_SETMASK, NULL, &mask_before);
    int descriptors = count_entries("/proc/self/fd");
    pthread_atfork(handle_fork, handle_fork, handle_fork);
    in_child(use_both, NULL);
    assay_verifier *verifier = new_verifier(JWKS);
    in_child(use_both, verifier);
    use_verifier(verifier);
    usleep(50000);
    use_verifier(verifier);
    in_child(use_both, verifier);
    hosted_keys();
    handlers();
    read_dispositions(after);
    pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
    CHECK(same_dispositions(before, after));
    CHECK(same_masks(&mask_before, &mask_after));
    CHECK_EQUAL(count_entries("/proc/self/fd"), descriptors);
    CHECK(count_entries("/proc/self/task") <= 2 + 2);
    CHECK(others_block_signals());
    beside_threads(argc > 1 ? atoi(argv[1]) : 20);
    use_verifier(verifier);
    assay_verifier_free(verifier);
    return report();
}
