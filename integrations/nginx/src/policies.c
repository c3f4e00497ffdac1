/* policies.c: the policies and gateways of locations. Locations that inherit the same settings share both. */

#include "assay_module.h"

static ngx_http_assay_gateway_t *ngx_http_assay_new_gateway(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf)
{
    ngx_http_assay_gateway_t *gateway = ngx_pcalloc(cf->pool, sizeof(*gateway)), **place;
    if (gateway == NULL || ngx_array_init(&gateway->policies, cf->pool, 2, sizeof(void *)) != NGX_OK) {
        return NULL;
    }
    gateway->trust = conf->trust;
    gateway->places = conf->rules.places;
    gateway->headers = conf->rules.headers;
    gateway->source = ngx_http_assay_source(cf, &conf->trust);
    place = gateway->source == NULL ? NULL : ngx_array_push(&gateway->source->gateways);
    if (place == NULL) {
        return NULL;
    }
    *place = gateway;
    return gateway;
}

static ngx_http_assay_gateway_t *ngx_http_assay_gateway(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf)
{
    ngx_http_assay_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_gateway_t **gateways = main->gateways.elts;
    for (ngx_uint_t i = 0; i < main->gateways.nelts; i++) {
        if (gateways[i]->places == conf->rules.places && gateways[i]->headers == conf->rules.headers
            && ngx_memcmp(&gateways[i]->trust, &conf->trust, sizeof(conf->trust)) == 0)
        {
            return gateways[i];
        }
    }
    ngx_http_assay_gateway_t *gateway = ngx_http_assay_new_gateway(cf, conf), **place = ngx_array_push(&main->gateways);
    if (gateway != NULL && place != NULL) {
        *place = gateway;
    }
    return place == NULL ? NULL : gateway;
}

static ngx_http_assay_policy_t *ngx_http_assay_new_policy(ngx_conf_t *cf, ngx_http_assay_gateway_t *gateway,
                                                          const ngx_http_assay_loc_conf_t *conf)
{
    ngx_http_assay_policy_t *policy = ngx_pcalloc(cf->pool, sizeof(*policy)), **place = ngx_array_push(&gateway->policies);
    u_char *name = ngx_pnalloc(cf->pool, NGX_INT_T_LEN + 1);
    if (policy == NULL || place == NULL || name == NULL) {
        return NULL;
    }
    *policy = (ngx_http_assay_policy_t) {
        .settings = conf->rules, .gateway = gateway, .file = conf->file, .line = conf->line,
        .name = {(size_t) (ngx_sprintf(name, "p%ui", gateway->policies.nelts) - name), name}
    };
    *place = policy;
    return policy;
}

ngx_http_assay_policy_t *ngx_http_assay_policy(ngx_conf_t *cf, const ngx_http_assay_loc_conf_t *conf)
{
    ngx_http_assay_gateway_t *gateway = ngx_http_assay_gateway(cf, conf);
    ngx_http_assay_policy_t **policies = gateway == NULL ? NULL : gateway->policies.elts;
    for (ngx_uint_t i = 0; gateway != NULL && i < gateway->policies.nelts; i++) {
        if (ngx_memcmp(&policies[i]->settings, &conf->rules, sizeof(conf->rules)) == 0) {
            return policies[i];
        }
    }
    return gateway == NULL ? NULL : ngx_http_assay_new_policy(cf, gateway, conf);
}
