/* curl_functions.h: libcurl, opened by the helper, and by a process that only looks whether that works. Neither the master nor a worker has
 * it in memory. */

#ifndef ASSAY_CURL_FUNCTIONS_H
#define ASSAY_CURL_FUNCTIONS_H

/* Its macros for checking types would call the functions by name. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define ASSAY_CURL_FUNCTIONS(each) \
    each(curl_global_init) each(curl_easy_init) each(curl_easy_setopt) each(curl_easy_getinfo) each(curl_easy_cleanup) \
    each(curl_multi_init) each(curl_multi_add_handle) each(curl_multi_remove_handle) each(curl_multi_perform) each(curl_multi_poll) \
    each(curl_multi_info_read) each(curl_slist_append) each(curl_slist_free_all)

typedef struct {
#define ASSAY_DECLARE(name) __typeof__(name) *name;
    ASSAY_CURL_FUNCTIONS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
} ngx_http_assay_curl_t;

/* curl_functions.c: NULL after a message. */
const ngx_http_assay_curl_t *ngx_http_assay_open_curl(ngx_log_t *log);

#endif
