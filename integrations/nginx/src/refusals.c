/* refusals.c: the answer to a refused request: libassay's challenge, or where a browser is sent, and when to come again. */

#include "assay_module.h"

ngx_table_elt_t *ngx_http_assay_add_answer_field(ngx_http_request_t *r, const char *name, ngx_str_t value)
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

static ngx_int_t ngx_http_assay_challenge(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict)
{
    if (verdict->challenge.len == 0) {
        return NGX_OK;
    }
    if (r->headers_out.www_authenticate != NULL) {
        r->headers_out.www_authenticate->hash = 0;
    }
    r->headers_out.www_authenticate = ngx_http_assay_add_answer_field(r, "WWW-Authenticate", verdict->challenge);
    return r->headers_out.www_authenticate == NULL ? NGX_ERROR : NGX_OK;
}

static ngx_int_t ngx_http_assay_retry(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict)
{
    ngx_str_t value = {0, ngx_pnalloc(r->pool, NGX_INT64_LEN)};
    if (value.data == NULL) {
        return NGX_ERROR;
    }
    value.len = (size_t) (ngx_sprintf(value.data, "%L", verdict->retry_after) - value.data);
    verdict->retry_field = ngx_http_assay_add_answer_field(r, "Retry-After", value);
    return verdict->retry_field == NULL ? NGX_ERROR : NGX_OK;
}

/* The field that an earlier verdict about the same request has added: about a subrequest, or before an internal redirect. */
static ngx_table_elt_t *ngx_http_assay_nonce_field(ngx_http_request_t *r, const char *name)
{
    for (ngx_list_part_t *part = &r->headers_out.headers.part; part != NULL; part = part->next) {
        ngx_table_elt_t *field = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            if (field[i].hash != 0 && field[i].key.data == (const u_char *) name) {
                return &field[i];
            }
        }
    }
    return NULL;
}

/* Only the main request has an answer with fields. Of several nonces a client would take all for one. */
ngx_int_t ngx_http_assay_give_nonce(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict)
{
    static const char name[] = "DPoP-Nonce";
    if (verdict->nonce.len == 0 || r->main->header_sent) {
        return NGX_OK;
    }
    ngx_table_elt_t *field = ngx_http_assay_nonce_field(r->main, name);
    if (field == NULL) {
        return ngx_http_assay_add_answer_field(r->main, name, verdict->nonce) != NULL ? NGX_OK : NGX_ERROR;
    }
    field->value = verdict->nonce;
    return NGX_OK;
}

/* A subrequest has no browser. Under `satisfy any` another module may still let the request pass, and nginx ends it at a redirect. */
static ngx_uint_t ngx_http_assay_redirects(ngx_http_request_t *r, const ngx_http_assay_verdict_t *verdict)
{
    ngx_http_core_loc_conf_t *location = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    return verdict->location.len > 0 && r == r->main && location->satisfy == NGX_HTTP_SATISFY_ALL;
}

/* `Location` is a field like others: nginx would put a host of its own before a path in `headers_out.location`. */
static ngx_int_t ngx_http_assay_redirect(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict)
{
    static ngx_str_t not_stored = ngx_string("no-store"), depends = ngx_string("Accept, Sec-Fetch-Mode");
    verdict->status = NGX_HTTP_MOVED_TEMPORARILY;
    return ngx_http_assay_add_answer_field(r, "Location", verdict->location) != NULL
            && ngx_http_assay_add_answer_field(r, "Cache-Control", not_stored) != NULL
            && ngx_http_assay_add_answer_field(r, "Vary", depends) != NULL
        ? NGX_OK
        : NGX_ERROR;
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
    ngx_uint_t redirects = ngx_http_assay_redirects(r, verdict);
    if ((redirects ? ngx_http_assay_redirect(r, verdict) : ngx_http_assay_challenge(r, verdict)) != NGX_OK) {
        return NGX_ERROR;
    }
    if (ngx_http_assay_give_nonce(r, verdict) != NGX_OK) {
        return NGX_ERROR;
    }
    if (verdict->retry_after >= 0 && ngx_http_assay_retry(r, verdict) != NGX_OK) {
        return NGX_ERROR;
    }
    ngx_log_error(NGX_LOG_INFO, r->connection->log, 0, "assay refuses the request: %s", verdict->code);
    return ngx_http_assay_status_of_phase(r, verdict->status);
}
