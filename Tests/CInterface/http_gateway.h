/* Gateways whose keys libassay-http fetches from the issuer of issuer.py. */

#ifndef ASSAY_TEST_HTTP_GATEWAY_H
#define ASSAY_TEST_HTTP_GATEWAY_H

#include <stdatomic.h>
#include "gateway.h"
#include "issuer.h"

#define OTHER_ISSUER "https://other.example"

static assay_decision *decision;
static atomic_int wakes_of_gateways, releases_of_gateways;

static inline void note_wake(void *context) {
    (void)context;
    wakes_of_gateways++;
}

static inline void note_release(void *context) {
    (void)context;
    releases_of_gateways++;
}

/* The settings of a provider, whose keys are at this path of the issuer, and of a policy that needs it. */
#define PROVIDER_AT(name, issuer) \
    "{\"name\": \"" name "\", \"issuer\": \"" issuer "\", \"anyAudience\": true, \"keys\": {\"url\": \"%s%s\"}}"
#define POLICY_OF(name) "{\"name\": \"" name "\", \"requires\": \"" name "\"}"

/* Settings with one issuer, or with two if `second` is not NULL. Valid until the next call. */
static inline const char *settings_with(const char *first, const char *second) {
    static char settings[2048];
    if (second == NULL) {
        snprintf(settings, sizeof settings, "{\"providers\": [" PROVIDER_AT("main", ISSUER) "], \"policies\": [" POLICY_OF("main") "],"
                 " \"policy\": \"main\"}", base, first);
    } else {
        snprintf(settings, sizeof settings, "{\"providers\": [" PROVIDER_AT("main", ISSUER) ", " PROVIDER_AT("other", OTHER_ISSUER) "],"
                 " \"policies\": [" POLICY_OF("main") ", " POLICY_OF("other") "], \"policy\": \"main\"}", base, first, base, second);
    }
    return settings;
}

static inline assay_gateway *new_gateway_with(const char *settings, const assay_gateway *sharing) {
    assay_gateway_options options = {.size = sizeof options, .wake = note_wake, .release = note_release};
    options.sharing = &sharing;
    options.sharing_count = sharing != NULL;
    assay_gateway *gateway = NULL;
    CHECK_EQUAL(assay_gateway_new(&gateway, settings, strlen(settings), &options), ASSAY_OK);
    return gateway;
}

static inline assay_http *new_http_of(assay_gateway *gateway) {
    assay_http_options options = trusting();
    assay_http *http = NULL;
    CHECK_EQUAL(assay_http_new_gateway(&http, gateway, &options), ASSAY_OK);
    return http;
}

/* The code for a token under the policy of this name. */
static inline assay_code decide_with(const assay_gateway *gateway, const char *policy, const char *token) {
    char value[4096];
    assay_field field;
    snprintf(value, sizeof value, "Bearer %s", token);
    assay_request request = request_with(&field, "/a", "Authorization", value);
    request.policy = text_of(policy);
    return assay_gateway_decide(decision, gateway, &request, NOW);
}

static inline assay_keys_state state_of(const assay_gateway *gateway, const char *issuer) {
    assay_keys_state state = {.size = sizeof state};
    CHECK_EQUAL(assay_gateway_keys_status(&state, gateway, issuer, strlen(issuer)), ASSAY_OK);
    return state;
}

#endif
