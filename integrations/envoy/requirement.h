/* Which tokens a request needs: a provider, or `any` and `all` of several. */
#ifndef ASSAY_ENVOY_REQUIREMENT_H
#define ASSAY_ENVOY_REQUIREMENT_H

#include "provider.h"

enum { AE_PROVIDER, AE_ANY, AE_ALL };
enum { AE_ALLOW_NOTHING, AE_ALLOW_MISSING, AE_ALLOW_FAILED };

typedef struct ae_requirement {
    int kind;
    size_t provider; /* its position, of AE_PROVIDER */
    struct ae_requirement *members;
    size_t count;
    int allowance;      /* of AE_ANY */
    uint64_t providers; /* bits of all that are in it */
} ae_requirement;

/* Reads `requires` of a policy; NULL for `nothing`, and after a fault. */
ae_requirement *ae_requirement_read(const ae_settings *policy, const ae_provider *providers, size_t count, const ae_places *places);
/* Accepts NULL. */
void ae_requirement_free(ae_requirement *requirement);
/* Whether a request without an accepted token can meet it. */
bool ae_requirement_admits_anonymous(const ae_requirement *requirement);

#endif
