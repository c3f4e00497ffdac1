/* sources.c: where keys come from. A file is read once, by the master, while nginx reads its configuration. */

#include "assay_module.h"

static void ngx_http_assay_free_keys(void *data)
{
    ngx_http_assay_source_t *source = data;
    assay_keys_free(source->keys);
    source->keys = NULL;
}

static ngx_uint_t ngx_http_assay_is_same(ngx_str_t one, ngx_str_t other)
{
    return one.len == other.len && ngx_memcmp(one.data, other.data, one.len) == 0;
}

static ngx_http_assay_source_t *ngx_http_assay_find_source(ngx_conf_t *cf, const ngx_http_assay_source_t *wanted)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_source_t **sources = conf->sources.elts;
    for (ngx_uint_t i = 0; i < conf->sources.nelts; i++) {
        if (sources[i]->kind == wanted->kind && ngx_http_assay_is_same(sources[i]->name, wanted->name)
            && sources[i]->refresh == wanted->refresh && sources[i]->stale == wanted->stale)
        {
            return sources[i];
        }
    }
    return NULL;
}

static ngx_http_assay_source_t *ngx_http_assay_add_source(ngx_conf_t *cf, const ngx_http_assay_source_t *wanted)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_source_t *source = ngx_palloc(cf->pool, sizeof(*source)), **place = ngx_array_push(&conf->sources);
    if (source != NULL && place != NULL) {
        *source = *wanted;
        *place = source;
    }
    return place == NULL ? NULL : source;
}

/* Reads a document of at most ASSAY_LARGEST_DOCUMENT bytes into `out`. */
static ngx_int_t ngx_http_assay_read_file(ngx_conf_t *cf, ngx_str_t *path, ngx_str_t *out)
{
    size_t most = ASSAY_LARGEST_DOCUMENT + 1;
    ngx_fd_t file = ngx_open_file(path->data, NGX_FILE_RDONLY, NGX_FILE_OPEN | NGX_FILE_NONBLOCK, 0);
    if (file == NGX_INVALID_FILE) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno, "\"%V\" cannot be opened", path);
        return NGX_ERROR;
    }
    out->data = ngx_alloc(most, cf->log);
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

/* Makes the keys of a file, which end with the configuration. */
static ngx_int_t ngx_http_assay_make_keys(ngx_conf_t *cf, ngx_http_assay_source_t *source, ngx_str_t document)
{
    assay_code code = assay_keys_new(&source->keys, (const char *) document.data, document.len);
    if (code != ASSAY_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" has no keys that can be read: %s", &source->name, assay_code_name(code));
        return NGX_ERROR;
    }
    assay_keys_state state = {.size = sizeof(state)};
    if (assay_keys_status(&state, source->keys) != ASSAY_OK || state.key_count == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" has no usable key", &source->name);
        assay_keys_free(source->keys);
        return NGX_ERROR;
    }
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(cf->pool, 0);
    if (cleanup == NULL) {
        assay_keys_free(source->keys);
        return NGX_ERROR;
    }
    cleanup->handler = ngx_http_assay_free_keys;
    cleanup->data = source;
    return NGX_OK;
}

ngx_int_t ngx_http_assay_check_keys_file(ngx_conf_t *cf, ngx_str_t *path)
{
    ngx_http_assay_source_t wanted = {.name = *path, .refresh = ASSAY_AVAILABILITY_FIRST, .stale = NGX_CONF_UNSET};
    if (ngx_http_assay_find_source(cf, &wanted) != NULL) {
        return NGX_OK;
    }
    ngx_str_t document = ngx_null_string;
    ngx_http_assay_source_t *source = ngx_http_assay_add_source(cf, &wanted);
    ngx_int_t result = source == NULL ? NGX_ERROR : ngx_http_assay_read_file(cf, path, &document);
    if (result == NGX_OK) {
        result = ngx_http_assay_make_keys(cf, source, document);
    }
    ngx_free(document.data);
    return result;
}

ngx_int_t ngx_http_assay_check_keys_url(ngx_conf_t *cf, ngx_str_t *url)
{
    assay_keys *keys = NULL;
    if (assay_keys_new_url(&keys, (const char *) url->data, url->len, NULL) != ASSAY_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" is no https or http URL of printable ASCII", url);
        return NGX_ERROR;
    }
    assay_keys_free(keys);
    return NGX_OK;
}

static ngx_int_t ngx_http_assay_check_issuer(ngx_conf_t *cf, ngx_str_t issuer)
{
    assay_keys *keys = NULL;
    if (assay_keys_new_issuer(&keys, (const char *) issuer.data, issuer.len, NULL) != ASSAY_OK) {
        return NGX_ERROR;
    }
    assay_keys_free(keys);
    return NGX_OK;
}

ngx_http_assay_source_t *ngx_http_assay_source(ngx_conf_t *cf, const ngx_http_assay_trust_settings_t *settings)
{
    ngx_http_assay_source_t wanted = {.refresh = settings->refresh, .stale = settings->stale};
    if (settings->keys_file.data != NULL) {
        wanted = (ngx_http_assay_source_t) {.name = settings->keys_file, .refresh = ASSAY_AVAILABILITY_FIRST, .stale = NGX_CONF_UNSET};
    } else if (settings->keys_url.data != NULL) {
        wanted.kind = ASSAY_SOURCE_URL;
        wanted.name = settings->keys_url;
    } else {
        wanted.kind = ASSAY_SOURCE_ISSUER;
        wanted.name = settings->issuer;
    }
    ngx_http_assay_source_t *found = ngx_http_assay_find_source(cf, &wanted);
    if (found != NULL) {
        return found;
    }
    if (wanted.kind == ASSAY_SOURCE_ISSUER && ngx_http_assay_check_issuer(cf, wanted.name) != NGX_OK) {
        return NULL;
    }
    return ngx_http_assay_add_source(cf, &wanted);
}
