/* values.c: directives that are nginx's own, or name a file. */

#include "assay_module.h"

#define ASSAY_LARGEST_AUTHORITIES 1000000

/* assay on | off; */
char *ngx_http_assay_on(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    char *failure = ngx_conf_set_flag_slot(cf, cmd, conf);
    if (failure != NGX_CONF_OK) {
        return failure;
    }
    mine->is_used = 1;
    if (mine->is_on) {
        ngx_http_assay_srv_conf_t *server = ngx_http_conf_get_module_srv_conf(cf, ngx_http_assay_module);
        server->is_used = 1;
    }
    return ngx_http_assay_note_place(cf, cmd, mine, 0);
}

/* Reads a file of at most so many bytes; the text of a longer one ends there. */
static ngx_int_t ngx_http_assay_read_file(ngx_conf_t *cf, ngx_str_t *path, size_t most, ngx_str_t *out)
{
    ngx_fd_t file = ngx_open_file(path->data, NGX_FILE_RDONLY, NGX_FILE_OPEN | NGX_FILE_NONBLOCK, 0);
    if (file == NGX_INVALID_FILE) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno, "\"%V\" cannot be opened", path);
        return NGX_ERROR;
    }
    out->data = ngx_palloc(cf->pool, most);
    out->len = 0;
    ssize_t count = out->data == NULL ? -1 : 1;
    while (count > 0 && out->len < most) {
        count = ngx_read_fd(file, out->data + out->len, most - out->len);
        out->len += count > 0 ? (size_t) count : 0;
    }
    if (count < 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno, "\"%V\" cannot be read", path);
    }
    ngx_close_file(file);
    return count < 0 ? NGX_ERROR : NGX_OK;
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

/* Whether libassay finds a usable key in a document. */
static ngx_int_t ngx_http_assay_check_keys(ngx_conf_t *cf, ngx_str_t *path, ngx_str_t document)
{
    assay_keys *keys = NULL;
    assay_keys_state state = {.size = sizeof(state)};
    assay_code code = assay_keys_new(&keys, (const char *) document.data, document.len);
    if (code != ASSAY_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" has no keys that can be read: %s", path, assay_code_name(code));
        return NGX_ERROR;
    }
    ngx_uint_t is_usable = assay_keys_status(&state, keys) == ASSAY_OK && state.key_count > 0;
    assay_keys_free(keys);
    if (!is_usable) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" has no usable key", path);
    }
    return is_usable ? NGX_OK : NGX_ERROR;
}

/* assay_keys_file PATH; The master reads the file with its configuration. */
char *ngx_http_assay_keys_file(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    const ngx_str_t *words = cf->args->elts;
    ngx_str_t path = words[1], text;
    /* One byte more than libassay takes stands for a longer document. */
    if (ngx_conf_full_name(cf->cycle, &path, 1) != NGX_OK
        || ngx_http_assay_read_file(cf, &path, ASSAY_LARGEST_DOCUMENT + 1, &text) != NGX_OK
        || ngx_http_assay_check_keys(cf, &path, text) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }
    char *failure = ngx_http_assay_set_keys(cf, cmd, conf, "inline", text);
    ngx_pfree(cf->pool, text.data);
    return failure;
}

/* assay_token_cache off | SIZE [maximum_age=TIME]; */
char *ngx_http_assay_cache(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_assay_loc_conf_t *mine = conf;
    ngx_str_t *words = cf->args->elts, age;
    if (mine->cache != NGX_CONF_UNSET_SIZE) {
        return "is duplicate";
    }
    if (cf->args->nelts == 2 && ngx_strcmp(words[1].data, "off") == 0) {
        mine->cache = 0;
        return NGX_CONF_OK;
    }
    ssize_t size = ngx_parse_size(&words[1]);
    if (size < 65536 || (uint64_t) size > 4294967296) {
        return "has a size that is not from 64k to 4g";
    }
    mine->cache = (size_t) size;
    if (cf->args->nelts == 2) {
        return NGX_CONF_OK;
    }
    if (ngx_strncmp(words[2].data, "maximum_age=", 12) != 0) {
        return "has a parameter that is not \"maximum_age=\"";
    }
    age.data = words[2].data + 12;
    age.len = words[2].len - 12;
    mine->cache_age = ngx_parse_time(&age, 1);
    return mine->cache_age >= 1 && mine->cache_age <= 86400 ? NGX_CONF_OK : "has a maximum_age that is not from 1s to 1d";
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

static char *ngx_http_assay_check_replay_zone(ngx_conf_t *cf, void *post, void *data)
{
    size_t *size = data;
    return *size >= 65536 && *size <= 17179869184 ? NGX_CONF_OK : "is not from 64k to 16g";
}

ngx_conf_post_t ngx_http_assay_wait_check = {ngx_http_assay_check_wait};
ngx_conf_post_t ngx_http_assay_timeout_check = {ngx_http_assay_check_timeout};
ngx_conf_post_t ngx_http_assay_zone_check = {ngx_http_assay_check_zone};
ngx_conf_post_t ngx_http_assay_replay_zone_check = {ngx_http_assay_check_replay_zone};
