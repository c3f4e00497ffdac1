/* A gateway whose keys the test hands over, and requests to it. */

#ifndef ASSAY_TEST_GATEWAY_H
#define ASSAY_TEST_GATEWAY_H

#include "hosting.h"

#define PROVIDER \
    "{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"audiences\": [\"client-1\"]," \
    " \"tokenFrom\": [{\"authorization\": \"Bearer\"}, {\"cookie\": \"session\"}, {\"query\": \"access_token\"}]," \
    " \"claims\": [{\"header\": \"X-User\", \"claim\": \"sub\"}, {\"header\": \"X-Mail\", \"claim\": \"email\"}]," \
    " \"payloadMetadata\": \"payload\"}"
#define POLICIES \
    "[{\"name\": \"orders\", \"requires\": \"main\", \"scopes\": [\"orders\"]}," \
    " {\"name\": \"trial\", \"requires\": \"main\", \"scopes\": [\"absent\"], \"mode\": \"dry-run\"}," \
    " {\"name\": \"admins\", \"requires\": \"main\", \"claims\": [{\"claim\": \"email\", \"prefix\": \"admin@\"}]," \
    "  \"browsers\": {\"redirect\": \"/login?to={url}\"}}," \
    " {\"name\": \"open\", \"requires\": \"nothing\"}]"
#define ROUTES \
    "[{\"path\": \"/orders\", \"policy\": \"orders\"}, {\"path\": \"/trial\", \"policy\": \"trial\"}," \
    " {\"path\": \"/admins\", \"policy\": \"admins\"}, {\"path\": \"/open\", \"policy\": \"open\"}]"
#define SETTINGS "{\"providers\": [" PROVIDER "], \"policies\": " POLICIES ", \"routes\": " ROUTES "}"

static int releases;

static inline void count_release(void *context) {
    (void)context;
    releases++;
}

static inline assay_gateway *new_gateway(const char *settings) {
    assay_gateway_options options = {.size = sizeof options, .cache_bytes = 1 << 20, .seed = 1};
    options.clock = read_clock;
    options.wake = count_wake;
    options.release = count_release;
    options.context = &now_nanoseconds;
    assay_gateway *gateway = NULL;
    CHECK_EQUAL(assay_gateway_new(&gateway, settings, strlen(settings), &options), ASSAY_OK);
    return gateway;
}

/* Answers the request that is due, after checking its URL. */
static inline assay_code supply(assay_gateway *gateway, const char *url, const char *body) {
    assay_fetch *fetch = NULL;
    CHECK_EQUAL(assay_gateway_next_due(gateway), 0);
    CHECK_EQUAL(assay_gateway_request(&fetch, gateway), ASSAY_OK);
    CHECK(strcmp(assay_fetch_url(fetch), url) == 0);
    assay_code code = assay_gateway_install(gateway, fetch, 200, NULL, 0, body, strlen(body));
    CHECK_EQUAL(assay_gateway_install(gateway, fetch, 200, NULL, 0, body, strlen(body)), ASSAY_FETCH_ENDED);
    assay_fetch_free(fetch);
    return code;
}

static inline void supply_keys(assay_gateway *gateway, const char *jwks) {
    CHECK_EQUAL(supply(gateway, ISSUER "/.well-known/openid-configuration", METADATA), ASSAY_FETCH_CONTINUES);
    CHECK_EQUAL(supply(gateway, ISSUER "/keys", jwks), ASSAY_OK);
}

static inline assay_text text_of(const char *text) { return (assay_text){text, strlen(text)}; }

/* A request with one field, or none for NULL. */
static inline assay_request request_with(assay_field *field, const char *target, const char *name, const char *value) {
    assay_request request = {.size = sizeof request, .method = text_of("GET"), .authority = text_of("api.example")};
    request.target = text_of(target);
    if (name != NULL) {
        *field = (assay_field){text_of(name), text_of(value)};
        request.fields = field;
        request.field_count = 1;
    }
    return request;
}

static inline assay_code decide(assay_decision *decision, const assay_gateway *gateway, const char *target, const char *name,
                                const char *value) {
    assay_field field;
    assay_request request = request_with(&field, target, name, value);
    return assay_gateway_decide(decision, gateway, &request, NOW);
}

/* Whether an operation of a decision is this one. */
static inline int is_operation(const assay_decision *decision, size_t index, uint32_t kind, const char *name, const char *value) {
    assay_operation operation;
    return assay_decision_operation(&operation, decision, index) == ASSAY_OK && operation.kind == kind &&
           is_text(operation.name.bytes, operation.name.len, name) && is_text(operation.value.bytes, operation.value.len, value);
}

#endif
