/* What Envoy adds to a provider: the clusters that keys and status lists are fetched through, and what becomes of an accepted token in
 * Envoy. */
#ifndef ASSAY_ENVOY_PROVIDER_H
#define ASSAY_ENVOY_PROVIDER_H

#include "settings.h"
#include "url.h"

/* Gauges of a provider's keys, and of its status lists: see gauges.c. */
#define AE_GAUGES 5
#define AE_LIST_GAUGES 6

/* Where keys or status lists are fetched. */
typedef struct ae_clusters {
    char *name;           /* of keys: that of the source's own authority, "" for a file; of lists: that of all others, "" for none */
    json_t *by_authority; /* those of further authorities; NULL for none */
    uint64_t timeout;     /* milliseconds */
} ae_clusters;

typedef struct ae_provider {
    char *name, *issuer;
    bool needs_driver;      /* something of it is not in the configuration itself */
    char *source;           /* the URL of its keys, or the issuer: for the log */
    char *file;             /* of its keys; "" for none */
    char *noted;            /* what the log has said of the file; NULL: nothing */
    ae_clusters keys;       /* without a name its keys are not fetched */
    ae_clusters lists;
    bool has_lists;         /* tokens are judged by status lists */
    bool clears_route;
    char *payload_metadata; /* the key of the payload in dynamic metadata; "" for none */
    json_t *spaced_claims;  /* claims that metadata has as lists of words; NULL for none */
    size_t gauges[AE_GAUGES], histogram; /* ids of stats */
    size_t list_gauges[AE_LIST_GAUGES];
    /* Of the main thread: fetches, by whichever filter, of the source; and those that the histogram has. */
    uint64_t fetches, failures, last_duration, seen_fetches;
    uint64_t list_fetches, list_failures; /* likewise, of the status lists of its own filter */
} ae_provider;

/* Reads Envoy's own settings of a provider, and takes them out. */
void ae_provider_read(ae_provider *out, const ae_settings *in);
void ae_provider_free(ae_provider *provider);

/* Whether the provider's tokens may be of an issuer: of its own, or of a tenant in the place of `{tenant}`. libassay knows the tenants. */
bool ae_provider_trusts(const ae_provider *provider, const char *issuer);
/* Whether its issuer is a template. */
bool ae_provider_has_tenants(const ae_provider *provider);

/* Whether both have their keys from one source. */
bool ae_provider_shares(const ae_provider *one, const ae_provider *other);

/* The cluster of a URL; NULL where no setting names one. An issuer's metadata cannot make Envoy ask anybody else, nor leave https. */
const char *ae_provider_cluster(const ae_provider *provider, const ae_url *url);

/* The cluster of a status list, whose origin libassay has checked; NULL where no setting names one. */
const char *ae_provider_list_cluster(const ae_provider *provider, const ae_url *url);

#endif
