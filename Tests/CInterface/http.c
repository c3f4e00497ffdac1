/* libassay-http against an issuer on this machine: http PORT FOLDER ROUNDS, as issuer.py says. */

#define _GNU_SOURCE
#include <assay_http.h>
#include <time.h>
#include "inspection.h"
#include "objects.h"

static char base[64], roots[8192];
static const char *folder;

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Waits for a condition for at most ten seconds. */
#define CHECK_BECOMES(condition) \
    do { \
        double end_of_wait = seconds() + 10; \
        while (!(condition) && seconds() < end_of_wait) { usleep(1000); } \
        CHECK(condition); \
    } while (0)

static void read_roots(void) {
    char path[512];
    snprintf(path, sizeof path, "%s/ca.pem", folder);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        roots[fread(roots, 1, sizeof roots - 1, file)] = 0;
        fclose(file);
    }
}

/* Lets the issuer publish `document` from now on. */
static void publish(const char *document) {
    char path[512], next[512];
    snprintf(path, sizeof path, "%s/served.json", folder);
    snprintf(next, sizeof next, "%s/served.next", folder);
    FILE *file = fopen(next, "w");
    CHECK(file != NULL && fputs(document, file) >= 0 && fclose(file) == 0 && rename(next, path) == 0);
}

/* How many requests of the issuer's log have this text. */
static int count_requests(const char *text) {
    char path[512], line[512];
    int count = 0;
    snprintf(path, sizeof path, "%s/requests", folder);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) { count += strstr(line, text) != NULL; }
    if (file != NULL) { fclose(file); }
    return count;
}

static assay_http_options trusting(void) {
    assay_http_options options;
    CHECK_EQUAL(assay_http_options_init(&options, sizeof options), ASSAY_OK);
    options.addresses = ASSAY_HTTP_LOOPBACK;
    options.roots = (assay_text){roots, strlen(roots)};
    options.roots_only = 1;
    return options;
}

static assay_http *new_http(const char *path) {
    assay_http_options options = trusting();
    assay_http *http = NULL;
    char url[128];
    snprintf(url, sizeof url, "%s%s", base, path);
    CHECK_EQUAL(assay_http_new_url(&http, url, strlen(url), &options, NULL), ASSAY_OK);
    return http;
}

static assay_verifier *verifier_of(const assay_http *http) {
    assay_policy *policy = new_policy(ISSUER);
    assay_issuer issuer = {policy, assay_http_keys(http)};
    assay_verifier *verifier = NULL;
    CHECK_EQUAL(assay_verifier_new(&verifier, &issuer, 1, NULL), ASSAY_OK);
    assay_policy_free(policy);
    return verifier;
}

static assay_keys_state status(const assay_http *http) {
    assay_keys_state state = {.size = sizeof state};
    assay_keys_status(&state, assay_http_keys(http));
    return state;
}

/* The keys of an issuer, then a rotation that a token reveals, then a refresh that the issuer answers with 304. */
static int fetch_and_rotate(void *context) {
    (void)context;
    assay_http_options options = trusting();
    assay_http *http = NULL;
    publish(JWKS);
    CHECK_EQUAL(assay_http_new_issuer(&http, base, strlen(base), &options, NULL), ASSAY_OK);
    assay_verifier *verifier = verifier_of(http);
    CHECK_EQUAL(assay_http_wait(http, 10000), ASSAY_OK);
    CHECK_EQUAL(assay_http_wait(http, 0), ASSAY_OK);
    CHECK_EQUAL(assay_http_wait(http, -1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_wait(http, INT64_MAX), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK_EQUAL(status(http).health, ASSAY_HEALTH_FRESH);
    CHECK_EQUAL(status(http).key_count, 1);
    CHECK(status(http).fresh_for > 590000 && status(http).fresh_for <= 600000);
    publish(JWKS_BOTH);
    double start = seconds();
    CHECK_BECOMES(assay_verify(NULL, verifier, TEXT(TOKEN_SECOND), NOW) == ASSAY_OK);
    /* The token wakes the thread; the next scheduled fetch is minutes away. */
    CHECK(seconds() - start < 5);
    int confirmed = count_requests("/keys \"");
    CHECK_EQUAL(assay_http_refresh(http), ASSAY_OK);
    CHECK_BECOMES(count_requests("/keys \"") > confirmed && status(http).is_fetching == 0);
    CHECK(count_requests("no-cache") > 0);
    CHECK(status(http).last_failure == NULL);
    assay_http_free(http);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    assay_verifier_free(verifier);
    return 0;
}

/* Begins to fetch, and compares the failure that the status names. */
static void expect_failure(const char *url, const assay_http_options *options, const char *expected) {
    assay_http *http = NULL;
    CHECK_EQUAL(assay_http_new_url(&http, url, strlen(url), options, NULL), ASSAY_OK);
    CHECK_BECOMES(status(http).last_failure != NULL);
    const char *failure = status(http).last_failure;
    if (failure == NULL || strcmp(failure, expected) != 0) {
        printf("FAIL %s: expected %s, got %s\n", url, expected, failure == NULL ? "nothing" : failure);
    }
    CHECK(failure != NULL && strcmp(failure, expected) == 0);
    CHECK_EQUAL(assay_http_wait(http, 20), ASSAY_KEYS_UNAVAILABLE);
    assay_http_free(http);
}

static void failures(void) {
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
    options = trusting();
    expect_failure("https://localhost:1/keys", &options, "fetch_connection");
    expect_failure("https://nowhere.invalid/keys", &options, "fetch_unresolved_name");
    expect_failure("http://localhost:1/keys", &options, "fetch_invalid_url");
}

/* A request under way does not delay assay_http_free, and a verifier does not miss the thread that it would wake. */
static void cancellation(void) {
    int asked = count_requests("/slow");
    assay_http *http = new_http("/slow");
    assay_verifier *verifier = verifier_of(http);
    CHECK_BECOMES(count_requests("/slow") > asked);
    double start = seconds();
    assay_http_free(http);
    CHECK(seconds() - start < 0.2);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
    usleep(100000);
    CHECK_EQUAL(assay_verify(NULL, verifier, TEXT(TOKEN), NOW), ASSAY_KEYS_UNAVAILABLE);
    assay_verifier_free(verifier);
}

struct inherited {
    assay_http *http;
    assay_verifier *verifier;
};

/* In a child: what needs a thread of the parent refuses, and keys go on. */
static int refuse(void *context) {
    struct inherited *inherited = context;
    assay_http *own = NULL;
    assay_keys *hosted = NULL;
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_http_wait(inherited->http, 10000), ASSAY_FORKED);
    CHECK_EQUAL(assay_http_refresh(inherited->http), ASSAY_FORKED);
    CHECK_EQUAL(assay_http_new_url(&own, base, strlen(base), NULL, NULL), ASSAY_FORKED);
    CHECK_EQUAL(assay_http_new_issuer(&own, base, strlen(base), NULL, NULL), ASSAY_FORKED);
    CHECK(own == NULL);
    CHECK_EQUAL(assay_verify(NULL, inherited->verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    /* Orders a fetch, and so calls the function that would wake the parent's thread. */
    assay_code code = assay_verify(NULL, inherited->verifier, TEXT(TOKEN_SECOND), NOW);
    CHECK(code == ASSAY_KEYS_UNAVAILABLE || code == ASSAY_UNKNOWN_KEY);
    assay_http_free(inherited->http);
    CHECK_EQUAL(assay_verify(NULL, inherited->verifier, TEXT(TOKEN), NOW), ASSAY_OK);
    CHECK_EQUAL(assay_keys_new_url(&hosted, TEXT("https://idp.example/keys"), NULL), ASSAY_OK);
    CHECK_EQUAL(assay_keys_request(&fetch, hosted), ASSAY_OK);
    CHECK_EQUAL(assay_keys_install(hosted, fetch, 200, NULL, 0, TEXT(JWKS)), ASSAY_OK);
    assay_fetch_free(fetch);
    assay_keys_free(hosted);
    return 0;
}

static void forks(int rounds) {
    publish(JWKS);
    struct inherited inherited = {.http = new_http("/keys")};
    inherited.verifier = verifier_of(inherited.http);
    CHECK_EQUAL(assay_http_wait(inherited.http, 10000), ASSAY_OK);
    in_child(refuse, &inherited);
    /* While a request is under way, at whatever point. */
    for (int round = 0; round < rounds; round++) {
        CHECK_EQUAL(assay_http_refresh(inherited.http), ASSAY_OK);
        usleep((useconds_t)(round * 397 % 5000));
        in_child(refuse, &inherited);
    }
    publish(JWKS_BOTH);
    CHECK_BECOMES(assay_http_refresh(inherited.http) == ASSAY_OK
                  && assay_verify(NULL, inherited.verifier, TEXT(TOKEN_SECOND), NOW) == ASSAY_OK);
    assay_http_free(inherited.http);
    assay_verifier_free(inherited.verifier);
}

static void refuse_options(assay_http_options options) {
    assay_http *http = NULL;
    CHECK_EQUAL(assay_http_new_url(&http, TEXT("https://x.example/"), &options, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK(http == NULL);
}

static void nothing(void *context) { (void)context; }

static void misuse(void) {
    assay_http_options options = trusting();
    assay_refresh_options refresh;
    assay_http *http = NULL;
    assay_text text = {TEXT("no pin")};
    size_t *end = malloc(sizeof *end);
    *end = sizeof *end;
    assay_http_free(NULL);
    CHECK(assay_http_keys(NULL) == NULL);
    CHECK(strcmp(assay_http_version(), assay_version()) == 0);
    CHECK_EQUAL(assay_http_wait(NULL, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_refresh(NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_options_init(NULL, sizeof options), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_options_init(&options, 8), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_new_url(NULL, TEXT("https://x.example/"), NULL, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_new_url(&http, NULL, 1, NULL, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_new_url(&http, TEXT("ftp://x.example/"), NULL, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_new_issuer(&http, NULL, 0, NULL, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_new_url(&http, TEXT("https://x.example/"), (assay_http_options *)end, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_new_url(&http, TEXT("https://x.example/"), NULL, (assay_refresh_options *)end), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_refresh_options_init(&refresh, sizeof refresh, ASSAY_AVAILABILITY_FIRST), ASSAY_OK);
    refresh.wake = nothing;
    CHECK_EQUAL(assay_http_new_url(&http, TEXT("https://x.example/"), NULL, &refresh), ASSAY_INVALID_ARGUMENT);
    refresh.wake = NULL;
    refresh.attempt_limit = -1;
    CHECK_EQUAL(assay_http_new_url(&http, TEXT("https://x.example/"), NULL, &refresh), ASSAY_INVALID_ARGUMENT);
    CHECK(http == NULL);
    free(end);
#define REFUSED(change) do { options = trusting(); change; refuse_options(options); } while (0)
    REFUSED(options.size = 8);
    REFUSED(options.request_limit = 0);
    REFUSED(options.request_limit = INT64_MAX);
    REFUSED(options.connect_limit = -1);
    REFUSED(options.addresses = 16);
    REFUSED(options.roots_only = 2);
    REFUSED(options.roots.len = 0);
    REFUSED(options.roots.bytes = NULL);
    REFUSED(options.roots.len = SIZE_MAX);
    REFUSED(options.roots = text);
    REFUSED(options.certificate = options.roots);
    REFUSED(options.private_key = options.roots);
    REFUSED(options.proxy_host = text);
    REFUSED(options.proxy_port = 80);
    REFUSED((options.proxy_host = text, options.proxy_port = 65536));
    REFUSED(options.proxy_user = text);
    REFUSED(options.reserved = 1);
    REFUSED(options.user_agent = ((assay_text){TEXT("a\r\nb: c")}));
    REFUSED(options.pin_count = 1);
    REFUSED((options.pin_count = SIZE_MAX, options.pins = &text));
    REFUSED((options.pin_count = 1, options.pins = &text));
}

/* Clients come and go: threads and descriptors do not stay. */
static void rounds_of_clients(int rounds) {
    int threads = 0, descriptors = 0;
    for (int round = 0; round < rounds; round++) {
        assay_http *http = new_http("/keys");
        CHECK_EQUAL(assay_http_wait(http, 10000), ASSAY_OK);
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
    folder = argv[2];
    snprintf(base, sizeof base, "https://localhost:%s", argv[1]);
    read_roots();
    read_dispositions(before);
    misuse();
    CHECK_EQUAL(count_entries("/proc/self/task"), 3);
    in_child(fetch_and_rotate, NULL);
    fetch_and_rotate(NULL);
    failures();
    cancellation();
    forks(atoi(argv[3]));
    rounds_of_clients(atoi(argv[3]));
    read_dispositions(after);
    CHECK(same_dispositions(before, after));
    CHECK(others_block_signals());
    return report();
}
