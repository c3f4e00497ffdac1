/* A provider: a trusted issuer with its keys, the places of its tokens, and what the upstream learns from them. */
#ifndef ASSAY_ENVOY_PROVIDER_H
#define ASSAY_ENVOY_PROVIDER_H

#include "claim.h"
#include "place.h"
#include "source.h"

/* Places and providers of a configuration are bits of a word. */
#define AE_MOST 64

typedef struct ae_places {
    ae_place places[AE_MOST];
    size_t count;
} ae_places;

typedef struct ae_provider {
    char *name, *issuer;
    uint64_t places; /* bits of the configuration's places */
    uint64_t slots;  /* bits of the fields that it sets */
    ae_claim *claims;
    size_t claim_count;
    int payload_slot; /* -1: no field has the payload */
    bool pads_payload, forwards_token, clears_route;
    char *payload_metadata, *header_metadata; /* keys of dynamic metadata; NULL: none */
    char **spaced_claims;                     /* claims that metadata has as lists of words */
    size_t spaced_count;
    assay_keys *keys;
    ae_source *source; /* NULL for fixed keys, which are the provider's own */
    bool checks_issuer;
    assay_verifier *verifier;
    size_t gauge_keys, gauge_age, gauge_health, gauge_fetches, gauge_failures, histogram_fetch;
    uint64_t seen_fetches; /* fetches that the histogram has. Of the main thread. */
} ae_provider;

/* What the providers of a configuration have in common. */
typedef struct ae_shared {
    ae_places *places;
    ae_names *fields;  /* that the filter sets */
    ae_names *sources; /* that have tokens */
    size_t provider_count;
    assay_verifier_options options;
} ae_shared;

void ae_provider_read(ae_provider *out, const ae_settings *root, size_t index, ae_shared *shared);
void ae_provider_free(ae_provider *provider);

/* Verifies a token. A token of another issuer is refused before its key is looked for, where the configuration has several providers. */
assay_code ae_provider_verify(assay_result *result, const ae_provider *provider, assay_text token);

/* The keys of `keys` and of `tokens` (keys.c, rules.c). */
void ae_provider_read_keys(ae_provider *provider, const ae_settings *in);
assay_policy *ae_provider_rules(const ae_settings *in, const char *issuer);

#endif
