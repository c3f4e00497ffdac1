/* What Envoy hands over when a callout ends. */
#ifndef ASSAY_ENVOY_RESPONSE_H
#define ASSAY_ENVOY_RESPONSE_H

#include "reason.h"

typedef struct ae_response {
    int result;
    const envoy_header *headers;
    size_t header_count;
    const envoy_bytes *chunks;
    size_t chunk_count;
} ae_response;

/* Gives libassay the keys of a response, or why there are none, and notes a reason that libassay does not know. */
assay_code ae_response_install(const ae_response *response, const ae_callout *callout, ae_reason *reason);

#endif
