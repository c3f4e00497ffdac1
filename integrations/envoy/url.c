#include "url.h"

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
