#include "stats.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"

/* Verdicts begin here: below are mistakes of the caller. */
#define FIRST_VERDICT 100

size_t ae_stat(const ae_configuration *configuration, ae_define define, const char *prefix, const char *name, const char *suffix) {
    char text[256];
    size_t id = 0;
    snprintf(text, sizeof text, "%s%s%s", prefix, name, suffix);
    if (define(configuration->envoy, ae_envoy(ae_text(text)), NULL, 0, &id) != 0) {
        ae_log(ENVOY_LOG_WARN, "assay: Envoy does not define the stat %s", text);
    }
    return id;
}

void ae_stats_define(ae_configuration *configuration) {
    ae_define counter = CALLBACK(http_filter_config_define_counter);
    configuration->allowed = ae_stat(configuration, counter, "", "allowed", "");
    configuration->anonymous = ae_stat(configuration, counter, "", "anonymous", "");
    configuration->waived = ae_stat(configuration, counter, "", "waived", "");
    configuration->refused[0] = ae_stat(configuration, counter, "refused.", "failed", "");
    for (assay_code code = 1; code < AE_CODES; code++) {
        const char *name = assay_code_name(code);
        bool is_verdict = code >= FIRST_VERDICT && strcmp(name, "unknown") != 0;
        configuration->refused[code] = is_verdict ? ae_stat(configuration, counter, "refused.", name, "") : configuration->refused[0];
    }
    if (configuration->has_timings) {
        configuration->timing = ae_stat(configuration, CALLBACK(http_filter_config_define_histogram), "", "decision_microseconds", "");
    }
}

void ae_stats_count(void *filter, const ae_configuration *configuration, size_t id, int64_t started) {
    CALLBACK(http_filter_increment_counter)(filter, id, NULL, 0, 1);
    if (configuration->has_timings) {
        uint64_t spent = (uint64_t)(ae_nanoseconds() - started) / 1000;
        CALLBACK(http_filter_record_histogram_value)(filter, configuration->timing, NULL, 0, spent);
    }
}
