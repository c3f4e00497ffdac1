/* directive_lists.c: directives that may stand several times, and those with a form of their own. A level that has one of them has none of
 * the level above, as with nginx's proxy_set_header. */

#include "assay_module.h"

/* Pushes an element to the list at `list`, which is made if this level has none. */
static void *ngx_http_assay_push(ngx_conf_t *cf, ngx_array_t **list, size_t size)
{
    if (*list == NGX_CONF_UNSET_PTR) {
        *list = ngx_array_create(cf->pool, 4, size);
    }
    void *element = *list == NULL ? NULL : ngx_array_push(*list);
    if (element != NULL) {
        ngx_memzero(element, size);
    }
    return element;
}

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

/* A JSON Pointer begins with a slash, and each ~ in it is ~0 or ~1 (RFC 6901 section 3). */
ngx_uint_t ngx_http_assay_is_claim(ngx_str_t text)
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

static ngx_str_t ngx_http_assay_lowercase(ngx_pool_t *pool, const u_char *text, size_t len)
{
    ngx_str_t copy = {len, ngx_pnalloc(pool, len)};
    if (copy.data != NULL) {
        ngx_strlow(copy.data, (u_char *) text, len);
    }
    return copy;
}

static char *ngx_http_assay_place(ngx_conf_t *cf, ngx_str_t word, ngx_http_assay_place_t *place)
{
    static const struct {
        const char *prefix;
        ngx_http_assay_place_kind_e kind;
    } kinds[] = {{"header=", ASSAY_PLACE_HEADER}, {"cookie=", ASSAY_PLACE_COOKIE}, {"query=", ASSAY_PLACE_QUERY}};
    if (ngx_strcmp(word.data, "bearer") == 0) {
        place->kind = ASSAY_PLACE_AUTHORIZATION;
        ngx_str_set(&place->name, "Bearer");
        return NGX_CONF_OK;
    }
    for (ngx_uint_t i = 0; i < 3; i++) {
        if (ngx_strncmp(word.data, kinds[i].prefix, ngx_strlen(kinds[i].prefix)) == 0) {
            place->kind = kinds[i].kind;
            place->name.data = word.data + ngx_strlen(kinds[i].prefix);
            place->name.len = word.len - ngx_strlen(kinds[i].prefix);
            if (place->kind == ASSAY_PLACE_HEADER) {
                place->name = ngx_http_assay_lowercase(cf->pool, place->name.data, place->name.len);
                return ngx_http_assay_is_field_name(place->name) ? NGX_CONF_OK : "has an invalid name of a field";
            }
            return place->name.len > 0 ? NGX_CONF_OK : "has an empty name";
        }
    }
    if (ngx_http_script_variables_count(&word) == 0) {
        return "has a place that is not \"bearer\", \"header=\", \"cookie=\", \"query=\" or text with a variable";
    }
    place->kind = ASSAY_PLACE_VALUE;
    ngx_http_compile_complex_value_t compile = {.cf = cf, .value = &word, .complex_value = &place->value};
    return ngx_http_compile_complex_value(&compile) == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}

/* The name of a text in the context that libassay gets. */
static char *ngx_http_assay_number_place(ngx_conf_t *cf, ngx_http_assay_place_t *place, ngx_uint_t number)
{
    place->name.data = ngx_pnalloc(cf->pool, NGX_INT_T_LEN);
    if (place->name.data == NULL) {
        return NGX_CONF_ERROR;
    }
    place->name.len = (size_t) (ngx_sprintf(place->name.data, "%ui", number) - place->name.data);
    return NGX_CONF_OK;
}

/* assay_token bearer | header=NAME | cookie=NAME | query=NAME | $variable …; */
char *ngx_http_assay_places(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    ngx_str_t *words = cf->args->elts;
    if (mine->rules.places != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }
    char *failure = NGX_CONF_OK;
    for (ngx_uint_t i = 1; i < cf->args->nelts && failure == NGX_CONF_OK; i++) {
        ngx_http_assay_place_t *place = ngx_http_assay_push(cf, &mine->rules.places, sizeof(ngx_http_assay_place_t));
        failure = place == NULL ? NGX_CONF_ERROR : ngx_http_assay_place(cf, words[i], place);
        if (failure == NGX_CONF_OK && place->kind == ASSAY_PLACE_VALUE) {
            failure = ngx_http_assay_number_place(cf, place, i);
        }
    }
    return failure;
}

/* assay_require CLAIM any | all VALUE …; */
char *ngx_http_assay_require(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    ngx_str_t *words = cf->args->elts;
    ngx_http_assay_requirement_t *requirement = ngx_http_assay_push(cf, &mine->rules.requirements, sizeof(*requirement));
    if (requirement == NULL) {
        return NGX_CONF_ERROR;
    }
    requirement->claim.text = words[1];
    requirement->needs_all = ngx_strcmp(words[2].data, "all") == 0;
    if (!requirement->needs_all && ngx_strcmp(words[2].data, "any") != 0) {
        return "needs \"any\" or \"all\" after the claim";
    }
    if (cf->args->nelts < 4) {
        return "has no value";
    }
    if (!ngx_http_assay_is_claim(words[1])) {
        return "has an invalid claim";
    }
    if (ngx_array_init(&requirement->values, cf->pool, cf->args->nelts, sizeof(ngx_str_t)) != NGX_OK) {
        return NGX_CONF_ERROR;
    }
    for (ngx_uint_t i = 3; i < cf->args->nelts; i++) {
        *(ngx_str_t *) ngx_array_push(&requirement->values) = words[i];
    }
    return NGX_CONF_OK;
}

/* assay_header NAME CLAIM [json]; */
char *ngx_http_assay_header(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    ngx_str_t *words = cf->args->elts;
    ngx_http_assay_header_t *header = ngx_http_assay_push(cf, &mine->rules.headers, sizeof(*header));
    if (header == NULL) {
        return NGX_CONF_ERROR;
    }
    if (!ngx_http_assay_is_field_name(words[1])) {
        return "has a name with other characters than letters, digits and hyphens";
    }
    if (ngx_http_assay_is_reserved(words[1])) {
        return "has a name that HTTP uses itself";
    }
    if (!ngx_http_assay_is_claim(words[2])) {
        return "has an invalid claim";
    }
    if (cf->args->nelts == 4 && ngx_strcmp(words[3].data, "json") != 0) {
        return "has a parameter that is not \"json\"";
    }
    header->name = words[1];
    header->plain_name = ngx_http_assay_lowercase(cf->pool, words[1].data, words[1].len);
    header->hash = ngx_hash_key(header->plain_name.data, header->plain_name.len);
    header->claim.text = words[2];
    header->claim.is_json = cf->args->nelts == 4;
    return ngx_http_assay_protect_name(cf, header->plain_name) == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}

/* assay_remove_headers NAME …; */
char *ngx_http_assay_remove_header(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t *words = cf->args->elts;
    for (ngx_uint_t i = 1; i < cf->args->nelts; i++) {
        if (!ngx_http_assay_is_field_name(words[i])) {
            return "has a name with other characters than letters, digits and hyphens";
        }
        if (ngx_http_assay_is_reserved(words[i])) {
            return "has a name that HTTP uses itself";
        }
        ngx_str_t name = ngx_http_assay_lowercase(cf->pool, words[i].data, words[i].len);
        if (name.data == NULL || ngx_http_assay_protect_name(cf, name) != NGX_OK) {
            return NGX_CONF_ERROR;
        }
    }
    return NGX_CONF_OK;
}
