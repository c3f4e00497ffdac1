/* What a URL says (RFC 3986 section 3, without user information and fragment). */
#ifndef ASSAY_ENVOY_URL_H
#define ASSAY_ENVOY_URL_H

#include "text.h"

typedef struct ae_url {
    bool is_https;
    assay_text authority, target; /* the target is "/" where the URL has none */
} ae_url;

/* Reads an http or https URL, which ends with NUL. */
bool ae_url_read(ae_url *out, const char *text);

#endif
