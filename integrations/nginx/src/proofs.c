/* proofs.c: the directives assay_dpop, whose parameters are members of `dpop` in libassay's settings, and assay_decryption_keys. */

#include "assay_module.h"

/* Names separated by commas. */
static json_t *ngx_http_assay_split(ngx_str_t text)
{
    json_t *list = json_array();
    while (text.len > 0) {
        const u_char *comma = ngx_strlchr(text.data, text.data + text.len, ',');
        ngx_str_t name = {comma == NULL ? text.len : (size_t) (comma - text.data), text.data};
        size_t taken = comma == NULL ? text.len : name.len + 1;
        json_array_append_new(list, ngx_http_assay_json(name));
        text.data += taken;
        text.len -= taken;
    }
    return list;
}

static json_t *ngx_http_assay_path(ngx_conf_t *cf, ngx_str_t path)
{
    return ngx_conf_full_name(cf->cycle, &path, 1) == NGX_OK ? ngx_http_assay_json(path) : NULL;
}

static json_t *ngx_http_assay_seconds(ngx_str_t text)
{
    ngx_int_t seconds = ngx_parse_time(&text, 1);
    return seconds == NGX_ERROR ? NULL : json_integer(seconds);
}

/* The object in `dpop` that has the nonces' terms: their parameters ask for nonces. */
static json_t *ngx_http_assay_nonces(json_t *terms)
{
    json_t *nonces = json_object_get(terms, "nonces");
    if (nonces == NULL) {
        nonces = json_object();
        json_object_set_new(terms, "nonces", nonces);
    }
    return nonces;
}

/* Sets one member. Whether its value is possible, libassay says. */
static char *ngx_http_assay_read_term(ngx_conf_t *cf, json_t *terms, ngx_str_t word)
{
    static const struct {
        const char *parameter, *member;
        enum {TEXT, NAMES, SECONDS, FILE_NAME} kind;
        ngx_uint_t is_of_nonces;
    } known[] = {
        {"origin=", "origin", TEXT, 0}, {"algorithms=", "algorithms", NAMES, 0}, {"maximum_age=", "maximumAgeSeconds", SECONDS, 0},
        {"leeway=", "leewaySeconds", SECONDS, 0}, {"nonce_period=", "periodSeconds", SECONDS, 1},
        {"nonce_secret=", "secretFile", FILE_NAME, 1}, {"nonce_earlier_secret=", "earlierSecretFile", FILE_NAME, 1}
    };
    for (ngx_uint_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        size_t len = ngx_strlen(known[i].parameter);
        if (word.len <= len || ngx_strncmp(word.data, known[i].parameter, len) != 0) {
            continue;
        }
        ngx_str_t text = {word.len - len, word.data + len};
        json_t *object = known[i].is_of_nonces ? ngx_http_assay_nonces(terms) : terms;
        if (json_object_get(object, known[i].member) != NULL) {
            return "has a parameter twice";
        }
        json_t *value = known[i].kind == NAMES ? ngx_http_assay_split(text)
            : known[i].kind == SECONDS ? ngx_http_assay_seconds(text)
            : known[i].kind == FILE_NAME ? ngx_http_assay_path(cf, text) : ngx_http_assay_json(text);
        return json_object_set_new(object, known[i].member, value) == 0 ? NGX_CONF_OK : "has a parameter with an invalid value";
    }
    if (ngx_strcmp(word.data, "nonces") == 0) {
        ngx_http_assay_nonces(terms);
        return NGX_CONF_OK;
    }
    return "has a parameter that is none of \"origin=\", \"algorithms=\", \"maximum_age=\", \"leeway=\", \"nonces\", \"nonce_period=\", "
           "\"nonce_secret=\" and \"nonce_earlier_secret=\"";
}

/* assay_dpop bound | any [PARAMETER[=VALUE]]… | off; The value `null` stands for `off`, so that the terms of the level above are not
 * inherited. */
char *ngx_http_assay_dpop(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    const ngx_str_t *words = cf->args->elts;
    ngx_uint_t is_on = ngx_strcmp(words[1].data, "bound") == 0 || ngx_strcmp(words[1].data, "any") == 0;
    if (!is_on && (cf->args->nelts > 2 || ngx_strcmp(words[1].data, "off") != 0)) {
        return "begins with none of \"bound\", \"any\" and \"off\" alone";
    }
    json_t *terms = is_on ? json_pack("{s:o}", "tokens", ngx_http_assay_json(words[1])) : json_null();
    char *failure = NGX_CONF_OK;
    for (ngx_uint_t i = 2; i < cf->args->nelts && failure == NGX_CONF_OK; i++) {
        failure = ngx_http_assay_read_term(cf, terms, words[i]);
    }
    if (failure != NGX_CONF_OK) {
        json_decref(terms);
        return failure;
    }
    return ngx_http_assay_set_member(cf, cmd, conf, terms);
}

/* assay_decryption_keys PATH …; The master reads the files with its configuration. */
char *ngx_http_assay_decryption_keys(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    const ngx_str_t *words = cf->args->elts;
    json_t *paths = json_array();
    for (ngx_uint_t i = 1; i < cf->args->nelts; i++) {
        if (json_array_append_new(paths, ngx_http_assay_path(cf, words[i])) != 0) {
            json_decref(paths);
            return "has a path that is not UTF-8";
        }
    }
    return ngx_http_assay_set_member(cf, cmd, conf, paths);
}
