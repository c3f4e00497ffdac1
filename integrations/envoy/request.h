/* A request, as Envoy has it and as libassay takes it. */
#ifndef ASSAY_ENVOY_REQUEST_H
#define ASSAY_ENVOY_REQUEST_H

#include "memory.h"

/* Reads a request. Its texts are Envoy's, and end with the first change. False if Envoy gives none. */
bool ae_request_read(assay_request *out, void *filter, ae_memory *memory);

/* Reads the fields of a kind (ENVOY_REQUEST_…) into `memory`. Their number; 0 if Envoy gives none. */
size_t ae_fields_read(const envoy_header **out, void *filter, int kind, ae_bytes *memory);

static inline assay_text ae_name(const envoy_header *header) { return (assay_text){header->key, header->key_length}; }
static inline assay_text ae_field_value(const envoy_header *header) { return (assay_text){header->value, header->value_length}; }

#endif
