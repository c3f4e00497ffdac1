/* text.c: claims as text in a header field. Printable ASCII stands for itself, except the percent sign. Every other byte of the UTF-8 is
 * percent-encoded, and so are spaces at the ends, which HTTP removes. So no claim can end a field, and percent-decoding gives it back. */

#include "assay_module.h"

void ngx_http_assay_write(ngx_http_assay_text_t *text, const char *bytes, size_t len)
{
    if (text->out != NULL) {
        ngx_memcpy(text->out + text->size, bytes, len);
    }
    text->size += len;
}

static void ngx_http_assay_write_encoded(ngx_http_assay_text_t *text, u_char byte)
{
    static const char digits[] = "0123456789ABCDEF";
    char encoded[3] = {'%', digits[byte >> 4], digits[byte & 15]};
    ngx_http_assay_write(text, encoded, 3);
}

/* `is_element`: elements have commas between them, so a comma inside one is encoded. */
void ngx_http_assay_write_field(ngx_http_assay_text_t *text, const char *bytes, size_t len, ngx_uint_t is_element)
{
    for (size_t i = 0; i < len; i++) {
        u_char byte = (u_char) bytes[i];
        ngx_uint_t is_outer_space = byte == ' ' && (i == 0 || i + 1 == len);
        if (byte < 0x20 || byte >= 0x7f || byte == '%' || is_outer_space || (is_element && byte == ',')) {
            ngx_http_assay_write_encoded(text, byte);
        } else {
            ngx_http_assay_write(text, bytes + i, 1);
        }
    }
}

static void ngx_http_assay_write_unit(ngx_http_assay_text_t *text, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    char escape[6] = {'\\', 'u', digits[unit >> 12 & 15], digits[unit >> 8 & 15], digits[unit >> 4 & 15], digits[unit & 15]};
    ngx_http_assay_write(text, escape, 6);
}

/* Writes the scalar at `at` as UTF-16 escapes; returns where the next one begins. The verifier has checked that the text is UTF-8. */
static const u_char *ngx_http_assay_write_scalar(ngx_http_assay_text_t *text, const u_char *at, const u_char *end)
{
    u_char *next = (u_char *) at;
    uint32_t scalar = *at < 0x80 ? *next++ : ngx_utf8_decode(&next, (size_t) (end - at));
    if (scalar > 0x10ffff) {
        return end;
    }
    if (scalar >= 0x10000) {
        ngx_http_assay_write_unit(text, 0xd800 + ((scalar - 0x10000) >> 10));
        ngx_http_assay_write_unit(text, 0xdc00 + ((scalar - 0x10000) & 0x3ff));
    } else {
        ngx_http_assay_write_unit(text, scalar);
    }
    return next;
}

/* JSON in ASCII without white space between its tokens: the same JSON (RFC 8259 section 7), and safe in a field. */
void ngx_http_assay_write_json(ngx_http_assay_text_t *text, const char *bytes, size_t len)
{
    const u_char *at = (const u_char *) bytes, *end = at + len;
    ngx_uint_t is_in_string = 0;
    while (at < end) {
        if (is_in_string && *at == '\\' && at + 1 < end) {
            ngx_http_assay_write(text, (const char *) at, 2);
            at += 2;
        } else if (*at >= 0x7f) {
            at = ngx_http_assay_write_scalar(text, at, end);
        } else {
            is_in_string ^= *at == '"';
            if (is_in_string || *at > ' ') {
                ngx_http_assay_write(text, (const char *) at, 1);
            }
            at++;
        }
    }
}
