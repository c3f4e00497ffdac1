/* worker.c: what a worker makes for itself after the fork: keys that are fetched, and verifiers with caches of their own. */

#include "assay_documents.h"

static ngx_int_t ngx_http_assay_start_trust(ngx_cycle_t *cycle, ngx_http_assay_trust_t *trust)
{
    assay_issuer issuer = {trust->policy, trust->source->keys};
    assay_verifier_options options = {
        .size = sizeof(options), .cache_bytes = trust->settings.cache,
        .cache_seconds = trust->settings.cache_age == NGX_CONF_UNSET ? 0 : (uint64_t) trust->settings.cache_age
    };
    assay_code code = assay_verifier_new(&trust->verifier, &issuer, 1, &options);
    if (code != ASSAY_OK) {
        ngx_log_error(NGX_LOG_EMERG, cycle->log, 0, "no verifier for \"%V\": %s", &trust->settings.issuer, assay_code_name(code));
        return NGX_ERROR;
    }
    return NGX_OK;
}

static ngx_int_t ngx_http_assay_start_feeds(ngx_cycle_t *cycle, ngx_http_assay_main_conf_t *conf)
{
    ngx_http_assay_source_t **sources = conf->sources.elts;
    if (conf->zone == NULL) {
        return NGX_OK;
    }
    ngx_http_assay_use_documents(conf->zone);
    if (ngx_http_assay_watch_as_worker(cycle, ngx_http_assay_pump_all) != NGX_OK) {
        return NGX_ERROR;
    }
    for (ngx_uint_t i = 0; i < conf->sources.nelts; i++) {
        if (sources[i]->kind != ASSAY_SOURCE_FILE && ngx_http_assay_start_feed(cycle, sources[i]) != NGX_OK) {
            ngx_log_error(NGX_LOG_EMERG, cycle->log, 0, "no keys for \"%V\"", &sources[i]->name);
            return NGX_ERROR;
        }
    }
    return NGX_OK;
}

ngx_int_t ngx_http_assay_start_worker(ngx_cycle_t *cycle)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_assay_module);
    if (conf == NULL || (ngx_process != NGX_PROCESS_WORKER && ngx_process != NGX_PROCESS_SINGLE)) {
        return NGX_OK;
    }
    ngx_http_assay_start_waiting();
    if (ngx_http_assay_start_feeds(cycle, conf) != NGX_OK) {
        return NGX_ERROR;
    }
    ngx_http_assay_trust_t **trusts = conf->trusts.elts;
    for (ngx_uint_t i = 0; i < conf->trusts.nelts; i++) {
        if (ngx_http_assay_start_trust(cycle, trusts[i]) != NGX_OK) {
            return NGX_ERROR;
        }
    }
    return NGX_OK;
}

void ngx_http_assay_stop_worker(ngx_cycle_t *cycle)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_assay_module);
    ngx_http_assay_trust_t **trusts = conf == NULL ? NULL : conf->trusts.elts;
    for (ngx_uint_t i = 0; conf != NULL && i < conf->trusts.nelts; i++) {
        assay_verifier_free(trusts[i]->verifier);
        trusts[i]->verifier = NULL;
    }
    ngx_http_assay_source_t **sources = conf == NULL ? NULL : conf->sources.elts;
    for (ngx_uint_t i = 0; conf != NULL && i < conf->sources.nelts; i++) {
        ngx_http_assay_stop_feed(sources[i]);
    }
}
