/* What a URL says (RFC 3986 section 3, without user information and fragment), and the parameters of its query in
 * application/x-www-form-urlencoded (WHATWG URL standard). */
#ifndef ASSAY_ENVOY_URL_H
#define ASSAY_ENVOY_URL_H

#include "text.h"

typedef struct ae_url {
    bool is_https;
    assay_text authority, target; /* the target is "/" where the URL has none */
} ae_url;

/* Reads an http or https URL, which ends with NUL. */
bool ae_url_read(ae_url *out, const char *text);

/* Removes the parameters of a name, however they are encoded, from the query of a target. */
void ae_parameter_remove(ae_bytes *target, assay_text name);

#endif
