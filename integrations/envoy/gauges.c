#include "stats.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ae_configuration *configurations;

static const char *const NAMES[AE_GAUGES] = {".keys", ".key_age_seconds", ".health", ".fetches", ".fetch_failures"};

static void define(const ae_configuration *configuration, ae_provider *provider) {
    for (size_t i = 0; i < AE_GAUGES; i++) {
        ae_define gauge = CALLBACK(http_filter_config_define_gauge);
        provider->gauges[i] = ae_stat(configuration, gauge, "provider.", provider->name, NAMES[i]);
    }
    ae_define histogram = CALLBACK(http_filter_config_define_histogram);
    provider->histogram = ae_stat(configuration, histogram, "provider.", provider->name, ".fetch_milliseconds");
}

void ae_gauges_add(ae_configuration *configuration) {
    for (size_t i = 0; i < configuration->gateway->provider_count; i++) {
        if (configuration->gateway->providers[i].cluster) {
            define(configuration, &configuration->gateway->providers[i]);
        }
    }
    pthread_mutex_lock(&lock);
    configuration->next = configurations;
    configurations = configuration;
    pthread_mutex_unlock(&lock);
}

/* Envoy may destroy a configuration on a worker's thread, while the main thread writes gauges. */
void ae_gauges_remove(ae_configuration *configuration) {
    pthread_mutex_lock(&lock);
    ae_configuration **place = &configurations;
    while (*place != configuration) {
        place = &(*place)->next;
    }
    *place = configuration->next;
    pthread_mutex_unlock(&lock);
}

static void write_provider(const ae_configuration *configuration, ae_provider *provider, const json_t *status) {
    ae_keys keys = ae_status_keys(status, provider->issuer);
    uint64_t values[AE_GAUGES] = {keys.count, keys.age, keys.health, provider->fetches, provider->failures};
    for (size_t i = 0; i < AE_GAUGES; i++) {
        CALLBACK(http_filter_config_set_gauge)(configuration->envoy, provider->gauges[i], NULL, 0, values[i]);
    }
    if (provider->seen_fetches != provider->fetches) {
        provider->seen_fetches = provider->fetches;
        uint64_t spent = provider->last_duration;
        CALLBACK(http_filter_config_record_histogram_value)(configuration->envoy, provider->histogram, NULL, 0, spent);
    }
}

/* Logs once what is wrong with a file. libassay reads it, and no callout ends with a reason. */
static void note_file(char **noted, const char *what, const char *name, const char *fault) {
    if (strcmp(*noted ? *noted : "", fault) != 0) {
        if (fault[0]) {
            ae_log(ENVOY_LOG_ERROR, "assay: %s %.200s cannot be used as it is now: %.300s", what, name, fault);
        }
        free(*noted);
        *noted = ae_copy(fault);
    }
}

static void write_configuration(ae_configuration *configuration) {
    ae_gateway *gateway = configuration->gateway;
    json_t *status = ae_status_read(gateway), *revocations = json_object_get(status, "revocations");
    for (size_t i = 0; i < gateway->provider_count; i++) {
        if (gateway->providers[i].cluster) {
            write_provider(configuration, &gateway->providers[i], status);
        }
        if (gateway->providers[i].file[0]) {
            ae_keys keys = ae_status_keys(status, gateway->providers[i].issuer);
            note_file(&gateway->providers[i].noted, "the file of keys", gateway->providers[i].file, keys.last_failure);
        }
    }
    note_file(&gateway->noted, "the file of revocations", ae_plain_text(revocations, "file"), ae_plain_text(revocations, "fault"));
    json_decref(status);
}

void ae_gauges_write(void) {
    pthread_mutex_lock(&lock);
    for (ae_configuration *configuration = configurations; configuration; configuration = configuration->next) {
        write_configuration(configuration);
    }
    pthread_mutex_unlock(&lock);
}
