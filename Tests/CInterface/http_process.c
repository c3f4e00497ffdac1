/* What libassay-http does to its process: forks during requests, threads, descriptors and signals. */

#define _GNU_SOURCE
#include "issuer.h"

struct inherited {
    assay_http *http;
    assay_verifier *verifier;
};

/* In a child: everything goes on, with what the parent made and with what the child makes. */
static int go_on(void *context) {
    struct inherited *inherited = context;
    assay_keys *hosted = NULL;
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_verify(NULL, inherited->verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    /* Orders a fetch, and so calls the function that wakes the thread, which is not here yet. */
    assay_code code = assay_verify(NULL, inherited->verifier, TEXT(TOKEN_SECOND), NOW);
    CHECK(code == ASSAY_KEYS_UNAVAILABLE || code == ASSAY_UNKNOWN_KEY);
    CHECK_EQUAL(assay_http_wait(inherited->http, 60000), ASSAY_OK);
    CHECK_EQUAL(assay_http_refresh(inherited->http), ASSAY_OK);
    assay_http *own = new_http("/keys");
    CHECK_EQUAL(assay_http_wait(own, 60000), ASSAY_OK);
    assay_http_free(own);
    assay_http_free(inherited->http);
    CHECK_EQUAL(assay_verify(NULL, inherited->verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK_EQUAL(assay_keys_new_url(&hosted, TEXT("https://idp.example/keys"), NULL), ASSAY_OK);
    CHECK_EQUAL(assay_keys_request(&fetch, hosted), ASSAY_OK);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, 0, TEXT(JWKS)), ASSAY_OK);
    assay_fetch_free(fetch);
    assay_keys_free(hosted);
    return 0;
}

/* In a child: a key that the parent has not fetched, through the object that the parent made. */
static int fetch_second_key(void *context) {
    struct inherited *inherited = context;
    CHECK_BECOMES(assay_http_refresh(inherited->http) == ASSAY_OK
                  && assay_verify(NULL, inherited->verifier, TEXT(TOKEN_SECOND), NOW) == ASSAY_OK);
    return 0;
}

static void forks(int rounds) {
    struct inherited inherited = {.http = new_http("/keys")};
    inherited.verifier = new_verifier_with(assay_http_keys(inherited.http));
    CHECK_EQUAL(assay_http_wait(inherited.http, 60000), ASSAY_OK);
    in_child(go_on, &inherited);
    /* While a request is under way, at whatever point. */
    for (int round = 0; round < rounds; round++) {
        CHECK_EQUAL(assay_http_refresh(inherited.http), ASSAY_OK);
        usleep((useconds_t)(round * 397 % 5000));
        in_child(go_on, &inherited);
    }
    publish(JWKS_BOTH);
    in_child(fetch_second_key, &inherited);
    CHECK_BECOMES(assay_http_refresh(inherited.http) == ASSAY_OK
                  && assay_verify(NULL, inherited.verifier, TEXT(TOKEN_SECOND), NOW) == ASSAY_OK);
    assay_http_free(inherited.http);
    assay_verifier_free(inherited.verifier);
}

/* In a child of the first moment. A fetch that nobody makes would end after ten minutes. */
static int fetch_first_keys(void *context) {
    CHECK_EQUAL(assay_http_wait(context, 60000), ASSAY_OK);
    return 0;
}

/* A thread of the parent has the first requests in its hands, at whatever point. */
static void forks_of_the_first_moment(int rounds) {
    assay_http_options options = trusting();
    assay_refresh_options refresh;
    CHECK_EQUAL(assay_refresh_options_init(&refresh, sizeof refresh, ASSAY_AVAILABILITY_FIRST), ASSAY_OK);
    refresh.attempt_limit = 600000;
    for (int round = 0; round < rounds; round++) {
        assay_http *http = NULL;
        CHECK_EQUAL(assay_http_new_issuer(&http, base, strlen(base), &options, &refresh), ASSAY_OK);
        usleep((useconds_t)(round * 1997 % 60000));
        in_child(fetch_first_keys, http);
        assay_http_free(http);
    }
}

/* Clients come and go: threads and descriptors do not stay. */
static void rounds_of_clients(int rounds) {
    int threads = 0, descriptors = 0;
    for (int round = 0; round < rounds; round++) {
        assay_http *http = new_http("/keys");
        CHECK_EQUAL(assay_http_wait(http, 60000), ASSAY_OK);
        assay_http_free(http);
        if (round == 0) {
            usleep(200000);
            threads = count_entries("/proc/self/task");
            descriptors = count_entries("/proc/self/fd");
        }
    }
    CHECK_BECOMES(count_entries("/proc/self/task") <= threads);
    CHECK_BECOMES(count_entries("/proc/self/fd") <= descriptors);
}

int main(int argc, char **argv) {
    if (argc != 4) { return 2; }
    static struct sigaction before[NSIG], after[NSIG];
    read_issuer(argv);
    publish(JWKS);
    read_dispositions(before);
    forks(atoi(argv[3]));
    forks_of_the_first_moment(atoi(argv[3]));
    rounds_of_clients(atoi(argv[3]));
    read_dispositions(after);
    CHECK(same_dispositions(before, after));
    CHECK(others_block_signals());
    return report();
}
