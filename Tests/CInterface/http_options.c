/* Options and arguments that libassay-http refuses before it starts a thread. */

#define _GNU_SOURCE
#include "issuer.h"

static void refuse_options(assay_http_options options) {
    assay_http *http = NULL;
    CHECK_EQUAL(assay_http_new_url(&http, TEXT("https://x.example/"), &options, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK(http == NULL);
}

static void nothing(void *context) { (void)context; }

static void arguments(void) {
    assay_http_options options;
    assay_http *http = NULL;
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
    CHECK_EQUAL(assay_http_new_gateway(&http, NULL, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK(http == NULL);
}

/* A gateway whose fetches nothing begins. */
static void arguments_of_gateways(void) {
    static const char settings[] = "{\"providers\": [{\"name\": \"a\", \"issuer\": \"https://x.example\", \"anyAudience\": true}],"
                                   " \"policies\": [{\"name\": \"p\", \"requires\": \"a\"}], \"policy\": \"p\"}";
    assay_http_options options = trusting();
    assay_http *http = NULL;
    assay_gateway *gateway = NULL;
    CHECK_EQUAL(assay_gateway_new(&gateway, TEXT(settings), NULL), ASSAY_OK);
    CHECK_EQUAL(assay_http_new_gateway(NULL, gateway, &options), ASSAY_INVALID_ARGUMENT);
    options.addresses = 16;
    CHECK_EQUAL(assay_http_new_gateway(&http, gateway, &options), ASSAY_INVALID_ARGUMENT);
    options.size = 8;
    CHECK_EQUAL(assay_http_new_gateway(&http, gateway, &options), ASSAY_INVALID_ARGUMENT);
    CHECK(http == NULL);
    assay_gateway_free(gateway);
}

/* A structure of an older caller, which ends after its size: nothing behind it is read. */
static void short_structures(void) {
    assay_http *http = NULL;
    size_t *end = malloc(sizeof *end);
    *end = sizeof *end;
    CHECK_EQUAL(assay_http_new_url(&http, TEXT("https://x.example/"), (assay_http_options *)end, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_http_new_url(&http, TEXT("https://x.example/"), NULL, (assay_refresh_options *)end), ASSAY_INVALID_ARGUMENT);
    CHECK(http == NULL);
    free(end);
}

/* The library itself answers to `wake`: a caller sets none. */
static void refresh_options(void) {
    assay_http *http = NULL;
    assay_refresh_options refresh;
    CHECK_EQUAL(assay_refresh_options_init(&refresh, sizeof refresh, ASSAY_AVAILABILITY_FIRST), ASSAY_OK);
    refresh.wake = nothing;
    CHECK_EQUAL(assay_http_new_url(&http, TEXT("https://x.example/"), NULL, &refresh), ASSAY_INVALID_ARGUMENT);
    refresh.wake = NULL;
    refresh.attempt_limit = -1;
    CHECK_EQUAL(assay_http_new_url(&http, TEXT("https://x.example/"), NULL, &refresh), ASSAY_INVALID_ARGUMENT);
    CHECK(http == NULL);
}

static void options_of_clients(void) {
    assay_http_options options;
    assay_text text = {TEXT("no pin")};
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

int main(int argc, char **argv) {
    if (argc != 3) { return 2; }
    read_issuer(argv);
    arguments();
    arguments_of_gateways();
    short_structures();
    refresh_options();
    options_of_clients();
    /* Beside the entries of the folder and of its parent there is the program's own thread. */
    CHECK_EQUAL(count_entries("/proc/self/task"), 2 + 1);
    return report();
}
