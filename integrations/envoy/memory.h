/* Memory of a worker's thread for the request that it decides about. A decision ends within one hook, so one is enough for all requests of
 * a thread, and once it has grown no request allocates. */
#ifndef ASSAY_ENVOY_MEMORY_H
#define ASSAY_ENVOY_MEMORY_H

#include "text.h"

typedef struct ae_memory {
    ae_bytes headers, fields; /* as Envoy has them, and as libassay takes them */
    ae_bytes changes;         /* for the upstream's request, or its trailers */
    assay_text target;        /* for the upstream, in the decision; empty: the client's */
    assay_decision *decision; /* NULL if none can be had: then libassay decides nothing, and every request is refused */
} ae_memory;

ae_memory *ae_memory_of_thread(void);

#endif
