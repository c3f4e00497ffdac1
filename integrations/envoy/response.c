#include "response.h"

#include <stdlib.h>

/* That libassay takes: of keys, and the longest token that a status list of a mebibyte has. */
#define MOST_BODY 262144
#define MOST_LIST 1887916

/* The body as one text, with a final NUL that does not count; false if it is too long. */
static bool join(ae_bytes *out, const ae_response *response, size_t most) {
    for (size_t i = 0; i < response->chunk_count; i++) {
        if (response->chunks[i].length > most - out->len) {
            return false;
        }
        ae_append(out, response->chunks[i].ptr, response->chunks[i].length);
    }
    ae_append_byte(out, 0);
    out->len--;
    return true;
}

static uint32_t status_of(assay_text text) {
    uint32_t status = 0;
    for (size_t i = 0; i < text.len && i < 3; i++) {
        status = status * 10 + (uint32_t)(text.bytes[i] - '0');
    }
    return status;
}

static assay_code install(const ae_callout *callout, const ae_response *response, const ae_bytes *body, ae_reason *reason) {
    assay_field *fields = ae_allocate(response->header_count, sizeof *fields);
    size_t count = 0;
    uint32_t status = 0;
    for (size_t i = 0; i < response->header_count; i++) {
        const envoy_header *header = &response->headers[i];
        assay_text name = {header->key, header->key_length}, value = {header->value, header->value_length};
        if (ae_equal(name, LITERAL(":status"))) {
            status = status_of(value);
        } else {
            fields[count++] = (assay_field){name, value};
        }
    }
    ae_reason_of_status(reason, callout, status, body->bytes);
    assay_code code = assay_gateway_install(callout->gateway->core, callout->fetch, status, fields, count, body->bytes, body->len);
    free(fields);
    return code;
}

assay_code ae_response_install(const ae_response *response, const ae_callout *callout, ae_reason *reason) {
    ae_bytes body = {0};
    bool is_reset = response->result == ENVOY_CALLOUT_RESET;
    assay_code code;
    if (response->result == ENVOY_CALLOUT_SUCCESS && join(&body, response, callout->is_list ? MOST_LIST : MOST_BODY)) {
        code = install(callout, response, &body, reason);
    } else {
        code = assay_gateway_fail(callout->gateway->core, callout->fetch, is_reset ? ASSAY_FAILURE_CONNECTION : ASSAY_FAILURE_TOO_LARGE);
    }
    if (is_reset) {
        ae_reason_set(reason, "cluster `%.200s` ended the request without an answer", callout->cluster);
    }
    free(body.bytes);
    return code;
}
