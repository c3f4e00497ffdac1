/* Dynamic metadata: what other filters and the access log learn about a token. */
#ifndef ASSAY_ENVOY_METADATA_H
#define ASSAY_ENVOY_METADATA_H

#include "configuration.h"

/* Sets the payloads and headers of the accepted tokens whose providers say so. */
void ae_metadata_set(void *filter, const ae_configuration *configuration, const assay_decision *decision);
/* Sets `code`. */
void ae_metadata_set_code(void *filter, const ae_configuration *configuration, assay_code code);

#endif
