/* status_lists.c: the directive assay_status_lists, whose parameters are members of `statusLists` in libassay's settings. */

#include "assay_module.h"

/* What stands behind the name of a parameter; 0: it is another parameter. */
ngx_uint_t ngx_http_assay_is_parameter(ngx_str_t *out, ngx_str_t word, const char *name)
{
    size_t len = ngx_strlen(name);
    if (word.len <= len || ngx_strncmp(word.data, name, len) != 0) {
        return 0;
    }
    *out = (ngx_str_t) {word.len - len, word.data + len};
    return 1;
}

static json_t *ngx_http_assay_number(ngx_str_t text, ngx_uint_t is_time)
{
    ngx_int_t number = is_time ? ngx_parse_time(&text, 1) : ngx_atoi(text.data, text.len);
    return number == NGX_ERROR ? NULL : json_integer(number);
}

/* Sets a member, or appends to one that is a list. Takes the value over; NULL is that of a text that is not UTF-8. */
char *ngx_http_assay_set_or_append(json_t *object, const char *member, json_t *value, ngx_uint_t is_list)
{
    json_t *known = json_object_get(object, member);
    if (known != NULL && !is_list) {
        json_decref(value);
        return "has a parameter twice";
    }
    if (known == NULL && is_list) {
        known = json_array();
        json_object_set_new(object, member, known);
    }
    int result = is_list ? json_array_append_new(known, value) : json_object_set_new(object, member, value);
    return result == 0 ? NGX_CONF_OK : "has a text that is not UTF-8";
}

/* Sets one member. Whether its value is possible, libassay says. */
static char *ngx_http_assay_read_parameter(json_t *lists, ngx_str_t word)
{
    static const struct {
        const char *parameter, *member;
        ngx_uint_t is_time;
    } numbers[] = {
        {"absent=", "absentSeconds", 1}, {"refused=", "refusedSeconds", 1}, {"stale=", "staleSeconds", 1},
        {"maximum_lists=", "maximumLists", 0}, {"maximum_megabytes=", "maximumMegabytes", 0}
    };
    ngx_str_t text;
    if (ngx_http_assay_is_parameter(&text, word, "origin=")) {
        return ngx_http_assay_set_or_append(lists, "origins", ngx_http_assay_json(text), 1);
    }
    for (ngx_uint_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (ngx_http_assay_is_parameter(&text, word, numbers[i].parameter)) {
            if (json_object_get(lists, numbers[i].member) != NULL) {
                return "has a parameter twice";
            }
            return json_object_set_new(lists, numbers[i].member, ngx_http_assay_number(text, numbers[i].is_time)) == 0
                ? NGX_CONF_OK : "has a parameter with an invalid value";
        }
    }
    return "has a parameter that is none of \"origin=\", \"absent=\", \"refused=\", \"stale=\", \"maximum_lists=\" and "
           "\"maximum_megabytes=\"";
}

/* assay_status_lists on [PARAMETER=VALUE]… | off; The value `null` stands for `off`, so that the lists of the level above are not
 * inherited. */
char *ngx_http_assay_status_lists(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    const ngx_str_t *words = cf->args->elts;
    ngx_uint_t is_on = ngx_strcmp(words[1].data, "on") == 0, is_off = cf->args->nelts == 2 && ngx_strcmp(words[1].data, "off") == 0;
    if (!is_on && !is_off) {
        return "begins with neither \"on\" nor \"off\" alone";
    }
    json_t *lists = is_on ? json_object() : json_null();
    char *failure = NGX_CONF_OK;
    for (ngx_uint_t i = 2; i < cf->args->nelts && failure == NGX_CONF_OK; i++) {
        failure = ngx_http_assay_read_parameter(lists, words[i]);
    }
    if (failure != NGX_CONF_OK) {
        json_decref(lists);
        return failure;
    }
    return ngx_http_assay_set_member(cf, cmd, conf, lists);
}
