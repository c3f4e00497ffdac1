/* Refusals. */
#ifndef ASSAY_ENVOY_REPLY_H
#define ASSAY_ENVOY_REPLY_H

#include "configuration.h"

/* Answers the request, counts the refusal, and returns the status of the hook. `decision` is what refuses the request, or NULL for a reason
 * of the module's own. */
int ae_refuse_request(
    void *filter, const ae_configuration *configuration, assay_code code, const assay_decision *decision, int64_t started);

#endif
