#include "url.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool ae_url_read(ae_url *out, const char *text) {
    out->is_https = strncmp(text, "https://", 8) == 0;
    if (!out->is_https && strncmp(text, "http://", 7) != 0) {
        return false;
    }
    const char *authority = text + (out->is_https ? 8 : 7);
    out->authority = (assay_text){authority, strcspn(authority, "/?#")};
    out->target = ae_text(authority + out->authority.len);
    if (!out->target.len) {
        out->target = LITERAL("/");
    }
    /* A query without a path has no form as a target. */
    return out->authority.len > 0 && out->target.bytes[0] == '/';
}

/* Takes the next byte of a text that has one; -1 for a broken encoding. */
static int next_byte(assay_text *text) {
    const char *bytes = text->bytes;
    size_t used = bytes[0] == '%' && text->len >= 3 ? 3 : 1;
    int byte = bytes[0] == '+' ? ' ' : bytes[0] == '%' ? -1 : (unsigned char)bytes[0];
    if (used == 3 && isxdigit((unsigned char)bytes[1]) && isxdigit((unsigned char)bytes[2])) {
        byte = (int)strtol((char[]){bytes[1], bytes[2], 0}, NULL, 16);
    }
    text->bytes += used;
    text->len -= used;
    return byte;
}

/* Whether a part of a query, `name=value`, has this name. */
static bool is_named(assay_text part, assay_text name) {
    assay_text encoded = ae_part(&part, '=');
    size_t at = 0;
    while (encoded.len && at < name.len) {
        if (next_byte(&encoded) != (unsigned char)name.bytes[at++]) {
            return false;
        }
    }
    return !encoded.len && at == name.len;
}

void ae_parameter_remove(ae_bytes *target, assay_text name) {
    assay_text query = {target->bytes, target->len};
    target->len = ae_part(&query, '?').len;
    /* What stays moves to the front, so nothing is overwritten before it is read. */
    for (char separator = '?'; query.len;) {
        assay_text part = ae_part(&query, '&');
        if (!is_named(part, name)) {
            target->bytes[target->len++] = separator;
            memmove(target->bytes + target->len, part.bytes, part.len);
            target->len += part.len;
            separator = '&';
        }
    }
}
