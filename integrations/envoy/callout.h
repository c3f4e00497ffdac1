/* Requests for keys and status lists, as callouts of Envoy's. Everything here belongs to the main thread. */
#ifndef ASSAY_ENVOY_CALLOUT_H
#define ASSAY_ENVOY_CALLOUT_H

#include "status.h"

struct ae_response;

/* A request that is under way. Its gateway lives until it ends. */
typedef struct ae_callout {
    uint64_t id; /* Envoy's */
    ae_gateway *gateway;
    assay_fetch *fetch;
    const ae_provider *provider; /* of the fetch's issuer, with the cluster */
    const char *cluster;         /* NULL: no setting names one */
    uint64_t timeout;            /* milliseconds */
    bool is_list;                /* a status list, not keys */
    ae_keys before;
    int64_t began;
    struct ae_callout *next;
} ae_callout;

/* Starts every request that is due for a gateway. The caller counts as fetching meanwhile (waiting.h). */
void ae_callouts_start(void *extension, ae_gateway *gateway);
/* Hands over a response; false if the id is none of those that are under way. `extension` is NULL where nothing may be sent any more. */
bool ae_callouts_end(void *extension, uint64_t id, const struct ae_response *response);
/* Envoy has cancelled what was under way. */
void ae_callouts_forget(void);

#endif
