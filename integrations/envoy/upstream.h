/* What changes between the client's request and the upstream's. */
#ifndef ASSAY_ENVOY_UPSTREAM_H
#define ASSAY_ENVOY_UPSTREAM_H

#include "judgement.h"

/* Sets every field that the filter sets, or removes it, and withholds the tokens of the providers in `withheld`. Reads the request first:
 * no text of it may be used afterwards. */
void ae_change_request(void *filter, const ae_judgement *judgement, const ae_request *request, uint64_t withheld);

/* The same for a request without identity. */
void ae_clear_identity(void *filter, const ae_configuration *configuration, const ae_request *request);

/* Removes from the trailers each field that could be read as one that the filter sets, or as one with a token: no trailer was judged, and an
 * upstream may read trailers with the fields of the head (RFC 9110 section 6.5.1). */
void ae_change_trailers(void *filter, const ae_configuration *configuration, ae_scratch *scratch);

/* Whether a field of the client could be read as one that the filter sets or that has a token, or asks for another method. */
bool ae_has_ambiguous_field(const ae_configuration *configuration, const ae_request *request);

#endif
