/* The filter's stats in Envoy's registry. Envoy puts `metrics_namespace` of the module's configuration before their names. */
#ifndef ASSAY_ENVOY_STATS_H
#define ASSAY_ENVOY_STATS_H

#include "configuration.h"

/* Defines the stats of a configuration. Only while it is made: Envoy freezes them afterwards. */
void ae_stats_define(ae_configuration *configuration);

/* Counts one decision; `started` is the time of ae_stats_start. */
void ae_stats_allowed(void *filter, const ae_configuration *configuration, size_t id, int64_t started);
void ae_stats_refused(void *filter, const ae_configuration *configuration, uint32_t code, int64_t started);
int64_t ae_stats_start(const ae_configuration *configuration);

/* Gauges of keys: the main thread writes those of every configuration that is in use. */
void ae_gauges_add(ae_configuration *configuration);
void ae_gauges_remove(ae_configuration *configuration);
void ae_gauges_write(void);

#endif
