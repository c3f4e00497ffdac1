/* The bootstrap extension's hooks. Envoy calls all of them on its main thread. */
#include <stdlib.h>

#include "callout.h"
#include "driver.h"
#include "provider.h"

static const char *const NAMES[] = {"providers", "holdSeconds", NULL};

typedef struct extension {
    ae_driver driver;
    ae_source *sources[AE_MOST]; /* that the extension itself names */
    size_t source_count;
} extension;

HOOK const void *envoy_dynamic_module_on_bootstrap_extension_config_new(void *envoy, envoy_bytes name, envoy_bytes text);
HOOK void envoy_dynamic_module_on_bootstrap_extension_config_destroy(const void *module);
HOOK const void *envoy_dynamic_module_on_bootstrap_extension_new(const void *configuration, void *envoy);
HOOK void envoy_dynamic_module_on_bootstrap_extension_destroy(const void *module);
HOOK void envoy_dynamic_module_on_bootstrap_extension_server_initialized(void *envoy, const void *module);
HOOK void envoy_dynamic_module_on_bootstrap_extension_config_scheduled(void *envoy, const void *module, uint64_t event);
HOOK void envoy_dynamic_module_on_bootstrap_extension_timer_fired(void *envoy, const void *module, void *timer);
HOOK void envoy_dynamic_module_on_bootstrap_extension_http_callout_done(
    void *envoy, const void *module, uint64_t id, int result, const envoy_header *headers, size_t header_count, const envoy_bytes *chunks,
    size_t chunk_count);
HOOK void envoy_dynamic_module_on_bootstrap_extension_shutdown(
    void *envoy, const void *module, void (*completed)(void *context), void *context);

static void read_sources(extension *extension, const ae_settings *root) {
    static const char *const PROVIDER[] = {"issuer", "keys", "required", "refresh", "staleSeconds", NULL};
    static const char *const KEYS[] = {"url", "cluster", "clusters", "timeoutSeconds", NULL};
    size_t count = ae_count(root, "providers");
    if (count > AE_MOST) {
        ae_refuse(root, "providers", "at most 64 providers are possible");
    }
    for (size_t i = 0; i < count && !ae_is_faulty(root); i++) {
        ae_settings provider = ae_element(root, "providers", i, PROVIDER), keys = ae_section(&provider, "keys", KEYS);
        const char *issuer = ae_needed_text(&provider, "issuer");
        ae_source *source = issuer ? ae_source_acquire(&provider, &keys, issuer) : NULL;
        if (source) {
            extension->sources[extension->source_count++] = source;
        }
    }
}

static void destroy(extension *extension) {
    for (size_t i = 0; i < extension->source_count; i++) {
        ae_source_release(extension->sources[i]);
    }
    free(extension);
}

const void *envoy_dynamic_module_on_bootstrap_extension_config_new(void *envoy, envoy_bytes name, envoy_bytes text) {
    (void)name;
    ae_fault fault = {0};
    json_t *document = NULL;
    extension *made = ae_allocate(1, sizeof *made);
    ae_settings root = ae_settings_root(&document, (assay_text){text.ptr, text.length}, NAMES, &fault);
    made->driver.envoy = envoy;
    made->driver.hold_milliseconds = 1000 * ae_integer_setting(&root, "holdSeconds", 0, 600, 15);
    read_sources(made, &root);
    json_decref(document);
    if (!fault.text[0] && !ae_driver_open(&made->driver)) {
        ae_refuse(&root, NULL, "is there twice; one bootstrap extension fetches for all filters");
    }
    if (fault.text[0]) {
        ae_log(ENVOY_LOG_ERROR, "assay: in the bootstrap extension: %s", fault.text);
        destroy(made);
        return NULL;
    }
    return made;
}

void envoy_dynamic_module_on_bootstrap_extension_config_destroy(const void *module) {
    extension *extension = (void *)module;
    ae_driver_close(&extension->driver);
    destroy(extension);
}

const void *envoy_dynamic_module_on_bootstrap_extension_new(const void *configuration, void *envoy) {
    (void)envoy;
    return configuration;
}

void envoy_dynamic_module_on_bootstrap_extension_destroy(const void *module) { (void)module; }

/* Listeners of the bootstrap configuration exist now, with the sources of their filters, and clusters can be asked. */
void envoy_dynamic_module_on_bootstrap_extension_server_initialized(void *envoy, const void *module) {
    (void)envoy;
    ae_driver_start(&((extension *)module)->driver);
}

void envoy_dynamic_module_on_bootstrap_extension_config_scheduled(void *envoy, const void *module, uint64_t event) {
    (void)envoy;
    (void)event;
    ae_drive(&((extension *)module)->driver);
}

void envoy_dynamic_module_on_bootstrap_extension_timer_fired(void *envoy, const void *module, void *timer) {
    (void)envoy;
    (void)timer;
    ae_drive(&((extension *)module)->driver);
}

/* A response that comes before the callout has returned has an id that no source knows; the callout's own failure answers for it. */
void envoy_dynamic_module_on_bootstrap_extension_http_callout_done(
    void *envoy, const void *module, uint64_t id, int result, const envoy_header *headers, size_t header_count, const envoy_bytes *chunks,
    size_t chunk_count) {
    (void)envoy;
    size_t count;
    bool is_known = false;
    ae_source **sources = ae_sources(&count);
    for (size_t i = 0; i < count; i++) {
        if (sources[i]->fetch && sources[i]->callout == id && !is_known) {
            is_known = true;
            ae_callout_end(sources[i], result, headers, header_count, chunks, chunk_count);
        }
        ae_source_release(sources[i]);
    }
    free(sources);
    if (is_known) {
        ae_drive(&((extension *)module)->driver);
    }
}

void envoy_dynamic_module_on_bootstrap_extension_shutdown(
    void *envoy, const void *module, void (*completed)(void *context), void *context) {
    (void)envoy;
    ae_driver_stop(&((extension *)module)->driver);
    completed(context);
}
