/* A policy: which tokens a request needs, and what a refusal says. */
#ifndef ASSAY_ENVOY_POLICY_H
#define ASSAY_ENVOY_POLICY_H

#include "requirement.h"
#include "verdict.h"

typedef struct ae_policy {
    char *name;
    ae_requirement *requirement; /* NULL: open */
    uint64_t providers, places;  /* bits of those in the requirement */
    char **scopes;
    size_t scope_count;
    char *scope; /* the scopes with spaces between them; "" for none */
    char *realm, *resource_metadata; /* "" for none */
    bool is_dry_run;
} ae_policy;

void ae_policy_read(ae_policy *out, const ae_settings *root, size_t index, const ae_provider *providers, size_t provider_count,
                    const ae_places *places);
void ae_policy_free(ae_policy *policy);

/* Appends the value of WWW-Authenticate (RFC 6750 section 3, RFC 9728 section 5.1); nothing where no token is the cause. `result` is that
 * of the refused token; NULL where no token was verified. */
void ae_challenge(ae_bytes *to, const ae_policy *policy, uint32_t code, const assay_result *result);

#endif
