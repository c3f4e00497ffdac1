/* sources.c: where keys come from. A file is read once, by the master, while nginx reads its configuration. */

#include "assay_module.h"

static ngx_uint_t ngx_http_assay_is_same(ngx_str_t one, ngx_str_t other)
{
    return one.len == other.len && ngx_memcmp(one.data, other.data, one.len) == 0;
}

/* The text of a file that was read; empty: it was not. */
ngx_str_t ngx_http_assay_keys_text(const ngx_http_assay_main_conf_t *conf, ngx_str_t path)
{
    ngx_http_assay_key_file_t *file = conf->files.elts;
    for (ngx_uint_t i = 0; i < conf->files.nelts; i++) {
        if (ngx_http_assay_is_same(file[i].path, path)) {
            return file[i].text;
        }
    }
    return (ngx_str_t) ngx_null_string;
}

/* Reads a file of at most so many bytes; the text of a longer one ends there. */
ngx_int_t ngx_http_assay_read_file(ngx_conf_t *cf, ngx_str_t *path, size_t most, ngx_str_t *out)
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

/* Whether libassay finds a usable key in a document. */
static ngx_int_t ngx_http_assay_check_keys(ngx_conf_t *cf, ngx_str_t *path, ngx_str_t document)
{
    assay_keys *keys = NULL;
    assay_code code = assay_keys_new(&keys, (const char *) document.data, document.len);
    if (code != ASSAY_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" has no keys that can be read: %s", path, assay_code_name(code));
        return NGX_ERROR;
    }
    assay_keys_state state = {.size = sizeof(state)};
    ngx_uint_t is_usable = assay_keys_status(&state, keys) == ASSAY_OK && state.key_count > 0;
    assay_keys_free(keys);
    if (!is_usable) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" has no usable key", path);
    }
    return is_usable ? NGX_OK : NGX_ERROR;
}

ngx_int_t ngx_http_assay_read_keys_file(ngx_conf_t *cf, ngx_str_t *path)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_key_file_t read = {.path = *path}, *place;
    if (ngx_http_assay_keys_text(conf, *path).len > 0) {
        return NGX_OK;
    }
    /* One byte more than libassay takes stands for a longer document. */
    size_t most = ASSAY_LARGEST_DOCUMENT + 1;
    if (ngx_http_assay_read_file(cf, path, most, &read.text) != NGX_OK || ngx_http_assay_check_keys(cf, path, read.text) != NGX_OK) {
        return NGX_ERROR;
    }
    place = ngx_array_push(&conf->files);
    if (place == NULL) {
        return NGX_ERROR;
    }
    *place = read;
    return NGX_OK;
}

ngx_int_t ngx_http_assay_check_keys_url(ngx_conf_t *cf, ngx_str_t *url)
{
    assay_keys *keys = NULL;
    if (ngx_http_assay_is_template(*url)) {
        return NGX_OK;
    }
    if (assay_keys_new_url(&keys, (const char *) url->data, url->len, NULL) != ASSAY_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" is no https or http URL of printable ASCII", url);
        return NGX_ERROR;
    }
    assay_keys_free(keys);
    return NGX_OK;
}

static ngx_http_assay_source_t ngx_http_assay_wanted(const ngx_http_assay_trust_settings_t *settings)
{
    ngx_http_assay_source_t wanted = {
        .issuer = settings->issuer, .tenants = settings->tenants, .refresh = settings->refresh, .stale = settings->stale
    };
    if (settings->keys_file.data != NULL) {
        wanted.kind = ASSAY_SOURCE_FILE;
        wanted.name = settings->keys_file;
        wanted.refresh = ASSAY_AVAILABILITY_FIRST;
        wanted.stale = NGX_CONF_UNSET;
    } else {
        wanted.kind = settings->keys_url.data != NULL ? ASSAY_SOURCE_URL : ASSAY_SOURCE_ISSUER;
        wanted.name = settings->keys_url.data != NULL ? settings->keys_url : settings->issuer;
    }
    return wanted;
}

static ngx_uint_t ngx_http_assay_is_source(const ngx_http_assay_source_t *one, const ngx_http_assay_source_t *other)
{
    return one->kind == other->kind && one->tenants == other->tenants && one->refresh == other->refresh && one->stale == other->stale
        && ngx_http_assay_is_same(one->issuer, other->issuer) && ngx_http_assay_is_same(one->name, other->name);
}

ngx_http_assay_source_t *ngx_http_assay_source(ngx_conf_t *cf, const ngx_http_assay_trust_settings_t *settings)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_source_t wanted = ngx_http_assay_wanted(settings), **sources = conf->sources.elts, **place, *source;
    for (ngx_uint_t i = 0; i < conf->sources.nelts; i++) {
        if (ngx_http_assay_is_source(sources[i], &wanted)) {
            return sources[i];
        }
    }
    source = ngx_palloc(cf->pool, sizeof(*source));
    place = ngx_array_push(&conf->sources);
    if (source == NULL || place == NULL) {
        return NULL;
    }
    *source = wanted;
    *place = source;
    return ngx_array_init(&source->gateways, cf->pool, 1, sizeof(void *)) == NGX_OK ? source : NULL;
}
