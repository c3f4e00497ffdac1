/* paths.c: whether the target of a request has exactly one reading. nginx chooses a location by its own reading of the path, and passes the
 * client's bytes to the upstream: `/public/..;/admin` is public here and the administration there. So a target with dot segments, encoded
 * separators, empty segments, parameters, controls, segments that end with a space, double encoding or text that is not UTF-8 is refused.
 * The rules are those of Assay's service (Docs/Gateway.md). */

#include "assay_module.h"

static ngx_int_t ngx_http_assay_digit(u_char digit)
{
    u_char letter = digit | 0x20;
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

ngx_int_t ngx_http_assay_decoded_byte(const u_char *at, const u_char *end)
{
    if (end - at < 3 || at[0] != '%') {
        return -1;
    }
    ngx_int_t high = ngx_http_assay_digit(at[1]), low = ngx_http_assay_digit(at[2]);
    return high < 0 || low < 0 ? -1 : (high << 4 | low);
}

/* Decodes a path; 0 if a byte of it may mean something else to another reader. `has_percent` becomes 1 if a percent sign was encoded. */
static ngx_uint_t ngx_http_assay_decode_path(ngx_str_t *out, ngx_str_t raw, ngx_uint_t *has_percent)
{
    const u_char *at = raw.data, *end = raw.data + raw.len;
    while (at < end) {
        ngx_int_t byte = *at;
        if (byte == '%') {
            byte = ngx_http_assay_decoded_byte(at, end);
            if (byte < 0x20 || byte == 0x7f || byte == '\\' || byte == '/' || byte == ';') {
                return 0;
            }
            *has_percent |= byte == '%';
            at += 3;
        } else {
            if (byte <= 0x20 || byte >= 0x7f || byte == '\\' || byte == '#' || byte == ';') {
                return 0;
            }
            at++;
        }
        out->data[out->len++] = (u_char) byte;
    }
    return 1;
}

/* Whether a second decoding would make another byte of it. A percent sign in the decoded path was encoded once. */
static ngx_uint_t ngx_http_assay_is_encoded_twice(ngx_str_t path)
{
    for (size_t i = 0; i < path.len; i++) {
        if (ngx_http_assay_decoded_byte(path.data + i, path.data + path.len) >= 0) {
            return 1;
        }
    }
    return 0;
}

/* Whether a segment is no dot segment, and does not end with a space, which some servers trim. */
static ngx_uint_t ngx_http_assay_is_plain_segment(const u_char *segment, size_t len)
{
    if (len > 0 && segment[len - 1] == ' ') {
        return 0;
    }
    return !(len == 1 && segment[0] == '.') && !(len == 2 && segment[0] == '.' && segment[1] == '.');
}

static ngx_uint_t ngx_http_assay_has_plain_segments(ngx_str_t path)
{
    const u_char *start = path.data + 1, *end = path.data + path.len;
    for (const u_char *at = start; at < end; at++) {
        if (*at != '/') {
            continue;
        }
        if (at == start || !ngx_http_assay_is_plain_segment(start, (size_t) (at - start))) {
            return 0;
        }
        start = at + 1;
    }
    return ngx_http_assay_is_plain_segment(start, (size_t) (end - start));
}

static ngx_uint_t ngx_http_assay_is_utf8(ngx_str_t path)
{
    u_char *at = path.data;
    while (at < path.data + path.len) {
        if (*at < 0x80) {
            at++;
            continue;
        }
        uint32_t scalar = ngx_utf8_decode(&at, (size_t) (path.data + path.len - at));
        if (scalar > 0x10ffff || (scalar >= 0xd800 && scalar <= 0xdfff)) {
            return 0;
        }
    }
    return 1;
}

static ngx_uint_t ngx_http_assay_is_plain_query(const u_char *at, const u_char *end)
{
    for (; at < end; at++) {
        if (*at <= 0x20 || *at == 0x7f || *at == '#') {
            return 0;
        }
    }
    return 1;
}

ngx_uint_t ngx_http_assay_is_plain_target(ngx_str_t target, ngx_pool_t *pool)
{
    const u_char *end = target.data + target.len, *mark = target.data;
    while (mark < end && *mark != '?') {
        mark++;
    }
    ngx_str_t raw = {(size_t) (mark - target.data), target.data}, path = {0, ngx_pnalloc(pool, target.len + 1)};
    ngx_uint_t has_percent = 0;
    if (raw.len == 0 || raw.data[0] != '/' || path.data == NULL || !ngx_http_assay_is_plain_query(mark, end)) {
        return 0;
    }
    return ngx_http_assay_decode_path(&path, raw, &has_percent) && ngx_http_assay_has_plain_segments(path)
        && ngx_http_assay_is_utf8(path) && !(has_percent && ngx_http_assay_is_encoded_twice(path));
}
