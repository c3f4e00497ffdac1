#include "field_name.h"

#include <string.h>

static const char *const RESERVED[] = {
    "accept-encoding", "authorization", "cache-control", "connection", "content-encoding", "content-length", "content-type", "cookie",
    "date", "expect", "forwarded", "host", "http2-settings", "keep-alive", "location", "proxy-authenticate", "proxy-authorization",
    "proxy-connection", "range", "retry-after", "server", "set-cookie", "te", "trailer", "transfer-encoding", "upgrade", "via",
    "www-authenticate", "x-http-method", "x-http-method-override", "x-method-override", "x-real-ip", "x-request-id", NULL,
};
static const char *const FAMILIES[] = {"x-assay-", "x-envoy-", "x-forwarded-", "x-original-", "sec-", NULL};

static bool is_reserved(const char *name) {
    for (const char *const *word = RESERVED; *word; word++) {
        if (strcmp(*word, name) == 0) {
            return true;
        }
    }
    for (const char *const *family = FAMILIES; *family; family++) {
        if (ae_begins(ae_text(name), ae_text(*family))) {
            return true;
        }
    }
    return false;
}

void ae_check_field_name(const ae_settings *in, const char *setting, const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++) {
        if (!ae_is_plain(name[i]) && name[i] != '-') {
            ae_refuse(in, setting, "letters, digits and `-` are expected");
        }
    }
    if (length == 0 || length > 128) {
        ae_refuse(in, setting, "has between 1 and 128 characters");
    } else if (is_reserved(name)) {
        ae_refuse(in, setting, "belongs to HTTP, to Envoy or to Assay");
    }
}
