/* claims.c: finds claims, and makes text of them. */

#include "assay_module.h"

ngx_uint_t ngx_http_assay_find_claim(assay_value *out, const assay_result *result, ngx_str_t text)
{
    const char *bytes = (const char *) text.data;
    assay_code code = text.len > 0 && bytes[0] == '/' ? assay_result_claim_at(out, result, bytes, text.len)
                                                      : assay_result_claim(out, result, bytes, text.len);
    return code == ASSAY_OK;
}

static void ngx_http_assay_write_scalar_value(ngx_http_assay_text_t *text, const assay_value *value, ngx_uint_t is_element)
{
    const char *bytes;
    size_t len;
    if (value->type == ASSAY_TYPE_STRING && assay_value_string(&bytes, &len, value) == ASSAY_OK) {
        ngx_http_assay_write_field(text, bytes, len, is_element);
    } else if (value->type != ASSAY_TYPE_STRING && value->type != ASSAY_TYPE_NULL && assay_value_json(&bytes, &len, value) == ASSAY_OK) {
        ngx_http_assay_write_field(text, bytes, len, is_element);
    }
}

/* An array with an array, an object or null in it cannot be joined. */
static ngx_uint_t ngx_http_assay_is_joinable(const assay_value *array)
{
    assay_value element;
    for (size_t i = 0; assay_value_element(&element, array, i) == ASSAY_OK; i++) {
        if (element.type == ASSAY_TYPE_ARRAY || element.type == ASSAY_TYPE_OBJECT || element.type == ASSAY_TYPE_NULL) {
            return 0;
        }
    }
    return 1;
}

/* Elements with commas between them. */
static void ngx_http_assay_write_elements(ngx_http_assay_text_t *text, const assay_value *array)
{
    assay_value element;
    if (!ngx_http_assay_is_joinable(array)) {
        return;
    }
    for (size_t i = 0; assay_value_element(&element, array, i) == ASSAY_OK; i++) {
        if (i > 0) {
            ngx_http_assay_write(text, ",", 1);
        }
        ngx_http_assay_write_scalar_value(text, &element, 1);
    }
}

static void ngx_http_assay_write_claim(ngx_http_assay_text_t *text, const assay_value *value, ngx_uint_t is_json)
{
    const char *bytes;
    size_t len;
    if (value->type == ASSAY_TYPE_ARRAY && !is_json) {
        ngx_http_assay_write_elements(text, value);
    } else if (value->type == ASSAY_TYPE_ARRAY || value->type == ASSAY_TYPE_OBJECT) {
        if (assay_value_json(&bytes, &len, value) == ASSAY_OK) {
            ngx_http_assay_write_json(text, bytes, len);
        }
    } else {
        ngx_http_assay_write_scalar_value(text, value, 0);
    }
}

ngx_int_t ngx_http_assay_claim_text(ngx_str_t *out, const assay_result *result, const ngx_http_assay_claim_t *claim, ngx_pool_t *pool)
{
    assay_value value;
    ngx_str_null(out);
    if (result == NULL || !ngx_http_assay_find_claim(&value, result, claim->text)) {
        return NGX_OK;
    }
    /* The first writing counts the bytes, the second one writes them. */
    ngx_http_assay_text_t text = {NULL, 0};
    ngx_http_assay_write_claim(&text, &value, claim->is_json);
    out->data = ngx_pnalloc(pool, text.size + 1);
    if (out->data == NULL) {
        return NGX_ERROR;
    }
    text = (ngx_http_assay_text_t) {out->data, 0};
    ngx_http_assay_write_claim(&text, &value, claim->is_json);
    out->len = text.size;
    return NGX_OK;
}
