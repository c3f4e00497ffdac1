/* Refusals. */
#ifndef ASSAY_ENVOY_REPLY_H
#define ASSAY_ENVOY_REPLY_H

#include "judgement.h"

/* Answer the request, count the refusal, and return the status of the hook. */
int ae_refuse_judged(void *filter, const ae_judgement *judgement, int64_t started);
int ae_refuse_request(void *filter, const ae_configuration *configuration, uint32_t code, int64_t started);

#endif
