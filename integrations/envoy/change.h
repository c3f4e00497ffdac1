/* What changes between the client's request and the upstream's: the operations of a decision. */
#ifndef ASSAY_ENVOY_CHANGE_H
#define ASSAY_ENVOY_CHANGE_H

#include "request.h"

/* Plans the operations of the decision in `memory`. The last one that may read the request: afterwards only libassay's texts are used.
 * False for an operation that the module does not know. */
bool ae_changes_plan(ae_memory *memory, const assay_request *request);

/* Sets the fields that claims are sent in, and removes those that have no claim. False if Envoy refuses: then so must the filter. */
bool ae_changes_identify(void *filter, const ae_memory *memory);
/* Withholds tokens. */
bool ae_changes_withhold(void *filter, const ae_memory *memory);

/* Removes each trailer that could bring an identity or a token: no trailer was judged, and an upstream may read trailers with the fields of
 * the head (RFC 9110 section 6.5.1). */
void ae_trailers_clean(void *filter, const assay_gateway *gateway, ae_memory *memory);

#endif
