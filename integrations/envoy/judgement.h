/* The judgement of one request by one policy. */
#ifndef ASSAY_ENVOY_JUDGEMENT_H
#define ASSAY_ENVOY_JUDGEMENT_H

#include "configuration.h"
#include "scratch.h"

#define AE_NO_PROVIDER SIZE_MAX

typedef struct ae_refusal {
    uint32_t code;
    size_t provider; /* AE_NO_PROVIDER where none is the cause */
} ae_refusal;

typedef struct ae_judgement {
    const ae_configuration *configuration;
    const ae_policy *policy;
    ae_scratch *scratch;
    bool holds;
    ae_refusal refusal;         /* where it does not hold */
    uint64_t accepted;          /* bits of the providers whose tokens count */
    uint64_t waived;            /* and of those that may fail, */
    ae_refusal waived_refusal;  /* with their refusal */
    uint64_t held;              /* bits of the places with a token */
    uint64_t verified, unscoped; /* bits of the providers that were asked, and of those without the scopes */
    uint32_t codes[AE_MOST];    /* of the verified providers */
    ae_presented tokens[AE_MOST]; /* of the policy's places */
} ae_judgement;

/* Reads tokens and verifies them. Calls no setter. The values of fields are in `scratch` afterwards. */
void ae_judge(ae_judgement *out, const ae_configuration *configuration, const ae_policy *policy, const ae_request *request,
              ae_scratch *scratch);

#endif
