/* decision.c: judges a request: its token, then its scopes and required values, then the fields for the upstream. */

#include "assay_module.h"

static ngx_int_t ngx_http_assay_refused(ngx_http_assay_verdict_t *verdict, ngx_uint_t status, const char *code, const char *reason)
{
    verdict->status = status;
    verdict->code = code;
    verdict->reason = reason;
    return NGX_OK;
}

/* Memory of the request for the claims of a token. A second call for the same request takes what the first one made, if it suffices. */
static ngx_int_t ngx_http_assay_make_result(ngx_http_assay_verdict_t *verdict, ngx_http_request_t *r, size_t size)
{
    if (verdict->result != NULL && verdict->result_size >= size) {
        assay_result_reset(verdict->result);
        return NGX_OK;
    }
    void *memory = ngx_pmemalign(r->pool, size, 16);
    verdict->result = memory == NULL ? NULL : assay_result_init(memory, size);
    verdict->result_size = size;
    return verdict->result == NULL ? NGX_ERROR : NGX_OK;
}

/* Most tokens need less than four bytes for each of their own. The few others are verified again with what they need. */
static ngx_int_t ngx_http_assay_verify(ngx_http_assay_verdict_t *verdict, ngx_http_request_t *r, assay_code *code)
{
    assay_verifier *verifier = verdict->policy->trust->verifier;
    const char *token = (const char *) verdict->token.data;
    if (verifier == NULL) {
        *code = ASSAY_KEYS_UNAVAILABLE;
        return NGX_OK;
    }
    if (ngx_http_assay_make_result(verdict, r, ngx_align(2048 + 2 * ngx_min(verdict->token.len, 65536), 16)) != NGX_OK) {
        return NGX_ERROR;
    }
    *code = assay_verify(verdict->result, verifier, token, verdict->token.len, ASSAY_NOW);
    if (*code != ASSAY_RESULT_TOO_SMALL) {
        return NGX_OK;
    }
    if (ngx_http_assay_make_result(verdict, r, ngx_align(assay_result_needed(verdict->result), 16)) != NGX_OK) {
        return NGX_ERROR;
    }
    *code = assay_verify(verdict->result, verifier, token, verdict->token.len, ASSAY_NOW);
    return NGX_OK;
}

/* Until the next fetch, from one second to a minute. */
static ngx_uint_t ngx_http_assay_retry_seconds(const ngx_http_assay_policy_t *policy)
{
    int64_t due = policy->trust->source->keys == NULL ? 0 : assay_keys_next_due(policy->trust->source->keys);
    return (ngx_uint_t) ngx_min(ngx_max(due / 1000 + 1, 1), 60);
}

static ngx_int_t ngx_http_assay_make_fields(ngx_http_assay_verdict_t *verdict, ngx_http_request_t *r)
{
    ngx_array_t *headers = verdict->policy->settings.headers;
    size_t total = 0;
    verdict->fields.nelts = 0;
    if (headers == NULL) {
        return NGX_OK;
    }
    if (ngx_array_init(&verdict->fields, r->pool, headers->nelts, sizeof(ngx_http_assay_field_t)) != NGX_OK) {
        return NGX_ERROR;
    }
    ngx_http_assay_header_t *header = headers->elts;
    for (ngx_uint_t i = 0; i < headers->nelts; i++) {
        ngx_http_assay_field_t *field = ngx_array_push(&verdict->fields);
        field->header = &header[i];
        if (ngx_http_assay_claim_text(&field->value, verdict->result, &header[i].claim, r->pool) != NGX_OK) {
            return NGX_ERROR;
        }
        total += field->value.len;
        if (field->value.len > ASSAY_LARGEST_FIELD || total > ASSAY_LARGEST_FIELDS) {
            verdict->fields.nelts = 0;
            return ngx_http_assay_refused(verdict, NGX_HTTP_FORBIDDEN, "claims_too_large", "the claims do not fit into the fields");
        }
    }
    return NGX_OK;
}

/* What a valid token must have beside its signature and its dates. */
static ngx_int_t ngx_http_assay_authorize(ngx_http_assay_verdict_t *verdict, ngx_http_request_t *r)
{
    const ngx_http_assay_policy_settings_t *settings = &verdict->policy->settings;
    if (!ngx_http_assay_has_scopes(verdict->result, settings->scopes)) {
        return ngx_http_assay_refused(verdict, NGX_HTTP_FORBIDDEN, "insufficient_scope", "the token lacks a scope");
    }
    if (!ngx_http_assay_fulfils(verdict->result, settings->requirements)) {
        return ngx_http_assay_refused(verdict, NGX_HTTP_FORBIDDEN, "claim_mismatch", "a claim does not have the value that is required");
    }
    verdict->status = NGX_HTTP_OK;
    verdict->code = "ok";
    verdict->reason = "the token is valid";
    return ngx_http_assay_make_fields(verdict, r);
}

ngx_int_t ngx_http_assay_decide(ngx_http_assay_verdict_t *verdict, ngx_http_request_t *r, const ngx_http_assay_policy_t *policy)
{
    verdict->policy = policy;
    verdict->fields.nelts = 0;
    if (verdict->result != NULL) {
        assay_result_reset(verdict->result);
    }
    switch (ngx_http_assay_token(&verdict->token, r, policy->settings.places)) {
    case ASSAY_TOKEN_NONE:
        return ngx_http_assay_refused(verdict, NGX_HTTP_UNAUTHORIZED, "missing_token", "the request has no token");
    case ASSAY_TOKEN_SEVERAL:
        return ngx_http_assay_refused(verdict, NGX_HTTP_BAD_REQUEST, "several_tokens", "more than one token");
    case ASSAY_TOKEN_FAILED:
        return NGX_ERROR;
    case ASSAY_TOKEN_ONE:
        break;
    }
    assay_code code;
    if (ngx_http_assay_verify(verdict, r, &code) != NGX_OK) {
        return NGX_ERROR;
    }
    if (code == ASSAY_OK) {
        return ngx_http_assay_authorize(verdict, r);
    }
    verdict->retry_seconds = code == ASSAY_KEYS_UNAVAILABLE ? ngx_http_assay_retry_seconds(policy) : 0;
    return ngx_http_assay_refused(verdict, assay_code_http_status(code), assay_code_name(code), NULL);
}
