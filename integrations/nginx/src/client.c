/* client.c: the helper's HTTP client, which is libassay-http. Neither the master nor a worker has that in memory, or libcurl. */

#include "assay_documents.h"

#include <dlfcn.h>

#define ASSAY_HTTP_FUNCTIONS(each) \
    each(assay_http_options_init) each(assay_http_permits) each(assay_http_client_new) each(assay_http_client_send) \
    each(assay_http_client_take)

static struct {
#define ASSAY_DECLARE(name) __typeof__(name) *name;
    ASSAY_HTTP_FUNCTIONS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
} http;

static assay_http_client *ngx_http_assay_client;

static ngx_int_t ngx_http_assay_open_http(ngx_log_t *log)
{
    void *library = dlopen("libassay-http.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        ngx_log_error(NGX_LOG_EMERG, log, 0, "assay cannot fetch keys without libassay-http: %s. Install the package libassay-http0",
                      dlerror());
        return NGX_ERROR;
    }
#define ASSAY_FIND(name) \
    http.name = (__typeof__(name) *) dlsym(library, #name); \
    if (http.name == NULL) { \
        ngx_log_error(NGX_LOG_EMERG, log, 0, "assay cannot fetch keys: this libassay-http has no " #name \
                      ". Install the package libassay-http0 of this module's version"); \
        return NGX_ERROR; \
    }
    ASSAY_HTTP_FUNCTIONS(ASSAY_FIND)
#undef ASSAY_FIND
    return NGX_OK;
}

static uint32_t ngx_http_assay_addresses(const ngx_http_assay_main_conf_t *conf)
{
    return (conf->allow_private_addresses ? ASSAY_HTTP_PRIVATE : 0)
        | (conf->allow_loopback ? ASSAY_HTTP_LOOPBACK | ASSAY_HTTP_PLAIN_LOOPBACK : 0);
}

/* On a thread of the library. */
static void ngx_http_assay_on_answer(void *context)
{
    ngx_http_assay_wake_helper();
}

ngx_int_t ngx_http_assay_start_client(const ngx_http_assay_main_conf_t *conf, ngx_log_t *log)
{
    assay_http_options options;
    if (ngx_http_assay_open_http(log) != NGX_OK || http.assay_http_options_init(&options, sizeof(options)) != ASSAY_OK) {
        return NGX_ERROR;
    }
    options.request_limit = (int64_t) conf->fetch_timeout;
    options.addresses = ngx_http_assay_addresses(conf);
    options.roots = ngx_http_assay_lent(conf->authorities_text);
    if (http.assay_http_client_new(&ngx_http_assay_client, &options, ngx_http_assay_on_answer, NULL) != ASSAY_OK) {
        ngx_log_error(NGX_LOG_EMERG, log, 0, "assay cannot fetch keys: \"%V\" has something else than certificates in PEM",
                      &conf->authorities);
        return NGX_ERROR;
    }
    return NGX_OK;
}

ngx_int_t ngx_http_assay_send(ngx_str_t url, const assay_field *fields, size_t count)
{
    assay_code code = http.assay_http_client_send(ngx_http_assay_client, (const char *) url.data, url.len, fields, count);
    return code == ASSAY_OK ? NGX_OK : NGX_DECLINED;
}

ngx_int_t ngx_http_assay_take(assay_http_answer *answer)
{
    answer->size = sizeof(*answer);
    return http.assay_http_client_take(answer, ngx_http_assay_client) == ASSAY_OK ? NGX_OK : NGX_DECLINED;
}

/* Whether the helper may ask the host of a URL: what a name leads to, it finds out with each request. The path is left out, because it may
 * have the place of a tenant. */
static ngx_uint_t ngx_http_assay_permits(ngx_str_t url, uint32_t addresses)
{
    u_char *host = (u_char *) ngx_strstr(url.data, "://"), *end = url.data + url.len;
    u_char *path = host == NULL ? NULL : ngx_strlchr(host + 3, end, '/');
    return http.assay_http_permits((const char *) url.data, (size_t) ((path == NULL ? end : path) - url.data), addresses) == 1;
}

/* What the location needs for its keys to be fetched from this URL, as words of a message; NULL: nothing. */
static const char *ngx_http_assay_missing_permission(const ngx_http_assay_main_conf_t *conf, ngx_str_t url)
{
    uint32_t addresses = ngx_http_assay_addresses(conf);
    if (ngx_http_assay_permits(url, addresses)) {
        return NULL;
    }
    if (ngx_http_assay_permits(url, addresses | ASSAY_HTTP_LOOPBACK | ASSAY_HTTP_PLAIN_LOOPBACK)) {
        return "\"assay_allow_loopback on\" in \"http\"";
    }
    if (url.len > 5 && ngx_strncasecmp(url.data, (u_char *) "http:", 5) == 0) {
        return "https, because plain http is for \"localhost\" and loopback addresses alone,";
    }
    return ngx_http_assay_permits(url, addresses | ASSAY_HTTP_PRIVATE)
        ? "\"assay_allow_private_addresses on\" in \"http\""
        : "an address that is not link-local or reserved";
}

static ngx_int_t ngx_http_assay_check_url(const ngx_http_assay_main_conf_t *conf, const ngx_http_assay_gateway_t *gateway,
                                          const char *documents, ngx_str_t url, ngx_log_t *log)
{
    const ngx_http_assay_policy_t *policy = *(ngx_http_assay_policy_t **) gateway->policies.elts;
    const char *what = url.len == 0 ? NULL : ngx_http_assay_missing_permission(conf, url);
    if (what == NULL) {
        return NGX_OK;
    }
    ngx_log_error(NGX_LOG_EMERG, log, 0, "\"assay on\" needs %s for %s from \"%V\" in %s", what, documents, &url,
                  ngx_http_assay_place_of(policy));
    return NGX_ERROR;
}

/* The keys, and the origins of status lists: those that are named, or the issuer. */
static ngx_int_t ngx_http_assay_check_source(const ngx_http_assay_main_conf_t *conf, const ngx_http_assay_gateway_t *gateway, ngx_log_t *log)
{
    const json_t *lists = json_object_get(gateway->provider, "statusLists"), *origins = json_object_get(lists, "origins");
    ngx_int_t result = ngx_http_assay_check_url(conf, gateway, "keys", gateway->source->url, log);
    if (result == NGX_OK && lists != NULL && origins == NULL) {
        ngx_str_t issuer = ngx_http_assay_text(json_object_get(gateway->provider, "issuer"));
        result = ngx_http_assay_check_url(conf, gateway, "status lists", issuer, log);
    }
    for (size_t i = 0; result == NGX_OK && i < json_array_size(origins); i++) {
        result = ngx_http_assay_check_url(conf, gateway, "status lists", ngx_http_assay_text(json_array_get(origins, i)), log);
    }
    return result;
}

static ngx_int_t ngx_http_assay_check_sources(const ngx_http_assay_main_conf_t *conf, ngx_log_t *log)
{
    ngx_http_assay_gateway_t **gateways = conf->gateways.elts;
    if (ngx_http_assay_start_client(conf, log) != NGX_OK) {
        return NGX_ERROR;
    }
    for (ngx_uint_t i = 0; i < conf->gateways.nelts; i++) {
        if (ngx_http_assay_check_source(conf, gateways[i], log) != NGX_OK) {
            return NGX_ERROR;
        }
    }
    return NGX_OK;
}

/* In a process of its own: libraries that libcurl brings along stay in memory after it is closed, and workers would inherit them. */
ngx_int_t ngx_http_assay_check_client(const ngx_http_assay_main_conf_t *conf, ngx_log_t *log)
{
    int status = 0;
    pid_t ended, process = fork();
    if (process == -1) {
        ngx_log_error(NGX_LOG_EMERG, log, ngx_errno, "fork() failed");
        return NGX_ERROR;
    }
    if (process == 0) {
        _exit(ngx_http_assay_check_sources(conf, log) != NGX_OK);
    }
    do {
        ended = waitpid(process, &status, 0);
    } while (ended == -1 && ngx_errno == NGX_EINTR);
    return ended == process && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NGX_OK : NGX_ERROR;
}
