/* requirements.c: scopes, and claims that must have certain values. */

#include "assay_module.h"

/* Whether `word` is one of the words between spaces in `text`. */
static ngx_uint_t ngx_http_assay_is_word(ngx_str_t word, const char *text, size_t len)
{
    const char *end = text + len;
    while (text < end) {
        const char *space = memchr(text, ' ', (size_t) (end - text));
        size_t size = (size_t) ((space == NULL ? end : space) - text);
        if (size == word.len && ngx_memcmp(text, word.data, size) == 0) {
            return 1;
        }
        text += size + 1;
    }
    return 0;
}

/* Whether a claim, a string with spaces or an array of strings, has the scope. An element with a space is no scope, and cannot be `scope`,
 * which has none. */
static ngx_uint_t ngx_http_assay_grants(const assay_result *result, const char *claim, ngx_str_t scope)
{
    assay_value value, element;
    const char *text;
    size_t len;
    if (assay_result_claim(&value, result, claim, ngx_strlen(claim)) != ASSAY_OK) {
        return 0;
    }
    if (assay_value_string(&text, &len, &value) == ASSAY_OK) {
        return ngx_http_assay_is_word(scope, text, len);
    }
    for (size_t i = 0; assay_value_element(&element, &value, i) == ASSAY_OK; i++) {
        if (assay_value_string(&text, &len, &element) == ASSAY_OK && len == scope.len && ngx_memcmp(text, scope.data, len) == 0) {
            return 1;
        }
    }
    return 0;
}

/* All scopes are needed. A token with `scope` (RFC 8693 section 4.2) and `scp`, as some providers write it, has those of both. */
ngx_uint_t ngx_http_assay_has_scopes(const assay_result *result, ngx_array_t *scopes)
{
    ngx_str_t *scope = scopes == NULL ? NULL : scopes->elts;
    for (ngx_uint_t i = 0; scopes != NULL && i < scopes->nelts; i++) {
        if (!ngx_http_assay_grants(result, "scope", scope[i]) && !ngx_http_assay_grants(result, "scp", scope[i])) {
            return 0;
        }
    }
    return 1;
}

/* A string is compared with its text, a number and a boolean with their JSON. */
static ngx_uint_t ngx_http_assay_is_value(const assay_value *value, ngx_str_t wanted)
{
    const char *text;
    size_t len;
    assay_code code = ASSAY_WRONG_TYPE;
    if (value->type == ASSAY_TYPE_STRING) {
        code = assay_value_string(&text, &len, value);
    } else if (value->type == ASSAY_TYPE_NUMBER || value->type == ASSAY_TYPE_BOOLEAN) {
        code = assay_value_json(&text, &len, value);
    }
    return code == ASSAY_OK && len == wanted.len && ngx_memcmp(text, wanted.data, len) == 0;
}

static ngx_uint_t ngx_http_assay_has_value(const assay_value *claim, ngx_str_t wanted)
{
    assay_value element;
    if (claim->type != ASSAY_TYPE_ARRAY) {
        return ngx_http_assay_is_value(claim, wanted);
    }
    for (size_t i = 0; assay_value_element(&element, claim, i) == ASSAY_OK; i++) {
        if (ngx_http_assay_is_value(&element, wanted)) {
            return 1;
        }
    }
    return 0;
}

static ngx_uint_t ngx_http_assay_fulfils_one(const assay_result *result, ngx_http_assay_requirement_t *requirement)
{
    assay_value claim;
    if (!ngx_http_assay_find_claim(&claim, result, requirement->claim.text)) {
        return 0;
    }
    ngx_str_t *values = requirement->values.elts;
    for (ngx_uint_t i = 0; i < requirement->values.nelts; i++) {
        ngx_uint_t has_value = ngx_http_assay_has_value(&claim, values[i]);
        if (has_value != requirement->needs_all) {
            return has_value;
        }
    }
    return requirement->needs_all;
}

ngx_uint_t ngx_http_assay_fulfils(const assay_result *result, ngx_array_t *requirements)
{
    ngx_http_assay_requirement_t *requirement = requirements == NULL ? NULL : requirements->elts;
    for (ngx_uint_t i = 0; requirements != NULL && i < requirements->nelts; i++) {
        if (!ngx_http_assay_fulfils_one(result, &requirement[i])) {
            return 0;
        }
    }
    return 1;
}
