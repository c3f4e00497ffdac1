/* members.c: directives that are members of libassay's settings (Docs/Gateway.md). Nothing is judged here: libassay reads the settings of a
 * gateway as a whole, and messages.c says what it found in the words of nginx. */

#include "assay_module.h"

json_t *ngx_http_assay_json(ngx_str_t text)
{
    return json_stringn((const char *) text.data, text.len);
}

ngx_str_t ngx_http_assay_text(const json_t *text)
{
    return (ngx_str_t) {json_string_length(text), (u_char *) json_string_value(text)};
}

static ngx_int_t ngx_http_assay_note_level(ngx_conf_t *cf, ngx_http_assay_loc_conf_t *mine, const char *first)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_loc_conf_t **place = ngx_array_push(&conf->levels);
    if (place == NULL) {
        return NGX_ERROR;
    }
    *place = mine;
    ngx_cpystrn((u_char *) mine->first, (u_char *) first, sizeof(mine->first));
    return NGX_OK;
}

/* Remembers where a directive stands, by its name; by its name and number, if it may stand several times. */
char *ngx_http_assay_note_place(ngx_conf_t *cf, const ngx_command_t *cmd, ngx_http_assay_loc_conf_t *mine, size_t number)
{
    char key[ASSAY_LONGEST_NAME], place[NGX_MAX_PATH + NGX_INT_T_LEN + 2];
    const u_char *file = cf->conf_file->file.name.data;
    snprintf(key, sizeof(key), number == 0 ? "%s" : "%s[%zu]", cmd->name.data, number);
    snprintf(place, sizeof(place), "%s:%u", file == NULL ? "the command line" : (const char *) file, (unsigned) cf->conf_file->line);
    if (mine->first[0] == '\0' && ngx_http_assay_note_level(cf, mine, key) != NGX_OK) {
        return NGX_CONF_ERROR;
    }
    return json_object_set_new(mine->places, key, json_string_nocheck(place)) == 0 ? NGX_CONF_OK : NGX_CONF_ERROR;
}

/* Looks at the directives of this level alone: what it inherits may be for the keys of other levels. */
static char *ngx_http_assay_check_fetched(const ngx_http_assay_loc_conf_t *mine)
{
    ngx_uint_t has_file = json_object_get(json_object_get(mine->provider, "keys"), "inline") != NULL;
    return has_file && (json_object_get(mine->provider, "refresh") != NULL || json_object_get(mine->provider, "staleSeconds") != NULL)
        ? "does not fit: keys of \"assay_keys_file\" are not fetched, so no \"assay_refresh\" and no \"assay_stale\" can stand beside it"
        : NGX_CONF_OK;
}

/* Sets the member that a directive stands for, at this level. Takes the value over. */
char *ngx_http_assay_set_member(ngx_conf_t *cf, const ngx_command_t *cmd, ngx_http_assay_loc_conf_t *mine, json_t *value)
{
    json_t *object = ngx_http_assay_object_of(cmd, mine);
    if (json_object_get(object, cmd->post) != NULL) {
        json_decref(value);
        return "is duplicate";
    }
    if (json_object_set_new(object, cmd->post, value) != 0) {
        return "has a text that is not UTF-8";
    }
    char *failure = ngx_http_assay_check_fetched(mine);
    return failure != NGX_CONF_OK ? failure : ngx_http_assay_note_place(cf, cmd, mine, 0);
}

/* Appends to the member that is a list. A level that has an element has none of the level above, as with nginx's proxy_set_header. */
char *ngx_http_assay_append_member(ngx_conf_t *cf, const ngx_command_t *cmd, ngx_http_assay_loc_conf_t *mine, json_t *value)
{
    json_t *object = ngx_http_assay_object_of(cmd, mine), *list = json_object_get(object, cmd->post);
    if (list == NULL) {
        list = json_array();
        json_object_set_new(object, cmd->post, list);
    }
    if (json_array_append_new(list, value) != 0) {
        return "has a text that is not UTF-8";
    }
    return ngx_http_assay_note_place(cf, cmd, mine, json_array_size(list));
}

/* The words from one of them on; NULL with a text that is not UTF-8. */
json_t *ngx_http_assay_json_words(const ngx_conf_t *cf, ngx_uint_t first)
{
    json_t *list = json_array();
    const ngx_str_t *words = cf->args->elts;
    for (ngx_uint_t i = first; list != NULL && i < cf->args->nelts; i++) {
        if (json_array_append_new(list, ngx_http_assay_json(words[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

char *ngx_http_assay_set_text(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    const ngx_str_t *words = cf->args->elts;
    return ngx_http_assay_set_member(cf, cmd, conf, ngx_http_assay_json(words[1]));
}

char *ngx_http_assay_set_words(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    return ngx_http_assay_set_member(cf, cmd, conf, ngx_http_assay_json_words(cf, 1));
}

char *ngx_http_assay_set_seconds(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t *words = cf->args->elts;
    ngx_int_t seconds = ngx_parse_time(&words[1], 1);
    return seconds == NGX_ERROR ? "invalid value" : ngx_http_assay_set_member(cf, cmd, conf, json_integer(seconds));
}

/* Reads `on` or `off` as nginx does, message included. */
static char *ngx_http_assay_read_flag(ngx_conf_t *cf, const ngx_command_t *cmd, ngx_flag_t *out)
{
    ngx_command_t plain = {.name = cmd->name};
    *out = NGX_CONF_UNSET;
    return ngx_conf_set_flag_slot(cf, &plain, out);
}

char *ngx_http_assay_set_flag(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_flag_t is_on;
    char *failure = ngx_http_assay_read_flag(cf, cmd, &is_on);
    return failure != NGX_CONF_OK ? failure : ngx_http_assay_set_member(cf, cmd, conf, json_boolean(is_on));
}

/* assay_dry_run on | off; */
char *ngx_http_assay_set_mode(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_flag_t is_dry;
    char *failure = ngx_http_assay_read_flag(cf, cmd, &is_dry);
    return failure != NGX_CONF_OK ? failure : ngx_http_assay_set_member(cf, cmd, conf, json_string(is_dry ? "dry-run" : "enforced"));
}

/* assay_login_redirect URL | off; The value `null` stands for `off`, so that the URL of the level above is not inherited. */
char *ngx_http_assay_set_redirect(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    const ngx_str_t *words = cf->args->elts;
    json_t *value = ngx_strcmp(words[1].data, "off") == 0 ? json_null() : json_pack("{s:o}", "redirect", ngx_http_assay_json(words[1]));
    return ngx_http_assay_set_member(cf, cmd, conf, value);
}

/* assay_keys_url URL; and the text of assay_keys_file PATH; */
char *ngx_http_assay_set_keys(ngx_conf_t *cf, const ngx_command_t *cmd, ngx_http_assay_loc_conf_t *mine, const char *kind, ngx_str_t text)
{
    if (json_object_get(mine->provider, "keys") != NULL && json_object_get(mine->places, (const char *) cmd->name.data) == NULL) {
        return "stands beside another place of keys";
    }
    return ngx_http_assay_set_member(cf, cmd, mine, json_pack("{s:o}", kind, ngx_http_assay_json(text)));
}

char *ngx_http_assay_set_keys_url(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    const ngx_str_t *words = cf->args->elts;
    return ngx_http_assay_set_keys(cf, cmd, conf, "url", words[1]);
}
