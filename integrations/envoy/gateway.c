#include "gateway.h"

#include <pthread.h>
#include <stdlib.h>

#include "driver.h"
#include "status.h"

/* That libassay takes. */
#define MOST_SHARING 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The newest is the first, and so the first to fetch what several share: the clusters of the last configuration count. */
static ae_gateway *gateways;
static size_t gateway_count;

static void destroy(ae_gateway *gateway) {
    assay_gateway_free(gateway->core);
    for (size_t i = 0; i < gateway->provider_count; i++) {
        ae_provider_free(&gateway->providers[i]);
    }
    free(gateway->providers);
    json_decref(gateway->shadows);
    free(gateway->noted);
    free(gateway->noted_log);
    free(gateway);
}

void ae_gateway_retain(ae_gateway *gateway) {
    pthread_mutex_lock(&lock);
    gateway->users++;
    pthread_mutex_unlock(&lock);
}

void ae_gateway_release(ae_gateway *gateway) {
    if (!gateway) {
        return;
    }
    pthread_mutex_lock(&lock);
    bool is_last = --gateway->users == 0;
    if (is_last) {
        ae_gateway **place = &gateways;
        while (*place != gateway) {
            place = &(*place)->next;
        }
        *place = gateway->next;
        gateway_count--;
    }
    pthread_mutex_unlock(&lock);
    if (is_last) {
        destroy(gateway);
    }
}

ae_gateways ae_gateways_retained(void) {
    pthread_mutex_lock(&lock);
    ae_gateways found = {.all = ae_allocate(gateway_count, sizeof *found.all)};
    for (ae_gateway *gateway = gateways; gateway; gateway = gateway->next) {
        gateway->users++;
        found.all[found.count++] = gateway;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void ae_gateways_release(ae_gateways gateways) {
    for (size_t i = 0; i < gateways.count; i++) {
        ae_gateway_release(gateways.all[i]);
    }
    free(gateways.all);
}

const ae_provider *ae_gateway_provider(const ae_gateway *gateway, assay_text name) {
    for (size_t i = 0; i < gateway->provider_count; i++) {
        if (ae_equal(ae_text(gateway->providers[i].name), name)) {
            return &gateway->providers[i];
        }
    }
    return NULL;
}

/* Making one */

static void read_providers(ae_gateway *out, const ae_settings *root) {
    size_t count = ae_count(root, "providers");
    out->providers = ae_allocate(count, sizeof *out->providers);
    while (out->provider_count < count && !ae_is_faulty(root)) {
        ae_settings provider = ae_element(root, "providers", out->provider_count, NULL);
        ae_provider_read(&out->providers[out->provider_count++], &provider);
    }
}

/* An object has each name once. */
static void read_shadows(ae_gateway *out, const ae_settings *root) {
    size_t index;
    json_t *policy;
    out->shadows = json_object();
    json_array_foreach(json_object_get(root->object, "policies"), index, policy) {
        const char *shadow = ae_plain_text(policy, "shadow");
        if (shadow[0]) {
            json_object_set_new(out->shadows, shadow, json_null());
        }
    }
}

/* Logs what libassay says about settings; false if it refuses them. */
static bool is_accepted(assay_text settings, const char *where) {
    size_t size = assay_gateway_check(NULL, 0, settings.bytes, settings.len) + 1;
    char *text = ae_allocate(size, 1);
    assay_gateway_check(text, size, settings.bytes, settings.len);
    bool is_accepted = true;
    for (assay_text rest = ae_text(text); rest.len;) {
        assay_text line = ae_part(&rest, '\n');
        bool is_warning = ae_equal(ae_part(&line, ' '), LITERAL("warning:"));
        is_accepted &= is_warning;
        ae_log(is_warning ? ENVOY_LOG_WARN : ENVOY_LOG_ERROR, "assay: %s%.*s", where, (int)line.len, line.bytes);
    }
    free(text);
    return is_accepted;
}

/* Which kernels judge depends on the CPU and on ASSAY_ENGINE. */
static void log_engine(const ae_gateway *gateway) {
    json_t *status = ae_status_read(gateway);
    ae_log(ENVOY_LOG_INFO, "assay: the tier \"%s\" judges signatures", ae_plain_text(json_object_get(status, "engine"), "tier"));
    json_decref(status);
}

static bool make(ae_gateway *out, assay_text settings, assay_gateway_options options) {
    ae_gateways others = ae_gateways_retained();
    const assay_gateway **cores = ae_allocate(others.count, sizeof *cores);
    for (size_t i = 0; i < others.count; i++) {
        cores[i] = others.all[i]->core;
    }
    options.size = sizeof options;
    options.wake = ae_driver_order;
    options.sharing = cores;
    options.sharing_count = others.count < MOST_SHARING ? others.count : MOST_SHARING;
    assay_code code = assay_gateway_new(&out->core, settings.bytes, settings.len, &options);
    free(cores);
    ae_gateways_release(others);
    if (code != ASSAY_OK) {
        ae_log(ENVOY_LOG_ERROR, "assay: no gateway can be made of these settings: %s", assay_code_name(code));
    } else {
        log_engine(out);
    }
    return code == ASSAY_OK;
}

ae_gateway *ae_gateway_new(const ae_settings *root, assay_gateway_options options, const char *where) {
    ae_gateway *made = ae_allocate(1, sizeof *made);
    made->users = 1;
    read_providers(made, root);
    read_shadows(made, root);
    char *text = ae_is_faulty(root) ? NULL : json_dumps(root->object, JSON_COMPACT);
    bool is_made = text && is_accepted(ae_text(text), where) && make(made, ae_text(text), options);
    free(text);
    if (!is_made) {
        destroy(made);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    made->next = gateways;
    gateways = made;
    gateway_count++;
    pthread_mutex_unlock(&lock);
    ae_driver_wake();
    return made;
}
