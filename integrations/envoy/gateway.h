/* A gateway of libassay's, which a filter or the bootstrap extension has, and all that live. A new one uses the keys of those before it, so
 * updates of listeners fetch nothing. Functions take any thread. */
#ifndef ASSAY_ENVOY_GATEWAY_H
#define ASSAY_ENVOY_GATEWAY_H

#include "provider.h"

typedef struct ae_gateway {
    assay_gateway *core;
    ae_provider *providers;
    size_t provider_count;
    bool counts_uses;        /* its tokens, or their proofs, pass once */
    json_t *shadows;         /* the names of policies that are judged beside others, each once */
    char *noted;             /* what the log has said of the file of revocations; NULL: nothing. Of the main thread */
    char *noted_log;         /* the same of the log of revocations */
    size_t users;            /* under the lock of all gateways */
    struct ae_gateway *next; /* likewise */
} ae_gateway;

/* Makes a gateway of a whole configuration without Envoy's own settings, but for those of providers. `where` begins the lines of the log.
 * NULL after a fault of a setting, and where libassay refuses: then the log says why. Only on the main thread. */
ae_gateway *ae_gateway_new(const ae_settings *root, assay_gateway_options options, const char *where);
void ae_gateway_retain(ae_gateway *gateway);
/* Accepts NULL. */
void ae_gateway_release(ae_gateway *gateway);

/* NULL for a name that none has. */
const ae_provider *ae_gateway_provider(const ae_gateway *gateway, assay_text name);

/* All gateways, each retained for the caller, who gives them back. */
typedef struct ae_gateways {
    ae_gateway **all;
    size_t count;
} ae_gateways;

ae_gateways ae_gateways_retained(void);
void ae_gateways_release(ae_gateways gateways);

#endif
