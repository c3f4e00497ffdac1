/* A gateway's settings, revocations, and what it says about itself. */

#include <unistd.h>

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
    CHECK(contains("\"health\":\"fresh\"") && contains("\"engine\":{\"failed\":[],\"tier\":\""));
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

static char file[64];

static void write_file(const char *text) {
    FILE *out = fopen(file, "w");
    CHECK(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
}

/* Lets a second pass, after which the file is looked at again. */
static void look_again(assay_gateway *other) {
    assay_fetch *fetch = NULL;
    CHECK(assay_gateway_next_due(other) <= 1001);
    advance(1001);
    CHECK_EQUAL(assay_gateway_request(&fetch, other), ASSAY_NOT_DUE);
}

/* A file is read again when it has changed; one that cannot be used changes nothing. */
static void revocation_file(void) {
    char settings_with_file[8192];
    assay_gateway *none = NULL;
    snprintf(file, sizeof file, "/tmp/assay-revocations-%ld", (long)getpid());
    snprintf(settings_with_file, sizeof settings_with_file, "{\"revocations\": \"%s\", %s", file, &SETTINGS[1]);
    CHECK(faults(settings_with_file) > 0 && contains("error: `revocations`: /") && contains(": cannot be read"));
    CHECK_EQUAL(assay_gateway_new(&none, settings_with_file, strlen(settings_with_file), NULL), ASSAY_INVALID_SETTINGS);
    write_file("{\"revocations\": [{\"sub\": \"user-2\"}]}");
    assay_gateway *other = new_gateway(settings_with_file);
    supply_keys(other, JWKS);
    CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    write_file("{\"revocations\": [{\"sub\": \"user-1\"}]}");
    look_again(other);
    CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_REVOKED);
    write_file("{\"revocations\": [{\"subj\": \"user-2\"}]}");
    look_again(other);
    CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_REVOKED);
    CHECK(assay_gateway_status(said, sizeof said, other) > 0 && contains("\"entries\":1") && contains("`revocations[1].subj`"));
    CHECK(assay_gateway_metrics(said, sizeof said, other) > 0 && contains("assay_gateway_revocations_current 0\n"));
    CHECK_EQUAL(assay_gateway_revoke(other, TEXT("{\"revocations\": []}")), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(remove(file), 0);
    look_again(other);
    CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_REVOKED);
    CHECK_EQUAL(assay_gateway_replace(other, settings_with_file, strlen(settings_with_file)), ASSAY_INVALID_SETTINGS);
    CHECK_EQUAL(assay_gateway_replace(other, TEXT(SETTINGS)), ASSAY_OK);
    CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    assay_gateway_free(other);
}

static void write_log(const char *mode, const char *line) {
    FILE *out = fopen(file, mode);
    CHECK(out != NULL && fputs(line, out) >= 0 && fclose(out) == 0);
}

/* Looks again at the log, which is due within a quarter of a second. */
static void look_at_log(assay_gateway *other) {
    assay_fetch *fetch = NULL;
    CHECK(assay_gateway_next_due(other) <= 251);
    advance(251);
    CHECK_EQUAL(assay_gateway_next_due(other), 0);
    CHECK_EQUAL(assay_gateway_request(&fetch, other), ASSAY_NOT_DUE);
}

#define LOG "{\"assay\":\"revocation-log\",\"version\":1}\n"

/* What another process adds to the log counts; a line that is no entry is a fault, and no entry is taken back. */
static void revocation_log(void) {
    char settings_with_log[8192];
    assay_gateway *none = NULL;
    snprintf(file, sizeof file, "/tmp/assay-revocation-log-%ld", (long)getpid());
    snprintf(settings_with_log, sizeof settings_with_log, "{\"revocationLog\": \"%s\", %s", file, &SETTINGS[1]);
    CHECK(faults(settings_with_log) > 0 && contains("error: `revocationLog`: /") && contains("there is no such file"));
    CHECK_EQUAL(assay_gateway_new(&none, settings_with_log, strlen(settings_with_log), NULL), ASSAY_INVALID_SETTINGS);
    write_log("w", LOG "{\"sub\":\"user-2\"}\n{\"sub\":\"user-1\",\"until\":1}\n");
    CHECK_EQUAL(faults(settings_with_log), 0);
    assay_gateway *other = new_gateway(settings_with_log);
    supply_keys(other, JWKS);
    CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    write_log("a", "{\"issuer\":\"" ISSUER "\",\"sub\":\"user-1\"");
    look_at_log(other);
    CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    write_log("a", ",\"until\":99999999999}\n");
    look_at_log(other);
    CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_REVOKED);
    CHECK(assay_gateway_status(said, sizeof said, other) > 0 && contains("\"log\":{\"entries\":2,\"file\":\"/tmp/assay-"));
    CHECK(assay_gateway_metrics(said, sizeof said, other) > 0 && contains("assay_gateway_revocation_log_current 1\n"));
    write_log("a", "{\"subj\":\"user-2\"}\n");
    look_at_log(other);
    CHECK(assay_gateway_status(said, sizeof said, other) > 0 && contains("line 5 is no entry"));
    CHECK(assay_gateway_metrics(said, sizeof said, other) > 0 && contains("assay_gateway_revocation_log_current 0\n"));
    CHECK_EQUAL(assay_gateway_new(&none, settings_with_log, strlen(settings_with_log), NULL), ASSAY_INVALID_SETTINGS);
    CHECK_EQUAL(assay_gateway_revoke(other, TEXT("{\"revocations\": []}")), ASSAY_OK);
    CHECK_EQUAL(remove(file), 0);
    look_at_log(other);
    CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_REVOKED);
    CHECK_EQUAL(assay_gateway_replace(other, TEXT(SETTINGS)), ASSAY_OK);
    CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_REVOKED);
    assay_gateway_free(other);
}

#define MANY 100000

/* Parts of a long log follow each other: the next one is due at once, however little time has passed. */
static void long_log(void) {
    char settings_with_log[8192];
    assay_fetch *fetch = NULL;
    int looks = 1;
    snprintf(file, sizeof file, "/tmp/assay-long-log-%ld", (long)getpid());
    snprintf(settings_with_log, sizeof settings_with_log, "{\"revocationLog\": \"%s\", %s", file, &SETTINGS[1]);
    write_log("w", LOG);
    assay_gateway *other = new_gateway(settings_with_log);
    supply_keys(other, JWKS);
    FILE *out = fopen(file, "a");
    for (int i = 0; out != NULL && i < MANY; i++) { fprintf(out, "{\"issuer\":\"" ISSUER "\",\"sid\":\"%032d\"}\n", i); }
    CHECK(out != NULL && fputs("{\"sub\":\"user-1\"}\n", out) >= 0);
    long size = out == NULL ? 0 : ftell(out);
    CHECK(out != NULL && fclose(out) == 0);
    look_at_log(other);
    for (; assay_gateway_next_due(other) == 0 && looks < MANY; looks++) {
        CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
        CHECK_EQUAL(assay_gateway_request(&fetch, other), ASSAY_NOT_DUE);
    }
    CHECK_EQUAL(looks, (int)(size / 262144) + 1);
    CHECK_EQUAL(decide(decision, other, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_REVOKED);
    CHECK(assay_gateway_status(said, sizeof said, other) > 0 && contains("\"log\":{\"entries\":100001,"));
    CHECK_EQUAL(remove(file), 0);
    assay_gateway_free(other);
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

#define TENANTS "{\"providers\": [{\"name\": \"main\", \"issuer\": \"https://login.example/{tenant}\", \"tenants\": [\"a\", \"b\"]," \
    " \"required\": false, \"audiences\": [\"client-1\"], \"keys\": {\"url\": \"https://login.example/{tenant}/keys\"}}]," \
    " \"policies\": [{\"name\": \"a\", \"requires\": \"main\"}], \"routes\": [{\"path\": \"/\", \"policy\": \"a\"}]}"

/* One issuer's keys are fetched again, and no other's. */
static void one_issuer(void) {
    assay_gateway *other = new_gateway(TENANTS);
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_gateway_request(&fetch, other), ASSAY_NOT_DUE);
    CHECK_EQUAL(assay_gateway_refresh_issuer(NULL, TEXT("https://login.example/b")), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_gateway_refresh_issuer(other, NULL, 1), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_gateway_refresh_issuer(other, TEXT("https://login.example/c")), ASSAY_NO_VALUE);
    CHECK_EQUAL(assay_gateway_refresh_issuer(other, TEXT("https://login.example/b")), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_request(&fetch, other), ASSAY_OK);
    CHECK(strcmp(assay_fetch_url(fetch), "https://login.example/b/keys") == 0);
    CHECK(strcmp(assay_fetch_issuer(fetch), "https://login.example/b") == 0);
    assay_fetch_free(fetch);
    CHECK_EQUAL(assay_gateway_request(&fetch, other), ASSAY_NOT_DUE);
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
    one_issuer();
    revocation_file();
    revocation_log();
    long_log();
    assay_gateway_free(gateway);
    assay_decision_free(decision);
    CHECK_EQUAL(releases, 6);
    return report();
}
