/* The configuration of a filter. It does not change once it is read, so all workers share it. */
#ifndef ASSAY_ENVOY_CONFIGURATION_H
#define ASSAY_ENVOY_CONFIGURATION_H

#include "path.h"
#include "policy.h"

typedef struct ae_configuration {
    void *envoy;
    ae_provider providers[AE_MOST];
    size_t provider_count;
    ae_policy *policies;
    size_t policy_count;
    const ae_policy *policy; /* of routes without a configuration */
    ae_places places;
    ae_names fields;  /* that the filter sets, on every request */
    ae_names sources; /* that have tokens; nothing may be mistaken for them either */
    ae_path_rules paths;
    size_t token_bytes, value_bytes, total_bytes;
    int64_t wait_milliseconds;
    char *metadata_space;
    bool allows_preflight, allows_override, has_timings;
    size_t allowed, anonymous, waived, refused[AE_CODE_COUNT], timing; /* ids of stats */
    struct ae_configuration *next; /* of those whose gauges are set; see gauges.c */
} ae_configuration;

/* NULL after a fault. */
ae_configuration *ae_configuration_read(void *envoy, assay_text text, ae_fault *fault);
/* Accepts NULL. */
void ae_configuration_free(ae_configuration *configuration);
const ae_policy *ae_configuration_policy(const ae_configuration *configuration, assay_text name);

/* The configuration of a route: the name of a policy. */
typedef struct ae_route_policy {
    char *name;
} ae_route_policy;

ae_route_policy *ae_route_policy_read(assay_text text, ae_fault *fault);
void ae_route_policy_free(ae_route_policy *policy);

#endif
