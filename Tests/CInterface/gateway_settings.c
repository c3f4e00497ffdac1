/* A gateway's settings, revocations, and what it says about itself. */

#include "gateway.h"

static assay_gateway *gateway;
static assay_decision *decision;
static char said[65536];

static int contains(const char *expected) { return strstr(said, expected) != NULL; }

static size_t faults(const char *settings) { return assay_gateway_check(said, sizeof said, settings, strlen(settings)); }

static void settings(void) {
    assay_gateway *none = NULL;
    CHECK_EQUAL(faults(SETTINGS), 0);
    CHECK(faults("{\"providers\": []}") > 0 && contains("error: ") && contains("`providers`"));
    CHECK(faults("{") > 0 && contains("not JSON"));
    CHECK(faults("{\"providers\": [" PROVIDER "], \"policies\": " POLICIES ", \"routes\": [{\"path\": \"/a\", \"policy\": \"open\"}]}") > 0);
    CHECK(contains("warning: ") && contains("no route names the policy orders"));
    CHECK_EQUAL(assay_gateway_new(&none, TEXT("{}"), NULL), ASSAY_INVALID_SETTINGS);
    CHECK_EQUAL(assay_gateway_new(&none, NULL, 1, NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_gateway_new(NULL, TEXT(SETTINGS), NULL), ASSAY_INVALID_ARGUMENT);
    assay_gateway_options options = {.size = sizeof options - 1};
    CHECK_EQUAL(assay_gateway_new(&none, TEXT(SETTINGS), &options), ASSAY_INVALID_ARGUMENT);
    options = (assay_gateway_options){.size = sizeof options, .cache_seconds = 1};
    CHECK_EQUAL(assay_gateway_new(&none, TEXT(SETTINGS), &options), ASSAY_INVALID_ARGUMENT);
    CHECK(none == NULL);
    CHECK_EQUAL(assay_gateway_new(&none, TEXT(SETTINGS), NULL), ASSAY_OK);
    CHECK_EQUAL(decide(decision, none, "/open", NULL, NULL), ASSAY_OK);
    assay_gateway_free(none);
}

#define ONE_ROUTE "{\"providers\": [" PROVIDER "], \"policies\": [{\"name\": \"orders\", \"requires\": \"main\"}]," \
    " \"routes\": [{\"path\": \"/new\", \"policy\": \"orders\"}]}"

/* Keys and counters stay, routes change; a fault changes nothing. */
static void replacement(void) {
    CHECK_EQUAL(decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT("{\"providers\": 1}")), ASSAY_INVALID_SETTINGS);
    CHECK_EQUAL(decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(ONE_ROUTE)), ASSAY_OK);
    CHECK_EQUAL(decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_NO_ROUTE);
    CHECK_EQUAL(decide(decision, gateway, "/new", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    CHECK(assay_gateway_metrics(said, sizeof said, gateway) > 0);
    CHECK(contains("assay_gateway_decisions_total{code=\"\",outcome=\"allowed\",policy=\"orders\"} 3\n"));
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(SETTINGS)), ASSAY_OK);
    CHECK_EQUAL(decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
}

static void revocations(void) {
    CHECK_EQUAL(assay_gateway_revoke(gateway, TEXT("{\"revocations\": [{\"sub\": \"user-1\"}]}")), ASSAY_OK);
    CHECK_EQUAL(decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_REVOKED);
    CHECK_EQUAL(assay_decision_status(decision), 401);
    CHECK_EQUAL(assay_gateway_revoke(gateway, TEXT("{}")), ASSAY_INVALID_SETTINGS);
    CHECK_EQUAL(decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_REVOKED);
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(SETTINGS)), ASSAY_OK);
    CHECK_EQUAL(decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_REVOKED);
    CHECK_EQUAL(assay_gateway_revoke(gateway, TEXT("{\"revocations\": []}")), ASSAY_OK);
    CHECK_EQUAL(decide(decision, gateway, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
}

static void what_it_says(void) {
    assay_field field;
    assay_request request = request_with(&field, "/orders", "authorization", "Bearer " TOKEN_TAMPERED);
    CHECK(assay_gateway_explain(said, sizeof said, gateway, &request, NOW) > 0);
    CHECK(contains("denied 401 signature_invalid policy=\"orders\" route=1") && contains("kid=\"key-1\""));
    size_t len = assay_gateway_status(said, sizeof said, gateway);
    CHECK(len > 0 && strlen(said) == len && contains("\"issuer\":\"" ISSUER "\"") && contains("\"isReady\":true"));
    CHECK(contains("\"health\":\"fresh\""));
    /* What does not fit is not there. */
    CHECK_EQUAL(assay_gateway_status(said, 8, gateway), len);
    CHECK_EQUAL(strlen(said), 0);
    CHECK_EQUAL(assay_gateway_status(said, sizeof said, NULL), 0);
    CHECK_EQUAL(assay_gateway_metrics(NULL, 0, NULL), 0);
    CHECK_EQUAL(assay_gateway_is_ready(NULL), 0);
    CHECK_EQUAL(assay_gateway_next_due(NULL), -1);
    CHECK_EQUAL(assay_gateway_refresh(NULL), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_gateway_replace(NULL, TEXT(SETTINGS)), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_gateway_revoke(NULL, TEXT("{}")), ASSAY_INVALID_ARGUMENT);
    assay_gateway_free(NULL);
    assay_decision_free(NULL);
}

#define FAILOVER "{\"providers\": [{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"audiences\": [\"client-1\"]," \
    " \"keys\": {\"url\": \"https://one.example/keys\", \"failover\": [{\"url\": \"https://two.example/keys\"}]}}]," \
    " \"policies\": [{\"name\": \"a\", \"requires\": \"main\"}], \"routes\": [{\"path\": \"/\", \"policy\": \"a\"}]}"

/* The second source is asked where the first has failed; a fetch belongs to its own gateway. */
static void sources(void) {
    assay_gateway *other = new_gateway(FAILOVER);
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_gateway_request(&fetch, other), ASSAY_OK);
    CHECK(strcmp(assay_fetch_url(fetch), "https://one.example/keys") == 0);
    CHECK_EQUAL(assay_gateway_install(gateway, fetch, 200, NULL, 0, TEXT(JWKS)), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_gateway_fail(other, fetch, 99), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_gateway_fail(other, fetch, ASSAY_FAILURE_CONNECTION), ASSAY_FETCH_CONTINUES);
    assay_fetch_free(fetch);
    CHECK_EQUAL(supply(other, "https://two.example/keys", JWKS), ASSAY_OK);
    CHECK_EQUAL(decide(decision, other, "/", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_request(&fetch, other), ASSAY_NOT_DUE);
    CHECK(assay_gateway_next_due(other) > 1);
    CHECK_EQUAL(assay_gateway_refresh(other), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_next_due(other), 0);
    assay_gateway_free(other);
}

int main(void) {
    CHECK_EQUAL(assay_decision_new(&decision), ASSAY_OK);
    settings();
    gateway = new_gateway(SETTINGS);
    supply_keys(gateway, JWKS);
    replacement();
    revocations();
    what_it_says();
    sources();
    assay_gateway_free(gateway);
    assay_decision_free(decision);
    CHECK_EQUAL(releases, 2);
    return report();
}
