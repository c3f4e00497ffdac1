/* configuration.c: how levels of the configuration inherit, and what is missing where `assay on` stands. */

#include "assay_module.h"

void *ngx_http_assay_create_main_conf(ngx_conf_t *cf)
{
    ngx_http_assay_main_conf_t *conf = ngx_pcalloc(cf->pool, sizeof(*conf));
    if (conf == NULL || ngx_array_init(&conf->files, cf->pool, 4, sizeof(ngx_http_assay_key_file_t)) != NGX_OK
        || ngx_array_init(&conf->sources, cf->pool, 4, sizeof(void *)) != NGX_OK
        || ngx_array_init(&conf->gateways, cf->pool, 4, sizeof(void *)) != NGX_OK)
    {
        return NULL;
    }
    conf->zone_size = NGX_CONF_UNSET_SIZE;
    conf->allow_private_addresses = NGX_CONF_UNSET;
    conf->allow_loopback = NGX_CONF_UNSET;
    conf->fetch_timeout = NGX_CONF_UNSET_MSEC;
    return conf;
}

char *ngx_http_assay_init_main_conf(ngx_conf_t *cf, void *data)
{
    ngx_http_assay_main_conf_t *conf = data;
    ngx_conf_init_size_value(conf->zone_size, 8388608);
    ngx_conf_init_value(conf->allow_private_addresses, 0);
    ngx_conf_init_value(conf->allow_loopback, 0);
    ngx_conf_init_msec_value(conf->fetch_timeout, 3000);
    if (conf->revocations.data != NULL && ngx_conf_full_name(cf->cycle, &conf->revocations, 1) != NGX_OK) {
        return NGX_CONF_ERROR;
    }
    return NGX_CONF_OK;
}

void *ngx_http_assay_create_srv_conf(ngx_conf_t *cf)
{
    ngx_http_assay_srv_conf_t *conf = ngx_pcalloc(cf->pool, sizeof(*conf));
    if (conf != NULL) {
        conf->names = ngx_array_create(cf->pool, 4, sizeof(ngx_str_t));
        conf->paths = NGX_CONF_UNSET_UINT;
    }
    return conf == NULL || conf->names == NULL ? NULL : conf;
}

/* A server protects the names of the level above and those of all its locations. */
char *ngx_http_assay_merge_srv_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_assay_srv_conf_t *from = parent, *to = child;
    ngx_str_t *names = from->names->elts;
    for (ngx_uint_t i = 0; i < from->names->nelts; i++) {
        ngx_str_t *name = ngx_array_push(to->names);
        if (name == NULL) {
            return NGX_CONF_ERROR;
        }
        *name = names[i];
    }
    ngx_conf_merge_uint_value(to->paths, from->paths, ASSAY_PATHS_STRICT);
    to->is_used |= from->is_used;
    return NGX_CONF_OK;
}

void *ngx_http_assay_create_loc_conf(ngx_conf_t *cf)
{
    ngx_http_assay_loc_conf_t *conf = ngx_pcalloc(cf->pool, sizeof(*conf));
    if (conf == NULL) {
        return NULL;
    }
    conf->is_on = NGX_CONF_UNSET;
    conf->trust.tenants = conf->trust.audiences = conf->trust.algorithms = conf->trust.required_claims = NGX_CONF_UNSET_PTR;
    conf->trust.any_audience = NGX_CONF_UNSET;
    conf->trust.tokens = conf->trust.refresh = NGX_CONF_UNSET_UINT;
    conf->trust.leeway = conf->trust.maximum_age = conf->trust.stale = conf->trust.cache_age = NGX_CONF_UNSET;
    conf->trust.cache = NGX_CONF_UNSET_SIZE;
    conf->rules.places = conf->rules.scopes = conf->rules.requirements = conf->rules.headers = NGX_CONF_UNSET_PTR;
    conf->rules.wait = NGX_CONF_UNSET_MSEC;
    conf->rules.dry_run = NGX_CONF_UNSET;
    return conf;
}

/* A level that says where its keys are does not inherit another place of keys. */
static void ngx_http_assay_merge_keys(ngx_http_assay_trust_settings_t *from, ngx_http_assay_trust_settings_t *to)
{
    if (to->keys_file.data == NULL && to->keys_url.data == NULL) {
        to->keys_file = from->keys_file;
        to->keys_url = from->keys_url;
    }
}

/* A preset of this level comes with its own staleness: that of the level above was chosen for another one. */
static void ngx_http_assay_merge_refresh(ngx_http_assay_trust_settings_t *from, ngx_http_assay_trust_settings_t *to)
{
    if (to->refresh == NGX_CONF_UNSET_UINT) {
        ngx_conf_merge_sec_value(to->stale, from->stale, NGX_CONF_UNSET);
    }
    ngx_conf_merge_uint_value(to->refresh, from->refresh, ASSAY_AVAILABILITY_FIRST);
}

/* A level that names its issuer does not inherit the tenants of another one. */
static void ngx_http_assay_merge_issuer(ngx_http_assay_trust_settings_t *from, ngx_http_assay_trust_settings_t *to)
{
    if (to->issuer.data == NULL) {
        to->issuer = from->issuer;
        ngx_conf_merge_ptr_value(to->tenants, from->tenants, NULL);
    }
    ngx_conf_init_ptr_value(to->tenants, NULL);
}

static void ngx_http_assay_merge_trust(ngx_http_assay_trust_settings_t *from, ngx_http_assay_trust_settings_t *to)
{
    ngx_http_assay_merge_issuer(from, to);
    ngx_http_assay_merge_keys(from, to);
    ngx_conf_merge_ptr_value(to->audiences, from->audiences, NULL);
    ngx_conf_merge_ptr_value(to->algorithms, from->algorithms, NULL);
    ngx_conf_merge_ptr_value(to->required_claims, from->required_claims, NULL);
    ngx_conf_merge_value(to->any_audience, from->any_audience, 0);
    ngx_conf_merge_uint_value(to->tokens, from->tokens, ASSAY_TOKENS_ANY);
    ngx_conf_merge_sec_value(to->leeway, from->leeway, 60);
    ngx_conf_merge_sec_value(to->maximum_age, from->maximum_age, 0);
    ngx_http_assay_merge_refresh(from, to);
    if (to->cache == NGX_CONF_UNSET_SIZE) {
        to->cache_age = from->cache_age;
    }
    ngx_conf_merge_size_value(to->cache, from->cache, 0);
}

static void ngx_http_assay_merge_rules(ngx_http_assay_policy_settings_t *from, ngx_http_assay_policy_settings_t *to)
{
    ngx_conf_merge_ptr_value(to->places, from->places, NULL);
    ngx_conf_merge_ptr_value(to->scopes, from->scopes, NULL);
    ngx_conf_merge_ptr_value(to->requirements, from->requirements, NULL);
    ngx_conf_merge_ptr_value(to->headers, from->headers, NULL);
    ngx_conf_merge_str_value(to->realm, from->realm, "");
    ngx_conf_merge_str_value(to->resource_metadata, from->resource_metadata, "");
    ngx_conf_merge_str_value(to->login_redirect, from->login_redirect, "");
    ngx_conf_merge_msec_value(to->wait, from->wait, 1000);
    ngx_conf_merge_value(to->dry_run, from->dry_run, 0);
}

/* What is missing is reported where `assay on` stands: the place where nginx merges levels is the end of a block. */
static char *ngx_http_assay_missing(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf, const char *what)
{
    ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "\"assay on\" needs %s in %V:%ui", what, &conf->file, conf->line);
    return NGX_CONF_ERROR;
}

/* Without a place for its keys an issuer must be a URL. libassay judges templates. */
static ngx_uint_t ngx_http_assay_has_source(const ngx_http_assay_trust_settings_t *trust)
{
    assay_keys *keys = NULL;
    if (trust->keys_file.data != NULL || trust->keys_url.data != NULL || ngx_http_assay_is_template(trust->issuer)) {
        return 1;
    }
    assay_code code = assay_keys_new_issuer(&keys, (const char *) trust->issuer.data, trust->issuer.len, NULL);
    assay_keys_free(keys);
    return code == ASSAY_OK;
}

static char *ngx_http_assay_check(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf)
{
    const ngx_http_assay_trust_settings_t *trust = &conf->trust;
    if (trust->issuer.len == 0) {
        return ngx_http_assay_missing(cf, conf, "\"assay_issuer\"");
    }
    if (trust->audiences == NULL && !trust->any_audience) {
        return ngx_http_assay_missing(cf, conf, "\"assay_audiences\", or \"assay_any_audience on\"");
    }
    if (trust->audiences != NULL && trust->any_audience) {
        return ngx_http_assay_missing(cf, conf, "either \"assay_audiences\" or \"assay_any_audience on\", not both");
    }
    if (trust->keys_file.data != NULL && trust->keys_url.data != NULL) {
        return ngx_http_assay_missing(cf, conf, "either \"assay_keys_file\" or \"assay_keys_url\", not both");
    }
    if (trust->tokens != ASSAY_TOKENS_ANY && trust->any_audience) {
        return ngx_http_assay_missing(cf, conf, "\"assay_audiences\" for this kind of \"assay_tokens\"");
    }
    if (!ngx_http_assay_has_source(trust)) {
        return ngx_http_assay_missing(cf, conf, "\"assay_keys_file\", \"assay_keys_url\" or an https or http URL as \"assay_issuer\"");
    }
    return NGX_CONF_OK;
}

char *ngx_http_assay_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_assay_loc_conf_t *from = parent, *to = child;
    if (to->is_on == NGX_CONF_UNSET) {
        to->file = from->file;
        to->line = from->line;
    }
    ngx_conf_merge_value(to->is_on, from->is_on, 0);
    ngx_http_assay_merge_trust(&from->trust, &to->trust);
    ngx_http_assay_merge_rules(&from->rules, &to->rules);
    if (!to->is_on) {
        return NGX_CONF_OK;
    }
    if (ngx_http_assay_check(cf, to) != NGX_CONF_OK) {
        return NGX_CONF_ERROR;
    }
    to->policy = ngx_http_assay_policy(cf, to);
    return to->policy == NULL ? NGX_CONF_ERROR : NGX_CONF_OK;
}
