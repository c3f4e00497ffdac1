/* Protected resources (RFC 9728). */
#ifndef ASSAY_ENVOY_RESOURCE_H
#define ASSAY_ENVOY_RESOURCE_H

#include "configuration.h"

/* Answers a request for the metadata of a protected resource, which needs no token. False: it is another request, and is to be decided. */
bool ae_resource_answer(void *envoy, const ae_configuration *configuration, const assay_request *request);

#endif
