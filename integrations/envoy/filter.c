/* The HTTP filter's hooks. A decision ends within one hook; a request only needs memory of its own to wait for keys. */
#include <stdlib.h>

#include "change.h"
#include "clock.h"
#include "decision.h"
#include "stats.h"

HOOK const void *envoy_dynamic_module_on_http_filter_config_new(void *envoy, IGNORED envoy_bytes name, envoy_bytes text) {
    ae_configuration *configuration = ae_configuration_read(envoy, text);
    if (configuration) {
        ae_stats_define(configuration);
        ae_gauges_add(configuration);
    }
    return configuration;
}

HOOK void envoy_dynamic_module_on_http_filter_config_destroy(const void *module) {
    ae_gauges_remove((ae_configuration *)module);
    ae_configuration_free((ae_configuration *)module);
}

HOOK const void *envoy_dynamic_module_on_http_filter_per_route_config_new(IGNORED envoy_bytes name, envoy_bytes text) {
    return ae_route_policy_read(text);
}

HOOK void envoy_dynamic_module_on_http_filter_per_route_config_destroy(const void *module) { free((void *)module); }

HOOK const void *envoy_dynamic_module_on_http_filter_new(const void *configuration, IGNORED void *envoy) {
    ae_filter *made = ae_allocate(1, sizeof *made);
    made->configuration = configuration;
    return made;
}

HOOK void envoy_dynamic_module_on_http_filter_destroy(const void *module) {
    ae_filter *old = (ae_filter *)module;
    ae_wait_end(&old->wait);
    free(old->used.bytes);
    free(old->nonce.bytes);
    free(old);
}

HOOK int envoy_dynamic_module_on_http_filter_request_headers(void *envoy, const void *module, IGNORED bool is_end) {
    ae_filter *filter = (ae_filter *)module;
    filter->started = filter->configuration->has_timings ? ae_nanoseconds() : 0;
    return ae_decide(envoy, filter);
}

/* A client of HTTP/2 may send trailers without a word about them in its head. */
HOOK int envoy_dynamic_module_on_http_filter_request_trailers(void *envoy, const void *module) {
    ae_trailers_clean(envoy, ((const ae_filter *)module)->configuration->gateway->core, ae_memory_of_thread());
    return ENVOY_CONTINUE;
}

HOOK int envoy_dynamic_module_on_http_filter_response_headers(void *envoy, const void *module, IGNORED bool is_end) {
    const ae_bytes *nonce = &((const ae_filter *)module)->nonce;
    if (nonce->len) {
        CALLBACK(http_add_header)(envoy, ENVOY_RESPONSE_HEADER, ae_envoy(LITERAL("dpop-nonce")), (envoy_bytes){nonce->bytes, nonce->len});
    }
    return ENVOY_CONTINUE;
}

/* The fetch has ended, or the time to wait. A second event of one wait finds it ended. */
HOOK void envoy_dynamic_module_on_http_filter_scheduled(void *envoy, const void *module, IGNORED uint64_t event) {
    ae_filter *filter = (ae_filter *)module;
    if (!filter->wait.scheduler) {
        return;
    }
    ae_wait_end(&filter->wait);
    if (ae_decide(envoy, filter) == ENVOY_CONTINUE) {
        CALLBACK(http_filter_continue_decoding)(envoy);
    }
}

/* Another filter, or a time limit of Envoy's, has answered a request that waits. */
HOOK int envoy_dynamic_module_on_http_filter_local_reply(
    IGNORED void *envoy, const void *module, IGNORED uint32_t status, IGNORED envoy_bytes details, IGNORED bool is_reset) {
    ae_wait_end(&((ae_filter *)module)->wait);
    return ENVOY_CONTINUE;
}
