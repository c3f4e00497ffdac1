/* A host that has routes of its own: it names the policy of each request, and keeps what a token says as metadata. */

#include "gateway.h"

#define HOST(members) "{\"providers\": [" PROVIDER "], \"policies\": " POLICIES ", \"policy\": \"orders\"" members "}"
#define KEPT "{\"providers\": [{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"anyAudience\": true, \"keys\": {\"inline\": KEYS}," \
    " \"payloadMetadata\": \"payload\", \"headerMetadata\": \"header\", \"payloadHeader\": \"x-payload\", \"padPayload\": true}]," \
    " \"policies\": [{\"name\": \"all\", \"requires\": \"main\"}], \"policy\": \"all\"}"

static assay_gateway *gateway;
static assay_decision *decision;
static char text[65536];

/* The code for a request whose policy a route of the host names. */
static assay_code decide_by(const char *policy, const char *method, const char *target, const char *name, const char *value) {
    assay_field field;
    assay_request request = request_with(&field, target, name, value);
    request.method = text_of(method);
    request.policy = text_of(policy);
    return assay_gateway_decide(decision, gateway, &request, NOW);
}

static const struct {
    const char *policy, *method, *target, *name, *value;
    assay_code code;
} requests[] = {
    {"", "GET", "/a", "Authorization", "Bearer " TOKEN, ASSAY_OK},
    {"", "GET", "/a", NULL, NULL, ASSAY_MISSING_TOKEN},
    {"open", "GET", "/a", NULL, NULL, ASSAY_OK},
    {"open", "CONNECT", "a.example:443", NULL, NULL, ASSAY_OK},
    {"admins", "GET", "/a", "Authorization", "Bearer " TOKEN, ASSAY_CLAIM_MISMATCH},
    {"trial", "GET", "/a", "Authorization", "Bearer " TOKEN, ASSAY_OK},
    {"Open", "GET", "/a", NULL, NULL, ASSAY_NO_POLICY},
    {"ope", "GET", "/a", NULL, NULL, ASSAY_NO_POLICY},
    /* The host's routes look at paths and methods. */
    {"open", "GET", "/a/../b", NULL, NULL, ASSAY_AMBIGUOUS_PATH},
    {"open", "GET", "/a//b", NULL, NULL, ASSAY_AMBIGUOUS_PATH},
    {"open", "GET", "/a", "X-HTTP-Method-Override", "DELETE", ASSAY_AMBIGUOUS_FIELD},
    {"open", "GET", "/a", "X-HTTP-Method-Override", "GET", ASSAY_OK},
};

static void policies(void) {
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        CHECK_EQUAL(decide_by(requests[i].policy, requests[i].method, requests[i].target, requests[i].name, requests[i].value),
                    requests[i].code);
    }
    CHECK_EQUAL(assay_code_http_status(ASSAY_NO_POLICY), 403);
    assay_field field;
    assay_request request = request_with(&field, "/a", NULL, NULL);
    CHECK(assay_gateway_explain(text, sizeof text, gateway, &request, NOW) > 0);
    CHECK(strstr(text, "denied 401 missing_token policy=\"orders\" now=") != NULL);
}

/* What a host permits for its own routes. */
static void permissions(void) {
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(HOST(", \"paths\": {\"strict\": false}, \"allowMethodOverride\": true"))), ASSAY_OK);
    CHECK_EQUAL(decide_by("open", "GET", "/a/../b//c", "X-HTTP-Method-Override", "DELETE"), ASSAY_OK);
    CHECK_EQUAL(decide_by("open", "GET", "/a?b#c", NULL, NULL), ASSAY_AMBIGUOUS_PATH);
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(HOST(", \"allowPreflight\": true"))), ASSAY_OK);
    assay_field preflight[] = {{text_of("origin"), text_of("https://a.example")},
                               {text_of("access-control-request-method"), text_of("PUT")}};
    assay_request request = {.size = sizeof request, .method = text_of("OPTIONS"), .target = text_of("/a")};
    request.fields = preflight;
    request.field_count = 2;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_OK);
    CHECK(is_operation(decision, 0, ASSAY_SET_FIELD, "x-user", ""));
    request.field_count = 1;
    CHECK_EQUAL(assay_gateway_decide(decision, gateway, &request, NOW), ASSAY_MISSING_TOKEN);
}

static const struct {
    const char *settings, *says;
} faults[] = {
    {HOST(", \"routes\": []"), "error: `routes`: the host has routes of its own"},
    {HOST(", \"paths\": {\"strict\": false, \"allowParameters\": true}"), "error: `paths.allowParameters`: is of no use with"},
    {HOST(", \"allowPreflights\": true"), "did you mean `allowPreflight`?"},
    {HOST(", \"tokenBytes\": 10"), "error: `tokenBytes`: between 256 and 1048576"},
    {"{\"providers\": [" PROVIDER "], \"policies\": " POLICIES ", \"policy\": \"order\"}", "did you mean `orders`?"},
    {"{\"providers\": [" PROVIDER "], \"policies\": " POLICIES ", \"routes\": " ROUTES ", \"paths\": {\"strict\": false}}",
     "error: `paths.strict`: is for the routes of a host"},
    {"{\"providers\": [" PROVIDER "], \"policies\": " POLICIES ", \"routes\": " ROUTES ", \"allowPreflight\": true}",
     "error: `allowPreflight`: is for the routes of a host"},
    {"{\"providers\": [{\"name\": \"a\", \"issuer\": \"" ISSUER "\", \"anyAudience\": true, \"padPayload\": true}]}",
     "error: `providers[1].padPayload`: is of no use without `payloadHeader`"},
    {"{\"providers\": [{\"name\": \"a\", \"issuer\": \"" ISSUER "\", \"anyAudience\": true, \"keys\": {\"inline\": \"{}\"}}]}",
     "error: `providers[1].keys.inline`: a JWK Set, a JWK or PEM is expected: invalid_key: the document is not a JWK"},
    {"{\"providers\": [{\"name\": \"a\", \"issuer\": \"" ISSUER "\", \"anyAudience\": true, \"keys\": {\"file\": \"/dev/null\"}}],"
     " \"policies\": [{\"name\": \"p\", \"requires\": \"a\"}], \"policy\": \"p\"}",
     "error: `providers[1].keys.file`: cannot be read: /dev/null"},
};

static void settings(void) {
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        CHECK(assay_gateway_check(text, sizeof text, faults[i].settings, strlen(faults[i].settings)) > 0);
        CHECK(strstr(text, faults[i].says) != NULL);
    }
    /* Policies that no route names are the host's affair, and so is an address without TLS. */
    CHECK_EQUAL(assay_gateway_check(text, sizeof text, TEXT(HOST(""))), 0);
    CHECK_EQUAL(assay_gateway_check(text, sizeof text, TEXT(
        "{\"providers\": [{\"name\": \"a\", \"issuer\": \"http://idp.internal\", \"anyAudience\": true}],"
        " \"policies\": [{\"name\": \"p\", \"requires\": \"a\"}], \"policy\": \"p\"}")), 0);
}

/* KEPT with a document of keys, as a part of the settings. */
static const char *with_document(const char *document) {
    static char settings[65536];
    const char *place = strstr(KEPT, "KEYS");
    snprintf(settings, sizeof settings, "%.*s%s%s", (int)(place - KEPT), KEPT, document, place + 4);
    return settings;
}

/* The same with the document as a text. */
static const char *with_text(const char *keys) {
    char quoted[32768];
    size_t len = 0;
    quoted[len++] = '"';
    for (const char *byte = keys; *byte; byte++) {
        if (*byte == '"' || *byte == '\\') { quoted[len++] = '\\'; }
        quoted[len++] = *byte;
    }
    quoted[len++] = '"';
    quoted[len] = 0;
    return with_document(quoted);
}

/* Whether a JSON object has this member. */
static int has_member(assay_text json, const char *member) {
    snprintf(text, sizeof text, "%.*s", (int)json.len, json.bytes);
    return text[0] == '{' && text[json.len - 1] == '}' && strstr(text, member) != NULL;
}

/* Keys in the settings serve at once. */
static void metadata(const char *settings_with_keys) {
    assay_gateway *kept = new_gateway(settings_with_keys);
    CHECK_EQUAL(assay_gateway_is_ready(kept), 1);
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_gateway_request(&fetch, kept), ASSAY_NOT_DUE);
    assay_metadata metadata;
    const char *provider = NULL;
    size_t len = 0;
    CHECK_EQUAL(decide(decision, kept, "/a", NULL, NULL), ASSAY_MISSING_TOKEN);
    CHECK_EQUAL(assay_decision_metadata(&metadata, decision, 0), ASSAY_NO_VALUE);
    CHECK_EQUAL(decide(decision, kept, "/a", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    CHECK_EQUAL(assay_decision_metadata(&metadata, decision, 0), ASSAY_OK);
    CHECK(is_text(metadata.provider.bytes, metadata.provider.len, "main") && is_text(metadata.key.bytes, metadata.key.len, "payload"));
    CHECK(has_member(metadata.json, "\"sub\": \"user-1\""));
    CHECK_EQUAL(assay_decision_metadata(&metadata, decision, 1), ASSAY_OK);
    CHECK(is_text(metadata.key.bytes, metadata.key.len, "header") && has_member(metadata.json, "\"kid\": \"key-1\""));
    CHECK_EQUAL(assay_decision_metadata(&metadata, decision, 2), ASSAY_NO_VALUE);
    CHECK_EQUAL(assay_decision_metadata(NULL, decision, 0), ASSAY_INVALID_ARGUMENT);
    CHECK_EQUAL(assay_decision_provider(&provider, &len, decision, 0), ASSAY_OK);
    CHECK_EQUAL(assay_decision_provider(&provider, &len, decision, 1), ASSAY_NO_VALUE);
    assay_operation operation;
    CHECK_EQUAL(assay_decision_operation(&operation, decision, 0), ASSAY_OK);
    CHECK(operation.value.len > 0 && operation.value.len % 4 == 0);
    assay_gateway_free(kept);
}

/* What may not come in a trailer. */
static void protects(void) {
    static const char *const kept_away[] = {"x-user", "X-User", "x_user", "x.mail", "authorization", "Cookie"};
    for (size_t i = 0; i < sizeof kept_away / sizeof *kept_away; i++) {
        CHECK_EQUAL(assay_gateway_protects(gateway, kept_away[i], strlen(kept_away[i])), 1);
    }
    CHECK_EQUAL(assay_gateway_protects(gateway, TEXT("x-users")), 0);
    CHECK_EQUAL(assay_gateway_protects(gateway, TEXT("grpc-status")), 0);
    CHECK_EQUAL(assay_gateway_protects(NULL, TEXT("a")), 1);
}

#define RESOURCE "https://api.example/orders"
#define WELL_KNOWN "/.well-known/oauth-protected-resource/orders"

static size_t resource_at(const assay_gateway *asked, const char *host, const char *target) {
    return assay_gateway_resource_metadata(text, sizeof text, asked, host, strlen(host), target, strlen(target));
}

/* RFC 9728: for its own host and path alone. */
static void resources(void) {
    assay_gateway *protecting = new_gateway(
        "{\"providers\": [{\"name\": \"a\", \"issuer\": \"" ISSUER "\"}], \"resources\": [{\"resource\": \"" RESOURCE "\"}],"
        " \"policies\": [{\"name\": \"p\", \"requires\": \"a\", \"resource\": \"" RESOURCE "\"}], \"policy\": \"p\"}");
    size_t len = resource_at(protecting, "api.example", WELL_KNOWN);
    CHECK(len > 0 && strlen(text) == len && strstr(text, "\"resource\":\"" RESOURCE "\"") != NULL);
    CHECK_EQUAL(resource_at(protecting, "API.example:443", WELL_KNOWN "?a=b"), len);
    CHECK_EQUAL(assay_gateway_resource_metadata(NULL, 0, protecting, TEXT("api.example"), TEXT(WELL_KNOWN)), len);
    CHECK_EQUAL(assay_gateway_resource_metadata(text, len, protecting, TEXT("api.example"), TEXT(WELL_KNOWN)), len);
    CHECK_EQUAL(text[0], 0);
    static const char *const others[][2] = {
        {"evil.example", WELL_KNOWN}, {"api.example:8443", WELL_KNOWN}, {"", WELL_KNOWN}, {"api.example", WELL_KNOWN "/"},
        {"api.example", "/"}, {"api.example", ""},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK_EQUAL(resource_at(protecting, others[i][0], others[i][1]), 0);
        CHECK_EQUAL(text[0], 0);
    }
    CHECK_EQUAL(resource_at(gateway, "api.example", WELL_KNOWN), 0);
    CHECK_EQUAL(resource_at(NULL, "api.example", WELL_KNOWN), 0);
    CHECK_EQUAL(assay_gateway_resource_metadata(text, sizeof text, protecting, NULL, 1, TEXT(WELL_KNOWN)), 0);
    CHECK_EQUAL(assay_gateway_resource_metadata(text, sizeof text, protecting, TEXT("api.example"), NULL, 1), 0);
    assay_gateway_free(protecting);
}

#define UNASKED "{\"providers\": [{\"name\": \"a\", \"issuer\": \"https://b.example\", \"anyAudience\": true, \"required\": %s}]," \
    " \"policies\": [{\"name\": \"p\", \"requires\": \"a\"}], \"policy\": \"p\"}"

/* An issuer that one gateway needs only for tokens, and the next one for its start. */
static void late_loading(void) {
    char settings_of_one[512];
    assay_fetch *fetch = NULL;
    snprintf(settings_of_one, sizeof settings_of_one, UNASKED, "false");
    assay_gateway *lazy = new_gateway(settings_of_one);
    CHECK_EQUAL(assay_gateway_request(&fetch, lazy), ASSAY_NOT_DUE);
    snprintf(settings_of_one, sizeof settings_of_one, UNASKED, "true");
    CHECK_EQUAL(assay_gateway_replace(lazy, settings_of_one, strlen(settings_of_one)), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_request(&fetch, lazy), ASSAY_OK);
    assay_fetch_free(fetch);
    assay_gateway_free(lazy);
}

/* A gateway uses the keys of another one, fetches for both, and keeps them when the other one is gone. */
static void sharing(void) {
    const assay_gateway *others[] = {gateway};
    assay_gateway_options options = {.size = sizeof options, .sharing = others, .sharing_count = 1};
    assay_gateway *second = NULL, *none = NULL;
    CHECK_EQUAL(assay_gateway_new(&second, TEXT(SETTINGS), &options), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_is_ready(second), 1);
    CHECK_EQUAL(decide(decision, second, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_gateway_request(&fetch, second), ASSAY_NOT_DUE);
    CHECK_EQUAL(assay_gateway_refresh(gateway), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_request(&fetch, second), ASSAY_OK);
    CHECK(strcmp(assay_fetch_issuer(fetch), ISSUER) == 0);
    assay_fetch_free(fetch);
    options.sharing_count = 1025;
    CHECK_EQUAL(assay_gateway_new(&none, TEXT(SETTINGS), &options), ASSAY_INVALID_ARGUMENT);
    options.sharing_count = 1;
    others[0] = NULL;
    CHECK_EQUAL(assay_gateway_new(&none, TEXT(SETTINGS), &options), ASSAY_INVALID_ARGUMENT);
    assay_gateway_free(gateway);
    CHECK_EQUAL(decide(decision, second, "/orders", "Authorization", "Bearer " TOKEN), ASSAY_OK);
    assay_gateway_free(second);
}

int main(void) {
    CHECK_EQUAL(assay_decision_new(&decision), ASSAY_OK);
    gateway = new_gateway(HOST(""));
    supply_keys(gateway, JWKS);
    policies();
    permissions();
    settings();
    metadata(with_text(JWKS));
    metadata(with_document(JWKS));
    protects();
    resources();
    late_loading();
    sharing();
    assay_decision_free(decision);
    CHECK_EQUAL(releases, 5);
    return report();
}
