/* The bootstrap extension's hooks. Envoy calls all of them on its main thread. */
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"
#include "response.h"

/* That an `any` of libassay's takes, which counts itself. */
#define MOST_PROVIDERS 63

/* Completes the extension's providers to those of a gateway, which judges no token. Returns their names. */
static json_t *name_providers(const ae_settings *root, size_t count) {
    static const char *const PROVIDER[] = {"issuer", "keys", "required", "refresh", "staleSeconds", "storage", NULL};
    json_t *names = json_array();
    for (size_t i = 0; i < count && !ae_is_faulty(root); i++) {
        char name[24];
        snprintf(name, sizeof name, "p%zu", i + 1);
        ae_settings provider = ae_element(root, "providers", i, PROVIDER);
        json_object_set_new(provider.object, "name", json_string(name));
        json_object_set_new(provider.object, "anyAudience", json_true());
        json_array_append_new(names, json_string(name));
    }
    return names;
}

/* A gateway that decides nothing: it has its keys fetched at once, and shares them with those of filters. False after a fault. */
static bool read_providers(ae_driver *out, const ae_settings *root) {
    size_t count = ae_count(root, "providers");
    if (count > MOST_PROVIDERS) {
        ae_refuse(root, "providers", "at most %d providers are possible", MOST_PROVIDERS);
    }
    json_t *names = name_providers(root, count);
    json_object_set_new(root->object, "policies", json_pack("[{s: s, s: {s: o}}]", "name", "keys", "requires", "any", names));
    json_object_set_new(root->object, "policy", json_string("keys"));
    if (count) {
        out->gateway = ae_gateway_new(root, (assay_gateway_options){0}, "in the bootstrap extension: ");
    }
    if (out->gateway) {
        /* Also those that the start does not wait for. */
        assay_gateway_refresh(out->gateway->core);
    }
    return (out->gateway || !count) && !ae_is_faulty(root);
}

static void destroy(ae_driver *driver) {
    ae_gateway_release(driver->gateway);
    free(driver);
}

HOOK const void *envoy_dynamic_module_on_bootstrap_extension_config_new(void *envoy, IGNORED envoy_bytes name, envoy_bytes text) {
    ae_fault fault = {0};
    ae_driver *made = ae_allocate(1, sizeof *made);
    ae_settings root = ae_settings_root(text, (const char *const[]){"providers", "holdSeconds", NULL}, &fault);
    made->envoy = envoy;
    made->hold_milliseconds = 1000 * ae_integer_setting(&root, "holdSeconds", 0, 600, 15);
    ae_take_out(&root, (const char *const[]){"holdSeconds", NULL});
    bool is_read = read_providers(made, &root), is_open = is_read && ae_driver_open(made);
    if (is_read && !is_open) {
        ae_refuse(&root, NULL, "is there twice; one bootstrap extension fetches for all filters");
    }
    ae_settings_end(&root, "in the bootstrap extension: ");
    if (!is_open) {
        destroy(made);
    }
    return is_open ? made : NULL;
}

HOOK void envoy_dynamic_module_on_bootstrap_extension_config_destroy(const void *module) {
    ae_driver_close((ae_driver *)module);
    destroy((ae_driver *)module);
}

HOOK const void *envoy_dynamic_module_on_bootstrap_extension_new(const void *configuration, IGNORED void *envoy) { return configuration; }

/* Listeners of the bootstrap configuration exist now, with the sources of their filters, and clusters can be asked. */
HOOK void envoy_dynamic_module_on_bootstrap_extension_server_initialized(IGNORED void *envoy, const void *module) {
    ae_driver_start((ae_driver *)module);
}

HOOK void envoy_dynamic_module_on_bootstrap_extension_config_scheduled(IGNORED void *envoy, const void *module, IGNORED uint64_t event) {
    ae_drive((ae_driver *)module, false);
}

HOOK void envoy_dynamic_module_on_bootstrap_extension_timer_fired(IGNORED void *envoy, const void *module, IGNORED void *timer) {
    ae_drive((ae_driver *)module, false);
}

/* A response that comes before the callout has returned has an id that is not known; the callout's own failure answers for it. */
HOOK void envoy_dynamic_module_on_bootstrap_extension_http_callout_done(
    IGNORED void *envoy, const void *module, uint64_t id, int result, const envoy_header *headers, size_t header_count,
    const envoy_bytes *chunks, size_t chunk_count) {
    ae_driver *driver = (ae_driver *)module;
    ae_response response = {result, headers, header_count, chunks, chunk_count};
    if (ae_callouts_end(driver->is_running ? driver->envoy : NULL, id, &response)) {
        ae_drive(driver, true);
    }
}

HOOK void envoy_dynamic_module_on_bootstrap_extension_shutdown(
    IGNORED void *envoy, const void *module, void (*completed)(void *context), void *context) {
    ae_driver_stop((ae_driver *)module);
    completed(context);
}
