#include "resource.h"

#include <stdlib.h>
#include <string.h>

/* Nothing else is looked up: other requests cost a comparison. */
static bool may_be_metadata(assay_text target) {
    static const char path[] = "/.well-known/oauth-protected-resource";
    return target.len >= sizeof path - 1 && memcmp(target.bytes, path, sizeof path - 1) == 0;
}

/* The document; NULL where no resource has its metadata there. The caller frees it. */
static char *document_of(const assay_gateway *core, const assay_request *request, size_t *len) {
    assay_text host = request->authority, target = request->target;
    *len = assay_gateway_resource_metadata(NULL, 0, core, host.bytes, host.len, target.bytes, target.len);
    char *document = *len > 0 ? ae_allocate(*len + 1, 1) : NULL;
    if (document) {
        assay_gateway_resource_metadata(document, *len + 1, core, host.bytes, host.len, target.bytes, target.len);
    }
    return document;
}

/* Pages in browsers may read it, and may send fields of their own, as the MCP SDK does. */
static void answer(void *envoy, const assay_request *request, assay_text document) {
    bool is_read = ae_equal(request->method, LITERAL("GET")) || ae_equal(request->method, LITERAL("HEAD"));
    bool is_preflight = ae_equal(request->method, LITERAL("OPTIONS"));
    envoy_header fields[4] = {
        ae_header(LITERAL("access-control-allow-origin"), LITERAL("*")),
        ae_header(LITERAL("cache-control"), LITERAL("max-age=300")),
    };
    size_t count = 2;
    if (is_read) {
        fields[count++] = ae_header(LITERAL("content-type"), LITERAL("application/json"));
    } else if (is_preflight) {
        fields[count++] = ae_header(LITERAL("access-control-allow-methods"), LITERAL("GET, HEAD"));
        fields[count++] = ae_header(LITERAL("access-control-allow-headers"), LITERAL("*"));
    } else {
        fields[count++] = ae_header(LITERAL("allow"), LITERAL("GET, HEAD, OPTIONS"));
    }
    uint32_t status = is_read ? 200 : is_preflight ? 204 : 405;
    envoy_bytes body = ae_envoy(is_read ? document : (assay_text){"", 0});
    CALLBACK(http_send_response)(envoy, status, fields, count, body, ae_envoy(LITERAL("assay_resource_metadata")));
}

bool ae_resource_answer(void *envoy, const ae_configuration *configuration, const assay_request *request) {
    size_t len;
    char *document = may_be_metadata(request->target) ? document_of(configuration->gateway->core, request, &len) : NULL;
    if (!document) {
        return false;
    }
    answer(envoy, request, (assay_text){document, len});
    free(document);
    return true;
}
