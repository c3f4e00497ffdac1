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

/* Gives libassay a response, or the reason why the issuer sent none, and notes what libassay cannot know of it. */
assay_code ae_response_install(const ae_response *response, const ae_callout *callout, ae_reason *reason);

#endif
