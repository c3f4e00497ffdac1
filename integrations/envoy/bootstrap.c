/* The bootstrap extension's hooks. Envoy calls all of them on its main thread. */
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"
#include "response.h"

static const char *const NAMES[] = {"providers", "holdSeconds", NULL};

typedef struct extension {
    ae_driver driver;
    ae_gateway *gateway; /* of the sources that the extension itself names; NULL without any */
} extension;

/* Makes providers of a gateway of the extension's, whose tokens nobody judges. Returns their names. */
static json_t *name_providers(const ae_settings *root, size_t count) {
    static const char *const PROVIDER[] = {"issuer", "keys", "required", "refresh", "staleSeconds", "storage", NULL};
    static const char *const KEYS[] = {"url", "spiffeBundle", "failover", "cluster", "clusters", "timeoutSeconds", NULL};
    json_t *names = json_array();
    for (size_t i = 0; i < count && !ae_is_faulty(root); i++) {
        char name[24];
        snprintf(name, sizeof name, "p%zu", i + 1);
        ae_settings provider = ae_element(root, "providers", i, PROVIDER);
        ae_section(&provider, "keys", KEYS);
        ae_needed_text(&provider, "issuer");
        json_object_set_new(provider.object, "name", json_string(name));
        json_object_set_new(provider.object, "anyAudience", json_true());
        json_array_append_new(names, json_string(name));
    }
    return names;
}

/* A gateway that decides nothing: it has its keys fetched at once, and shares them with those of filters. False after a fault. */
static bool read_providers(extension *out, const ae_settings *root) {
    size_t count = ae_count(root, "providers");
    json_t *names = name_providers(root, count);
    json_object_set_new(root->object, "policies", json_pack("[{s: s, s: {s: o}}]", "name", "keys", "requires", "any", names));
    json_object_set_new(root->object, "policy", json_string("keys"));
    if (count) {
        out->gateway = ae_gateway_new(root, (assay_gateway_options){0}, "in the bootstrap extension: ");
    }
    return out->gateway || !count;
}

static void destroy(extension *extension) {
    ae_gateway_release(extension->gateway);
    free(extension);
}

HOOK const void *envoy_dynamic_module_on_bootstrap_extension_config_new(void *envoy, envoy_bytes name, envoy_bytes text) {
    (void)name;
    ae_fault fault = {0};
    extension *made = ae_allocate(1, sizeof *made);
    ae_settings root = ae_settings_root((assay_text){text.ptr, text.length}, NAMES, &fault);
    made->driver.envoy = envoy;
    made->driver.hold_milliseconds = 1000 * ae_integer_setting(&root, "holdSeconds", 0, 600, 15);
    ae_take_out(&root, (const char *const[]){"holdSeconds", NULL});
    bool is_read = read_providers(made, &root) && !fault.text[0];
    json_decref(root.object);
    bool is_open = is_read && ae_driver_open(&made->driver);
    if (is_read && !is_open) {
        ae_refuse(&root, NULL, "is there twice; one bootstrap extension fetches for all filters");
    }
    if (fault.text[0]) {
        ae_log(ENVOY_LOG_ERROR, "assay: in the bootstrap extension: %s", fault.text);
    }
    if (!is_open) {
        destroy(made);
    }
    return is_open ? made : NULL;
}

HOOK void envoy_dynamic_module_on_bootstrap_extension_config_destroy(const void *module) {
    extension *extension = (void *)module;
    ae_driver_close(&extension->driver);
    destroy(extension);
}

HOOK const void *envoy_dynamic_module_on_bootstrap_extension_new(const void *configuration, void *envoy) {
    (void)envoy;
    return configuration;
}

HOOK void envoy_dynamic_module_on_bootstrap_extension_destroy(const void *module) { (void)module; }

/* Listeners of the bootstrap configuration exist now, with the sources of their filters, and clusters can be asked. */
HOOK void envoy_dynamic_module_on_bootstrap_extension_server_initialized(void *envoy, const void *module) {
    (void)envoy;
    ae_driver_start(&((extension *)module)->driver);
}

HOOK void envoy_dynamic_module_on_bootstrap_extension_config_scheduled(void *envoy, const void *module, uint64_t event) {
    (void)envoy;
    (void)event;
    ae_drive(&((extension *)module)->driver, false);
}

HOOK void envoy_dynamic_module_on_bootstrap_extension_timer_fired(void *envoy, const void *module, void *timer) {
    (void)envoy;
    (void)timer;
    ae_drive(&((extension *)module)->driver, false);
}

/* A response that comes before the callout has returned has an id that is not known; the callout's own failure answers for it. */
HOOK void envoy_dynamic_module_on_bootstrap_extension_http_callout_done(
    void *envoy, const void *module, uint64_t id, int result, const envoy_header *headers, size_t header_count, const envoy_bytes *chunks,
    size_t chunk_count) {
    (void)envoy;
    ae_response response = {result, headers, header_count, chunks, chunk_count};
    if (ae_callouts_end(id, &response)) {
        ae_drive(&((extension *)module)->driver, true);
    }
}

HOOK void envoy_dynamic_module_on_bootstrap_extension_shutdown(
    void *envoy, const void *module, void (*completed)(void *context), void *context) {
    (void)envoy;
    ae_driver_stop(&((extension *)module)->driver);
    completed(context);
}
