/* Refusals. */
#ifndef ASSAY_ENVOY_REPLY_H
#define ASSAY_ENVOY_REPLY_H

#include "configuration.h"

/* Answer the request, count the refusal, and return the status of the hook: with the decision that refuses it, */
int ae_refuse_decided(void *filter, const ae_configuration *configuration, const assay_decision *decision, int64_t started);
/* or for a reason of the module's own. */
int ae_refuse_request(void *filter, const ae_configuration *configuration, assay_code code, int64_t started);

#endif
