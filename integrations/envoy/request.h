/* A request as the filter sees it. Everything points into Envoy's memory, and ends with the first setter. */
#ifndef ASSAY_ENVOY_REQUEST_H
#define ASSAY_ENVOY_REQUEST_H

#include "text.h"

typedef struct ae_request {
    const envoy_header *headers;
    size_t count;
    assay_text method, target; /* the target has path and query */
    assay_text path, query;
    ae_bytes *decoded; /* of tokens that were percent-encoded; has room for the target, so it never moves */
} ae_request;

/* Reads the fields of a kind (ENVOY_REQUEST_…) into `memory`, which grows. Their number; 0 if Envoy gives none. */
size_t ae_fields_read(const envoy_header **out, void *filter, int kind, ae_bytes *memory);

/* Reads the headers into `memory`. False if Envoy gives none. */
bool ae_request_read(ae_request *out, void *filter, ae_bytes *memory, ae_bytes *decoded);

static inline assay_text ae_name(const envoy_header *header) { return (assay_text){header->key, header->key_length}; }
static inline assay_text ae_header_value(const envoy_header *header) { return (assay_text){header->value, header->value_length}; }

/* The names that the filter sets or reads tokens from, so that no other spelling of them passes. */
typedef struct ae_names {
    assay_text *names; /* in lower case */
    size_t count;
    uint64_t lengths[3]; /* a bit for each length up to 191 */
} ae_names;

void ae_names_add(ae_names *to, const char *name);
/* The position of a name, however its separators are written; -1 if it is none of them. CGI and its successors read `x_user_id` and
 * `x.user.id` as `x-user-id`. */
int ae_names_find(const ae_names *in, assay_text name);
/* Whether a name reads as `plain`, which is in lower case and has the same length. */
bool ae_reads_as(assay_text name, assay_text plain);
void ae_names_free(ae_names *names);

#endif
