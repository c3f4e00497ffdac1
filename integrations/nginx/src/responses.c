/* responses.c: the fields of a response that libassay looks at, as a document holds them. */

#include "assay_documents.h"

/* The others could be a megabyte of cookies. */
ngx_uint_t ngx_http_assay_is_kept_field(ngx_str_t name)
{
    static const char *kept[] = {"age", "cache-control", "content-type", "date", "etag", "expires", "last-modified", NULL};
    for (ngx_uint_t i = 0; kept[i] != NULL; i++) {
        if (name.len == ngx_strlen(kept[i]) && ngx_strncasecmp(name.data, (u_char *) kept[i], name.len) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Writes a field, and returns its size. */
size_t ngx_http_assay_write_field_of_document(u_char *out, ngx_str_t name, ngx_str_t value)
{
    uint16_t sizes[2] = {(uint16_t) name.len, (uint16_t) value.len};
    ngx_memcpy(out, sizes, sizeof(sizes));
    ngx_memcpy(out + sizeof(sizes), name.data, name.len);
    ngx_memcpy(out + sizeof(sizes) + name.len, value.data, value.len);
    return sizeof(sizes) + name.len + value.len;
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
