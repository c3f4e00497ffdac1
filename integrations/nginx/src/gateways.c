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
static assay_code ngx_http_assay_new_core(ngx_http_assay_gateway_t *gateway, const char *settings)
{
    const ngx_http_assay_trust_settings_t *trust = &gateway->trust;
    const ngx_http_assay_gateway_t *first = *(ngx_http_assay_gateway_t **) gateway->source->gateways.elts;
    const assay_gateway *shared = first->core;
    assay_gateway_options options = {
        .size = sizeof(options), .cache_bytes = trust->cache, .cache_seconds = trust->cache_age > 0 ? (uint64_t) trust->cache_age : 0,
        .wake = ngx_http_assay_on_order, .context = gateway->source, .sharing = &shared, .sharing_count = shared != NULL
    };
    return assay_gateway_new(&gateway->core, settings, ngx_strlen(settings), &options);
}

/* The policy that a line of libassay is about; the first one of a line about the whole. */
static const ngx_http_assay_policy_t *ngx_http_assay_meant(const ngx_http_assay_gateway_t *gateway, const char *line)
{
    ngx_http_assay_policy_t **policies = gateway->policies.elts;
    const char *place = strstr(line, "`policies[");
    ngx_uint_t number = place == NULL ? 1 : (ngx_uint_t) strtoul(place + sizeof("`policies[") - 1, NULL, 10);
    return policies[number >= 1 && number <= gateway->policies.nelts ? number - 1 : 0];
}

/* Logs what libassay says about settings, with the place of the `assay on` that each line is about. */
static void ngx_http_assay_report_line(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway, const char *line)
{
    const ngx_http_assay_policy_t *policy = ngx_http_assay_meant(gateway, line);
    ngx_uint_t level = line[0] == 'w' ? NGX_LOG_WARN : NGX_LOG_EMERG;
    const char *words = strchr(line, ' ');
    ngx_log_error(level, cf->log, 0, "\"assay on\":%s in %V:%ui", words == NULL ? line : words, &policy->file, policy->line);
}

/* Whether libassay has found a fault. */
static ngx_uint_t ngx_http_assay_report(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway, const char *settings)
{
    size_t len = ngx_strlen(settings), size = assay_gateway_check(NULL, 0, settings, len) + 1;
    char *text = ngx_palloc(cf->pool, size), *rest = text, *line;
    ngx_uint_t has_fault = 0;
    if (text == NULL) {
        return 0;
    }
    assay_gateway_check(text, size, settings, len);
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (line[0] != '\0') {
            ngx_http_assay_report_line(cf, gateway, line);
            has_fault |= line[0] == 'e';
        }
    }
    return has_fault;
}

static ngx_int_t ngx_http_assay_make_gateway(ngx_conf_t *cf, ngx_http_assay_gateway_t *gateway)
{
    const ngx_http_assay_policy_t *first = *(ngx_http_assay_policy_t **) gateway->policies.elts;
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(cf->pool, 0);
    char *settings = cleanup == NULL ? NULL : ngx_http_assay_settings(cf, gateway);
    if (settings == NULL) {
        return NGX_ERROR;
    }
    ngx_uint_t has_fault = ngx_http_assay_report(cf, gateway, settings);
    assay_code code = ngx_http_assay_new_core(gateway, settings);
    free(settings);
    cleanup->handler = ngx_http_assay_free_core;
    cleanup->data = gateway;
    if (code != ASSAY_OK && !has_fault) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "\"assay on\" has settings that do not fit together: %s, in %V:%ui", assay_code_name(code),
                      &first->file, first->line);
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
