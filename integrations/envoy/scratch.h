/* Memory of a worker's thread for the request that it decides about. A decision ends within one hook, so one is enough for all requests of
 * a thread. What a decision needs after the first setter is copied here. */
#ifndef ASSAY_ENVOY_SCRATCH_H
#define ASSAY_ENVOY_SCRATCH_H

#include "provider.h"

/* The value of a field, from a provider's token. */
typedef struct ae_field_value {
    size_t provider, slot, offset, len; /* in `values` */
} ae_field_value;

typedef struct ae_scratch {
    ae_bytes headers, decoded, values;
    ae_bytes fields;                /* of ae_field_value */
    assay_result *results[AE_MOST]; /* by the provider's position */
    size_t sizes[AE_MOST];
} ae_scratch;

ae_scratch *ae_scratch_of_thread(void);
/* Memory for the claims of a token of `token_bytes`. */
assay_result *ae_scratch_result(ae_scratch *scratch, size_t provider, size_t token_bytes);

#endif
