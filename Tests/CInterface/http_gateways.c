/* The keys of a gateway by libassay-http: several issuers at once, changes of settings, files, and what is freed first. */

#define _GNU_SOURCE
#include "http_gateway.h"

/* The keys of two issuers, then one that a token reveals, then an issuer of other settings. */
static void fetch_and_replace(void) {
    publish(JWKS);
    assay_gateway *gateway = new_gateway_with(settings_with("/keys", NULL), NULL);
    assay_http *http = new_http_of(gateway);
    assay_fetch *fetch = NULL;
    CHECK(assay_http_keys(http) == NULL);
    CHECK_EQUAL(assay_http_wait(http, 60000), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_is_ready(gateway), 1);
    CHECK_EQUAL(decide_with(gateway, "main", TOKEN), ASSAY_OK);
    CHECK_EQUAL(decide_with(gateway, "other", TOKEN_OTHER_ISSUER), ASSAY_NO_POLICY);
    publish(JWKS_BOTH);
    int wakes_before = wakes_of_gateways;
    CHECK_BECOMES(decide_with(gateway, "main", TOKEN_SECOND) == ASSAY_OK);
    CHECK(wakes_of_gateways > wakes_before);
    const char *settings = settings_with("/keys", "/second");
    CHECK_EQUAL(assay_gateway_replace(gateway, settings, strlen(settings)), ASSAY_OK);
    CHECK_EQUAL(assay_http_wait(http, 60000), ASSAY_OK);
    CHECK_EQUAL(decide_with(gateway, "other", TOKEN_OTHER_ISSUER), ASSAY_OK);
    CHECK_EQUAL(decide_with(gateway, "main", TOKEN_SECOND), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_request(&fetch, gateway), ASSAY_NOT_DUE);
    int confirmed = count_requests("/keys \""), second = count_requests("/second \"");
    CHECK_EQUAL(assay_http_refresh(http), ASSAY_OK);
    CHECK_BECOMES(count_requests("/keys \"") > confirmed && count_requests("/second \"") > second);
    assay_http_free(http);
    CHECK_EQUAL(decide_with(gateway, "main", TOKEN), ASSAY_OK);
    assay_gateway_free(gateway);
}

/* An issuer that does not answer delays neither another one nor assay_http_free. Its request is handed out to the host afterwards. */
static void hanging(void) {
    assay_gateway *gateway = new_gateway_with(settings_with("/slow", "/second"), NULL);
    assay_http *http = new_http_of(gateway);
    assay_fetch *fetch = NULL;
    CHECK_BECOMES(decide_with(gateway, "other", TOKEN_OTHER_ISSUER) == ASSAY_OK);
    CHECK_EQUAL(assay_http_wait(http, 20), ASSAY_KEYS_UNAVAILABLE);
    CHECK_EQUAL(state_of(gateway, ISSUER).is_fetching, 1);
    CHECK_EQUAL(assay_gateway_request(&fetch, gateway), ASSAY_NOT_DUE);
    double start = seconds();
    assay_http_free(http);
    CHECK(seconds() - start < 20);
    CHECK_BECOMES(fetch != NULL || assay_gateway_request(&fetch, gateway) == ASSAY_OK);
    CHECK_EQUAL(assay_gateway_install(gateway, fetch, 200, NULL, 0, TEXT(JWKS)), ASSAY_OK);
    assay_fetch_free(fetch);
    CHECK_EQUAL(decide_with(gateway, "main", TOKEN), ASSAY_OK);
    assay_gateway_free(gateway);
}

/* The gateway is freed first, with and without a request under way. */
static void gateway_freed_first(const char *path, assay_code expected) {
    assay_gateway *gateway = new_gateway_with(settings_with(path, NULL), NULL);
    assay_http *http = new_http_of(gateway);
    int released = releases_of_gateways;
    CHECK_EQUAL(assay_http_wait(http, expected == ASSAY_OK ? 60000 : 20), expected);
    assay_gateway_free(gateway);
    CHECK_EQUAL(assay_http_wait(http, 20), expected);
    CHECK_EQUAL(assay_http_refresh(http), ASSAY_OK);
    CHECK_EQUAL(releases_of_gateways, released);
    assay_http_free(http);
    CHECK_BECOMES(releases_of_gateways == released + 1);
}

/* A host that answers itself: the response that it hands over wakes the thread, and a wait in progress. */
static void beside_the_host(void) {
    assay_gateway *gateway = new_gateway_with("{\"providers\": [{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"anyAudience\": true}],"
                                              " \"policies\": [" POLICY_OF("main") "], \"policy\": \"main\"}", NULL);
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_gateway_request(&fetch, gateway), ASSAY_OK);
    assay_http *http = new_http_of(gateway);
    char metadata[256];
    snprintf(metadata, sizeof metadata, "{\"issuer\": \"" ISSUER "\", \"jwks_uri\": \"%s/keys\"}", base);
    CHECK_EQUAL(assay_gateway_install(gateway, fetch, 200, NULL, 0, metadata, strlen(metadata)), ASSAY_FETCH_CONTINUES);
    assay_fetch_free(fetch);
    CHECK_EQUAL(assay_http_wait(http, 60000), ASSAY_OK);
    CHECK_EQUAL(decide_with(gateway, "main", TOKEN), ASSAY_OK);
    assay_http_free(http);
    assay_gateway_free(gateway);
}

/* Keys that two gateways share are fetched for both, also where the token was the other's. */
static void sharing(void) {
    publish(JWKS);
    assay_gateway *first = new_gateway_with(settings_with("/keys", NULL), NULL);
    assay_gateway *second = new_gateway_with(settings_with("/keys", "/second"), first);
    assay_http *http = new_http_of(second);
    CHECK_EQUAL(assay_http_wait(http, 60000), ASSAY_OK);
    CHECK_EQUAL(decide_with(first, "main", TOKEN), ASSAY_OK);
    publish(JWKS_BOTH);
    CHECK_BECOMES(decide_with(first, "main", TOKEN_SECOND) == ASSAY_OK);
    assay_gateway_free(first);
    CHECK_EQUAL(decide_with(second, "main", TOKEN_SECOND), ASSAY_OK);
    assay_http_free(http);
    assay_gateway_free(second);
}

/* Files are looked at although the next fetch is minutes away. */
static void files(void) {
    char settings[2048];
    write_file("revoked.json", "{\"revocations\": []}");
    write_file("keys.json", JWKS);
    snprintf(settings, sizeof settings, "{\"revocations\": \"%s/revoked.json\", \"providers\": [" PROVIDER_AT("other", OTHER_ISSUER) ","
             " {\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"anyAudience\": true, \"keys\": {\"file\": \"%s/keys.json\"}}],"
             " \"policies\": [" POLICY_OF("main") ", " POLICY_OF("other") "], \"policy\": \"main\"}", folder, base, "/slow", folder);
    assay_gateway *gateway = new_gateway_with(settings, NULL);
    assay_http *http = new_http_of(gateway);
    CHECK_BECOMES(decide_with(gateway, "main", TOKEN) == ASSAY_OK);
    write_file("revoked.json", "{\"revocations\": [{\"sub\": \"user-1\"}]}");
    CHECK_BECOMES(decide_with(gateway, "main", TOKEN) == ASSAY_REVOKED);
    write_file("keys.json", JWKS_BOTH);
    CHECK_BECOMES(state_of(gateway, ISSUER).key_count == 2);
    assay_http_free(http);
    assay_gateway_free(gateway);
}

/* A token in a file of the folder. */
static const char *token_in(const char *name, char *out, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    out[file == NULL ? 0 : fread(out, 1, size - 1, file)] = 0;
    if (file != NULL) { fclose(file); }
    return out;
}

/* A status list that is larger than a document with keys may be. It is fetched once. */
static void status_lists(void) {
    char settings[2048], valid[4096], revoked[4096];
    publish(JWKS);
    snprintf(settings, sizeof settings, "{\"providers\": [{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"anyAudience\": true,"
             " \"keys\": {\"url\": \"%s/keys\"}, \"statusLists\": {\"origins\": [\"%s\"]}}],"
             " \"policies\": [" POLICY_OF("main") "], \"policy\": \"main\"}", base, base);
    int asked = count_requests("/list ");
    assay_gateway *gateway = new_gateway_with(settings, NULL);
    assay_http *http = new_http_of(gateway);
    CHECK_EQUAL(assay_http_wait(http, 60000), ASSAY_OK);
    CHECK_EQUAL(decide_with(gateway, "main", token_in("revoked", revoked, sizeof revoked)), ASSAY_STATUS_UNAVAILABLE);
    CHECK_BECOMES(decide_with(gateway, "main", revoked) == ASSAY_REVOKED);
    CHECK_EQUAL(decide_with(gateway, "main", token_in("valid", valid, sizeof valid)), ASSAY_OK);
    CHECK_EQUAL(count_requests("/list "), asked + 1);
    assay_http_free(http);
    assay_gateway_free(gateway);
}

/* Twenty issuers that answer late: sixteen are asked at once, and the others when these have answered. */
static void many_at_once(void) {
    enum { issuers = 20, at_once = 16 };
    close_gate();
    int asked = count_requests("/gated");
    char settings[8192] = "{\"providers\": [";
    size_t len = strlen(settings);
    for (int i = 0; i < issuers; i++) {
        len += (size_t)snprintf(settings + len, sizeof settings - len, "%s{\"name\": \"p%d\", \"issuer\": \"https://%d.example\","
                                " \"anyAudience\": true, \"keys\": {\"url\": \"%s/gated?%d\"}}", i == 0 ? "" : ", ", i, i, base, i);
    }
    snprintf(settings + len, sizeof settings - len, "], \"policies\": [{\"name\": \"p\", \"requires\": \"p0\"}], \"policy\": \"p\"}");
    assay_gateway *gateway = new_gateway_with(settings, NULL);
    assay_http *http = new_http_of(gateway);
    CHECK_BECOMES(count_requests("/gated") == asked + at_once);
    usleep(200000);
    CHECK_EQUAL(count_requests("/gated"), asked + at_once);
    CHECK_EQUAL(assay_http_wait(http, 0), ASSAY_KEYS_UNAVAILABLE);
    write_file("gate", "");
    CHECK_EQUAL(assay_http_wait(http, 60000), ASSAY_OK);
    CHECK_EQUAL(count_requests("/gated"), asked + issuers);
    assay_http_free(http);
    assay_gateway_free(gateway);
}

int main(int argc, char **argv) {
    if (argc != 3) { return 2; }
    read_issuer(argv);
    write_file("second.json", JWKS_SECOND);
    CHECK_EQUAL(assay_decision_new(&decision), ASSAY_OK);
    fetch_and_replace();
    hanging();
    gateway_freed_first("/keys", ASSAY_OK);
    gateway_freed_first("/slow", ASSAY_KEYS_UNAVAILABLE);
    beside_the_host();
    sharing();
    files();
    status_lists();
    many_at_once();
    assay_decision_free(decision);
    CHECK_BECOMES(releases_of_gateways == 10);
    return report();
}
