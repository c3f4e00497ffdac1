/* parameters.c: tokens in a cookie, and in a parameter of the query. nginx's own $cookie_NAME and $arg_NAME are the first of several. */

#include "assay_module.h"

/* One pair of a Cookie field (RFC 6265 section 4.2.1). */
typedef struct {
    ngx_str_t name;
    ngx_str_t value;
} ngx_http_assay_pair_t;

/* A name as the most lenient reader takes it, byte by byte. PHP makes an underscore of a dot, a blank and an opening bracket, cuts off the index
 * of an array and what follows a NUL, and ignores blanks in front of a name. */
typedef struct {
    ngx_str_t rest;
    ngx_uint_t is_array;
} ngx_http_assay_lenient_t;

static ngx_http_assay_lenient_t ngx_http_assay_lenient(ngx_str_t name)
{
    while (name.len > 0 && name.data[0] == ' ') {
        name.data++;
        name.len--;
    }
    return (ngx_http_assay_lenient_t) {name, name.len > 0 && ngx_strlchr(name.data, name.data + name.len, ']') != NULL};
}

/* The next byte; -1 at the end. */
static ngx_int_t ngx_http_assay_next_lenient(ngx_http_assay_lenient_t *name)
{
    if (name->rest.len == 0 || name->rest.data[0] == '\0' || (name->is_array && name->rest.data[0] == '[')) {
        return -1;
    }
    u_char byte = *name->rest.data++;
    name->rest.len--;
    return byte == '.' || byte == ' ' || byte == '[' ? '_' : byte;
}

static ngx_uint_t ngx_http_assay_is_alike(ngx_str_t given, ngx_str_t wanted, ngx_uint_t ignores_case)
{
    ngx_http_assay_lenient_t one = ngx_http_assay_lenient(given), other = ngx_http_assay_lenient(wanted);
    for (;;) {
        ngx_int_t byte = ngx_http_assay_next_lenient(&one), expected = ngx_http_assay_next_lenient(&other);
        if (ignores_case && byte >= 0 && expected >= 0) {
            byte = ngx_tolower(byte);
            expected = ngx_tolower(expected);
        }
        if (byte != expected) {
            return 0;
        }
        if (byte < 0) {
            return 1;
        }
    }
}

static ngx_uint_t ngx_http_assay_is_same(ngx_str_t one, ngx_str_t other)
{
    return one.len == other.len && ngx_memcmp(one.data, other.data, one.len) == 0;
}

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

/* How many cookies that a reader may take for `name` stand behind a comma in the text of a cookie, also in front of its first equals sign.
 * A gateway in front may have joined several fields by one, and to another reader it is part of a name or a value. */
static ngx_uint_t ngx_http_assay_hidden_cookies(ngx_str_t text, ngx_str_t name)
{
    ngx_uint_t count = 0;
    ngx_http_assay_next_part(&text, ',');
    while (text.len > 0) {
        ngx_http_assay_pair_t pair = ngx_http_assay_pair(ngx_http_assay_next_part(&text, ','));
        count += ngx_http_assay_is_alike(ngx_http_assay_trimmed(pair.name), name, 0);
    }
    return count;
}

static ngx_uint_t ngx_http_assay_cookies_of(ngx_str_t *out, ngx_str_t field, ngx_str_t name)
{
    ngx_uint_t count = 0;
    while (field.len > 0) {
        ngx_str_t text = ngx_http_assay_trimmed(ngx_http_assay_next_part(&field, ';'));
        ngx_http_assay_pair_t pair = ngx_http_assay_pair(text);
        pair.name = ngx_http_assay_trimmed(pair.name);
        /* One is enough to make them several. */
        count += 2 * ngx_http_assay_hidden_cookies(text, name);
        if (ngx_http_assay_is_alike(pair.name, name, 0)) {
            *out = ngx_http_assay_trimmed(pair.value);
            /* To another reader it is this one. */
            count += ngx_http_assay_is_same(pair.name, name) ? 1 : 2;
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

/* Decodes a part of a form into memory of the pool; 0 where a percent sign begins no encoded byte, and stands for itself; NGX_ERROR without
 * memory. */
static ngx_int_t ngx_http_assay_decode(ngx_str_t *out, ngx_str_t text, ngx_pool_t *pool)
{
    out->data = ngx_pnalloc(pool, text.len + 1);
    out->len = 0;
    ngx_int_t is_whole = 1;
    if (out->data == NULL) {
        return NGX_ERROR;
    }
    for (size_t i = 0; i < text.len; i++) {
        u_char byte = text.data[i] == '+' ? ' ' : text.data[i];
        if (byte == '%') {
            ngx_int_t decoded = ngx_http_assay_decoded_byte(text.data + i, text.data + text.len);
            is_whole &= decoded >= 0;
            byte = decoded < 0 ? '%' : (u_char) decoded;
            i += decoded < 0 ? 0 : 2;
        }
        out->data[out->len++] = byte;
    }
    return is_whole;
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

/* Whether the parameter stands behind a semicolon in another one's text, where some readers separate too; NGX_ERROR without memory. */
static ngx_int_t ngx_http_assay_hidden_parameter(ngx_str_t text, ngx_str_t name, ngx_pool_t *pool)
{
    ngx_http_assay_next_part(&text, ';');
    while (text.len > 0) {
        ngx_str_t part = ngx_http_assay_next_part(&text, ';'), decoded;
        ngx_int_t result = ngx_http_assay_decode(&decoded, ngx_http_assay_next_part(&part, '='), pool);
        if (result == NGX_ERROR || ngx_http_assay_is_alike(decoded, name, 1)) {
            return result == NGX_ERROR ? result : 1;
        }
    }
    return 0;
}

/* The parameter called `name`, however its name is encoded. A value whose encoding is broken is the verifier's to refuse. A second parameter
 * that another reader would take for this one makes them several, also where this one is absent. An empty one is none, as a cookie is. */
ngx_http_assay_presence_e ngx_http_assay_parameter(ngx_str_t *out, ngx_http_request_t *r, ngx_str_t name)
{
    ngx_str_t rest = ngx_http_assay_query(r), decoded;
    ngx_uint_t count = 0;
    while (rest.len > 0) {
        ngx_str_t part = ngx_http_assay_next_part(&rest, '&');
        ngx_int_t result = ngx_http_assay_hidden_parameter(part, name, r->pool);
        if (result != 0) {
            return result == NGX_ERROR ? ASSAY_TOKEN_FAILED : ASSAY_TOKEN_SEVERAL;
        }
        result = ngx_http_assay_decode(&decoded, ngx_http_assay_next_part(&part, '='), r->pool);
        if (result == NGX_ERROR) {
            return ASSAY_TOKEN_FAILED;
        }
        if (!ngx_http_assay_is_alike(decoded, name, 1)) {
            continue;
        }
        count += result != 0 && ngx_http_assay_is_same(decoded, name) ? 1 : 2;
        result = ngx_http_assay_decode(out, part, r->pool);
        if (result == NGX_ERROR) {
            return ASSAY_TOKEN_FAILED;
        }
        if (result == 0) {
            *out = part;
        }
    }
    if (count > 1) {
        return ASSAY_TOKEN_SEVERAL;
    }
    return count == 1 && out->len > 0 ? ASSAY_TOKEN_ONE : ASSAY_TOKEN_NONE;
}
