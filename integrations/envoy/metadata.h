/* Dynamic metadata: what other filters and the access log learn about a token. */
#ifndef ASSAY_ENVOY_METADATA_H
#define ASSAY_ENVOY_METADATA_H

#include "judgement.h"

/* Sets the payloads and headers of the accepted tokens whose providers say so, and the code of a waived refusal. */
void ae_set_metadata(void *filter, const ae_judgement *judgement);
/* Sets `code`. */
void ae_set_code(void *filter, const ae_configuration *configuration, uint32_t code);

#endif
