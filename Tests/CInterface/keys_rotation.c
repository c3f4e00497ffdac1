/* Keys that the host fetches: metadata, then keys, then a 304, then rotations that a token's key id reveals. */

#include "hosting.h"

static assay_keys *keys;
static assay_verifier *verifier;

static void wait_until_due(void) {
    int64_t due = assay_keys_next_due(keys);
    assay_fetch *fetch = NULL;
    CHECK(due > 1);
    advance(due / 2);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_NOT_DUE);
    for (int i = 0; i < 5 && (due = assay_keys_next_due(keys)) > 0; i++) { advance(due); }
    CHECK_EQUAL(assay_keys_next_due(keys), 0);
}

/* The first use of the keys asks for them. The issuer has its metadata at the second address. */
static void first_fetch(void) {
    CHECK_EQUAL(status(keys).health, ASSAY_HEALTH_UNAVAILABLE);
    CHECK_EQUAL(status(keys).age, -1);
    wakes = 0;
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
    CHECK_EQUAL(wakes, 1);
    CHECK_EQUAL(status(keys).is_fetching, 1);
    CHECK_EQUAL(answer(keys, ISSUER "/.well-known/openid-configuration", 404, NULL, ""), ASSAY_FETCH_CONTINUES);
    CHECK_EQUAL(answer(keys, "https://idp.example/.well-known/oauth-authorization-server", 200, NULL, METADATA), ASSAY_FETCH_CONTINUES);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
    CHECK_EQUAL(answer(keys, ISSUER "/keys", 200, "\"one\"", JWKS), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    assay_keys_state state = status(keys);
    CHECK_EQUAL(state.health, ASSAY_HEALTH_FRESH);
    CHECK_EQUAL(state.key_count, 1);
    CHECK_EQUAL(state.is_fetching, 0);
    CHECK(state.generation >= 1 && state.age == 0 && state.fresh_for == 600 * SECOND && state.used_for == 4200 * SECOND);
}

static void confirmation(void) {
    assay_fetch *fetch = NULL, *second = NULL;
    uint64_t generation = status(keys).generation;
    wait_until_due();
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_OK);
    CHECK(strcmp(assay_fetch_url(fetch), ISSUER "/keys") == 0);
    CHECK(field(fetch, "If-None-Match") != NULL && strcmp(field(fetch, "If-None-Match"), "\"one\"") == 0);
    CHECK(field(fetch, "Cache-Control") == NULL);
    CHECK_EQUAL(assay_keys_request(&second, keys), ASSAY_NOT_DUE);
    CHECK_EQUAL(assay_keys_install(keys, fetch, 304, NULL, 0, NULL, 0), ASSAY_OK);
    assay_fetch_free(fetch);
    CHECK_EQUAL(status(keys).generation, generation);
    CHECK_EQUAL(status(keys).age, 0);
}

static void added_key(void) {
    assay_fetch *fetch = NULL;
    uint64_t generation = status(keys).generation;
    advance(20 * SECOND);
    wakes = 0;
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN_SECOND), NOW), ASSAY_KEYS_UNAVAILABLE);
    CHECK_EQUAL(wakes, 1);
    CHECK_EQUAL(assay_keys_next_due(keys), 0);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_OK);
    CHECK(field(fetch, "Cache-Control") != NULL && strcmp(field(fetch, "Cache-Control"), "no-cache") == 0);
    CHECK_EQUAL(assay_keys_install(keys, fetch, 200, NULL, 0, TEXT(JWKS_BOTH)), ASSAY_OK);
    assay_fetch_free(fetch);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN_SECOND), NOW), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK(status(keys).generation > generation);
}

static void removed_key(void) {
    assay_fetch *fetch = NULL;
    advance(20 * SECOND);
    CHECK_EQUAL(assay_keys_refresh(keys), ASSAY_OK);
    CHECK_EQUAL(answer(keys, ISSUER "/keys", 200, NULL, JWKS_SECOND), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN_SECOND), NOW), ASSAY_OK);
    /* The removed key is unknown now; a fetch may bring it back. */
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_OK);
    CHECK_EQUAL(assay_keys_install(keys, fetch, 200, NULL, 0, TEXT(JWKS_SECOND)), ASSAY_FETCH_CONTINUES);
    assay_fetch_free(fetch);
    CHECK_EQUAL(answer(keys, ISSUER "/.well-known/openid-configuration", 200, NULL, METADATA), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_UNKNOWN_KEY);
}

/* Keys of a document have no source to fetch from. */
static void fixed(void) {
    assay_keys *own = new_keys(JWKS_BOTH);
    CHECK_EQUAL(status(own).health, ASSAY_HEALTH_FIXED);
    CHECK_EQUAL(status(own).key_count, 2);
    CHECK_EQUAL(status(own).age, -1);
    assay_keys_free(own);
}

int main(void) {
    assay_refresh_options own = options(ASSAY_AVAILABILITY_FIRST);
    CHECK_EQUAL(assay_keys_new_issuer(&keys, TEXT(ISSUER), &own), ASSAY_OK);
    verifier = new_verifier_with(keys);
    first_fetch();
    confirmation();
    added_key();
    removed_key();
    fixed();
    assay_verifier_free(verifier);
    assay_keys_free(keys);
    return report();
}
