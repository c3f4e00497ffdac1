#include "assay_documents.h"
#include "curl_functions.h"

#include <dlfcn.h>

const ngx_http_assay_curl_t *ngx_http_assay_open_curl(ngx_log_t *log)
{
    static ngx_http_assay_curl_t curl;
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        ngx_log_error(NGX_LOG_EMERG, log, 0, "assay cannot fetch keys without libcurl: %s", dlerror());
        return NULL;
    }
#define ASSAY_FIND(name) \
    curl.name = (__typeof__(name) *) dlsym(library, #name); \
    if (curl.name == NULL) { \
        ngx_log_error(NGX_LOG_EMERG, log, 0, "assay cannot fetch keys: this libcurl has no " #name); \
        return NULL; \
    }
    ASSAY_CURL_FUNCTIONS(ASSAY_FIND)
#undef ASSAY_FIND
    return curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? &curl : NULL;
}
