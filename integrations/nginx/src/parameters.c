/* parameters.c: tokens in a cookie, and in a parameter of the query. nginx's own $cookie_NAME and $arg_NAME are the first of several. */

#include "assay_module.h"

/* One pair of a Cookie field (RFC 6265 section 4.2.1). */
typedef struct {
    ngx_str_t name;
    ngx_str_t value;
} ngx_http_assay_pair_t;

/* Takes the part before the next `separator` off `rest`. */
static ngx_str_t ngx_http_assay_next_part(ngx_str_t *rest, u_char separator)
{
    u_char *end = rest->data + rest->len, *at = rest->data;
    while (at < end && *at != separator) {
        at++;
    }
    ngx_str_t part = {(size_t) (at - rest->data), rest->data};
    rest->data = at < end ? at + 1 : end;
    rest->len = (size_t) (end - rest->data);
    return part;
}

static ngx_http_assay_pair_t ngx_http_assay_pair(ngx_str_t part)
{
    ngx_http_assay_pair_t pair = {ngx_null_string, part};
    u_char *equals = part.len == 0 ? NULL : ngx_strlchr(part.data, part.data + part.len, '=');
    if (equals != NULL) {
        pair.name.data = part.data;
        pair.name.len = (size_t) (equals - part.data);
        pair.value.data = equals + 1;
        pair.value.len = part.len - pair.name.len - 1;
    }
    return pair;
}

/* How many cookies called `name` stand behind a comma in `value`. A gateway in front may have joined several fields by one, and to another
 * reader it is part of the value. */
static ngx_uint_t ngx_http_assay_hidden_cookies(ngx_str_t value, ngx_str_t name)
{
    ngx_uint_t count = 0;
    ngx_http_assay_next_part(&value, ',');
    while (value.len > 0) {
        ngx_http_assay_pair_t pair = ngx_http_assay_pair(ngx_http_assay_next_part(&value, ','));
        ngx_str_t found = ngx_http_assay_trimmed(pair.name);
        count += found.len == name.len && ngx_memcmp(found.data, name.data, name.len) == 0;
    }
    return count;
}

static ngx_uint_t ngx_http_assay_cookies_of(ngx_str_t *out, ngx_str_t field, ngx_str_t name)
{
    ngx_uint_t count = 0;
    while (field.len > 0) {
        ngx_http_assay_pair_t pair = ngx_http_assay_pair(ngx_http_assay_trimmed(ngx_http_assay_next_part(&field, ';')));
        pair.name = ngx_http_assay_trimmed(pair.name);
        /* One is enough to make them several. */
        count += 2 * ngx_http_assay_hidden_cookies(pair.value, name);
        if (pair.name.len == name.len && ngx_memcmp(pair.name.data, name.data, name.len) == 0) {
            *out = ngx_http_assay_trimmed(pair.value);
            count++;
        }
    }
    return count;
}

/* An empty cookie is none: it is what remains of a session that has ended. */
ngx_http_assay_presence_e ngx_http_assay_cookie(ngx_str_t *out, ngx_http_request_t *r, ngx_str_t name)
{
    ngx_uint_t count = 0;
    out->len = 0;
    for (ngx_list_part_t *part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        ngx_table_elt_t *field = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            if (field[i].key.len == 6 && ngx_strncasecmp(field[i].key.data, (u_char *) "cookie", 6) == 0) {
                count += ngx_http_assay_cookies_of(out, field[i].value, name);
            }
        }
    }
    if (count > 1) {
        return ASSAY_TOKEN_SEVERAL;
    }
    if (out->len >= 2 && out->data[0] == '"' && out->data[out->len - 1] == '"') {
        out->data++;
        out->len -= 2;
    }
    return out->len > 0 ? ASSAY_TOKEN_ONE : ASSAY_TOKEN_NONE;
}

/* Decodes a part of a form into memory of the pool; 0 where a percent sign begins no encoded byte, NGX_ERROR without memory. */
static ngx_int_t ngx_http_assay_decode(ngx_str_t *out, ngx_str_t text, ngx_pool_t *pool)
{
    out->data = ngx_pnalloc(pool, text.len + 1);
    out->len = 0;
    if (out->data == NULL) {
        return NGX_ERROR;
    }
    for (size_t i = 0; i < text.len; i++) {
        u_char byte = text.data[i] == '+' ? ' ' : text.data[i];
        if (byte == '%') {
            ngx_int_t decoded = ngx_http_assay_decoded_byte(text.data + i, text.data + text.len);
            if (decoded < 0) {
                return 0;
            }
            byte = (u_char) decoded;
            i += 2;
        }
        out->data[out->len++] = byte;
    }
    return 1;
}

/* The query that the client sent, also after a rewrite: a part of the URL standard's form, as RFC 6750 section 2.3 has it. */
static ngx_str_t ngx_http_assay_query(ngx_http_request_t *r)
{
    ngx_str_t target = r->unparsed_uri, query = ngx_null_string;
    u_char *mark = target.len == 0 ? NULL : ngx_strlchr(target.data, target.data + target.len, '?');
    if (mark != NULL) {
        query.data = mark + 1;
        query.len = (size_t) (target.data + target.len - query.data);
    }
    return query;
}

/* The parameter called `name`, however its name is encoded. A value whose encoding is broken is the verifier's to refuse. */
ngx_http_assay_presence_e ngx_http_assay_parameter(ngx_str_t *out, ngx_http_request_t *r, ngx_str_t name)
{
    ngx_str_t rest = ngx_http_assay_query(r), decoded;
    ngx_uint_t count = 0;
    while (rest.len > 0) {
        ngx_str_t part = ngx_http_assay_next_part(&rest, '&');
        ngx_str_t encoded = ngx_http_assay_next_part(&part, '=');
        ngx_int_t result = ngx_http_assay_decode(&decoded, encoded, r->pool);
        if (result == NGX_ERROR) {
            return ASSAY_TOKEN_FAILED;
        }
        if (result == 0 || decoded.len != name.len || ngx_memcmp(decoded.data, name.data, name.len) != 0) {
            continue;
        }
        count++;
        result = ngx_http_assay_decode(out, part, r->pool);
        if (result == NGX_ERROR) {
            return ASSAY_TOKEN_FAILED;
        }
        if (result == 0) {
            *out = part;
        }
    }
    return count == 0 ? ASSAY_TOKEN_NONE : count == 1 ? ASSAY_TOKEN_ONE : ASSAY_TOKEN_SEVERAL;
}
