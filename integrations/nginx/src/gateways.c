/* gateways.c: gateways of libassay, made of settings. The master makes them once the configuration is complete, and workers inherit them: what
 * workers could not make does not start. */

#include "assay_module.h"

static void ngx_http_assay_free_core(void *data)
{
    ngx_http_assay_gateway_t *gateway = data;
    assay_gateway_free(gateway->core);
    gateway->core = NULL;
}

void ngx_http_assay_free_gateways(ngx_http_assay_main_conf_t *conf)
{
    ngx_http_assay_gateway_t **gateways = conf->gateways.elts;
    for (ngx_uint_t i = 0; i < conf->gateways.nelts; i++) {
        ngx_http_assay_free_core(gateways[i]);
    }
}

/* libassay calls this inside a decision, and must not be called back. */
static void ngx_http_assay_on_order(void *context)
{
    ngx_http_assay_source_t *source = context;
    if (source->feed != NULL) {
        ngx_http_assay_order(source->feed);
    }
}

/* Gateways of one source use the keys of its first one. */
static assay_code ngx_http_assay_new_core(ngx_http_assay_gateway_t *gateway, const char *settings, const assay_replay_memory *replays)
{
    const ngx_http_assay_gateway_t *first = *(ngx_http_assay_gateway_t **) gateway->source->gateways.elts;
    const assay_gateway *shared = first->core;
    assay_gateway_options options = {
        .size = sizeof(options), .cache_bytes = gateway->cache, .cache_seconds = (uint64_t) ngx_max(gateway->cache_age, 0),
        .wake = ngx_http_assay_on_order, .context = gateway->source, .sharing = &shared, .sharing_count = shared != NULL,
        .replay_memory = replays
    };
    return assay_gateway_new(&gateway->core, settings, ngx_strlen(settings), &options);
}

static json_t *ngx_http_assay_provider(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway)
{
    json_t *provider = json_copy(gateway->provider);
    json_object_set_new(provider, "name", json_string("issuer"));
    if (ngx_http_assay_names_claims(cf)) {
        json_object_set_new(provider, "payloadMetadata", json_string("payload"));
    }
    return provider;
}

static json_t *ngx_http_assay_rules(const ngx_http_assay_policy_t *policy)
{
    json_t *rules = json_copy(policy->rules);
    json_object_set_new(rules, "name", ngx_http_assay_json(policy->name));
    json_object_set_new(rules, "requires", json_string("issuer"));
    /* `assay_login_redirect off` */
    if (json_is_null(json_object_get(rules, "browsers"))) {
        json_object_del(rules, "browsers");
    }
    /* Its description stands in the list of all; `assay_protected_resource off` */
    json_t *resource = json_object_get(rules, "resource");
    if (json_is_object(resource)) {
        json_object_set(rules, "resource", json_object_get(resource, "resource"));
    } else {
        json_object_del(rules, "resource");
    }
    return rules;
}

/* Sets a path among the settings, unless it is empty; 0 after a message. Without its member the file would revoke nothing. */
static ngx_uint_t ngx_http_assay_set_path(ngx_conf_t *cf, json_t *root, const char *directive, const char *member, ngx_str_t path)
{
    if (path.len == 0 || json_object_set_new(root, member, ngx_http_assay_json(path)) == 0) {
        return 1;
    }
    ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "\"%s\" directive has a path that is not UTF-8: \"%V\"", directive, &path);
    return 0;
}

/* The settings of a gateway as libassay reads them (Docs/Gateway.md), with a final NUL: one provider, and a policy for each set of rules that
 * locations have. nginx has chosen the location, and looked at the path and the method. NULL without memory, or after a message; free() gives
 * them back. */
static char *ngx_http_assay_settings(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway)
{
    const ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_policy_t **policies = gateway->policies.elts;
    json_t *list = json_array();
    for (ngx_uint_t i = 0; i < gateway->policies.nelts; i++) {
        json_array_append_new(list, ngx_http_assay_rules(policies[i]));
    }
    json_t *root = json_pack("{s:[o], s:o, s:o, s:b, s:{s:b}}", "providers", ngx_http_assay_provider(cf, gateway), "policies", list,
                             "policy", ngx_http_assay_json(policies[0]->name), "allowMethodOverride", 1, "paths", "strict", 0);
    ngx_uint_t is_whole = root != NULL && json_array_size(list) == gateway->policies.nelts;
    json_t *resources = json_array();
    is_whole = is_whole && ngx_http_assay_collect_resources(cf, gateway, resources) == NGX_OK
        && (json_array_size(resources) == 0 || json_object_set(root, "resources", resources) == 0);
    json_decref(resources);
    is_whole = is_whole && ngx_http_assay_set_path(cf, root, "assay_revocations", "revocations", conf->revocations)
        && ngx_http_assay_set_path(cf, root, "assay_revocation_log", "revocationLog", conf->revocation_log);
    char *text = is_whole ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text;
}

static ngx_int_t ngx_http_assay_make_gateway(ngx_conf_t *cf, ngx_http_assay_gateway_t *gateway)
{
    const ngx_http_assay_policy_t *first = *(ngx_http_assay_policy_t **) gateway->policies.elts;
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(cf->pool, 0);
    const ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    char *settings = cleanup == NULL ? NULL : ngx_http_assay_settings(cf, gateway);
    if (settings == NULL) {
        return NGX_ERROR;
    }
    gateway->counts_uses = ngx_http_assay_counts_uses(gateway);
    if (gateway->counts_uses && conf->replays == NULL) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "\"assay_once\" and \"assay_dpop\" need \"assay_replay_zone\", for \"assay on\" in %s",
                      ngx_http_assay_place_of(first));
        free(settings);
        return NGX_ERROR;
    }
    ngx_uint_t has_fault = ngx_http_assay_report_settings(cf, gateway, settings);
    assay_code code = ngx_http_assay_new_core(gateway, settings, conf->replays);
    free(settings);
    cleanup->handler = ngx_http_assay_free_core;
    cleanup->data = gateway;
    if (code != ASSAY_OK && !has_fault) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "\"assay on\" has settings that do not fit together: %s, in %s", assay_code_name(code),
                      ngx_http_assay_place_of(first));
    }
    return code == ASSAY_OK ? NGX_OK : NGX_ERROR;
}

ngx_int_t ngx_http_assay_make_gateways(ngx_conf_t *cf)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_gateway_t **gateways = conf->gateways.elts;
    for (ngx_uint_t i = 0; i < conf->gateways.nelts; i++) {
        if (ngx_http_assay_make_gateway(cf, gateways[i]) != NGX_OK) {
            return NGX_ERROR;
        }
    }
    return NGX_OK;
}
