/* tokens.c: the token of a request, under the rule "exactly one": two tokens, in one place or in two, are no token but a malformed request
 * (RFC 6750 section 2). The application could take the other one. */

#include "assay_module.h"

static ngx_uint_t ngx_http_assay_is_blank(u_char byte)
{
    return byte == ' ' || byte == '\t';
}

ngx_str_t ngx_http_assay_trimmed(ngx_str_t text)
{
    while (text.len > 0 && ngx_http_assay_is_blank(text.data[0])) {
        text.data++;
        text.len--;
    }
    while (text.len > 0 && ngx_http_assay_is_blank(text.data[text.len - 1])) {
        text.len--;
    }
    return text;
}

/* What follows `Bearer` and its spaces; 0 for another scheme. */
static ngx_uint_t ngx_http_assay_credentials(ngx_str_t *out, ngx_str_t text)
{
    text = ngx_http_assay_trimmed(text);
    if (text.len < 6 || ngx_strncasecmp(text.data, (u_char *) "bearer", 6) != 0) {
        return 0;
    }
    if (text.len > 6 && !ngx_http_assay_is_blank(text.data[6])) {
        return 0;
    }
    text.data += 6;
    text.len -= 6;
    while (text.len > 0 && text.data[0] == ' ') {
        text.data++;
        text.len--;
    }
    *out = text;
    return 1;
}

/* Whether an element of a list with commas has the scheme. */
static ngx_uint_t ngx_http_assay_mentions_bearer(ngx_str_t value)
{
    ngx_str_t part = {0, value.data}, ignored;
    for (size_t i = 0; i <= value.len; i++) {
        if (i < value.len && value.data[i] != ',') {
            continue;
        }
        part.len = (size_t) (value.data + i - part.data);
        if (ngx_http_assay_credentials(&ignored, part)) {
            return 1;
        }
        part.data = value.data + i + 1;
    }
    return 0;
}

/* The value of the only field of a name, without white space around it. */
static ngx_http_assay_presence_e ngx_http_assay_field_value(ngx_str_t *out, ngx_http_request_t *r, ngx_str_t name)
{
    ngx_http_assay_presence_e presence = ASSAY_TOKEN_NONE;
    for (ngx_list_part_t *part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        ngx_table_elt_t *field = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            if (field[i].key.len != name.len || ngx_strncasecmp(field[i].key.data, name.data, name.len) != 0) {
                continue;
            }
            if (presence != ASSAY_TOKEN_NONE) {
                return ASSAY_TOKEN_SEVERAL;
            }
            presence = ASSAY_TOKEN_ONE;
            *out = ngx_http_assay_trimmed(field[i].value);
        }
    }
    return presence;
}

/* Another scheme is no token. The scheme without a token is one, which the verifier refuses. A second scheme after a comma is what another
 * reader may take instead. */
static ngx_http_assay_presence_e ngx_http_assay_authorization(ngx_str_t *out, ngx_http_request_t *r)
{
    static ngx_str_t name = ngx_string("authorization");
    ngx_str_t value;
    ngx_http_assay_presence_e presence = ngx_http_assay_field_value(&value, r, name);
    if (presence != ASSAY_TOKEN_ONE) {
        return presence;
    }
    if (value.len > 0 && ngx_strlchr(value.data, value.data + value.len, ',') != NULL) {
        return ngx_http_assay_mentions_bearer(value) ? ASSAY_TOKEN_SEVERAL : ASSAY_TOKEN_NONE;
    }
    return ngx_http_assay_credentials(out, value) ? ASSAY_TOKEN_ONE : ASSAY_TOKEN_NONE;
}

/* A comma joins several fields to one (RFC 9110 section 5.3), and no token has one. */
static ngx_http_assay_presence_e ngx_http_assay_own_field(ngx_str_t *out, ngx_http_request_t *r, ngx_str_t name)
{
    ngx_http_assay_presence_e presence = ngx_http_assay_field_value(out, r, name);
    if (presence != ASSAY_TOKEN_ONE) {
        return presence;
    }
    if (out->len == 0) {
        return ASSAY_TOKEN_NONE;
    }
    return ngx_strlchr(out->data, out->data + out->len, ',') != NULL ? ASSAY_TOKEN_SEVERAL : ASSAY_TOKEN_ONE;
}

static ngx_http_assay_presence_e ngx_http_assay_place_token(ngx_str_t *out, ngx_http_request_t *r, ngx_http_assay_place_t *place)
{
    switch (place->kind) {
    case ASSAY_PLACE_AUTHORIZATION:
        return ngx_http_assay_authorization(out, r);
    case ASSAY_PLACE_HEADER:
        return ngx_http_assay_own_field(out, r, place->name);
    case ASSAY_PLACE_COOKIE:
        return ngx_http_assay_cookie(out, r, place->name);
    case ASSAY_PLACE_QUERY:
        return ngx_http_assay_parameter(out, r, place->name);
    case ASSAY_PLACE_VALUE:
        if (ngx_http_complex_value(r, &place->value, out) != NGX_OK) {
            return ASSAY_TOKEN_FAILED;
        }
        return out->len > 0 ? ASSAY_TOKEN_ONE : ASSAY_TOKEN_NONE;
    }
    return ASSAY_TOKEN_FAILED;
}

ngx_http_assay_presence_e ngx_http_assay_token(ngx_str_t *out, ngx_http_request_t *r, ngx_array_t *places)
{
    static ngx_http_assay_place_t bearer = {.kind = ASSAY_PLACE_AUTHORIZATION};
    if (places == NULL) {
        return ngx_http_assay_place_token(out, r, &bearer);
    }
    ngx_http_assay_place_t *place = places->elts;
    ngx_http_assay_presence_e found = ASSAY_TOKEN_NONE;
    for (ngx_uint_t i = 0; i < places->nelts; i++) {
        ngx_str_t token;
        ngx_http_assay_presence_e presence = ngx_http_assay_place_token(&token, r, &place[i]);
        if (presence == ASSAY_TOKEN_NONE) {
            continue;
        }
        if (presence != ASSAY_TOKEN_ONE || found != ASSAY_TOKEN_NONE) {
            return presence == ASSAY_TOKEN_FAILED ? presence : ASSAY_TOKEN_SEVERAL;
        }
        found = ASSAY_TOKEN_ONE;
        *out = token;
    }
    return found;
}
