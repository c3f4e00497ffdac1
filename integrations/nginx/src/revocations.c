/* revocations.c: says in the log when the file of revocations cannot be used, and when it can again. libassay reads it, and keeps the list that
 * it has. */

#include "assay_documents.h"

/* The fault that the log has; empty without one. */
static char ngx_http_assay_noted[512];

/* The status of a gateway, which ends with a NUL. NULL without memory. */
static char *ngx_http_assay_status(const assay_gateway *core)
{
    size_t size = assay_gateway_status(NULL, 0, core) + 1024;
    char *text = ngx_alloc(size, ngx_cycle->log);
    if (text != NULL) {
        assay_gateway_status(text, size, core);
    }
    return text;
}

void ngx_http_assay_note_revocations(const assay_gateway *core, ngx_str_t path)
{
    char *text = ngx_http_assay_status(core);
    json_t *status = text == NULL ? NULL : json_loads(text, 0, NULL);
    const char *fault = json_string_value(json_object_get(json_object_get(status, "revocations"), "fault"));
    ngx_uint_t level = ngx_worker == 0 ? NGX_LOG_ERR : NGX_LOG_WARN;
    if (status != NULL && ngx_strncmp(ngx_http_assay_noted, fault == NULL ? "" : fault, sizeof(ngx_http_assay_noted) - 1) != 0) {
        if (fault != NULL) {
            ngx_log_error(level, ngx_cycle->log, 0, "assay cannot use \"%V\" as it is now: %s", &path, fault);
        } else {
            ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0, "assay uses \"%V\" again", &path);
        }
        ngx_cpystrn((u_char *) ngx_http_assay_noted, (u_char *) (fault == NULL ? "" : fault), sizeof(ngx_http_assay_noted));
    }
    json_decref(status);
    ngx_free(text);
}
