#include "configuration.h"

#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {
    "providers", "policies", "policy", "paths", "fieldLimits", "tokenCache", "tokenBytes", "metadataNamespace", "allowPreflight",
    "allowMethodOverride", "waitMilliseconds", "timings", NULL,
};

static void read_cache(const ae_settings *root, assay_verifier_options *options) {
    ae_settings cache = ae_section(root, "tokenCache", (const char *const[]){"megabytes", "maximumAgeSeconds", NULL});
    options->cache_bytes = (uint64_t)ae_integer_setting(&cache, "megabytes", 0, 4096, 16) << 20;
    uint64_t seconds = (uint64_t)ae_integer_setting(&cache, "maximumAgeSeconds", 1, 86400, 300);
    options->cache_seconds = options->cache_bytes ? seconds : 0;
    if (!options->cache_bytes && ae_has(&cache, "maximumAgeSeconds")) {
        ae_refuse(&cache, "maximumAgeSeconds", "is of no use with `megabytes: 0`");
    }
}

static void read_limits(ae_configuration *out, const ae_settings *root, assay_verifier_options *options) {
    ae_settings limits = ae_section(root, "fieldLimits", (const char *const[]){"valueBytes", "totalBytes", NULL});
    out->value_bytes = (size_t)ae_integer_setting(&limits, "valueBytes", 1, 65536, 4096);
    out->total_bytes = (size_t)ae_integer_setting(&limits, "totalBytes", 1, 1048576, 24576);
    if (out->total_bytes < out->value_bytes) {
        ae_refuse(&limits, "totalBytes", "is less than `valueBytes`");
    }
    out->token_bytes = (size_t)ae_integer_setting(root, "tokenBytes", 256, 1048576, 16384);
    *options = (assay_verifier_options){.size = sizeof *options, .token_bytes = out->token_bytes};
    read_cache(root, options);
}

static void read_providers(ae_configuration *out, const ae_settings *root, const assay_verifier_options *options) {
    size_t count = ae_count(root, "providers");
    ae_shared shared = {&out->places, &out->fields, &out->sources, count, *options};
    if (count > AE_MOST) {
        ae_refuse(root, "providers", "at most 64 providers are possible");
    }
    while (out->provider_count < count && !ae_is_faulty(root)) {
        ae_provider *provider = &out->providers[out->provider_count++];
        ae_provider_read(provider, root, out->provider_count - 1, &shared);
        for (size_t i = 0; i + 1 < out->provider_count && !ae_is_faulty(root); i++) {
            if (strcmp(out->providers[i].name, provider->name) == 0) {
                ae_refuse(root, "providers", "two are called `%.64s`", provider->name);
            }
        }
    }
}

static void read_policies(ae_configuration *out, const ae_settings *root) {
    size_t count = ae_count(root, "policies");
    if (!count) {
        ae_refuse(root, "policies", "at least one policy is needed");
    }
    out->policies = ae_allocate(count, sizeof *out->policies);
    while (out->policy_count < count && !ae_is_faulty(root)) {
        ae_policy *policy = &out->policies[out->policy_count++];
        ae_policy_read(policy, root, out->policy_count - 1, out->providers, out->provider_count, &out->places);
        if (!ae_is_faulty(root) && ae_configuration_policy(out, ae_text(policy->name)) != policy) {
            ae_refuse(root, "policies", "two are called `%.64s`", policy->name);
        }
    }
}

/* Fields and the cookie are set by name, and no field may carry both a token and a claim. */
static void check_fields(const ae_configuration *configuration, const ae_settings *root) {
    for (size_t i = 0; i < configuration->sources.count; i++) {
        if (ae_names_find(&configuration->fields, configuration->sources.names[i]) >= 0) {
            ae_refuse(root, "providers", "`%.64s` has tokens, so no claim can be set in it", configuration->sources.names[i].bytes);
        }
    }
}

ae_configuration *ae_configuration_read(void *envoy, assay_text text, ae_fault *fault) {
    json_t *document = NULL;
    ae_configuration *out = ae_allocate(1, sizeof *out);
    ae_settings root = ae_settings_root(&document, text, NAMES, fault);
    assay_verifier_options options;
    out->envoy = envoy;
    read_limits(out, &root, &options);
    read_providers(out, &root, &options);
    read_policies(out, &root);
    check_fields(out, &root);
    out->paths = ae_path_rules_read(&root);
    out->allows_preflight = ae_flag_setting(&root, "allowPreflight", false);
    out->allows_override = ae_flag_setting(&root, "allowMethodOverride", false);
    out->wait_milliseconds = ae_integer_setting(&root, "waitMilliseconds", 0, 5000, 250);
    out->has_timings = ae_flag_setting(&root, "timings", false);
    const char *space = ae_text_setting(&root, "metadataNamespace"), *policy = ae_needed_text(&root, "policy");
    out->metadata_space = ae_copy(space ? space : "assay");
    out->policy = policy && !ae_is_faulty(&root) ? ae_configuration_policy(out, ae_text(policy)) : NULL;
    if (policy && !out->policy) {
        ae_refuse(&root, "policy", "there is no policy `%.64s`", policy);
    }
    json_decref(document);
    if (fault->text[0]) {
        ae_configuration_free(out);
        return NULL;
    }
    return out;
}

void ae_configuration_free(ae_configuration *configuration) {
    if (!configuration) {
        return;
    }
    for (size_t i = 0; i < configuration->provider_count; i++) {
        ae_provider_free(&configuration->providers[i]);
    }
    for (size_t i = 0; i < configuration->policy_count; i++) {
        ae_policy_free(&configuration->policies[i]);
    }
    for (size_t i = 0; i < configuration->places.count; i++) {
        ae_place_free(&configuration->places.places[i]);
    }
    ae_names_free(&configuration->fields);
    ae_names_free(&configuration->sources);
    free(configuration->metadata_space);
    free(configuration->policies);
    free(configuration);
}

const ae_policy *ae_configuration_policy(const ae_configuration *configuration, assay_text name) {
    for (size_t i = 0; i < configuration->policy_count; i++) {
        if (ae_equal(ae_text(configuration->policies[i].name), name)) {
            return &configuration->policies[i];
        }
    }
    return NULL;
}

ae_route_policy *ae_route_policy_read(assay_text text, ae_fault *fault) {
    json_t *document = NULL;
    ae_settings root = ae_settings_root(&document, text, (const char *const[]){"policy", NULL}, fault);
    const char *name = ae_needed_text(&root, "policy");
    ae_route_policy *policy = NULL;
    if (!ae_is_faulty(&root)) {
        policy = ae_allocate(1, sizeof *policy);
        policy->name = ae_copy(name);
    }
    json_decref(document);
    return policy;
}

void ae_route_policy_free(ae_route_policy *policy) {
    free(policy->name);
    free(policy);
}
