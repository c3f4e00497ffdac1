/* The bootstrap extension's hooks. Envoy calls all of them on its main thread; only `wake` runs elsewhere. */
#include "bootstrap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "callout.h"
#include "provider.h"
#include "stats.h"
#include "waiting.h"

/* How often gauges are written at least. */
#define MOST_DELAY 5000

static const char *const NAMES[] = {"providers", "holdSeconds", NULL};

typedef struct extension {
    void *envoy, *timer, *scheduler;
    bool is_running, is_holding;
    int64_t hold_until, hold_milliseconds;
    ae_source *sources[AE_MOST]; /* that the extension itself names */
    size_t source_count;
} extension;

/* Envoy may have only one: a second one would fetch everything twice. */
static _Atomic(extension *) the_extension;

bool ae_driver_exists(void) { return atomic_load(&the_extension) != NULL; }

/* Runs under the lock that ae_sources_wake takes, so the scheduler is there. */
static void wake(void) { CALLBACK(bootstrap_extension_config_scheduler_commit)(atomic_load(&the_extension)->scheduler, 0); }

/* Envoy begins to listen when required issuers have keys, or after the time to hold. */
static void release_start(extension *extension) {
    if (!extension->is_holding) {
        return;
    }
    size_t awaited = ae_sources_awaited();
    if (awaited && ae_now() < extension->hold_until) {
        return;
    }
    if (awaited) {
        ae_log(ENVOY_LOG_WARN, "assay: Envoy starts without the keys of %zu required issuers", awaited);
    }
    extension->is_holding = false;
    CALLBACK(bootstrap_extension_config_signal_init_complete)(extension->envoy);
}

static int64_t delay_of(const ae_source *source, int64_t delay) {
    int64_t due = source->fetch ? -1 : assay_keys_next_due(source->keys);
    return due >= 0 && due < delay ? due : delay;
}

static void drive(extension *extension) {
    if (!extension->is_running) {
        return;
    }
    int64_t delay = extension->is_holding ? 200 : MOST_DELAY;
    size_t count;
    ae_source **sources = ae_sources(&count);
    for (size_t i = 0; i < count; i++) {
        ae_callout_start(extension->envoy, sources[i]);
        delay = delay_of(sources[i], delay);
        ae_source_release(sources[i]);
    }
    free(sources);
    ae_gauges_write();
    release_start(extension);
    delay = ae_waits_expire(delay);
    /* A timer of zero would come again at once, while a fetch is due that another thread has just ordered. */
    CALLBACK(bootstrap_extension_timer_enable)(extension->timer, (uint64_t)(delay < 1 ? 1 : delay));
}

/* Hooks */

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
    extension *made = ae_allocate(1, sizeof *made), *none = NULL;
    ae_settings root = ae_settings_root(&document, (assay_text){text.ptr, text.length}, NAMES, &fault);
    made->envoy = envoy;
    made->hold_milliseconds = 1000 * ae_integer_setting(&root, "holdSeconds", 0, 600, 15);
    read_sources(made, &root);
    json_decref(document);
    if (!fault.text[0] && !atomic_compare_exchange_strong(&the_extension, &none, made)) {
        ae_refuse(&root, NULL, "is there twice; one bootstrap extension fetches for all filters");
    }
    if (fault.text[0]) {
        ae_log(ENVOY_LOG_ERROR, "assay: in the bootstrap extension: %s", fault.text);
        destroy(made);
        return NULL;
    }
    made->scheduler = CALLBACK(bootstrap_extension_config_scheduler_new)(envoy);
    ae_sources_wake(wake);
    return made;
}

/* Envoy has cancelled what was under way. */
static void forget_callouts(void) {
    size_t count;
    ae_source **sources = ae_sources(&count);
    for (size_t i = 0; i < count; i++) {
        assay_fetch_free(sources[i]->fetch);
        sources[i]->fetch = NULL;
        ae_source_release(sources[i]);
    }
    free(sources);
}

static void stop(extension *extension) {
    extension->is_running = false;
    if (extension->timer) {
        CALLBACK(bootstrap_extension_timer_delete)(extension->timer);
        extension->timer = NULL;
    }
}

void envoy_dynamic_module_on_bootstrap_extension_config_destroy(const void *module) {
    extension *extension = (void *)module;
    ae_sources_wake(NULL);
    atomic_store(&the_extension, NULL);
    stop(extension);
    CALLBACK(bootstrap_extension_config_scheduler_delete)(extension->scheduler);
    forget_callouts();
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
    extension *extension = (void *)module;
    extension->timer = CALLBACK(bootstrap_extension_timer_new)(extension->envoy);
    extension->is_running = extension->is_holding = true;
    extension->hold_until = ae_now() + extension->hold_milliseconds;
    drive(extension);
}

void envoy_dynamic_module_on_bootstrap_extension_config_scheduled(void *envoy, const void *module, uint64_t event) {
    (void)envoy;
    (void)event;
    drive((extension *)module);
}

void envoy_dynamic_module_on_bootstrap_extension_timer_fired(void *envoy, const void *module, void *timer) {
    (void)envoy;
    (void)timer;
    drive((extension *)module);
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
            ae_waits_wake(sources[i]);
        }
        ae_source_release(sources[i]);
    }
    free(sources);
    if (is_known) {
        drive((extension *)module);
    }
}

void envoy_dynamic_module_on_bootstrap_extension_shutdown(
    void *envoy, const void *module, void (*completed)(void *context), void *context) {
    (void)envoy;
    stop((extension *)module);
    completed(context);
}
