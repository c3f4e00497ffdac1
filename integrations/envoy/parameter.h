/* Parameters of a query, in application/x-www-form-urlencoded (WHATWG URL standard). */
#ifndef ASSAY_ENVOY_PARAMETER_H
#define ASSAY_ENVOY_PARAMETER_H

#include "text.h"

/* Whether a part of a query, `name=value`, has this name, however it is encoded. */
bool ae_is_parameter(assay_text part, assay_text name);

#endif
