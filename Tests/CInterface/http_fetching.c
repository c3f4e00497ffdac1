/* The keys of an issuer by libassay-http: fetches, rotations, failures by name, and requests that are given up. */

#define _GNU_SOURCE
#include "issuer.h"

/* The keys of an issuer, then a rotation that a token reveals, then a refresh that the issuer answers with 304. */
static int fetch_and_rotate(void *context) {
    (void)context;
    assay_http_options options = trusting();
    assay_http *http = NULL;
    publish(JWKS);
    CHECK_EQUAL(assay_http_new_issuer(&http, base, strlen(base), &options, NULL), ASSAY_OK);
    assay_verifier *verifier = new_verifier_with(assay_http_keys(http));
    CHECK_EQUAL(assay_http_wait(http, 60000), ASSAY_OK);
    CHECK_EQUAL(assay_http_wait(http, 0), ASSAY_OK);
    CHECK_EQUAL(assay_http_wait(http, -1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_wait(http, INT64_MAX), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK_EQUAL(state(http).health, ASSAY_HEALTH_FRESH);
    CHECK_EQUAL(state(http).key_count, 1);
    CHECK(state(http).fresh_for > 500000 && state(http).fresh_for <= 600000);
    publish(JWKS_BOTH);
    /* The token wakes the thread: the next scheduled fetch is minutes away. */
    CHECK_BECOMES(assay_verify(NULL, verifier, TEXT(TOKEN_SECOND), NOW) == ASSAY_OK);
    int confirmed = count_requests("/keys \"");
    CHECK_EQUAL(assay_http_refresh(http), ASSAY_OK);
    CHECK_BECOMES(count_requests("/keys \"") > confirmed && state(http).is_fetching == 0);
    CHECK(count_requests("no-cache") > 0);
    CHECK(state(http).last_failure == NULL);
    assay_http_free(http);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    assay_verifier_free(verifier);
    return 0;
}

/* Begins to fetch, and compares the failure that the status names. */
static void expect_failure(const char *url, const assay_http_options *options, const char *expected) {
    assay_http *http = NULL;
    CHECK_EQUAL(assay_http_new_url(&http, url, strlen(url), options, NULL), ASSAY_OK);
    CHECK_BECOMES(state(http).last_failure != NULL);
    const char *failure = state(http).last_failure;
    if (failure == NULL || strcmp(failure, expected) != 0) {
        printf("FAIL %s: expected %s, got %s\n", url, expected, failure == NULL ? "nothing" : failure);
    }
    CHECK(failure != NULL && strcmp(failure, expected) == 0);
    CHECK_EQUAL(assay_http_wait(http, 20), ASSAY_KEYS_UNAVAILABLE);
    assay_http_free(http);
}

static void failures_by_path(void) {
    static const struct {
        const char *path, *failure;
    } cases[] = {{"/large", "fetch_too_large"}, {"/redirect", "fetch_redirect"}, {"/garbage", "invalid_document"},
                 {"/close", "fetch_connection"}, {"/absent", "status"}};
    assay_http_options options = trusting();
    char url[128];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(url, sizeof url, "%s%s", base, cases[i].path);
        expect_failure(url, &options, cases[i].failure);
    }
}

static void failures_by_option(void) {
    assay_http_options options = trusting();
    char url[128];
    snprintf(url, sizeof url, "%s/slow", base);
    options.request_limit = 300;
    expect_failure(url, &options, "fetch_timed_out");
    snprintf(url, sizeof url, "%s/keys", base);
    expect_failure(url, NULL, "fetch_forbidden_address");
    options = trusting();
    options.roots.len = options.roots_only = 0;
    expect_failure(url, &options, "fetch_tls");
    options = trusting();
    assay_text pin = {TEXT("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")};
    options.pins = &pin;
    options.pin_count = 1;
    expect_failure(url, &options, "fetch_pin_mismatch");
    options.addresses |= ASSAY_HTTP_PLAIN_LOOPBACK;
    expect_failure("http://localhost:1/keys", &options, "fetch_pin_mismatch");
    options = trusting();
    expect_failure("https://localhost:1/keys", &options, "fetch_connection");
    expect_failure("https://nowhere.invalid/keys", &options, "fetch_unresolved_name");
    expect_failure("http://localhost:1/keys", &options, "fetch_invalid_url");
}

/* A request that may take a minute does not delay assay_http_free, and a verifier does not miss the thread that it would wake. */
static void cancellation(void) {
    int asked = count_requests("/slow");
    assay_http_options options = trusting();
    assay_http *http = NULL;
    char url[128];
    snprintf(url, sizeof url, "%s/slow", base);
    options.request_limit = 60000;
    CHECK_EQUAL(assay_http_new_url(&http, url, strlen(url), &options, NULL), ASSAY_OK);
    assay_verifier *verifier = new_verifier_with(assay_http_keys(http));
    CHECK_BECOMES(count_requests("/slow") > asked);
    double start = seconds();
    assay_http_free(http);
    CHECK(seconds() - start < 20);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
    usleep(100000);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
    assay_verifier_free(verifier);
}

int main(int argc, char **argv) {
    if (argc != 3) { return 2; }
    read_issuer(argv);
    /* A child that makes its first client after the fork has a thread of its own. */
    in_child(fetch_and_rotate, NULL);
    fetch_and_rotate(NULL);
    failures_by_path();
    failures_by_option();
    cancellation();
    return report();
}
