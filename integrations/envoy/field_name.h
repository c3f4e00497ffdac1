/* Names of header fields that the filter may set. */
#ifndef ASSAY_ENVOY_FIELD_NAME_H
#define ASSAY_ENVOY_FIELD_NAME_H

#include "settings.h"

/* Refuses a name that is not letters, digits and hyphens, and one that belongs to HTTP, to the connection (RFC 9110 section 7.6.1), to
 * Envoy or to Assay's answers. `name` is in lower case. */
void ae_check_field_name(const ae_settings *in, const char *setting, const char *name);

#endif
