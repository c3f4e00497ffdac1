#include "configuration.h"

#include <stdlib.h>

#include "driver.h"

static const char *const OWN[] = {"tokenCache", "metadataNamespace", "waitMilliseconds", "timings", NULL};

static assay_gateway_options read_cache(const ae_settings *root) {
    ae_settings cache = ae_section(root, "tokenCache", (const char *const[]){"megabytes", "maximumAgeSeconds", NULL});
    uint64_t megabytes = (uint64_t)ae_integer_setting(&cache, "megabytes", 0, 4096, 16);
    uint64_t seconds = (uint64_t)ae_integer_setting(&cache, "maximumAgeSeconds", 1, 86400, 300);
    if (!megabytes && ae_has(&cache, "maximumAgeSeconds")) {
        ae_refuse(&cache, "maximumAgeSeconds", "is of no use with `megabytes: 0`");
    }
    return (assay_gateway_options){.cache_bytes = megabytes << 20, .cache_seconds = megabytes ? seconds : 0};
}

static void read_own(ae_configuration *out, const ae_settings *root) {
    const char *space = ae_text_setting(root, "metadataNamespace"), *policy = ae_needed_text(root, "policy");
    out->metadata_space = ae_copy(space ? space : "assay");
    out->policy = ae_copy(policy ? policy : "");
    out->wait_milliseconds = ae_integer_setting(root, "waitMilliseconds", 0, 5000, 250);
    out->has_timings = ae_flag_setting(root, "timings");
}

/* What the providers of a gateway need of the filter. */
static void look_at_providers(ae_configuration *configuration, const ae_settings *root) {
    for (size_t i = 0; configuration->gateway && i < configuration->gateway->provider_count; i++) {
        const ae_provider *provider = &configuration->gateway->providers[i];
        configuration->clears_routes |= provider->clears_route;
        if (provider->needs_driver && !ae_driver_exists()) {
            ae_refuse(root, "providers", "keys are %s only if this module is among `bootstrap_extensions` too",
                      provider->cluster ? "fetched" : "read from files");
        }
    }
}

ae_configuration *ae_configuration_read(void *envoy, assay_text text) {
    ae_fault fault = {0};
    ae_settings root = ae_settings_root(text, NULL, &fault);
    ae_configuration *out = ae_allocate(1, sizeof *out);
    out->envoy = envoy;
    assay_gateway_options options = read_cache(&root);
    read_own(out, &root);
    ae_take_out(&root, OWN);
    out->gateway = ae_gateway_new(&root, options, "");
    look_at_providers(out, &root);
    json_decref(root.object);
    if (fault.text[0]) {
        ae_log(ENVOY_LOG_ERROR, "assay: %s", fault.text);
    }
    if (fault.text[0] || !out->gateway) {
        ae_configuration_free(out);
        return NULL;
    }
    return out;
}

void ae_configuration_free(ae_configuration *configuration) {
    if (configuration) {
        ae_gateway_release(configuration->gateway);
        free(configuration->metadata_space);
        free(configuration->policy);
        free(configuration);
    }
}

ae_route_policy *ae_route_policy_read(assay_text text) {
    ae_fault fault = {0};
    ae_settings root = ae_settings_root(text, (const char *const[]){"policy", NULL}, &fault);
    const char *name = ae_needed_text(&root, "policy");
    ae_route_policy *policy = NULL;
    if (fault.text[0]) {
        ae_log(ENVOY_LOG_ERROR, "assay: in the configuration of a route: %s", fault.text);
    } else {
        policy = ae_allocate(1, sizeof *policy);
        policy->name = ae_copy(name);
    }
    json_decref(root.object);
    return policy;
}

void ae_route_policy_free(ae_route_policy *policy) {
    free(policy->name);
    free(policy);
}
