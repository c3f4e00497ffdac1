/* directive_values.c: directives with one value or a list of words. */

#include "assay_module.h"

#define ASSAY_LARGEST_AUTHORITIES 1000000

/* assay on | off; */
char *ngx_http_assay_on(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    cmd->offset = offsetof(ngx_http_assay_loc_conf_t, is_on);
    char *failure = ngx_conf_set_flag_slot(cf, cmd, conf);
    if (failure != NGX_CONF_OK) {
        return failure;
    }
    mine->file = cf->conf_file->file.name;
    mine->line = cf->conf_file->line;
    if (mine->is_on) {
        ngx_http_assay_srv_conf_t *server = ngx_http_conf_get_module_srv_conf(cf, ngx_http_assay_module);
        server->is_used = 1;
    }
    return NGX_CONF_OK;
}

/* A rule of assay_policy_add that each word must satisfy; 0: none. */
static uint32_t ngx_http_assay_rule(const ngx_command_t *cmd)
{
    return cmd->offset == offsetof(ngx_http_assay_loc_conf_t, trust.algorithms) ? ASSAY_RULE_ALGORITHM : 0;
}

static ngx_uint_t ngx_http_assay_is_scope(ngx_str_t word)
{
    for (size_t i = 0; i < word.len; i++) {
        if (word.data[i] <= 0x20 || word.data[i] >= 0x7f || word.data[i] == '"' || word.data[i] == '\\') {
            return 0;
        }
    }
    return 1;
}

static char *ngx_http_assay_check_word(ngx_conf_t *cf, const ngx_command_t *cmd, ngx_str_t *word, assay_policy *scratch)
{
    uint32_t rule = ngx_http_assay_rule(cmd);
    if (word->len == 0) {
        return "has an empty word";
    }
    if (rule != 0 && assay_policy_add(scratch, rule, (const char *) word->data, word->len) != ASSAY_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "there is no algorithm \"%V\"", word);
        return NGX_CONF_ERROR;
    }
    if (cmd->offset == offsetof(ngx_http_assay_loc_conf_t, rules.scopes) && !ngx_http_assay_is_scope(*word)) {
        return "has a scope with characters that no scope has (RFC 6749 section 3.3)";
    }
    return NGX_CONF_OK;
}

/* A list of words, which replaces the list of the level above. */
char *ngx_http_assay_words(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_array_t **list = (ngx_array_t **) ((char *) conf + cmd->offset);
    ngx_str_t *words = cf->args->elts;
    if (*list != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }
    *list = ngx_array_create(cf->pool, cf->args->nelts, sizeof(ngx_str_t));
    assay_policy *scratch = NULL;
    if (*list == NULL || assay_policy_new(&scratch) != ASSAY_OK) {
        return NGX_CONF_ERROR;
    }
    char *failure = NGX_CONF_OK;
    for (ngx_uint_t i = 1; i < cf->args->nelts && failure == NGX_CONF_OK; i++) {
        ngx_str_t *word = ngx_array_push(*list);
        *word = words[i];
        failure = ngx_http_assay_check_word(cf, cmd, word, scratch);
    }
    assay_policy_free(scratch);
    return failure;
}

/* Looks at the directives of this level alone: what it inherits may be for the keys of other levels. */
static char *ngx_http_assay_check_refreshed(const ngx_http_assay_trust_settings_t *mine)
{
    ngx_uint_t is_refreshed = mine->refresh != NGX_CONF_UNSET_UINT || mine->stale != NGX_CONF_UNSET;
    return mine->keys_file.data == NULL || !is_refreshed
        ? NGX_CONF_OK
        : "does not fit: keys of \"assay_keys_file\" are not fetched, so no \"assay_refresh\" and no \"assay_stale\" can stand beside it";
}

/* assay_refresh availability-first | revocation-first; */
char *ngx_http_assay_refresh(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    char *failure = ngx_conf_set_enum_slot(cf, cmd, conf);
    return failure == NGX_CONF_OK ? ngx_http_assay_check_refreshed(&mine->trust) : failure;
}

/* assay_stale TIME; */
char *ngx_http_assay_stale(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    char *failure = ngx_conf_set_sec_slot(cf, cmd, conf);
    return failure == NGX_CONF_OK ? ngx_http_assay_check_refreshed(&mine->trust) : failure;
}

/* assay_authorities PATH; */
char *ngx_http_assay_authorities(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_main_conf_t *mine = conf;
    char *failure = ngx_conf_set_str_slot(cf, cmd, conf);
    if (failure != NGX_CONF_OK || ngx_conf_full_name(cf->cycle, &mine->authorities, 1) != NGX_OK) {
        return failure != NGX_CONF_OK ? failure : NGX_CONF_ERROR;
    }
    if (ngx_http_assay_read_file(cf, &mine->authorities, ASSAY_LARGEST_AUTHORITIES + 1, &mine->authorities_text) != NGX_OK) {
        return NGX_CONF_ERROR;
    }
    return mine->authorities_text.len > 0 && mine->authorities_text.len <= ASSAY_LARGEST_AUTHORITIES
        ? NGX_CONF_OK
        : "names an empty file, or one of more than a megabyte";
}

/* assay_keys_file PATH; */
char *ngx_http_assay_keys_file(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    ngx_str_t *words = cf->args->elts;
    if (mine->trust.keys_file.data != NULL) {
        return "is duplicate";
    }
    mine->trust.keys_file = words[1];
    if (ngx_conf_full_name(cf->cycle, &mine->trust.keys_file, 1) != NGX_OK) {
        return NGX_CONF_ERROR;
    }
    if (ngx_http_assay_read_keys_file(cf, &mine->trust.keys_file) != NGX_OK) {
        return NGX_CONF_ERROR;
    }
    return ngx_http_assay_check_refreshed(&mine->trust);
}

/* assay_token_cache off | SIZE [maximum_age=TIME]; */
char *ngx_http_assay_cache(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    ngx_str_t *words = cf->args->elts, age;
    if (mine->trust.cache != NGX_CONF_UNSET_SIZE) {
        return "is duplicate";
    }
    if (cf->args->nelts == 2 && ngx_strcmp(words[1].data, "off") == 0) {
        mine->trust.cache = 0;
        return NGX_CONF_OK;
    }
    ssize_t size = ngx_parse_size(&words[1]);
    if (size < 65536 || (uint64_t) size > 4294967296) {
        return "has a size that is not from 64k to 4g";
    }
    mine->trust.cache = (size_t) size;
    if (cf->args->nelts == 2) {
        return NGX_CONF_OK;
    }
    if (ngx_strncmp(words[2].data, "maximum_age=", 12) != 0) {
        return "has a parameter that is not \"maximum_age=\"";
    }
    age.data = words[2].data + 12;
    age.len = words[2].len - 12;
    mine->trust.cache_age = ngx_parse_time(&age, 1);
    return mine->trust.cache_age >= 1 && mine->trust.cache_age <= 86400 ? NGX_CONF_OK : "has a maximum_age that is not from 1s to 1d";
}

/* A name of letters, digits and hyphens has one reading for every server, so a line break or a quotation mark cannot reach a field. */
static char *ngx_http_assay_check_text(ngx_conf_t *cf, void *post, void *data)
{
    ngx_str_t *text = data;
    for (size_t i = 0; i < text->len; i++) {
        if (text->data[i] < 0x20 || text->data[i] >= 0x7f) {
            return "has a character that is not printable ASCII";
        }
    }
    return text->len > 0 ? NGX_CONF_OK : "is empty";
}

/* libassay checks the URL. */
static char *ngx_http_assay_check_redirect(ngx_conf_t *cf, void *post, void *data)
{
    ngx_str_t *url = data;
    if (url->len == 3 && ngx_strncmp(url->data, "off", 3) == 0) {
        url->len = 0;
        return NGX_CONF_OK;
    }
    return ngx_http_assay_check_text(cf, post, data);
}

static char *ngx_http_assay_check_leeway(ngx_conf_t *cf, void *post, void *data)
{
    time_t *seconds = data;
    return *seconds <= ASSAY_LONGEST_LEEWAY ? NGX_CONF_OK : "is longer than ten minutes";
}

static char *ngx_http_assay_check_stale(ngx_conf_t *cf, void *post, void *data)
{
    time_t *seconds = data;
    return *seconds <= ASSAY_LONGEST_STALENESS ? NGX_CONF_OK : "is longer than a day";
}

static char *ngx_http_assay_check_age(ngx_conf_t *cf, void *post, void *data)
{
    time_t *seconds = data;
    return *seconds > 0 ? NGX_CONF_OK : "is zero";
}

static char *ngx_http_assay_check_url(ngx_conf_t *cf, void *post, void *data)
{
    return ngx_http_assay_check_keys_url(cf, data) == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}

static char *ngx_http_assay_check_wait(ngx_conf_t *cf, void *post, void *data)
{
    ngx_msec_t *wait = data;
    return *wait <= 60000 ? NGX_CONF_OK : "is longer than a minute";
}

static char *ngx_http_assay_check_timeout(ngx_conf_t *cf, void *post, void *data)
{
    return *(ngx_msec_t *) data > 0 ? ngx_http_assay_check_wait(cf, post, data) : "is zero";
}

static char *ngx_http_assay_check_zone(ngx_conf_t *cf, void *post, void *data)
{
    size_t *size = data;
    return *size >= 1048576 && *size <= 1073741824 ? NGX_CONF_OK : "is not from 1m to 1g";
}

ngx_conf_post_t ngx_http_assay_leeway_check = {ngx_http_assay_check_leeway};
ngx_conf_post_t ngx_http_assay_stale_check = {ngx_http_assay_check_stale};
ngx_conf_post_t ngx_http_assay_age_check = {ngx_http_assay_check_age};
ngx_conf_post_t ngx_http_assay_url_check = {ngx_http_assay_check_url};
ngx_conf_post_t ngx_http_assay_text_check = {ngx_http_assay_check_text};
ngx_conf_post_t ngx_http_assay_redirect_check = {ngx_http_assay_check_redirect};
ngx_conf_post_t ngx_http_assay_wait_check = {ngx_http_assay_check_wait};
ngx_conf_post_t ngx_http_assay_timeout_check = {ngx_http_assay_check_timeout};
ngx_conf_post_t ngx_http_assay_zone_check = {ngx_http_assay_check_zone};
