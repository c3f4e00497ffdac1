/* Claims that the upstream gets as header fields. */
#ifndef ASSAY_ENVOY_CLAIM_H
#define ASSAY_ENVOY_CLAIM_H

#include "request.h"
#include "settings.h"

typedef struct ae_claim {
    size_t slot;     /* the position of its field among those that the filter sets */
    char *name;      /* the claim's, which is found faster than a path; NULL for a path */
    char *pointer;   /* the path, a JSON Pointer (RFC 6901); NULL for a name */
    char *separator; /* of the elements of an array; NULL: arrays are JSON */
} ae_claim;

/* Reads an element of `claims`, and adds its field to `fields`. */
ae_claim ae_claim_read(const ae_settings *element, ae_names *fields);
void ae_claim_free(ae_claim *claim);

/* Appends the field's value in printable ASCII; nothing if the claim is absent, null, or an array that cannot be joined. What is not
 * printable ASCII is percent-encoded in UTF-8, and so are percent signs, spaces at the ends, and separators inside an element. So no claim
 * can end a field, and each value has one reading. */
void ae_claim_append(ae_bytes *to, const ae_claim *claim, const assay_result *result);

/* Whether `scope` and `scp` of a token have all these scopes (RFC 8693 section 4.2). */
bool ae_has_scopes(const assay_result *result, char *const *scopes, size_t count);

#endif
