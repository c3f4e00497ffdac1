/* Why keys were not fetched, as a sentence for the log. */
#ifndef ASSAY_ENVOY_REASON_H
#define ASSAY_ENVOY_REASON_H

#include "callout.h"

typedef struct ae_reason {
    char text[640];  /* "" while nothing is known */
    bool is_lasting; /* only another configuration of Envoy helps */
} ae_reason;

/* Bytes that are not printable become question marks: some come from the issuer. */
__attribute__((format(printf, 2, 3))) void ae_reason_set(ae_reason *reason, const char *format, ...);
/* Envoy has no such cluster. */
void ae_reason_no_cluster(ae_reason *reason, const ae_callout *callout);
/* What an answer with a status other than 200 says. Of one with 200 libassay judges the body. */
void ae_reason_of_status(ae_reason *reason, const ae_callout *callout, uint32_t status, const char *body);
/* Takes libassay's sentence about the failure where no reason is set. */
void ae_reason_complete(ae_reason *reason, const char *failure);

#endif
