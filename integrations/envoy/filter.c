/* The HTTP filter's hooks. A decision ends within one hook; a request only needs memory of its own to wait for keys. */
#include <stdlib.h>

#include "decision.h"
#include "driver.h"
#include "stats.h"
#include "upstream.h"

HOOK const void *envoy_dynamic_module_on_http_filter_config_new(void *envoy, envoy_bytes name, envoy_bytes text);
HOOK void envoy_dynamic_module_on_http_filter_config_destroy(const void *module);
HOOK const void *envoy_dynamic_module_on_http_filter_per_route_config_new(envoy_bytes name, envoy_bytes text);
HOOK void envoy_dynamic_module_on_http_filter_per_route_config_destroy(const void *module);
HOOK const void *envoy_dynamic_module_on_http_filter_new(const void *configuration, void *envoy);
HOOK void envoy_dynamic_module_on_http_filter_destroy(const void *module);
HOOK int envoy_dynamic_module_on_http_filter_request_headers(void *envoy, const void *module, bool is_end);
HOOK int envoy_dynamic_module_on_http_filter_request_trailers(void *envoy, const void *module);
HOOK void envoy_dynamic_module_on_http_filter_scheduled(void *envoy, const void *module, uint64_t event);
HOOK int envoy_dynamic_module_on_http_filter_local_reply(
    void *envoy, const void *module, uint32_t status, envoy_bytes details, bool is_reset);

static bool needs_driver(const ae_configuration *configuration) {
    for (size_t i = 0; i < configuration->provider_count; i++) {
        if (configuration->providers[i].source) {
            return !ae_driver_exists();
        }
    }
    return false;
}

const void *envoy_dynamic_module_on_http_filter_config_new(void *envoy, envoy_bytes name, envoy_bytes text) {
    (void)name;
    ae_fault fault = {0};
    ae_configuration *configuration = ae_configuration_read(envoy, (assay_text){text.ptr, text.length}, &fault);
    if (!configuration) {
        ae_log(ENVOY_LOG_ERROR, "assay: %s", fault.text);
        return NULL;
    }
    if (needs_driver(configuration)) {
        ae_log(ENVOY_LOG_ERROR, "assay: `providers`: keys are fetched only if this module is among `bootstrap_extensions` too");
        ae_configuration_free(configuration);
        return NULL;
    }
    ae_stats_define(configuration);
    ae_gauges_add(configuration);
    return configuration;
}

void envoy_dynamic_module_on_http_filter_config_destroy(const void *module) {
    ae_configuration *configuration = (ae_configuration *)module;
    ae_gauges_remove(configuration);
    ae_configuration_free(configuration);
}

const void *envoy_dynamic_module_on_http_filter_per_route_config_new(envoy_bytes name, envoy_bytes text) {
    (void)name;
    ae_fault fault = {0};
    ae_route_policy *policy = ae_route_policy_read((assay_text){text.ptr, text.length}, &fault);
    if (!policy) {
        ae_log(ENVOY_LOG_ERROR, "assay: in the configuration of a route: %s", fault.text);
    }
    return policy;
}

void envoy_dynamic_module_on_http_filter_per_route_config_destroy(const void *module) { ae_route_policy_free((ae_route_policy *)module); }

const void *envoy_dynamic_module_on_http_filter_new(const void *configuration, void *envoy) {
    (void)envoy;
    ae_filter *made = ae_allocate(1, sizeof *made);
    made->configuration = configuration;
    return made;
}

void envoy_dynamic_module_on_http_filter_destroy(const void *module) {
    ae_filter *old = (ae_filter *)module;
    ae_wait_end(&old->wait);
    free(old);
}

int envoy_dynamic_module_on_http_filter_request_headers(void *envoy, const void *module, bool is_end) {
    (void)is_end;
    ae_filter *filter = (void *)module;
    filter->started = ae_stats_start(filter->configuration);
    return ae_decide(envoy, filter);
}

/* A client of HTTP/2 may send trailers without a word about them in its head. */
int envoy_dynamic_module_on_http_filter_request_trailers(void *envoy, const void *module) {
    ae_change_trailers(envoy, ((const ae_filter *)module)->configuration, ae_scratch_of_thread());
    return ENVOY_CONTINUE;
}

/* The fetch has ended, or the time to wait. A second event of one wait finds it ended. */
void envoy_dynamic_module_on_http_filter_scheduled(void *envoy, const void *module, uint64_t event) {
    (void)event;
    ae_filter *filter = (void *)module;
    if (!filter->wait.scheduler) {
        return;
    }
    ae_wait_end(&filter->wait);
    if (ae_decide(envoy, filter) == ENVOY_CONTINUE) {
        CALLBACK(http_filter_continue_decoding)(envoy);
    }
}

/* Another filter, or a time limit of Envoy's, has answered a request that waits. */
int envoy_dynamic_module_on_http_filter_local_reply(
    void *envoy, const void *module, uint32_t status, envoy_bytes details, bool is_reset) {
    (void)envoy;
    (void)status;
    (void)details;
    (void)is_reset;
    ae_wait_end(&((ae_filter *)module)->wait);
    return ENVOY_CONTINUE;
}
