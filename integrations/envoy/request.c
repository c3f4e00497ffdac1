#include "request.h"

size_t ae_fields_read(const envoy_header **out, void *filter, int kind, ae_bytes *memory) {
    size_t count = CALLBACK(http_get_headers_size)(filter, kind);
    envoy_header *headers = ae_room(memory, count * sizeof *headers);
    *out = headers;
    return count > 0 && CALLBACK(http_get_headers)(filter, kind, headers) ? count : 0;
}

/* Pseudo-fields are no fields to libassay: what it needs of them has members of its own. */
static void note_pseudo(assay_request *request, const envoy_header *header) {
    if (ae_equal(ae_name(header), LITERAL(":path"))) {
        request->target = ae_field_value(header);
    } else if (ae_equal(ae_name(header), LITERAL(":method"))) {
        request->method = ae_field_value(header);
    } else if (ae_equal(ae_name(header), LITERAL(":authority"))) {
        request->authority = ae_field_value(header);
    } else if (ae_equal(ae_name(header), LITERAL(":scheme"))) {
        request->scheme = ae_field_value(header);
    }
}

bool ae_request_read(assay_request *out, void *filter, ae_memory *memory) {
    const envoy_header *headers;
    size_t count = ae_fields_read(&headers, filter, ENVOY_REQUEST_HEADER, &memory->headers);
    assay_field *fields = ae_room(&memory->fields, count * sizeof *fields);
    *out = (assay_request){.size = sizeof *out, .fields = fields};
    for (size_t i = 0; i < count; i++) {
        if (headers[i].key_length && headers[i].key[0] == ':') {
            note_pseudo(out, &headers[i]);
        } else {
            fields[out->field_count++] = (assay_field){ae_name(&headers[i]), ae_field_value(&headers[i])};
        }
    }
    /* Envoy knows it from the TLS connection itself. No field is asked. */
    envoy_bytes digest;
    if (CALLBACK(http_filter_get_attribute_string)(filter, ENVOY_PEER_CERTIFICATE_DIGEST, &digest)) {
        out->certificate_digest = (assay_text){digest.ptr, digest.length};
    }
    /* A tunnel is asked for by its authority alone (RFC 9113 section 8.5). */
    if (!out->target.len && ae_equal(out->method, LITERAL("CONNECT"))) {
        out->target = out->authority;
    }
    return count > 0;
}
