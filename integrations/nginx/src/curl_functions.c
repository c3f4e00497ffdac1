#include "assay_documents.h"
#include "curl_functions.h"

#include <dlfcn.h>

const ngx_http_assay_curl_t *ngx_http_assay_open_curl(ngx_log_t *log)
{
    static ngx_http_assay_curl_t curl;
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        ngx_log_error(NGX_LOG_EMERG, log, 0, "assay cannot fetch keys without libcurl: %s. Install the package libcurl4", dlerror());
        return NULL;
    }
#define ASSAY_FIND(name) \
    curl.name = (__typeof__(name) *) dlsym(library, #name); \
    if (curl.name == NULL) { \
        ngx_log_error(NGX_LOG_EMERG, log, 0, "assay cannot fetch keys: this libcurl has no " #name ". Install the package libcurl4"); \
        return NULL; \
    }
    ASSAY_CURL_FUNCTIONS(ASSAY_FIND)
#undef ASSAY_FIND
    return curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? &curl : NULL;
}

/* In a process of its own: libraries that libcurl brings along stay in memory after it is closed, and workers would inherit them. */
ngx_int_t ngx_http_assay_check_curl(ngx_log_t *log)
{
    int status = 0;
    pid_t ended, process = fork();
    if (process == -1) {
        ngx_log_error(NGX_LOG_EMERG, log, ngx_errno, "fork() failed");
        return NGX_ERROR;
    }
    if (process == 0) {
        _exit(ngx_http_assay_open_curl(log) == NULL);
    }
    do {
        ended = waitpid(process, &status, 0);
    } while (ended == -1 && ngx_errno == NGX_EINTR);
    return ended == process && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NGX_OK : NGX_ERROR;
}
