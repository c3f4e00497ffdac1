/* One request for keys, as a callout of Envoy's. Everything here belongs to the main thread. */
#ifndef ASSAY_ENVOY_CALLOUT_H
#define ASSAY_ENVOY_CALLOUT_H

#include "source.h"

/* Starts what is due for a source, unless something is under way. */
void ae_callout_start(void *extension, ae_source *source);
/* Hands over a response. */
void ae_callout_end(ae_source *source, int result, const envoy_header *headers, size_t header_count, const envoy_bytes *chunks,
                    size_t chunk_count);
/* Milliseconds of the monotonic clock. */
int64_t ae_now(void);

#endif
