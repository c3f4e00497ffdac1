/* Why a request is refused: libassay's codes, and those of the gateway, with the names and statuses of Assay's service. */
#ifndef ASSAY_ENVOY_VERDICT_H
#define ASSAY_ENVOY_VERDICT_H

#include "text.h"

enum {
    AE_MISSING_TOKEN = 1000, /* beyond libassay's codes */
    AE_SEVERAL_TOKENS,
    AE_INSUFFICIENT_SCOPE,
    AE_CLAIMS_TOO_LARGE,
    AE_AMBIGUOUS_FIELD,
    AE_AMBIGUOUS_PATH,
    AE_NO_POLICY, /* a route names a policy that the filter does not have, or routes change without end */
    AE_END
};

const char *ae_code_name(uint32_t code);
uint32_t ae_code_status(uint32_t code);
/* How much a refusal says about the request. Of several the one that says most is reported. */
int ae_code_rank(uint32_t code);

/* The position of a code among all codes, for counters; AE_CODE_COUNT positions. */
#define AE_CODE_COUNT 64
size_t ae_code_position(uint32_t code);
/* 0 for a position without a code. */
uint32_t ae_code_at(size_t position);

#endif
