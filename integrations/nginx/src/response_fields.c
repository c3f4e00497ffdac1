/* response_fields.c: the fields of a response that libassay looks at, as a document holds them. */

#include "assay_documents.h"

#define ASSAY_LARGEST_FIELDS_OF_DOCUMENT 8192

ngx_uint_t ngx_http_assay_is_named(ngx_str_t text, const char *name)
{
    return text.len == ngx_strlen(name) && ngx_strncasecmp(text.data, (u_char *) name, text.len) == 0;
}

/* The others could be a megabyte of cookies. */
static ngx_uint_t ngx_http_assay_is_kept(assay_text name)
{
    static const char *kept[] = {"age", "cache-control", "content-type", "date", "etag", "expires", "last-modified", NULL};
    for (ngx_uint_t i = 0; kept[i] != NULL; i++) {
        if (ngx_http_assay_is_named(ngx_http_assay_str(name), kept[i])) {
            return 1;
        }
    }
    return 0;
}

/* Writes what is kept of the fields of a response, or only counts it where `out` is NULL. Returns its size. */
size_t ngx_http_assay_write_fields(u_char *out, const assay_http_answer *answer)
{
    size_t size = 0;
    for (size_t i = 0; i < answer->field_count; i++) {
        assay_text name = answer->fields[i].name, value = answer->fields[i].value;
        uint16_t sizes[2] = {(uint16_t) name.len, (uint16_t) value.len};
        size_t next = size + sizeof(sizes) + name.len + value.len;
        if (!ngx_http_assay_is_kept(name) || next > ASSAY_LARGEST_FIELDS_OF_DOCUMENT) {
            continue;
        }
        if (out != NULL) {
            u_char *end = ngx_cpymem(out + size, sizes, sizeof(sizes));
            ngx_memcpy(ngx_cpymem(end, name.bytes, name.len), value.bytes, value.len);
        }
        size = next;
    }
    return size;
}

/* Takes the next field off `rest`; 0 after the last. */
ngx_uint_t ngx_http_assay_next_field(ngx_str_t *rest, ngx_str_t *name, ngx_str_t *value)
{
    uint16_t sizes[2];
    if (rest->len < sizeof(sizes)) {
        return 0;
    }
    ngx_memcpy(sizes, rest->data, sizeof(sizes));
    size_t size = sizeof(sizes) + sizes[0] + sizes[1];
    if (size > rest->len) {
        return 0;
    }
    *name = (ngx_str_t) {sizes[0], rest->data + sizeof(sizes)};
    *value = (ngx_str_t) {sizes[1], rest->data + sizeof(sizes) + sizes[0]};
    rest->data += size;
    rest->len -= size;
    return 1;
}

/* The seconds of Retry-After, at most a day; 0: none. A date (RFC 9110 section 10.2.3) is none here. */
uint32_t ngx_http_assay_retry_after(const assay_http_answer *answer)
{
    for (size_t i = 0; i < answer->field_count; i++) {
        if (ngx_http_assay_is_named(ngx_http_assay_str(answer->fields[i].name), "retry-after")) {
            ngx_int_t seconds = ngx_atoi((u_char *) answer->fields[i].value.bytes, answer->fields[i].value.len);
            return seconds > 0 && seconds <= 86400 ? (uint32_t) seconds : 0;
        }
    }
    return 0;
}
