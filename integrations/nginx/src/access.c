/* access.c: when nginx asks the module.
 *
 * | phase      | what happens                                                                                                  |
 * |------------|---------------------------------------------------------------------------------------------------------------|
 * | post read  | once for a request of a client: CONNECT and targets with two readings are refused, protected fields go out    |
 * | preaccess  | subrequests, for which nginx skips the access phase, are judged where their location requires it              |
 * | access     | a request of a client, and after an internal redirect again, is judged; `satisfy` counts                      |
 * | precontent | the fields for the upstream are put in, empty where there is no claim                                         |
 */

#include "assay_module.h"

static ngx_int_t ngx_http_assay_refuse_target(ngx_http_request_t *r)
{
    ngx_http_assay_verdict_t *verdict = ngx_http_assay_new_verdict(r);
    if (verdict == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }
    verdict->status = NGX_HTTP_BAD_REQUEST;
    verdict->code = "ambiguous_path";
    ngx_str_set(&verdict->reason, "ambiguous_path: the target has more than one reading");
    ngx_log_error(NGX_LOG_INFO, r->connection->log, 0, "assay refuses the request: %s", verdict->code);
    return NGX_HTTP_BAD_REQUEST;
}

/* nginx refuses CONNECT itself since 1.21.1. Before, it is a method like others, and the upstream may open a tunnel. */
static ngx_uint_t ngx_http_assay_asks_for_tunnel(ngx_http_request_t *r)
{
    return r->method_name.len == 7 && ngx_strncmp(r->method_name.data, "CONNECT", 7) == 0;
}

static ngx_uint_t ngx_http_assay_is_plain_target(ngx_str_t target)
{
    return (ngx_uint_t) assay_target_is_plain((const char *) target.data, target.len);
}

static ngx_int_t ngx_http_assay_post_read(ngx_http_request_t *r)
{
    ngx_http_assay_srv_conf_t *server = ngx_http_get_module_srv_conf(r, ngx_http_assay_module);
    if (server->is_used && ngx_http_assay_asks_for_tunnel(r)) {
        return NGX_HTTP_NOT_ALLOWED;
    }
    if (server->is_used && server->paths == ASSAY_PATHS_STRICT && !ngx_http_assay_is_plain_target(r->unparsed_uri)) {
        return ngx_http_assay_refuse_target(r);
    }
    if (server->names->nelts > 0 && ngx_http_assay_replace_fields(r, server->names, NULL, 0) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }
    return NGX_DECLINED;
}

/* Judges a request: NGX_OK, NGX_AGAIN while it waits for keys, or the status of the refusal. */
static ngx_int_t ngx_http_assay_judge(ngx_http_request_t *r, const ngx_http_assay_policy_t *policy)
{
    ngx_http_assay_verdict_t *verdict = ngx_http_assay_new_verdict(r);
    if (verdict == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }
    verdict->policy = policy;
    assay_code code = ngx_http_assay_decide(verdict, r, ngx_http_assay_may_wait(verdict));
    if (code == ASSAY_AWAITING_KEYS && ngx_http_assay_is_fetching(policy->gateway)) {
        return ngx_http_assay_wait(r, verdict);
    }
    if (code == ASSAY_AWAITING_KEYS) {
        code = ngx_http_assay_decide(verdict, r, 0);
    }
    if (code == ASSAY_INVALID_ARGUMENT) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }
    if (code != ASSAY_OK) {
        return ngx_http_assay_refuse(r, verdict);
    }
    return ngx_http_assay_give_nonce(r, verdict) == NGX_OK ? NGX_OK : NGX_HTTP_INTERNAL_SERVER_ERROR;
}

static ngx_int_t ngx_http_assay_access(ngx_http_request_t *r)
{
    ngx_http_assay_loc_conf_t *location = ngx_http_get_module_loc_conf(r, ngx_http_assay_module);
    return location->is_on && !location->serves_metadata ? ngx_http_assay_judge(r, location->policy) : NGX_DECLINED;
}

/* A subrequest has the token of its client, and shares the verdict of its main request where that was judged by the same policy. */
static ngx_int_t ngx_http_assay_preaccess(ngx_http_request_t *r)
{
    ngx_http_assay_loc_conf_t *location = ngx_http_get_module_loc_conf(r, ngx_http_assay_module);
    if (r == r->main || !location->is_on || location->serves_metadata) {
        return NGX_DECLINED;
    }
    ngx_http_assay_verdict_t *verdict = ngx_http_assay_verdict(r->main);
    if (verdict != NULL && verdict->policy == location->policy && verdict->status == NGX_HTTP_OK) {
        ngx_http_set_ctx(r, verdict, ngx_http_assay_module);
        return NGX_DECLINED;
    }
    ngx_int_t result = ngx_http_assay_judge(r, location->policy);
    return result == NGX_OK ? NGX_DECLINED : result;
}

/* The fields of this location: the verdict's, or all empty where another module let the request pass (`satisfy any`). */
static ngx_int_t ngx_http_assay_fields_of(ngx_http_request_t *r, ngx_http_assay_loc_conf_t *location, ngx_array_t *out)
{
    ngx_http_assay_verdict_t *verdict = ngx_http_assay_verdict(r);
    if (verdict != NULL && verdict->policy == location->policy && verdict->status == NGX_HTTP_OK) {
        *out = verdict->fields;
        return NGX_OK;
    }
    return ngx_http_assay_empty_fields(out, r, location->headers);
}

/* Another module let the request pass, so the answer is no refusal any more. nginx has taken the challenge back itself. */
static void ngx_http_assay_take_back(ngx_http_request_t *r)
{
    ngx_http_assay_verdict_t *verdict = ngx_http_assay_verdict(r);
    if (verdict != NULL && verdict->retry_field != NULL) {
        verdict->retry_field->hash = 0;
        verdict->retry_field = NULL;
    }
}

static ngx_int_t ngx_http_assay_precontent(ngx_http_request_t *r)
{
    ngx_http_assay_srv_conf_t *server = ngx_http_get_module_srv_conf(r, ngx_http_assay_module);
    ngx_http_assay_loc_conf_t *location = ngx_http_get_module_loc_conf(r, ngx_http_assay_module);
    ngx_array_t fields;
    ngx_memzero(&fields, sizeof(fields));
    if (location->is_on) {
        ngx_http_assay_take_back(r);
        if (ngx_http_assay_fields_of(r, location, &fields) != NGX_OK) {
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }
    }
    if (server->names->nelts > 0 && ngx_http_assay_replace_fields(r, server->names, fields.elts, fields.nelts) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }
    return NGX_DECLINED;
}

ngx_int_t ngx_http_assay_init_phases(ngx_conf_t *cf)
{
    static const struct {
        ngx_http_phases phase;
        ngx_http_handler_pt handler;
    } handlers[] = {
        {NGX_HTTP_POST_READ_PHASE, ngx_http_assay_post_read}, {NGX_HTTP_PREACCESS_PHASE, ngx_http_assay_preaccess},
        {NGX_HTTP_ACCESS_PHASE, ngx_http_assay_access}, {NGX_HTTP_PRECONTENT_PHASE, ngx_http_assay_precontent}
    };
    ngx_http_core_main_conf_t *core = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
    for (ngx_uint_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
        ngx_http_handler_pt *handler = ngx_array_push(&core->phases[handlers[i].phase].handlers);
        if (handler == NULL) {
            return NGX_ERROR;
        }
        *handler = handlers[i].handler;
    }
    return NGX_OK;
}
