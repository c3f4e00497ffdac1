/* What libassay says about keys and status lists. It is a document, so it is read for the log and for gauges alone. */
#ifndef ASSAY_ENVOY_STATUS_H
#define ASSAY_ENVOY_STATUS_H

#include "gateway.h"

typedef struct ae_keys {
    uint64_t count;    /* usable keys */
    uint64_t age;      /* seconds since they were confirmed; 0 without keys */
    uint32_t health;   /* ASSAY_HEALTH_… */
    uint64_t failures; /* fetches that failed since the last success */
    char last_failure[320]; /* "" for none */
} ae_keys;

/* The caller gives the document back with json_decref. NULL: libassay has no status. */
json_t *ae_status_read(const ae_gateway *gateway);
/* The keys of a provider; none if the status does not have it. Of tenants that have been asked for, all keys, and the worst state. */
ae_keys ae_status_provider(const ae_gateway *gateway, const json_t *status, const ae_provider *provider);
/* The keys of one issuer, from a status of its own. */
ae_keys ae_keys_of_issuer(const ae_gateway *gateway, const char *name);

typedef struct ae_lists {
    uint64_t count;   /* that judge now */
    uint64_t failing; /* whose last fetch failed */
    uint64_t bytes;   /* of all */
    uint64_t age;     /* seconds since the oldest one was confirmed; 0 without lists */
} ae_lists;

/* The status lists of a provider; none if the status does not have it. */
ae_lists ae_status_lists(const json_t *status, const ae_provider *provider);

typedef struct ae_list_failure {
    char code[32]; /* "" for none */
} ae_list_failure;

/* Why the last fetch of a status list failed. */
ae_list_failure ae_status_list(const ae_gateway *gateway, const char *url);

/* How many required issuers have no keys yet. */
size_t ae_status_awaited(ae_gateways gateways);

#endif
