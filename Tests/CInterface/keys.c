/* Keys that the host fetches, over a scripted transport and a clock that the test sets. */

#include "objects.h"

#define SECOND INT64_C(1000)

static int64_t now_nanoseconds;
static int wakes;

static int64_t read_clock(void *context) { return *(int64_t *)context; }

static void count_wake(void *context) {
    (void)context;
    wakes++;
}

static void advance(int64_t milliseconds) { now_nanoseconds += milliseconds * 1000000; }

static assay_refresh_options options(uint32_t preset) {
    assay_refresh_options options;
    CHECK_EQUAL(assay_refresh_options_init(&options, sizeof options, preset), ASSAY_OK);
    options.clock = read_clock;
    options.wake = count_wake;
    options.context = &now_nanoseconds;
    options.seed = 1;
    return options;
}

static assay_verifier *verifier_of(const assay_keys *keys) {
    assay_policy *policy = new_policy(ISSUER);
    assay_issuer issuer = {policy, keys};
    assay_verifier *verifier = NULL;
    CHECK_EQUAL(assay_verifier_new(&verifier, &issuer, 1, NULL), ASSAY_OK);
    assay_policy_free(policy);
    return verifier;
}

static assay_keys_state status(const assay_keys *keys) {
    assay_keys_state state = {.size = sizeof state};
    CHECK_EQUAL(assay_keys_status(&state, keys), ASSAY_OK);
    return state;
}

static const char *field(const assay_fetch *fetch, const char *wanted) {
    const char *name, *value;
    for (size_t i = 0; assay_fetch_field(&name, &value, fetch, i) == ASSAY_OK; i++) {
        if (strcmp(name, wanted) == 0) { return value; }
    }
    return NULL;
}

/* Answers the request that is due, after checking its URL. */
static assay_code answer(assay_keys *keys, const char *url, uint32_t status, const char *entity_tag, const char *body) {
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_keys_next_due(keys), 0);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_OK);
    CHECK(strcmp(assay_fetch_url(fetch), url) == 0);
    CHECK(field(fetch, "Accept") != NULL);
    assay_field fields[2] = {{{TEXT("cache-control")}, {TEXT("max-age=600")}}, {{TEXT("ETag")}, {entity_tag, 0}}};
    if (entity_tag != NULL) { fields[1].value.len = strlen(entity_tag); }
    assay_code code = assay_keys_install(keys, fetch, status, fields, entity_tag == NULL ? 1 : 2, body, strlen(body));
    CHECK_EQUAL(assay_keys_install(keys, fetch, status, NULL, 0, body, strlen(body)), ASSAY_FETCH_ENDED);
    assay_fetch_free(fetch);
    return code;
}

static void wait_until_due(assay_keys *keys) {
    int64_t due = assay_keys_next_due(keys);
    assay_fetch *fetch = NULL;
    CHECK(due > 1);
    advance(due / 2);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_NOT_DUE);
    for (int i = 0; i < 5 && (due = assay_keys_next_due(keys)) > 0; i++) { advance(due); }
    CHECK_EQUAL(assay_keys_next_due(keys), 0);
}

/* Metadata, then keys, then a 304, then a rotation that a token's key id reveals. */
static void issuer(void) {
    assay_refresh_options own = options(ASSAY_AVAILABILITY_FIRST);
    assay_keys *keys = NULL;
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_keys_new_issuer(&keys, TEXT(ISSUER), &own), ASSAY_OK);
    assay_verifier *verifier = verifier_of(keys);
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

    wait_until_due(keys);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_OK);
    CHECK(strcmp(assay_fetch_url(fetch), ISSUER "/keys") == 0);
    CHECK(field(fetch, "If-None-Match") != NULL && strcmp(field(fetch, "If-None-Match"), "\"one\"") == 0);
    CHECK(field(fetch, "Cache-Control") == NULL);
    assay_fetch *second = NULL;
    CHECK_EQUAL(assay_keys_request(&second, keys), ASSAY_NOT_DUE);
    CHECK_EQUAL(assay_keys_install(keys, fetch, 304, NULL, 0, NULL, 0), ASSAY_OK);
    assay_fetch_free(fetch);
    CHECK_EQUAL(status(keys).generation, state.generation);
    CHECK_EQUAL(status(keys).age, 0);

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
    CHECK(status(keys).generation > state.generation);

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
    assay_verifier_free(verifier);
    assay_keys_free(keys);
}

/* Keys stay in use while their source fails, and no longer than the policy allows. */
static void outage(void) {
    static const int64_t used_for[2] = {4200 * SECOND, 300 * SECOND};
    for (uint32_t preset = ASSAY_AVAILABILITY_FIRST; preset <= ASSAY_REVOCATION_FIRST; preset++) {
        assay_refresh_options own = options(preset);
        assay_keys *keys = NULL;
        CHECK_EQUAL(assay_keys_new_url(&keys, TEXT("https://idp.example/keys"), &own), ASSAY_OK);
        assay_verifier *verifier = verifier_of(keys);
        CHECK_EQUAL(answer(keys, "https://idp.example/keys", 200, NULL, JWKS), ASSAY_OK);
        CHECK_EQUAL(status(keys).used_for, used_for[preset]);
        int64_t end = now_nanoseconds + used_for[preset] * 1000000;
        uint64_t failures = 0;
        while (assay_keys_next_due(keys) * 1000000 < end - now_nanoseconds) {
            assay_fetch *fetch = NULL;
            advance(assay_keys_next_due(keys));
            if (assay_keys_request(&fetch, keys) != ASSAY_OK) { continue; }
            assay_code code = failures % 3 == 0   ? assay_keys_fail(keys, fetch, ASSAY_FAILURE_CONNECTION)
                              : failures % 3 == 1 ? assay_keys_install(keys, fetch, 503, NULL, 0, NULL, 0)
                                                  : assay_keys_install(keys, fetch, 200, NULL, 0, TEXT("<html>"));
            CHECK_EQUAL(code, ASSAY_FETCH_FAILED);
            CHECK(strcmp(status(keys).last_failure, failures % 3 == 0   ? "fetch_connection"
                                                    : failures % 3 == 1 ? "status"
                                                                        : "invalid_document") == 0);
            failures++;
            CHECK_EQUAL(status(keys).failures, failures);
            assay_fetch_free(fetch);
            CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        }
        CHECK(failures > 3);
        now_nanoseconds = end - 1;
        CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        CHECK_EQUAL(status(keys).health, preset == ASSAY_AVAILABILITY_FIRST ? ASSAY_HEALTH_STALE : ASSAY_HEALTH_FRESH);
        now_nanoseconds = end;
        CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
        CHECK_EQUAL(status(keys).health, ASSAY_HEALTH_UNAVAILABLE);
        CHECK_EQUAL(status(keys).key_count, 0);
        CHECK_EQUAL(answer(keys, "https://idp.example/keys", 200, NULL, JWKS), ASSAY_OK);
        CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
        CHECK(status(keys).last_failure == NULL);
        assay_verifier_free(verifier);
        assay_keys_free(keys);
    }
}

/* Junk key ids cause two fetches in ten seconds, and no more. */
static void junk(void) {
    assay_refresh_options own = options(ASSAY_AVAILABILITY_FIRST);
    assay_keys *keys = NULL;
    int fetches = 0;
    CHECK_EQUAL(assay_keys_new_url(&keys, TEXT("https://idp.example/keys"), &own), ASSAY_OK);
    assay_verifier *verifier = verifier_of(keys);
    CHECK_EQUAL(answer(keys, "https://idp.example/keys", 200, NULL, JWKS_SECOND), ASSAY_OK);
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

/* A fetch that nobody answers in time has failed; so has one that is freed. A late answer still brings its keys. */
static void abandoned(void) {
    assay_refresh_options own = options(ASSAY_AVAILABILITY_FIRST);
    assay_keys *keys = NULL;
    assay_fetch *late = NULL, *fetch = NULL;
    CHECK_EQUAL(assay_keys_new_url(&keys, TEXT("https://idp.example/keys"), &own), ASSAY_OK);
    assay_verifier *verifier = verifier_of(keys);
    CHECK_EQUAL(assay_keys_request(&late, keys), ASSAY_OK);
    CHECK_EQUAL(assay_keys_next_due(keys), own.attempt_limit + 1);
    advance(own.attempt_limit);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_NOT_DUE);
    CHECK(strcmp(status(keys).last_failure, "attempt_timed_out") == 0);
    for (int i = 0; i < 10 && assay_keys_request(&fetch, keys) != ASSAY_OK; i++) { advance(assay_keys_next_due(keys)); }
    assay_fetch_free(fetch);
    CHECK(strcmp(status(keys).last_failure, "fetch_cancelled") == 0);
    CHECK_EQUAL(status(keys).failures, 2);
    CHECK_EQUAL(assay_keys_install(keys, late, 200, NULL, 0, TEXT(JWKS)), ASSAY_OK);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    assay_fetch_free(late);
    /* An answer that a later fetch has overtaken is dropped. */
    advance(20 * SECOND);
    CHECK_EQUAL(assay_keys_refresh(keys), ASSAY_OK);
    CHECK_EQUAL(assay_keys_request(&late, keys), ASSAY_OK);
    advance(own.attempt_limit + 400 * SECOND);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_NOT_DUE);
    for (int i = 0; i < 10 && assay_keys_request(&fetch, keys) != ASSAY_OK; i++) { advance(assay_keys_next_due(keys)); }
    CHECK_EQUAL(assay_keys_install(keys, fetch, 200, NULL, 0, TEXT(JWKS_BOTH)), ASSAY_OK);
    assay_fetch_free(fetch);
    CHECK_EQUAL(assay_keys_install(keys, late, 200, NULL, 0, TEXT(JWKS_SECOND)), ASSAY_FETCH_ENDED);
    assay_fetch_free(late);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    assay_verifier_free(verifier);
    assay_keys_free(keys);
}

/* What an issuer's metadata may not make the host request. */
static void hostile_metadata(void) {
    static const char *const documents[] = {METADATA_UNSAFE,
                                            "{\"issuer\":\"https://evil.example\",\"jwks_uri\":\"https://evil.example/k\"}",
                                            "{\"issuer\":\"" ISSUER "\",\"jwks_uri\":\"http://idp.example/keys\"}",
                                            "{\"issuer\":\"" ISSUER "\",\"jwks_uri\":\"https://u@idp.example/keys\"}", "[]", ""};
    static const char *const failures[] = {"fetch_invalid_url", "issuer_mismatch", "invalid_metadata", "fetch_invalid_url",
                                           "invalid_metadata", "invalid_metadata"};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        assay_refresh_options own = options(ASSAY_AVAILABILITY_FIRST);
        assay_keys *keys = NULL;
        CHECK_EQUAL(assay_keys_new_issuer(&keys, TEXT(ISSUER), &own), ASSAY_OK);
        CHECK_EQUAL(answer(keys, ISSUER "/.well-known/openid-configuration", 200, NULL, documents[i]), ASSAY_FETCH_FAILED);
        CHECK(strcmp(status(keys).last_failure, failures[i]) == 0);
        assay_keys_free(keys);
    }
}

static void too_large(void) {
    assay_refresh_options own = options(ASSAY_AVAILABILITY_FIRST);
    assay_keys *keys = NULL;
    assay_fetch *fetch = NULL;
    size_t size = 262145;
    char *body = malloc(size);
    memset(body, ' ', size);
    CHECK_EQUAL(assay_keys_new_url(&keys, TEXT("https://idp.example/keys"), &own), ASSAY_OK);
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
    CHECK_EQUAL(assay_keys_new_url(&keys, TEXT("https://idp.example/keys"), &own), ASSAY_OK);
    assay_verifier *verifier = verifier_of(keys);
    CHECK_EQUAL(assay_keys_request(&fetch, keys), ASSAY_OK);
    assay_keys_free(keys);
    assay_fetch_free(fetch);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
    CHECK_EQUAL(releases, 0);
    assay_verifier_free(verifier);
    CHECK_EQUAL(releases, 1);
}

static void fixed(void) {
    assay_keys *keys = new_keys(JWKS_BOTH);
    CHECK_EQUAL(status(keys).health, ASSAY_HEALTH_FIXED);
    CHECK_EQUAL(status(keys).key_count, 2);
    CHECK_EQUAL(status(keys).age, -1);
    assay_keys_free(keys);
}

int main(void) {
    now_nanoseconds = 5 * INT64_C(1000000000);
    issuer();
    outage();
    junk();
    abandoned();
    hostile_metadata();
    too_large();
    context();
    fixed();
    return report();
}
