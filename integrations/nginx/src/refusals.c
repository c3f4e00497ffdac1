/* refusals.c: the answer to a refused request: a challenge (RFC 6750 section 3, RFC 9728 section 5.1), and when to come again. */

#include "assay_module.h"

#define ASSAY_LONGEST_CHALLENGE 2048

static ngx_table_elt_t *ngx_http_assay_add_answer_field(ngx_http_request_t *r, const char *name, ngx_str_t value)
{
    ngx_table_elt_t *field = ngx_list_push(&r->headers_out.headers);
    if (field == NULL) {
        return NULL;
    }
    ngx_memzero(field, sizeof(*field));
    field->hash = 1;
    field->key.data = (u_char *) name;
    field->key.len = ngx_strlen(name);
    field->value = value;
    return field;
}

/* The inside of a quoted string (RFC 9110 section 5.6.4). */
static u_char *ngx_http_assay_write_quoted(u_char *out, ngx_str_t text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '"' || text.data[i] == '\\') {
            *out++ = '\\';
        }
        *out++ = text.data[i];
    }
    return out;
}

/* The challenge for what the module found itself; a verifier's verdict has its own. NULL for `error`: it only says how to authenticate. */
static size_t ngx_http_assay_own_challenge(u_char *out, const ngx_http_assay_policy_t *policy, const char *error, const char *description)
{
    u_char *end = ngx_cpymem(out, "Bearer", 6);
    const char *separator = " ";
    if (policy->settings.realm.len > 0) {
        end = ngx_sprintf(end, "%srealm=\"", separator);
        end = ngx_http_assay_write_quoted(end, policy->settings.realm);
        *end++ = '"';
        separator = ", ";
    }
    if (error != NULL) {
        end = ngx_sprintf(end, "%serror=\"%s\", error_description=\"%s\"", separator, error, description);
        separator = ", ";
    }
    if (policy->scope.len > 0) {
        end = ngx_sprintf(end, "%sscope=\"%V\"", separator, &policy->scope);
    }
    return (size_t) (end - out);
}

static size_t ngx_http_assay_write_challenge(u_char *out, size_t size, const ngx_http_assay_verdict_t *verdict)
{
    const ngx_http_assay_policy_settings_t *settings = &verdict->policy->settings;
    switch (verdict->status) {
    case NGX_HTTP_BAD_REQUEST:
        return ngx_http_assay_own_challenge(out, verdict->policy, "invalid_request", verdict->reason);
    case NGX_HTTP_FORBIDDEN:
        if (ngx_strcmp(verdict->code, "claims_too_large") == 0) {
            return 0;
        }
        return ngx_http_assay_own_challenge(out, verdict->policy, "insufficient_scope", verdict->reason);
    case NGX_HTTP_UNAUTHORIZED:
        if (verdict->reason != NULL) {
            return ngx_http_assay_own_challenge(out, verdict->policy, NULL, NULL);
        }
        return assay_result_challenge((char *) out, size, verdict->result, (const char *) settings->realm.data, settings->realm.len, NULL,
                                      0);
    }
    return 0;
}

static ngx_int_t ngx_http_assay_challenge(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict)
{
    const ngx_http_assay_policy_settings_t *settings = &verdict->policy->settings;
    ngx_str_t value;
    /* A realm can double when it is quoted. What the limits of the configuration allow fits. */
    size_t size = ASSAY_LONGEST_CHALLENGE + 2 * settings->realm.len + verdict->policy->scope.len + settings->resource_metadata.len;
    value.data = ngx_pnalloc(r->pool, size);
    if (value.data == NULL) {
        return NGX_ERROR;
    }
    value.len = ngx_http_assay_write_challenge(value.data, ASSAY_LONGEST_CHALLENGE + 2 * settings->realm.len, verdict);
    if (value.len == 0) {
        return NGX_OK;
    }
    if (settings->resource_metadata.len > 0) {
        const char *separator = value.len == 6 ? " " : ", ";
        u_char *end = ngx_sprintf(value.data + value.len, "%sresource_metadata=\"%V\"", separator, &settings->resource_metadata);
        value.len = (size_t) (end - value.data);
    }
    if (r->headers_out.www_authenticate != NULL) {
        r->headers_out.www_authenticate->hash = 0;
    }
    r->headers_out.www_authenticate = ngx_http_assay_add_answer_field(r, "WWW-Authenticate", value);
    return r->headers_out.www_authenticate == NULL ? NGX_ERROR : NGX_OK;
}

static ngx_int_t ngx_http_assay_retry_after(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict)
{
    ngx_str_t value = {0, ngx_pnalloc(r->pool, NGX_INT_T_LEN)};
    if (value.data == NULL) {
        return NGX_ERROR;
    }
    value.len = (size_t) (ngx_sprintf(value.data, "%ui", verdict->retry_seconds) - value.data);
    verdict->retry_after = ngx_http_assay_add_answer_field(r, "Retry-After", value);
    return verdict->retry_after == NULL ? NGX_ERROR : NGX_OK;
}

/* Under `satisfy any` another module may still let the request pass. nginx knows that of 401 and 403. Another status becomes the one of the
 * answer unless another module refuses, too, or lets the request pass. */
static ngx_int_t ngx_http_assay_status_of_phase(ngx_http_request_t *r, ngx_uint_t status)
{
    ngx_http_core_loc_conf_t *location = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    if (r == r->main && location->satisfy == NGX_HTTP_SATISFY_ANY && status != NGX_HTTP_UNAUTHORIZED && status != NGX_HTTP_FORBIDDEN) {
        r->access_code = status;
        return NGX_DECLINED;
    }
    return (ngx_int_t) status;
}

ngx_int_t ngx_http_assay_refuse(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict)
{
    if (ngx_http_assay_challenge(r, verdict) != NGX_OK) {
        return NGX_ERROR;
    }
    if (verdict->status == NGX_HTTP_SERVICE_UNAVAILABLE && ngx_http_assay_retry_after(r, verdict) != NGX_OK) {
        return NGX_ERROR;
    }
    ngx_log_error(NGX_LOG_INFO, r->connection->log, 0, "assay refuses the request: %s", verdict->code);
    return ngx_http_assay_status_of_phase(r, verdict->status);
}
