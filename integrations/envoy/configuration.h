/* The configuration of a filter, and of a route. They do not change once they are read, so all workers share them. */
#ifndef ASSAY_ENVOY_CONFIGURATION_H
#define ASSAY_ENVOY_CONFIGURATION_H

#include "gateway.h"

/* Codes are less. */
#define AE_CODES 1000

typedef struct ae_configuration {
    void *envoy;
    ae_gateway *gateway;
    char *policy; /* of routes without a configuration */
    char *metadata_space;
    int64_t wait_milliseconds;
    bool has_timings;
    size_t allowed, anonymous, waived, refused[AE_CODES], timing; /* ids of stats; refused[0] is that of numbers without one */
    size_t *shadows; /* two gauges for each shadow of the gateway; see gauges.c */
    struct ae_configuration *next; /* of those whose gauges are written; see gauges.c */
} ae_configuration;

/* NULL after a fault, which the log has. */
ae_configuration *ae_configuration_read(void *envoy, envoy_bytes text);
void ae_configuration_free(ae_configuration *configuration);

/* The configuration of a route: the name of a policy, which the caller frees. NULL after a fault, which the log has. */
char *ae_route_policy_read(envoy_bytes text);

#endif
