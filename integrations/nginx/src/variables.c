/* variables.c: $assay_status, $assay_code, $assay_reason, $assay_claim_NAME, and those of assay_claim_set. They have what the last verdict
 * on the request says; before it, in the phase of rewrites, they are empty. Claims are written as fields are, so no claim breaks a log or
 * a header that holds one. A claim is there only if the request was allowed. */

#include "assay_module.h"

static ngx_http_assay_verdict_t *ngx_http_assay_shown_verdict(ngx_http_request_t *r)
{
    ngx_http_assay_verdict_t *verdict = ngx_http_assay_verdict(r);
    return verdict == NULL && r != r->main ? ngx_http_assay_verdict(r->main) : verdict;
}

static ngx_int_t ngx_http_assay_show(ngx_http_variable_value_t *v, ngx_str_t text)
{
    v->len = (unsigned) text.len;
    v->data = text.data;
    v->valid = 1;
    v->no_cacheable = 1;
    v->not_found = text.len == 0;
    return NGX_OK;
}

static ngx_int_t ngx_http_assay_show_status(ngx_http_request_t *r, ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_http_assay_verdict_t *verdict = ngx_http_assay_shown_verdict(r);
    ngx_str_t text = ngx_null_string;
    if (verdict != NULL && verdict->code != NULL) {
        text.data = ngx_pnalloc(r->pool, NGX_INT_T_LEN);
        if (text.data == NULL) {
            return NGX_ERROR;
        }
        text.len = (size_t) (ngx_sprintf(text.data, "%ui", verdict->status) - text.data);
    }
    return ngx_http_assay_show(v, text);
}

static ngx_int_t ngx_http_assay_show_code(ngx_http_request_t *r, ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_http_assay_verdict_t *verdict = ngx_http_assay_shown_verdict(r);
    ngx_str_t text = ngx_null_string;
    if (verdict != NULL && verdict->code != NULL) {
        text.data = (u_char *) verdict->code;
        text.len = ngx_strlen(verdict->code);
    }
    return ngx_http_assay_show(v, text);
}

static ngx_int_t ngx_http_assay_show_reason(ngx_http_request_t *r, ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_http_assay_verdict_t *verdict = ngx_http_assay_shown_verdict(r);
    ngx_str_t text = ngx_null_string;
    return ngx_http_assay_show(v, verdict == NULL || verdict->code == NULL ? text : verdict->reason);
}

/* A claim as printable ASCII, in memory of the request; length 0 where it is absent. */
static ngx_int_t ngx_http_assay_claim_text(ngx_str_t *out, ngx_str_t payload, const ngx_http_assay_claim_t *claim, ngx_pool_t *pool)
{
    const char *json = (const char *) payload.data, *name = (const char *) claim->text.data;
    size_t size = assay_claim_text(NULL, 0, json, payload.len, name, claim->text.len, claim->is_json) + 1;
    out->data = ngx_pnalloc(pool, size);
    if (out->data == NULL) {
        return NGX_ERROR;
    }
    out->len = assay_claim_text((char *) out->data, size, json, payload.len, name, claim->text.len, claim->is_json);
    return NGX_OK;
}

static ngx_int_t ngx_http_assay_show_claim_at(ngx_http_request_t *r, ngx_http_variable_value_t *v, const ngx_http_assay_claim_t *claim)
{
    ngx_http_assay_verdict_t *verdict = ngx_http_assay_shown_verdict(r);
    ngx_str_t text = ngx_null_string;
    if (verdict != NULL && verdict->payload.len > 0 && ngx_http_assay_claim_text(&text, verdict->payload, claim, r->pool) != NGX_OK)
    {
        return NGX_ERROR;
    }
    return ngx_http_assay_show(v, text);
}

/* $assay_claim_NAME. nginx reads names of variables in lower case. */
static ngx_int_t ngx_http_assay_show_claim(ngx_http_request_t *r, ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_str_t *name = (ngx_str_t *) data;
    size_t prefix = sizeof("assay_claim_") - 1;
    ngx_http_assay_claim_t claim = {.text = {name->len - prefix, name->data + prefix}};
    return ngx_http_assay_show_claim_at(r, v, &claim);
}

static ngx_int_t ngx_http_assay_show_set_claim(ngx_http_request_t *r, ngx_http_variable_value_t *v, uintptr_t data)
{
    return ngx_http_assay_show_claim_at(r, v, (const ngx_http_assay_claim_t *) data);
}

static ngx_http_variable_t ngx_http_assay_variables[] = {
    {ngx_string("assay_status"), NULL, ngx_http_assay_show_status, 0, NGX_HTTP_VAR_NOCACHEABLE, 0},
    {ngx_string("assay_code"), NULL, ngx_http_assay_show_code, 0, NGX_HTTP_VAR_NOCACHEABLE, 0},
    {ngx_string("assay_reason"), NULL, ngx_http_assay_show_reason, 0, NGX_HTTP_VAR_NOCACHEABLE, 0},
    {ngx_string("assay_claim_"), NULL, ngx_http_assay_show_claim, 0, NGX_HTTP_VAR_NOCACHEABLE | NGX_HTTP_VAR_PREFIX, 0},
    ngx_http_null_variable
};

ngx_int_t ngx_http_assay_add_variables(ngx_conf_t *cf)
{
    for (ngx_http_variable_t *wanted = ngx_http_assay_variables; wanted->name.len > 0; wanted++) {
        ngx_http_variable_t *variable = ngx_http_add_variable(cf, &wanted->name, wanted->flags);
        if (variable == NULL) {
            return NGX_ERROR;
        }
        variable->get_handler = wanted->get_handler;
        variable->data = wanted->data;
    }
    return NGX_OK;
}

/* nginx gives each variable of a configuration an index. What only SSI or a script names has none, and needs assay_claim_set. */
ngx_uint_t ngx_http_assay_names_claims(ngx_conf_t *cf)
{
    const ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    const ngx_http_core_main_conf_t *core = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
    const ngx_http_variable_t *variable = core->variables.elts;
    static const char prefix[] = "assay_claim_";
    for (ngx_uint_t i = 0; i < core->variables.nelts; i++) {
        if (variable[i].name.len > sizeof(prefix) - 1 && ngx_strncmp(variable[i].name.data, prefix, sizeof(prefix) - 1) == 0) {
            return 1;
        }
    }
    return conf->shows_claims != 0;
}

/* A JSON Pointer begins with a slash, and each ~ in it is ~0 or ~1 (RFC 6901 section 3). */
static ngx_uint_t ngx_http_assay_is_claim(ngx_str_t text)
{
    if (text.len == 0 || text.data[0] != '/') {
        return text.len > 0;
    }
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '~' && (i + 1 == text.len || (text.data[i + 1] != '0' && text.data[i + 1] != '1'))) {
            return 0;
        }
    }
    return 1;
}

/* assay_claim_set $variable CLAIM [json]; */
char *ngx_http_assay_claim_set(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t *words = cf->args->elts, name = words[1];
    if (name.len < 2 || name.data[0] != '$') {
        return "needs a variable";
    }
    if (cf->args->nelts == 4 && ngx_strcmp(words[3].data, "json") != 0) {
        return "has a parameter that is not \"json\"";
    }
    if (!ngx_http_assay_is_claim(words[2])) {
        return "has an invalid claim";
    }
    name.data++;
    name.len--;
    ngx_http_assay_claim_t *claim = ngx_pcalloc(cf->pool, sizeof(*claim));
    ngx_http_variable_t *variable = ngx_http_add_variable(cf, &name, NGX_HTTP_VAR_NOCACHEABLE);
    if (claim == NULL || variable == NULL) {
        return NGX_CONF_ERROR;
    }
    claim->text = words[2];
    claim->is_json = cf->args->nelts == 4;
    ngx_http_assay_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    main->shows_claims = 1;
    variable->get_handler = ngx_http_assay_show_set_claim;
    variable->data = (uintptr_t) claim;
    return NGX_CONF_OK;
}
