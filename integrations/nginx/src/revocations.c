/* revocations.c: says in the log when a file of revocations cannot be used, and when it can again. libassay reads it, and keeps the entries
 * that it has. */

#include "assay_documents.h"

/* The faults that the error log has, of the list and of the log; empty without one. */
static char ngx_http_assay_noted_list[512];
static char ngx_http_assay_noted_log[512];
/* When the next look is due. The feed may run more often. */
static ngx_msec_t ngx_http_assay_note_due;

char *ngx_http_assay_status(const assay_gateway *core)
{
    size_t size = assay_gateway_status(NULL, 0, core) + 1024;
    char *text = ngx_alloc(size, ngx_cycle->log);
    if (text != NULL) {
        assay_gateway_status(text, size, core);
    }
    return text;
}

static void ngx_http_assay_note_fault(char noted[512], const char *fault, const ngx_str_t *path)
{
    ngx_uint_t level = ngx_worker == 0 ? NGX_LOG_ERR : NGX_LOG_WARN;
    if (ngx_strncmp(noted, fault == NULL ? "" : fault, 511) != 0) {
        if (fault != NULL) {
            ngx_log_error(level, ngx_cycle->log, 0, "assay cannot use \"%V\" as it is now: %s", path, fault);
        } else {
            ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0, "assay uses \"%V\" again", path);
        }
        ngx_cpystrn((u_char *) noted, (u_char *) (fault == NULL ? "" : fault), 512);
    }
}

void ngx_http_assay_note_revocations(const assay_gateway *core, const ngx_http_assay_main_conf_t *conf)
{
    if ((ngx_msec_int_t) (ngx_current_msec - ngx_http_assay_note_due) < 0) {
        return;
    }
    ngx_http_assay_note_due = ngx_current_msec + 1000;
    char *text = ngx_http_assay_status(core);
    json_t *status = text == NULL ? NULL : json_loads(text, 0, NULL), *list = json_object_get(status, "revocations");
    if (status != NULL) {
        const char *fault = json_string_value(json_object_get(list, "fault"));
        ngx_http_assay_note_fault(ngx_http_assay_noted_list, fault, &conf->revocations);
        fault = json_string_value(json_object_get(json_object_get(list, "log"), "fault"));
        ngx_http_assay_note_fault(ngx_http_assay_noted_log, fault, &conf->revocation_log);
    }
    json_decref(status);
    ngx_free(text);
}
