#include "request.h"

#include <stdlib.h>
#include <string.h>

static void read_pseudo(ae_request *request, const envoy_header *header) {
    if (ae_equal(ae_name(header), LITERAL(":path"))) {
        request->target = ae_header_value(header);
    } else if (ae_equal(ae_name(header), LITERAL(":method"))) {
        request->method = ae_header_value(header);
    }
}

size_t ae_fields_read(const envoy_header **out, void *filter, int kind, ae_bytes *memory) {
    size_t count = CALLBACK(http_get_headers_size)(filter, kind), size = count * sizeof(envoy_header);
    memory->len = 0;
    if (memory->capacity < size) {
        free(memory->bytes);
        *memory = (ae_bytes){.bytes = ae_allocate(2, size), .capacity = 2 * size};
    }
    *out = (const envoy_header *)(void *)memory->bytes;
    return count > 0 && CALLBACK(http_get_headers)(filter, kind, (envoy_header *)(void *)memory->bytes) ? count : 0;
}

bool ae_request_read(ae_request *out, void *filter, ae_bytes *memory, ae_bytes *decoded) {
    const envoy_header *headers;
    size_t count = ae_fields_read(&headers, filter, ENVOY_REQUEST_HEADER, memory);
    if (count == 0) {
        return false;
    }
    *out = (ae_request){.headers = headers, .count = count, .decoded = decoded};
    for (size_t i = 0; i < count; i++) {
        if (headers[i].key_length && headers[i].key[0] == ':') {
            read_pseudo(out, &headers[i]);
        }
    }
    out->query = out->target;
    out->path = ae_part(&out->query, '?');
    decoded->len = 0;
    if (decoded->capacity < out->target.len) {
        free(decoded->bytes);
        *decoded = (ae_bytes){.bytes = ae_allocate(1, out->target.len), .capacity = out->target.len};
    }
    return true;
}

void ae_names_add(ae_names *to, const char *name) {
    assay_text text = ae_text(name);
    for (size_t i = 0; i < to->count; i++) {
        if (ae_equal(to->names[i], text)) {
            return;
        }
    }
    to->names = realloc(to->names, (to->count + 1) * sizeof *to->names);
    if (!to->names) {
        abort();
    }
    to->names[to->count++] = ae_text(ae_copy(name));
    to->lengths[text.len / 64] |= 1ull << text.len % 64;
}

bool ae_reads_as(assay_text name, assay_text plain) {
    for (size_t i = 0; i < name.len; i++) {
        char byte = ae_is_plain(name.bytes[i]) ? ae_lower(name.bytes[i]) : '-';
        if (byte != plain.bytes[i]) {
            return false;
        }
    }
    return true;
}

int ae_names_find(const ae_names *in, assay_text name) {
    if (name.len > 128 || !(in->lengths[name.len / 64] >> name.len % 64 & 1)) {
        return -1;
    }
    for (size_t i = 0; i < in->count; i++) {
        if (in->names[i].len == name.len && ae_reads_as(name, in->names[i])) {
            return (int)i;
        }
    }
    return -1;
}

void ae_names_free(ae_names *names) {
    for (size_t i = 0; i < names->count; i++) {
        free((char *)names->names[i].bytes);
    }
    free(names->names);
}
