/* The filter's stats in Envoy's registry. Envoy puts `metrics_namespace` of the module's configuration before the names of all stats. */
#ifndef ASSAY_ENVOY_STATS_H
#define ASSAY_ENVOY_STATS_H

#include "configuration.h"

typedef int (*ae_define)(void *config, envoy_bytes name, envoy_bytes *labels, size_t count, size_t *out);

/* Defines a stat, and returns its id. Only while the configuration is made: Envoy freezes them afterwards. */
size_t ae_stat(const ae_configuration *configuration, ae_define define, const char *prefix, const char *name, const char *suffix);

/* Defines the counters of a configuration. */
void ae_stats_define(ae_configuration *configuration);

/* Counts one decision; `started` is the time of ae_nanoseconds. */
void ae_stats_count(void *filter, const ae_configuration *configuration, size_t id, int64_t started);

/* Gauges of keys and status lists: the main thread writes those of every configuration that is in use. Defines them too. */
void ae_gauges_add(ae_configuration *configuration);
void ae_gauges_remove(ae_configuration *configuration);
void ae_gauges_write(void);

#endif
