/* decision.c: describes a request to libassay, and takes its decision over into memory of the request. */

#include "assay_module.h"

/* The worker's memory, which serves for one request after the other. */
static assay_decision *ngx_http_assay_decision;
static assay_field ngx_http_assay_request_fields[ASSAY_MOST_FIELDS];

ngx_int_t ngx_http_assay_start_deciding(void)
{
    return assay_decision_new(&ngx_http_assay_decision) == ASSAY_OK ? NGX_OK : NGX_ERROR;
}

void ngx_http_assay_stop_deciding(void)
{
    assay_decision_free(ngx_http_assay_decision);
    ngx_http_assay_decision = NULL;
}

/* The number of the request's fields; NGX_ERROR for more than libassay takes. */
static ngx_int_t ngx_http_assay_describe_fields(ngx_http_request_t *r)
{
    ngx_int_t count = 0;
    for (ngx_list_part_t *part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        ngx_table_elt_t *field = part->elts;
        if (part->nelts > (ngx_uint_t) (ASSAY_MOST_FIELDS - count)) {
            return NGX_ERROR;
        }
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            ngx_http_assay_request_fields[count].name = ngx_http_assay_lent(field[i].key);
            ngx_http_assay_request_fields[count++].value = ngx_http_assay_lent(field[i].value);
        }
    }
    return count;
}

/* The tokens that stand in texts with variables are the gateway's own context. */
static ngx_int_t ngx_http_assay_describe_context(assay_request *request, ngx_http_request_t *r, const ngx_array_t *values)
{
    ngx_http_assay_value_t *value = values == NULL ? NULL : values->elts;
    assay_field *context = values == NULL ? NULL : ngx_palloc(r->pool, values->nelts * sizeof(*context));
    if (values != NULL && context == NULL) {
        return NGX_ERROR;
    }
    for (ngx_uint_t i = 0; values != NULL && i < values->nelts; i++) {
        ngx_str_t text;
        if (ngx_http_complex_value(r, &value[i].text, &text) != NGX_OK) {
            return NGX_ERROR;
        }
        context[i] = (assay_field) {ngx_http_assay_lent(value[i].name), ngx_http_assay_lent(text)};
    }
    request->context = context;
    request->context_count = values == NULL ? 0 : values->nelts;
    return NGX_OK;
}

/* Whether `Host` names what nginx serves. By an absolute target nginx serves the host of the target, whatever `Host` says. */
static int ngx_http_assay_names_served(ngx_http_request_t *r)
{
    ngx_str_t host = r->headers_in.host->value, served = r->main->headers_in.server;
    if (r->main->host_start == NULL) {
        return 1;
    }
    /* Without its port; an IPv6 address has colons of its own. */
    u_char *end = ngx_strlchr(host.data, host.data + host.len, host.len > 0 && host.data[0] == '[' ? ']' : ':');
    size_t len = end == NULL ? host.len : (size_t) (end - host.data) + (*end == ']');
    if (len > 0 && host.data[len - 1] == '.') {
        len--;
    }
    return len == served.len && ngx_strncasecmp(host.data, served.data, len) == 0;
}

static ngx_int_t ngx_http_assay_describe(assay_request *request, ngx_http_request_t *r, const ngx_http_assay_policy_t *policy)
{
    static ngx_str_t root = ngx_string("/");
    ngx_int_t count = ngx_http_assay_describe_fields(r);
    *request = (assay_request) {
        .size = sizeof(*request), .method = ngx_http_assay_lent(r->method_name), .fields = ngx_http_assay_request_fields,
        .field_count = (size_t) count, .policy = ngx_http_assay_lent(policy->name),
        .target = ngx_http_assay_lent(r->unparsed_uri.len > 0 ? r->unparsed_uri : root)
    };
#if (NGX_HTTP_SSL)
    request->scheme = r->connection->ssl != NULL ? (assay_text) {"https", 5} : (assay_text) {"http", 4};
#else
    request->scheme = (assay_text) {"http", 4};
#endif
    if (policy->gateway->counts_uses) {
        ngx_http_assay_describe_uses(request, r);
    }
    if (r->headers_in.host != NULL && ngx_http_assay_names_served(r)) {
        request->authority = ngx_http_assay_lent(r->headers_in.host->value);
    }
    if (count == NGX_ERROR || ngx_http_assay_describe_certificate(request, r) != NGX_OK) {
        return NGX_ERROR;
    }
    return ngx_http_assay_describe_context(request, r, policy->values);
}

static ngx_int_t ngx_http_assay_copy(ngx_str_t *out, ngx_pool_t *pool, assay_text text)
{
    out->len = 0;
    out->data = ngx_pnalloc(pool, text.len + 1);
    if (out->data == NULL) {
        return NGX_ERROR;
    }
    ngx_memcpy(out->data, text.bytes, text.len);
    out->len = text.len;
    return NGX_OK;
}

/* Sets the value of the field that an operation is about. NGX_ERROR also for an operation that nginx has no field for. */
static ngx_int_t ngx_http_assay_take_operation(ngx_http_assay_verdict_t *verdict, const assay_operation *operation)
{
    ngx_http_assay_field_t *field = verdict->fields.elts;
    for (ngx_uint_t i = 0; operation->kind == ASSAY_SET_FIELD && i < verdict->fields.nelts; i++) {
        ngx_str_t name = field[i].header->plain_name;
        if (name.len == operation->name.len && ngx_memcmp(name.data, operation->name.bytes, name.len) == 0) {
            return ngx_http_assay_copy(&field[i].value, verdict->request->pool, operation->value);
        }
    }
    return NGX_ERROR;
}

static ngx_int_t ngx_http_assay_take_fields(ngx_http_assay_verdict_t *verdict)
{
    assay_operation operation;
    if (ngx_http_assay_empty_fields(&verdict->fields, verdict->request, verdict->policy->headers) != NGX_OK) {
        return NGX_ERROR;
    }
    for (size_t i = 0; assay_decision_operation(&operation, ngx_http_assay_decision, i) == ASSAY_OK; i++) {
        if (ngx_http_assay_take_operation(verdict, &operation) != NGX_OK) {
            return NGX_ERROR;
        }
    }
    return NGX_OK;
}

static ngx_int_t ngx_http_assay_take_admission(ngx_http_assay_verdict_t *verdict)
{
    assay_metadata metadata;
    if (assay_decision_metadata(&metadata, ngx_http_assay_decision, 0) == ASSAY_OK
        && ngx_http_assay_copy(&verdict->payload, verdict->request->pool, metadata.json) != NGX_OK)
    {
        return NGX_ERROR;
    }
    return ngx_http_assay_take_fields(verdict);
}

static ngx_int_t ngx_http_assay_take_refusal(ngx_http_assay_verdict_t *verdict)
{
    ngx_pool_t *pool = verdict->request->pool;
    assay_text text;
    verdict->retry_after = assay_decision_retry_after(ngx_http_assay_decision);
    if (assay_decision_challenge(&text.bytes, &text.len, ngx_http_assay_decision) == ASSAY_OK
        && ngx_http_assay_copy(&verdict->challenge, pool, text) != NGX_OK)
    {
        return NGX_ERROR;
    }
    if (assay_decision_location(&text.bytes, &text.len, ngx_http_assay_decision) != ASSAY_OK) {
        return NGX_OK;
    }
    return ngx_http_assay_copy(&verdict->location, pool, text);
}

/* What became of a request of a gateway that counts uses. */
static ngx_int_t ngx_http_assay_take_uses(ngx_http_assay_verdict_t *verdict)
{
    assay_text text;
    if (ngx_http_assay_keep_uses(verdict->request, ngx_http_assay_decision) != NGX_OK) {
        return NGX_ERROR;
    }
    if (assay_decision_proof_nonce(&text.bytes, &text.len, ngx_http_assay_decision) != ASSAY_OK) {
        return NGX_OK;
    }
    return ngx_http_assay_copy(&verdict->nonce, verdict->request->pool, text);
}

static ngx_int_t ngx_http_assay_take_reason(ngx_http_assay_verdict_t *verdict)
{
    char sentence[512];
    size_t len = assay_decision_reason(sentence, sizeof(sentence), ngx_http_assay_decision);
    return ngx_http_assay_copy(&verdict->reason, verdict->request->pool, (assay_text) {sentence, len < sizeof(sentence) ? len : 0});
}

static void ngx_http_assay_clear(ngx_http_assay_verdict_t *verdict)
{
    ngx_str_null(&verdict->reason);
    ngx_str_null(&verdict->challenge);
    ngx_str_null(&verdict->location);
    ngx_str_null(&verdict->nonce);
    ngx_str_null(&verdict->payload);
    verdict->fields.nelts = 0;
    verdict->retry_after = -1;
    verdict->status = NGX_HTTP_INTERNAL_SERVER_ERROR;
    verdict->code = NULL;
}

assay_code ngx_http_assay_decide(ngx_http_assay_verdict_t *verdict, ngx_http_request_t *r, ngx_uint_t may_wait)
{
    assay_request request;
    ngx_http_assay_clear(verdict);
    if (ngx_http_assay_describe(&request, r, verdict->policy) != NGX_OK) {
        return ASSAY_INVALID_ARGUMENT;
    }
    request.may_wait = (uint32_t) may_wait;
    assay_code code = assay_gateway_decide(ngx_http_assay_decision, verdict->policy->gateway->core, &request, ASSAY_NOW);
    if (code == ASSAY_AWAITING_KEYS || code == ASSAY_INVALID_ARGUMENT) {
        return code;
    }
    assay_code waived = assay_decision_waived(ngx_http_assay_decision);
    ngx_int_t result = code == ASSAY_OK ? ngx_http_assay_take_admission(verdict) : ngx_http_assay_take_refusal(verdict);
    if (result == NGX_OK && verdict->policy->gateway->counts_uses) {
        result = ngx_http_assay_take_uses(verdict);
    }
    ngx_str_set(&verdict->reason, "ok: the token is valid");
    if (result == NGX_OK && (code != ASSAY_OK || waived != ASSAY_OK)) {
        result = ngx_http_assay_take_reason(verdict);
    }
    if (result != NGX_OK) {
        return ASSAY_INVALID_ARGUMENT;
    }
    verdict->status = assay_decision_status(ngx_http_assay_decision);
    verdict->code = assay_code_name(waived != ASSAY_OK ? waived : code);
    return code;
}
