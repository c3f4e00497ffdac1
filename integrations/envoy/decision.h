/* The decision about one request. libassay makes it; here it is carried out. */
#ifndef ASSAY_ENVOY_DECISION_H
#define ASSAY_ENVOY_DECISION_H

#include "configuration.h"
#include "waiting.h"

typedef struct ae_filter {
    const ae_configuration *configuration;
    int64_t started;
    ae_wait wait;
    ae_bytes used;  /* by the request, which may be judged several times; see uses.h */
    ae_bytes nonce; /* for the client's next proof, in the response; empty: it needs no other one */
} ae_filter;

/* Changes the request and lets it pass, answers it, or lets it wait for keys: the status of Envoy's hook. */
int ae_decide(void *envoy, ae_filter *filter);

#endif
