/* lists.c: directives whose words have places or kinds. What nginx itself cannot do is refused here: it drops fields with an underscore. */

#include "assay_module.h"

static ngx_uint_t ngx_http_assay_is_field_name(ngx_str_t name)
{
    for (size_t i = 0; i < name.len; i++) {
        u_char letter = name.data[i] | 0x20;
        if (!(letter >= 'a' && letter <= 'z') && !(name.data[i] >= '0' && name.data[i] <= '9') && name.data[i] != '-') {
            return 0;
        }
    }
    return name.len > 0 && name.len <= 128;
}

/* The field's names that nginx or HTTP itself acts on. */
static ngx_uint_t ngx_http_assay_is_reserved(ngx_str_t name)
{
    static const char *reserved[] = {
        "authorization", "connection", "content-length", "content-type", "cookie", "date", "expect", "forwarded", "host", "http2-settings",
        "keep-alive", "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade", "via", NULL
    };
    for (ngx_uint_t i = 0; reserved[i] != NULL; i++) {
        if (name.len == ngx_strlen(reserved[i]) && ngx_strncasecmp(name.data, (u_char *) reserved[i], name.len) == 0) {
            return 1;
        }
    }
    return 0;
}

/* A token in a text with variables: the text is its name in the context of a request. */
static char *ngx_http_assay_add_value(ngx_conf_t *cf, ngx_http_assay_loc_conf_t *mine, ngx_str_t *word)
{
    if (ngx_http_script_variables_count(word) == 0) {
        return "has a place that is not \"bearer\", \"header=\", \"cookie=\", \"query=\" or text with a variable";
    }
    mine->values = mine->values != NULL ? mine->values : ngx_array_create(cf->pool, 2, sizeof(ngx_http_assay_value_t));
    ngx_http_assay_value_t *value = mine->values == NULL ? NULL : ngx_array_push(mine->values);
    if (value == NULL) {
        return NGX_CONF_ERROR;
    }
    ngx_memzero(value, sizeof(*value));
    value->name = *word;
    ngx_http_compile_complex_value_t compile = {.cf = cf, .value = word, .complex_value = &value->text};
    return ngx_http_compile_complex_value(&compile) == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}

/* The place of a token, as libassay has it, in `out`. */
static char *ngx_http_assay_place(ngx_conf_t *cf, ngx_http_assay_loc_conf_t *mine, ngx_str_t *word, json_t **out)
{
    static const char *kinds[] = {"header", "cookie", "query"};
    if (ngx_strcmp(word->data, "bearer") == 0) {
        *out = json_pack("{s:s}", "authorization", "Bearer");
        return NGX_CONF_OK;
    }
    for (ngx_uint_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        size_t len = ngx_strlen(kinds[i]);
        if (word->len > len && ngx_strncmp(word->data, kinds[i], len) == 0 && word->data[len] == '=') {
            ngx_str_t name = {word->len - len - 1, word->data + len + 1};
            *out = json_pack("{s:o}", kinds[i], ngx_http_assay_json(name));
            return i > 0 || ngx_http_assay_is_field_name(name) ? NGX_CONF_OK : "has an invalid name of a field";
        }
    }
    *out = json_pack("{s:o}", "context", ngx_http_assay_json(*word));
    return ngx_http_assay_add_value(cf, mine, word);
}

/* assay_token bearer | header=NAME | cookie=NAME | query=NAME | $variable …; */
char *ngx_http_assay_tokens(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    ngx_str_t *words = cf->args->elts;
    char *failure = ngx_http_assay_set_member(cf, cmd, mine, json_array());
    json_t *places = json_object_get(mine->provider, "tokenFrom"), *place;
    for (ngx_uint_t i = 1; i < cf->args->nelts && failure == NGX_CONF_OK; i++) {
        failure = ngx_http_assay_place(cf, mine, &words[i], &place);
        if (json_array_append_new(places, place) != 0) {
            failure = "has a text that is not UTF-8";
        }
    }
    return failure;
}

/* assay_require CLAIM any | all VALUE …; */
char *ngx_http_assay_require(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    const ngx_str_t *words = cf->args->elts;
    ngx_uint_t needs_all = ngx_strcmp(words[2].data, "all") == 0;
    if (!needs_all && ngx_strcmp(words[2].data, "any") != 0) {
        return "needs \"any\" or \"all\" after the claim";
    }
    if (cf->args->nelts < 4) {
        return "has no value";
    }
    json_t *values = ngx_http_assay_json_words(cf, 3);
    return ngx_http_assay_append_member(
        cf, cmd, conf, json_pack("{s:o, s:o}", "claim", ngx_http_assay_json(words[1]), needs_all ? "allOf" : "anyOf", values));
}

/* Has the server take a field out of what clients send. */
static char *ngx_http_assay_protect(ngx_conf_t *cf, ngx_str_t name, ngx_str_t *plain_name)
{
    if (!ngx_http_assay_is_field_name(name)) {
        return "has a name with other characters than letters, digits and hyphens";
    }
    plain_name->len = name.len;
    plain_name->data = ngx_pnalloc(cf->pool, name.len);
    if (plain_name->data == NULL) {
        return NGX_CONF_ERROR;
    }
    ngx_strlow(plain_name->data, name.data, name.len);
    return ngx_http_assay_protect_name(cf, *plain_name) == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}

/* assay_header NAME CLAIM [json]; */
char *ngx_http_assay_header(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    const ngx_str_t *words = cf->args->elts;
    mine->headers = mine->headers != NULL ? mine->headers : ngx_array_create(cf->pool, 4, sizeof(ngx_http_assay_header_t));
    ngx_http_assay_header_t *header = mine->headers == NULL ? NULL : ngx_array_push(mine->headers);
    if (header == NULL) {
        return NGX_CONF_ERROR;
    }
    if (cf->args->nelts == 4 && ngx_strcmp(words[3].data, "json") != 0) {
        return "has a parameter that is not \"json\"";
    }
    header->name = words[1];
    char *failure = ngx_http_assay_protect(cf, words[1], &header->plain_name);
    if (failure != NGX_CONF_OK) {
        return failure;
    }
    header->hash = ngx_hash_key(header->plain_name.data, header->plain_name.len);
    return ngx_http_assay_append_member(
        cf, cmd, mine, json_pack("{s:o, s:o, s:s}", "header", ngx_http_assay_json(words[1]), "claim", ngx_http_assay_json(words[2]),
                                 "arrays", cf->args->nelts == 4 ? "json" : "joined"));
}

/* assay_remove_headers NAME …; */
char *ngx_http_assay_remove_headers(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    const ngx_str_t *words = cf->args->elts;
    char *failure = NGX_CONF_OK;
    ngx_str_t plain_name;
    for (ngx_uint_t i = 1; i < cf->args->nelts && failure == NGX_CONF_OK; i++) {
        failure = ngx_http_assay_is_reserved(words[i]) ? "has a name that HTTP uses itself"
                                                       : ngx_http_assay_protect(cf, words[i], &plain_name);
    }
    return failure;
}
