/* What an assay_http of a gateway does to its process: forks during requests, threads and descriptors. */

#define _GNU_SOURCE
#include "http_gateway.h"

struct inherited {
    assay_gateway *gateway;
    assay_http *http;
    int round;
};

/* In a child: everything goes on, and what the parent made may be freed in either order. */
static int go_on(void *context) {
    struct inherited *inherited = context;
    CHECK_EQUAL(decide_with(inherited->gateway, "main", TOKEN), ASSAY_OK);
    CHECK_EQUAL(assay_http_wait(inherited->http, 60000), ASSAY_OK);
    CHECK_EQUAL(assay_http_refresh(inherited->http), ASSAY_OK);
    if (inherited->round % 2 == 0) { assay_http_free(inherited->http); }
    CHECK_EQUAL(decide_with(inherited->gateway, "other", TOKEN_OTHER_ISSUER), ASSAY_OK);
    assay_gateway_free(inherited->gateway);
    if (inherited->round % 2 != 0) { assay_http_free(inherited->http); }
    return 0;
}

/* In a child: a key that the parent has not fetched. */
static int fetch_second_key(void *context) {
    struct inherited *inherited = context;
    CHECK_EQUAL(assay_http_wait(inherited->http, 0), ASSAY_OK);
    CHECK_BECOMES(decide_with(inherited->gateway, "main", TOKEN_SECOND) == ASSAY_OK);
    return 0;
}

static void forks(int rounds) {
    struct inherited inherited = {.gateway = new_gateway_with(settings_with("/keys", "/second"), NULL)};
    inherited.http = new_http_of(inherited.gateway);
    CHECK_EQUAL(assay_http_wait(inherited.http, 60000), ASSAY_OK);
    /* While requests are under way, at whatever point. */
    for (; inherited.round < rounds; inherited.round++) {
        CHECK_EQUAL(assay_http_refresh(inherited.http), ASSAY_OK);
        usleep((useconds_t)(inherited.round * 397 % 5000));
        in_child(go_on, &inherited);
    }
    publish(JWKS_BOTH);
    in_child(fetch_second_key, &inherited);
    assay_http_free(inherited.http);
    assay_gateway_free(inherited.gateway);
}

/* In a child: the request that was under way is made again. */
static int repeat_request(void *context) {
    struct inherited *inherited = context;
    int asked = count_requests("/gated");
    CHECK_EQUAL(assay_http_wait(inherited->http, 0), ASSAY_KEYS_UNAVAILABLE);
    CHECK_BECOMES(count_requests("/gated") > asked);
    write_file("gate", "");
    CHECK_EQUAL(assay_http_wait(inherited->http, 60000), ASSAY_OK);
    CHECK_EQUAL(state_of(inherited->gateway, ISSUER).failures, 0);
    CHECK_EQUAL(decide_with(inherited->gateway, "main", TOKEN), ASSAY_OK);
    return 0;
}

static void fork_under_way(void) {
    close_gate();
    int asked = count_requests("/gated");
    struct inherited inherited = {.gateway = new_gateway_with(settings_with("/gated", NULL), NULL)};
    inherited.http = new_http_of(inherited.gateway);
    CHECK_BECOMES(count_requests("/gated") > asked);
    in_child(repeat_request, &inherited);
    CHECK_EQUAL(assay_http_wait(inherited.http, 60000), ASSAY_OK);
    assay_gateway_free(inherited.gateway);
    assay_http_free(inherited.http);
}

/* Clients of gateways come and go: threads and descriptors do not stay. */
static void rounds_of_clients(int rounds) {
    int threads = 0, descriptors = 0;
    for (int round = 0; round < rounds; round++) {
        assay_gateway *gateway = new_gateway_with(settings_with("/keys", "/second"), NULL);
        assay_http *http = new_http_of(gateway);
        CHECK_EQUAL(assay_http_wait(http, 60000), ASSAY_OK);
        assay_gateway_free(gateway);
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
    read_issuer(argv);
    publish(JWKS);
    write_file("second.json", JWKS_SECOND);
    CHECK_EQUAL(assay_decision_new(&decision), ASSAY_OK);
    forks(atoi(argv[3]));
    fork_under_way();
    rounds_of_clients(atoi(argv[3]));
    CHECK(others_block_signals());
    assay_decision_free(decision);
    return report();
}
