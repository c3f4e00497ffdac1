#include "stats.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

typedef int (*define)(void *config, envoy_bytes name, envoy_bytes *labels, size_t count, size_t *out);

static size_t defined(ae_configuration *configuration, define define, const char *prefix, const char *name, const char *suffix) {
    char text[256];
    size_t id = 0;
    snprintf(text, sizeof text, "%s%s%s", prefix, name, suffix);
    if (define(configuration->envoy, ae_envoy(ae_text(text)), NULL, 0, &id) != 0) {
        ae_log(ENVOY_LOG_WARN, "assay: Envoy does not define the stat %s", text);
    }
    return id;
}

static void define_of_provider(ae_configuration *configuration, ae_provider *provider) {
    define gauge = CALLBACK(http_filter_config_define_gauge);
    provider->gauge_keys = defined(configuration, gauge, "provider.", provider->name, ".keys");
    provider->gauge_age = defined(configuration, gauge, "provider.", provider->name, ".key_age_seconds");
    provider->gauge_health = defined(configuration, gauge, "provider.", provider->name, ".health");
    provider->gauge_fetches = defined(configuration, gauge, "provider.", provider->name, ".fetches");
    provider->gauge_failures = defined(configuration, gauge, "provider.", provider->name, ".fetch_failures");
    define histogram = CALLBACK(http_filter_config_define_histogram);
    provider->histogram_fetch = defined(configuration, histogram, "provider.", provider->name, ".fetch_milliseconds");
}

void ae_stats_define(ae_configuration *configuration) {
    define counter = CALLBACK(http_filter_config_define_counter);
    configuration->allowed = defined(configuration, counter, "", "allowed", "");
    configuration->anonymous = defined(configuration, counter, "", "anonymous", "");
    configuration->waived = defined(configuration, counter, "", "waived", "");
    for (size_t i = 1; i < AE_CODE_COUNT && ae_code_at(i); i++) {
        configuration->refused[i] = defined(configuration, counter, "refused.", ae_code_name(ae_code_at(i)), "");
    }
    configuration->refused[0] = defined(configuration, counter, "refused.", "failed", "");
    for (size_t i = 0; i < configuration->provider_count; i++) {
        if (configuration->providers[i].source) {
            define_of_provider(configuration, &configuration->providers[i]);
        }
    }
    if (configuration->has_timings) {
        configuration->timing = defined(configuration, CALLBACK(http_filter_config_define_histogram), "", "decision_microseconds", "");
    }
}

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

int64_t ae_stats_start(const ae_configuration *configuration) { return configuration->has_timings ? nanoseconds() : 0; }

void ae_stats_allowed(void *filter, const ae_configuration *configuration, size_t id, int64_t started) {
    CALLBACK(http_filter_increment_counter)(filter, id, NULL, 0, 1);
    if (configuration->has_timings) {
        uint64_t spent = (uint64_t)(nanoseconds() - started) / 1000;
        CALLBACK(http_filter_record_histogram_value)(filter, configuration->timing, NULL, 0, spent);
    }
}

void ae_stats_refused(void *filter, const ae_configuration *configuration, uint32_t code, int64_t started) {
    ae_stats_allowed(filter, configuration, configuration->refused[ae_code_position(code)], started);
}

/* Gauges */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ae_configuration *configurations;

void ae_gauges_add(ae_configuration *configuration) {
    pthread_mutex_lock(&lock);
    configuration->next = configurations;
    configurations = configuration;
    pthread_mutex_unlock(&lock);
}

/* Envoy may destroy a configuration on a worker's thread, while the main thread writes gauges. */
void ae_gauges_remove(ae_configuration *configuration) {
    pthread_mutex_lock(&lock);
    ae_configuration **place = &configurations;
    while (*place && *place != configuration) {
        place = &(*place)->next;
    }
    if (*place) {
        *place = configuration->next;
    }
    pthread_mutex_unlock(&lock);
}

static void write_provider(const ae_configuration *configuration, ae_provider *provider) {
    assay_keys_state state = {.size = sizeof state};
    if (!provider->source || assay_keys_status(&state, provider->keys) != ASSAY_OK) {
        return;
    }
    const struct {
        size_t id;
        uint64_t value;
    } gauges[] = {
        {provider->gauge_keys, state.key_count}, {provider->gauge_age, state.age < 0 ? 0 : (uint64_t)state.age / 1000},
        {provider->gauge_health, state.health}, {provider->gauge_fetches, provider->source->fetches},
        {provider->gauge_failures, provider->source->failures},
    };
    for (size_t i = 0; i < sizeof gauges / sizeof gauges[0]; i++) {
        CALLBACK(http_filter_config_set_gauge)(configuration->envoy, gauges[i].id, NULL, 0, gauges[i].value);
    }
    if (provider->seen_fetches != provider->source->fetches) {
        provider->seen_fetches = provider->source->fetches;
        uint64_t spent = provider->source->last_duration;
        CALLBACK(http_filter_config_record_histogram_value)(configuration->envoy, provider->histogram_fetch, NULL, 0, spent);
    }
}

void ae_gauges_write(void) {
    pthread_mutex_lock(&lock);
    for (ae_configuration *configuration = configurations; configuration; configuration = configuration->next) {
        for (size_t i = 0; i < configuration->provider_count; i++) {
            write_provider(configuration, &configuration->providers[i]);
        }
    }
    pthread_mutex_unlock(&lock);
}
