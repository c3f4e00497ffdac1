#include "callout.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "clock.h"
#include "reason.h"
#include "response.h"
#include "url.h"
#include "waiting.h"

#define MOST_FIELDS 16

static ae_callout *callouts;
static atomic_size_t under_way;

bool ae_callouts_under_way(void) { return atomic_load(&under_way) > 0; }

static void add(envoy_header *fields, size_t *count, assay_text name, assay_text value) {
    fields[(*count)++] = (envoy_header){name.bytes, name.len, value.bytes, value.len};
}

static int send_to(void *extension, ae_callout *callout, const ae_url *url) {
    envoy_header fields[MOST_FIELDS];
    size_t count = 0;
    add(fields, &count, LITERAL(":method"), LITERAL("GET"));
    add(fields, &count, LITERAL(":scheme"), url->is_https ? LITERAL("https") : LITERAL("http"));
    add(fields, &count, LITERAL(":path"), url->target);
    add(fields, &count, LITERAL("host"), url->authority);
    const char *name, *value;
    for (size_t i = 0; count < MOST_FIELDS && assay_fetch_field(&name, &value, callout->fetch, i) == ASSAY_OK; i++) {
        add(fields, &count, ae_text(name), ae_text(value));
    }
    return CALLBACK(bootstrap_extension_http_callout)(extension, &callout->id, ae_envoy(ae_text(callout->cluster)), fields, count,
                                                     (envoy_bytes){NULL, 0}, callout->provider->timeout);
}

/* Providers of one issuer share its keys, so the cluster may stand at any of them. */
static void choose_cluster(ae_callout *callout, const ae_url *url) {
    assay_text issuer = ae_text(assay_fetch_issuer(callout->fetch));
    for (size_t i = 0; i < callout->gateway->provider_count && !callout->cluster; i++) {
        const ae_provider *provider = &callout->gateway->providers[i];
        if (ae_equal(ae_text(provider->issuer), issuer)) {
            callout->provider = provider;
            callout->cluster = ae_provider_cluster(provider, url);
        }
    }
    callout->before = ae_keys_of_provider(callout->gateway, callout->provider->name);
}

/* Sends a request; 0, or the failure for libassay. */
static uint32_t send_request(void *extension, ae_callout *callout, ae_reason *reason) {
    ae_url url;
    const char *text = assay_fetch_url(callout->fetch);
    if (!ae_url_read(&url, text)) {
        return ASSAY_FAILURE_URL;
    }
    choose_cluster(callout, &url);
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
    const char *source = callout->provider->source;
    bool was_current = callout->before.health != ASSAY_HEALTH_UNAVAILABLE && !callout->before.failures;
    if (code == ASSAY_OK && was_current) {
        return;
    }
    ae_keys keys = ae_keys_of_provider(callout->gateway, callout->provider->name);
    if (code == ASSAY_OK) {
        ae_log(ENVOY_LOG_INFO, "assay: keys of %.200s are installed: %llu", source, (unsigned long long)keys.count);
        return;
    }
    ae_reason_complete(reason, keys.last_failure[0] ? keys.last_failure : assay_code_name(code));
    ae_log(reason->is_lasting ? ENVOY_LOG_ERROR : ENVOY_LOG_WARN, "assay: keys of %.200s were not fetched: %s", source, reason->text);
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

static void destroy(ae_callout *callout) {
    assay_fetch_free(callout->fetch);
    ae_gateway_release(callout->gateway);
    free(callout);
    atomic_fetch_sub(&under_way, 1);
}

/* Ends a callout, whose outcome is `code`. */
static void end(ae_callout *callout, assay_code code, ae_reason *reason) {
    if (code != ASSAY_FETCH_CONTINUES) {
        note(callout, code, reason);
        count(callout, code != ASSAY_OK);
        ae_waits_wake();
    }
    destroy(callout);
}

static void start(void *extension, ae_gateway *gateway, assay_fetch *fetch) {
    ae_callout *callout = ae_allocate(1, sizeof *callout);
    *callout = (ae_callout){.gateway = gateway, .fetch = fetch, .provider = gateway->providers, .began = ae_milliseconds()};
    ae_gateway_retain(gateway);
    atomic_fetch_add(&under_way, 1);
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
    atomic_fetch_add(&under_way, 1);
    while (assay_gateway_request(&fetch, gateway->core) == ASSAY_OK) {
        start(extension, gateway, fetch);
    }
    atomic_fetch_sub(&under_way, 1);
}

bool ae_callouts_end(uint64_t id, const ae_response *response) {
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
    end(callout, code, &reason);
    return true;
}

void ae_callouts_forget(void) {
    while (callouts) {
        ae_callout *callout = callouts;
        callouts = callout->next;
        destroy(callout);
    }
}
