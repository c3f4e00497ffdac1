#include "callout.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "response.h"
#include "waiting.h"

#define MOST_FIELDS 16

static ae_callout *callouts;

static int send_to(void *extension, ae_callout *callout, const ae_url *url) {
    envoy_header fields[MOST_FIELDS] = {
        ae_header(LITERAL(":method"), LITERAL("GET")),
        ae_header(LITERAL(":scheme"), url->is_https ? LITERAL("https") : LITERAL("http")),
        ae_header(LITERAL(":path"), url->target),
        ae_header(LITERAL("host"), url->authority),
    };
    size_t count = 4;
    const char *name, *value;
    for (size_t i = 0; count < MOST_FIELDS && assay_fetch_field(&name, &value, callout->fetch, i) == ASSAY_OK; i++) {
        fields[count++] = ae_header(ae_text(name), ae_text(value));
    }
    return CALLBACK(bootstrap_extension_http_callout)(extension, &callout->id, ae_envoy(ae_text(callout->cluster)), fields, count,
                                                     (envoy_bytes){NULL, 0}, callout->timeout);
}

/* What a fetch is for, its Accept field says (Docs/CInterface.md). */
static bool is_for_list(const assay_fetch *fetch) {
    const char *name, *value;
    for (size_t i = 0; assay_fetch_field(&name, &value, fetch, i) == ASSAY_OK; i++) {
        if (ae_equal(ae_text(name), LITERAL("Accept"))) {
            return ae_equal(ae_text(value), LITERAL("application/statuslist+jwt"));
        }
    }
    return false;
}

static void use(ae_callout *callout, const ae_provider *provider, const ae_url *url) {
    callout->provider = provider;
    callout->timeout = callout->is_list ? provider->lists.timeout : provider->keys.timeout;
    if (url) {
        callout->cluster = callout->is_list ? ae_provider_list_cluster(provider, url) : ae_provider_cluster(provider, url);
    }
}

/* Providers of one issuer share its keys, so the cluster may stand at any of them. A list is of one that has the setting. A request
 * without a URL has no cluster. */
static void choose_provider(ae_callout *callout, const ae_url *url) {
    const char *issuer = assay_fetch_issuer(callout->fetch);
    for (size_t i = 0; i < callout->gateway->provider_count && !callout->cluster; i++) {
        const ae_provider *provider = &callout->gateway->providers[i];
        if (ae_provider_trusts(provider, issuer) && (provider->has_lists || !callout->is_list)) {
            use(callout, provider, url);
        }
    }
    callout->before = ae_keys_of_issuer(callout->gateway, issuer);
}

/* Sends a request; 0, or the failure for libassay. */
static uint32_t send_request(void *extension, ae_callout *callout, ae_reason *reason) {
    ae_url url;
    const char *text = assay_fetch_url(callout->fetch);
    bool is_url = ae_url_read(&url, text);
    choose_provider(callout, is_url ? &url : NULL);
    if (!is_url) {
        return ASSAY_FAILURE_URL;
    }
    if (!callout->cluster) {
        ae_reason_set(reason, "no cluster is configured for %.200s", text);
        return ASSAY_FAILURE_FORBIDDEN;
    }
    int started = send_to(extension, callout, &url);
    if (started == ENVOY_CALLOUT_NO_CLUSTER) {
        ae_reason_no_cluster(reason, callout);
    } else if (started != ENVOY_CALLOUT_STARTED) {
        ae_reason_set(reason, "cluster `%.200s` did not connect; perhaps its name does not resolve", callout->cluster);
    }
    return started == ENVOY_CALLOUT_STARTED ? 0 : ASSAY_FAILURE_CONNECTION;
}

/* One line for the first keys, one for the first after a failure, and one for each failure. */
static void note(const ae_callout *callout, assay_code code, ae_reason *reason) {
    const char *issuer = assay_fetch_issuer(callout->fetch);
    const char *source = ae_provider_has_tenants(callout->provider) ? issuer : callout->provider->source;
    bool was_current = callout->before.health != ASSAY_HEALTH_UNAVAILABLE && !callout->before.failures;
    if (code == ASSAY_OK && was_current) {
        return;
    }
    ae_keys keys = ae_keys_of_issuer(callout->gateway, issuer);
    if (code == ASSAY_OK) {
        ae_log(ENVOY_LOG_INFO, "assay: keys of %.200s are installed: %llu", source, (unsigned long long)keys.count);
        return;
    }
    ae_reason_complete(reason, keys.last_failure[0] ? keys.last_failure : assay_code_name(code));
    ae_log(reason->is_lasting ? ENVOY_LOG_ERROR : ENVOY_LOG_WARN, "assay: keys of %.200s were not fetched: %s", source, reason->text);
}

/* A list has one line for each failure. */
static void note_list(const ae_callout *callout, assay_code code, ae_reason *reason) {
    if (code == ASSAY_OK) {
        return;
    }
    const char *url = assay_fetch_url(callout->fetch);
    ae_list_failure failure = ae_status_list(callout->gateway, url);
    ae_reason_complete(reason, failure.code[0] ? failure.code : assay_code_name(code));
    ae_log(ENVOY_LOG_WARN, "assay: the status list %.300s was not fetched: %s", url, reason->text);
}

/* Counts a fetch for every provider with the source: filters share its keys. */
static void count(const ae_callout *callout, bool has_failed) {
    ae_gateways gateways = ae_gateways_retained();
    for (size_t i = 0; i < gateways.count; i++) {
        for (size_t j = 0; j < gateways.all[i]->provider_count; j++) {
            ae_provider *provider = &gateways.all[i]->providers[j];
            if (ae_provider_shares(provider, callout->provider)) {
                provider->fetches++;
                provider->failures += has_failed;
                provider->last_duration = (uint64_t)(ae_milliseconds() - callout->began);
            }
        }
    }
    ae_gateways_release(gateways);
}

/* Each filter has its own lists. */
static void count_list(const ae_callout *callout, bool has_failed) {
    ae_provider *provider = &callout->gateway->providers[callout->provider - callout->gateway->providers];
    provider->list_fetches++;
    provider->list_failures += has_failed;
}

static void destroy(ae_callout *callout, bool wakes) {
    assay_fetch_free(callout->fetch);
    ae_gateway_release(callout->gateway);
    free(callout);
    ae_fetching_end(wakes);
}

/* Ends a callout, whose outcome is `code`. */
static void end(ae_callout *callout, assay_code code, ae_reason *reason) {
    bool has_ended = code != ASSAY_FETCH_CONTINUES;
    if (has_ended && callout->is_list) {
        note_list(callout, code, reason);
        count_list(callout, code != ASSAY_OK);
    } else if (has_ended) {
        note(callout, code, reason);
        count(callout, code != ASSAY_OK);
    }
    destroy(callout, has_ended);
}

static void start(void *extension, ae_gateway *gateway, assay_fetch *fetch) {
    ae_callout *callout = ae_allocate(1, sizeof *callout);
    *callout = (ae_callout){
        .gateway = gateway, .fetch = fetch, .provider = gateway->providers, .is_list = is_for_list(fetch), .began = ae_milliseconds()};
    ae_gateway_retain(gateway);
    ae_fetching_begin();
    ae_reason reason = {0};
    uint32_t failure = send_request(extension, callout, &reason);
    if (failure) {
        end(callout, assay_gateway_fail(gateway->core, fetch, failure), &reason);
    } else {
        callout->next = callouts;
        callouts = callout;
    }
}

void ae_callouts_start(void *extension, ae_gateway *gateway) {
    assay_fetch *fetch;
    while (assay_gateway_request(&fetch, gateway->core) == ASSAY_OK) {
        start(extension, gateway, fetch);
    }
}

bool ae_callouts_end(void *extension, uint64_t id, const ae_response *response) {
    ae_callout **place = &callouts;
    while (*place && (*place)->id != id) {
        place = &(*place)->next;
    }
    ae_callout *callout = *place;
    if (!callout) {
        return false;
    }
    *place = callout->next;
    ae_reason reason = {0};
    assay_code code = ae_response_install(response, callout, &reason);
    if (code == ASSAY_FETCH_CONTINUES && extension) {
        /* Before this request ends: in between, a request of a client would find nothing to wait for. */
        ae_callouts_start(extension, callout->gateway);
    }
    end(callout, code, &reason);
    return true;
}

void ae_callouts_forget(void) {
    while (callouts) {
        ae_callout *callout = callouts;
        callouts = callout->next;
        destroy(callout, false);
    }
}
