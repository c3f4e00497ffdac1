#include "configuration.h"

#include <stdlib.h>

#include "driver.h"
#include "uses.h"

static const char *const OWN[] = {"tokenCache", "metadataNamespace", "waitMilliseconds", "timings", "replay", NULL};

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
    out->metadata_space = ae_copy(ae_text_setting(root, "metadataNamespace", "assay"));
    out->policy = ae_copy(ae_text_setting(root, "policy", NULL));
    out->wait_milliseconds = ae_integer_setting(root, "waitMilliseconds", 0, 5000, 250);
    out->has_timings = ae_flag_setting(root, "timings");
}

static const char *what_needs_driver(const ae_provider *provider) {
    if (provider->keys.name) {
        return "keys are fetched";
    }
    return provider->file[0] ? "keys are read from files" : "status lists are fetched";
}

/* Only a bootstrap extension has a timer, and so only with one keys and status lists are fetched, and files read again. */
static void check_driver(const ae_gateway *gateway, const ae_settings *root) {
    for (size_t i = 0; i < gateway->provider_count && !ae_driver_exists(); i++) {
        const ae_provider *provider = &gateway->providers[i];
        if (provider->needs_driver) {
            ae_refuse(root, "providers", "%s only if this module is among `bootstrap_extensions` too", what_needs_driver(provider));
        }
    }
    static const char *const files[] = {"revocations", "revocationLog"};
    for (size_t i = 0; i < 2; i++) {
        if (ae_has(root, files[i]) && !ae_driver_exists()) {
            ae_refuse(root, files[i], "the file is read again only if this module is among `bootstrap_extensions` too");
        }
    }
}

ae_configuration *ae_configuration_read(void *envoy, envoy_bytes text) {
    ae_fault fault = {0};
    ae_settings root = ae_settings_root(text, NULL, &fault);
    ae_configuration *out = ae_allocate(1, sizeof *out);
    out->envoy = envoy;
    assay_gateway_options options = read_cache(&root);
    read_own(out, &root);
    bool counts_uses = ae_counts_uses(&root);
    options.replay_memory = ae_replay_memory(&root, counts_uses);
    ae_take_out(&root, OWN);
    out->gateway = ae_gateway_new(&root, options, "");
    if (out->gateway) {
        out->gateway->counts_uses = counts_uses;
        check_driver(out->gateway, &root);
    }
    if (!ae_settings_end(&root, "") || !out->gateway) {
        ae_configuration_free(out);
        return NULL;
    }
    return out;
}

void ae_configuration_free(ae_configuration *configuration) {
    ae_gateway_release(configuration->gateway);
    free(configuration->metadata_space);
    free(configuration->policy);
    free(configuration->shadows);
    free(configuration);
}

char *ae_route_policy_read(envoy_bytes text) {
    ae_fault fault = {0};
    ae_settings root = ae_settings_root(text, (const char *const[]){"policy", NULL}, &fault);
    char *policy = ae_copy(ae_text_setting(&root, "policy", NULL));
    if (!ae_settings_end(&root, "in the configuration of a route: ")) {
        free(policy);
        return NULL;
    }
    return policy;
}
