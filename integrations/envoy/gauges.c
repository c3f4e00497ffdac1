#include "stats.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ae_configuration *configurations;

static const char *const NAMES[AE_GAUGES] = {".keys", ".key_age_seconds", ".health", ".fetches", ".fetch_failures"};

static const char *const LIST_NAMES[AE_LIST_GAUGES] = {
    ".status_lists", ".status_lists_failing", ".status_list_bytes", ".status_list_age_seconds", ".status_list_fetches",
    ".status_list_fetch_failures",
};

static void define(const ae_configuration *configuration, ae_provider *provider) {
    ae_define gauge = CALLBACK(http_filter_config_define_gauge);
    for (size_t i = 0; i < AE_GAUGES; i++) {
        provider->gauges[i] = ae_stat(configuration, gauge, "provider.", provider->name, NAMES[i]);
    }
    ae_define histogram = CALLBACK(http_filter_config_define_histogram);
    provider->histogram = ae_stat(configuration, histogram, "provider.", provider->name, ".fetch_milliseconds");
}

static void define_lists(const ae_configuration *configuration, ae_provider *provider) {
    for (size_t i = 0; i < AE_LIST_GAUGES; i++) {
        provider->list_gauges[i] = ae_stat(configuration, CALLBACK(http_filter_config_define_gauge), "provider.", provider->name, LIST_NAMES[i]);
    }
}

/* What libassay counts of a shadow's verdicts, by the names of its outcomes. */
static const char *const SHADOW_OUTCOMES[] = {"shadow_allowed", "shadow_denied"};
static const char *const SHADOW_NAMES[] = {".shadow_allowed", ".shadow_denied"};

static void define_shadows(ae_configuration *configuration) {
    size_t count = 0;
    const char *policy;
    json_t *unused;
    configuration->shadows = ae_allocate(json_object_size(configuration->gateway->shadows) * 2, sizeof *configuration->shadows);
    json_object_foreach(configuration->gateway->shadows, policy, unused) {
        for (size_t i = 0; i < 2; i++) {
            ae_define gauge = CALLBACK(http_filter_config_define_gauge);
            configuration->shadows[count++] = ae_stat(configuration, gauge, "policy.", policy, SHADOW_NAMES[i]);
        }
    }
}

void ae_gauges_add(ae_configuration *configuration) {
    define_shadows(configuration);
    for (size_t i = 0; i < configuration->gateway->provider_count; i++) {
        ae_provider *provider = &configuration->gateway->providers[i];
        if (provider->keys.name) {
            define(configuration, provider);
        }
        if (provider->has_lists) {
            define_lists(configuration, provider);
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
    ae_keys keys = ae_status_provider(configuration->gateway, status, provider);
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

static void write_lists(const ae_configuration *configuration, const ae_provider *provider, const json_t *status) {
    ae_lists lists = ae_status_lists(status, provider);
    uint64_t values[AE_LIST_GAUGES] = {
        lists.count, lists.failing, lists.bytes, lists.age, provider->list_fetches, provider->list_failures,
    };
    for (size_t i = 0; i < AE_LIST_GAUGES; i++) {
        CALLBACK(http_filter_config_set_gauge)(configuration->envoy, provider->list_gauges[i], NULL, 0, values[i]);
    }
}

static uint64_t count_of(const json_t *status, const char *policy, const char *outcome) {
    uint64_t count = 0;
    size_t index;
    json_t *counted;
    json_array_foreach(json_object_get(status, "decisions"), index, counted) {
        if (strcmp(ae_plain_text(counted, "policy"), policy) == 0 && strcmp(ae_plain_text(counted, "outcome"), outcome) == 0) {
            count += (uint64_t)json_integer_value(json_object_get(counted, "count"));
        }
    }
    return count;
}

static void write_shadows(const ae_configuration *configuration, const json_t *status) {
    size_t place = 0;
    const char *policy;
    json_t *unused;
    json_object_foreach(configuration->gateway->shadows, policy, unused) {
        for (size_t i = 0; i < 2; i++) {
            uint64_t count = count_of(status, policy, SHADOW_OUTCOMES[i]);
            CALLBACK(http_filter_config_set_gauge)(configuration->envoy, configuration->shadows[place++], NULL, 0, count);
        }
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
    json_t *revocation_log = json_object_get(revocations, "log");
    for (size_t i = 0; i < gateway->provider_count; i++) {
        if (gateway->providers[i].keys.name) {
            write_provider(configuration, &gateway->providers[i], status);
        }
        if (gateway->providers[i].has_lists) {
            write_lists(configuration, &gateway->providers[i], status);
        }
        if (gateway->providers[i].file[0]) {
            ae_keys keys = ae_status_provider(gateway, status, &gateway->providers[i]);
            note_file(&gateway->providers[i].noted, "the file of keys", gateway->providers[i].file, keys.last_failure);
        }
    }
    write_shadows(configuration, status);
    note_file(&gateway->noted, "the file of revocations", ae_plain_text(revocations, "file"), ae_plain_text(revocations, "fault"));
    note_file(&gateway->noted_log, "the log of revocations", ae_plain_text(revocation_log, "file"), ae_plain_text(revocation_log, "fault"));
    json_decref(status);
}

void ae_gauges_write(void) {
    pthread_mutex_lock(&lock);
    for (ae_configuration *configuration = configurations; configuration; configuration = configuration->next) {
        write_configuration(configuration);
    }
    pthread_mutex_unlock(&lock);
}
