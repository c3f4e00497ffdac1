/* Keys that the host fetches: the limits of junk key ids, hostile metadata and large documents, and the end of the host's context. */

#include "hosting.h"

/* Junk key ids cause two fetches in ten seconds, and no more. */
static void junk(void) {
    assay_keys *keys = new_hosted_keys(ASSAY_AVAILABILITY_FIRST);
    int fetches = 0;
    assay_verifier *verifier = new_verifier_with(keys);
    CHECK_EQUAL(answer(keys, KEYS_URL, 200, NULL, JWKS_SECOND), ASSAY_OK);
    for (int i = 0; i < 90; i++) {
        assay_fetch *fetch = NULL;
        assay_code code = assay_verify(NULL, verifier, TEXT(TOKEN), NOW);
        CHECK(code == ASSAY_UNKNOWN_KEY || code == ASSAY_KEYS_UNAVAILABLE);
        if (assay_keys_request(&fetch, keys) == ASSAY_OK) {
            fetches++;
            CHECK_EQUAL(assay_keys_install(keys, fetch, 200, NULL, 0, TEXT(JWKS_SECOND)), ASSAY_OK);
            assay_fetch_free(fetch);
        }
        advance(100);
    }
    CHECK(fetches >= 1 && fetches <= 2);
    assay_verifier_free(verifier);
    assay_keys_free(keys);
}

/* An issuer's metadata, and the failure of the fetch: the host requests no address of another kind. */
static const struct {
    const char *document, *failure;
} hostile[] = {{METADATA_UNSAFE, "fetch_invalid_url"},
               {"{\"issuer\":\"https://evil.example\",\"jwks_uri\":\"https://evil.example/k\"}", "issuer_mismatch"},
               {"{\"issuer\":\"" ISSUER "\",\"jwks_uri\":\"http://idp.example/keys\"}", "invalid_metadata"},
               {"{\"issuer\":\"" ISSUER "\",\"jwks_uri\":\"https://u@idp.example/keys\"}", "fetch_invalid_url"},
               {"[]", "invalid_metadata"},
               {"", "invalid_metadata"}};

static void hostile_metadata(void) {
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        assay_refresh_options own = options(ASSAY_AVAILABILITY_FIRST);
        assay_keys *keys = NULL;
        CHECK_EQUAL(assay_keys_new_issuer(&keys, TEXT(ISSUER), &own), ASSAY_OK);
        CHECK_EQUAL(answer(keys, ISSUER "/.well-known/openid-configuration", 200, NULL, hostile[i].document), ASSAY_FETCH_FAILED);
        CHECK(strcmp(status(keys).last_failure, hostile[i].failure) == 0);
        assay_keys_free(keys);
    }
}

static void too_large(void) {
    assay_keys *keys = new_hosted_keys(ASSAY_AVAILABILITY_FIRST);
    assay_fetch *fetch = NULL;
    size_t size = 262145;
    char *body = malloc(size);
    memset(body, ' ', size);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_OK);
    CHECK_EQUAL(assay_keys_install(keys, fetch, 200, NULL, 0, body, size), ASSAY_FETCH_FAILED);
    CHECK(strcmp(status(keys).last_failure, "fetch_too_large") == 0);
    assay_fetch_free(fetch);
    assay_keys_free(keys);
    free(body);
}

static void count_release(void *context) { ++*(int *)context; }

/* The caller's context comes back once, when neither keys nor verifiers nor fetches are left. */
static void context(void) {
    int releases = 0;
    assay_refresh_options own;
    assay_keys *keys = NULL;
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_refresh_options_init(&own, sizeof own, ASSAY_AVAILABILITY_FIRST), ASSAY_OK);
    CHECK(own.clock == NULL && own.wake == NULL && own.release == NULL && own.context == NULL);
    own.release = count_release;
    own.context = &releases;
    CHECK_EQUAL(assay_keys_new_url(&keys, TEXT("ftp://idp.example/"), &own), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(releases, 0);
    CHECK_EQUAL(assay_keys_new_url(&keys, TEXT(KEYS_URL), &own), ASSAY_OK);
    assay_verifier *verifier = new_verifier_with(keys);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_OK);
    assay_keys_free(keys);
    assay_fetch_free(fetch);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
    CHECK_EQUAL(releases, 0);
    assay_verifier_free(verifier);
    CHECK_EQUAL(releases, 1);
}

int main(void) {
    junk();
    hostile_metadata();
    too_large();
    context();
    return report();
}
