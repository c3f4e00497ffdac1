/* policies.c: the policies, gateways and sources of locations. Locations that inherit the same settings share them. */

#include "assay_module.h"

static ngx_uint_t ngx_http_assay_has_same(const json_t *one, const json_t *other, const char *member)
{
    const json_t *here = json_object_get(one, member), *there = json_object_get(other, member);
    return here == there || json_equal(here, there);
}

static ngx_uint_t ngx_http_assay_is_source_of(const json_t *provider, const ngx_http_assay_source_t *source)
{
    static const char *members[] = {"issuer", "tenants", "keys", "refresh", "staleSeconds"};
    for (ngx_uint_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        if (!ngx_http_assay_has_same(provider, source->provider, members[i])) {
            return 0;
        }
    }
    return 1;
}

static ngx_str_t ngx_http_assay_url_of_keys(const json_t *provider)
{
    const json_t *keys = json_object_get(provider, "keys");
    return ngx_http_assay_text(keys == NULL ? json_object_get(provider, "issuer") : json_object_get(keys, "url"));
}

static ngx_http_assay_source_t *ngx_http_assay_source(ngx_conf_t *cf, const json_t *provider)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_source_t **sources = conf->sources.elts, **place, *source;
    for (ngx_uint_t i = 0; i < conf->sources.nelts; i++) {
        if (ngx_http_assay_is_source_of(provider, sources[i])) {
            return sources[i];
        }
    }
    source = ngx_pcalloc(cf->pool, sizeof(*source));
    place = ngx_array_push(&conf->sources);
    if (source == NULL || place == NULL) {
        return NULL;
    }
    source->provider = provider;
    source->url = ngx_http_assay_url_of_keys(provider);
    *place = source;
    return ngx_array_init(&source->gateways, cf->pool, 1, sizeof(void *)) == NGX_OK ? source : NULL;
}

static ngx_http_assay_gateway_t *ngx_http_assay_new_gateway(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf)
{
    ngx_http_assay_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_gateway_t *gateway = ngx_palloc(cf->pool, sizeof(*gateway)), **place = ngx_array_push(&main->gateways);
    ngx_http_assay_source_t *source = ngx_http_assay_source(cf, conf->trust);
    ngx_http_assay_gateway_t **member = source == NULL ? NULL : ngx_array_push(&source->gateways);
    if (gateway == NULL || place == NULL || member == NULL) {
        return NULL;
    }
    *gateway = (ngx_http_assay_gateway_t) {
        .provider = conf->trust, .cache = conf->cache, .cache_age = conf->cache_age, .source = source
    };
    *place = *member = gateway;
    source->has_lists |= json_object_get(conf->trust, "statusLists") != NULL;
    return ngx_array_init(&gateway->policies, cf->pool, 2, sizeof(void *)) == NGX_OK ? gateway : NULL;
}

static ngx_http_assay_gateway_t *ngx_http_assay_gateway(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf)
{
    const ngx_http_assay_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_gateway_t **gateways = main->gateways.elts;
    for (ngx_uint_t i = 0; i < main->gateways.nelts; i++) {
        if (gateways[i]->cache == conf->cache && gateways[i]->cache_age == conf->cache_age
            && json_equal(gateways[i]->provider, conf->trust))
        {
            return gateways[i];
        }
    }
    return ngx_http_assay_new_gateway(cf, conf);
}

static ngx_http_assay_policy_t *ngx_http_assay_new_policy(ngx_conf_t *cf, ngx_http_assay_gateway_t *gateway,
                                                          const ngx_http_assay_loc_conf_t *conf)
{
    ngx_http_assay_policy_t *policy = ngx_palloc(cf->pool, sizeof(*policy)), **place = ngx_array_push(&gateway->policies);
    u_char *name = ngx_pnalloc(cf->pool, NGX_INT_T_LEN + 1);
    if (policy == NULL || place == NULL || name == NULL) {
        return NULL;
    }
    *policy = (ngx_http_assay_policy_t) {
        .rules = conf->rules, .places = conf->places, .values = conf->values, .headers = conf->headers, .wait = conf->wait,
        .gateway = gateway, .name = {(size_t) (ngx_sprintf(name, "p%ui", gateway->policies.nelts) - name), name}
    };
    *place = policy;
    return policy;
}

/* Two gateways alike have tokens and fields alike, so their policies differ in nothing else. */
ngx_http_assay_policy_t *ngx_http_assay_policy(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf)
{
    ngx_http_assay_gateway_t *gateway = ngx_http_assay_gateway(cf, conf);
    ngx_http_assay_policy_t **policies = gateway == NULL ? NULL : gateway->policies.elts;
    for (ngx_uint_t i = 0; gateway != NULL && i < gateway->policies.nelts; i++) {
        if (policies[i]->wait == conf->wait && json_equal(policies[i]->rules, conf->rules)) {
            return policies[i];
        }
    }
    return gateway == NULL ? NULL : ngx_http_assay_new_policy(cf, gateway, conf);
}
