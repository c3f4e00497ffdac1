/* configuration.c: what the levels of a configuration have, and how they inherit. */

#include "assay_module.h"

void *ngx_http_assay_create_main_conf(ngx_conf_t *cf)
{
    ngx_http_assay_main_conf_t *conf = ngx_pcalloc(cf->pool, sizeof(*conf));
    if (conf == NULL || ngx_array_init(&conf->sources, cf->pool, 4, sizeof(void *)) != NGX_OK
        || ngx_array_init(&conf->gateways, cf->pool, 4, sizeof(void *)) != NGX_OK
        || ngx_array_init(&conf->levels, cf->pool, 4, sizeof(void *)) != NGX_OK)
    {
        return NULL;
    }
    conf->zone_size = NGX_CONF_UNSET_SIZE;
    conf->replay_zone_size = NGX_CONF_UNSET_SIZE;
    conf->allow_private_addresses = NGX_CONF_UNSET;
    conf->allow_loopback = NGX_CONF_UNSET;
    conf->fetch_timeout = NGX_CONF_UNSET_MSEC;
    return conf;
}

char *ngx_http_assay_init_main_conf(ngx_conf_t *cf, void *data)
{
    ngx_http_assay_main_conf_t *conf = data;
    ngx_conf_init_size_value(conf->zone_size, 8388608);
    ngx_conf_init_size_value(conf->replay_zone_size, 0);
    ngx_conf_init_value(conf->allow_private_addresses, 0);
    ngx_conf_init_value(conf->allow_loopback, 0);
    ngx_conf_init_msec_value(conf->fetch_timeout, 3000);
    ngx_str_t *paths[] = {&conf->revocations, &conf->revocation_log};
    for (ngx_uint_t i = 0; i < 2; i++) {
        if (paths[i]->data != NULL && ngx_conf_full_name(cf->cycle, paths[i], 1) != NGX_OK) {
            return NGX_CONF_ERROR;
        }
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

static void ngx_http_assay_free_members(void *data)
{
    ngx_http_assay_loc_conf_t *conf = data;
    json_decref(conf->provider);
    json_decref(conf->trust);
    json_decref(conf->rules);
    json_decref(conf->places);
}

void *ngx_http_assay_create_loc_conf(ngx_conf_t *cf)
{
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(cf->pool, sizeof(ngx_http_assay_loc_conf_t));
    ngx_http_assay_loc_conf_t *conf = cleanup == NULL ? NULL : cleanup->data;
    if (conf == NULL) {
        return NULL;
    }
    *conf = (ngx_http_assay_loc_conf_t) {
        .is_on = NGX_CONF_UNSET, .provider = json_object(), .rules = json_object(), .places = json_object(), .wait = NGX_CONF_UNSET_MSEC,
        .cache = NGX_CONF_UNSET_SIZE, .cache_age = NGX_CONF_UNSET
    };
    cleanup->handler = ngx_http_assay_free_members;
    return conf->provider != NULL && conf->rules != NULL && conf->places != NULL ? conf : NULL;
}

/* What a level does not inherit, because it has chosen anew what that was chosen for: an issuer has its own tenants, a preset its own
 * staleness. */
static void ngx_http_assay_disinherit(json_t *inherited, const json_t *own)
{
    if (json_object_get(own, "issuer") != NULL) {
        json_object_del(inherited, "tenants");
    }
    if (json_object_get(own, "refresh") != NULL) {
        json_object_del(inherited, "staleSeconds");
    }
}

/* Keys of a file are not fetched: what a level inherits for the fetched keys of other levels has no use for them. */
static json_t *ngx_http_assay_trust_of(const json_t *provider)
{
    json_t *trust = json_copy((json_t *) provider);
    if (json_object_get(json_object_get(provider, "keys"), "inline") != NULL) {
        json_object_del(trust, "refresh");
        json_object_del(trust, "staleSeconds");
    }
    /* `assay_status_lists off` and `assay_dpop off` */
    static const char *members[] = {"statusLists", "dpop"};
    for (ngx_uint_t i = 0; i < 2; i++) {
        if (json_is_null(json_object_get(trust, members[i]))) {
            json_object_del(trust, members[i]);
        }
    }
    return trust;
}

static ngx_int_t ngx_http_assay_inherit(const ngx_http_assay_loc_conf_t *from, ngx_http_assay_loc_conf_t *to)
{
    json_t *inherited = json_copy(from->provider);
    if (inherited == NULL) {
        return NGX_ERROR;
    }
    ngx_http_assay_disinherit(inherited, to->provider);
    int result = json_object_update_missing(to->provider, inherited) | json_object_update_missing(to->rules, from->rules)
        | json_object_update_missing(to->places, from->places);
    json_decref(inherited);
    return result == 0 ? NGX_OK : NGX_ERROR;
}

char *ngx_http_assay_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_assay_loc_conf_t *from = parent, *to = child;
    if (json_object_get(to->provider, "tokenFrom") == NULL) {
        to->values = from->values;
    }
    if (json_object_get(to->provider, "claims") == NULL) {
        to->headers = from->headers;
    }
    if (to->cache == NGX_CONF_UNSET_SIZE) {
        to->cache_age = from->cache_age;
    }
    ngx_conf_merge_size_value(to->cache, from->cache, 0);
    ngx_conf_merge_msec_value(to->wait, from->wait, 1000);
    ngx_conf_merge_value(to->is_on, from->is_on, 0);
    if (ngx_http_assay_inherit(from, to) != NGX_OK) {
        return NGX_CONF_ERROR;
    }
    to->outer = from;
    for (ngx_http_assay_loc_conf_t *level = to; to->is_on && level != NULL; level = level->outer) {
        level->is_used = 1;
    }
    to->trust = ngx_http_assay_trust_of(to->provider);
    to->policy = to->is_on && to->trust != NULL ? ngx_http_assay_policy(cf, to) : NULL;
    return to->is_on && to->policy == NULL ? NGX_CONF_ERROR : NGX_CONF_OK;
}
