/* worker.c: what a worker makes for itself. */

#include "assay_documents.h"

static ngx_int_t ngx_http_assay_start_feeds(ngx_cycle_t *cycle, ngx_http_assay_main_conf_t *conf)
{
    ngx_http_assay_source_t **sources = conf->sources.elts;
    if (conf->zone != NULL) {
        ngx_http_assay_use_documents(conf->zone);
        if (ngx_http_assay_watch_as_worker(cycle, ngx_http_assay_pump_all) != NGX_OK) {
            return NGX_ERROR;
        }
    }
    for (ngx_uint_t i = 0; i < conf->sources.nelts; i++) {
        ngx_uint_t is_fetched = sources[i]->url.len > 0 || sources[i]->has_lists;
        ngx_uint_t is_needed = is_fetched || conf->revocations.len > 0 || conf->revocation_log.len > 0;
        if (is_needed && ngx_http_assay_start_feed(cycle, sources[i]) != NGX_OK) {
            return NGX_ERROR;
        }
    }
    return NGX_OK;
}

/* Which kernels judge depends on the CPU, and on ASSAY_ENGINE where nginx's `env` leaves it to the workers. */
static void ngx_http_assay_note_engine(const ngx_cycle_t *cycle, const ngx_http_assay_main_conf_t *conf)
{
    const ngx_http_assay_gateway_t *const *gateways = conf->gateways.elts;
    char *text = conf->gateways.nelts == 0 ? NULL : ngx_http_assay_status(gateways[0]->core);
    json_t *status = text == NULL ? NULL : json_loads(text, 0, NULL);
    const char *tier = json_string_value(json_object_get(json_object_get(status, "engine"), "tier"));
    if (tier != NULL) {
        ngx_log_error(NGX_LOG_NOTICE, cycle->log, 0, "the tier \"%s\" of assay judges signatures", tier);
    }
    json_decref(status);
    ngx_free(text);
}

ngx_int_t ngx_http_assay_start_worker(ngx_cycle_t *cycle)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_assay_module);
    if (conf == NULL || (ngx_process != NGX_PROCESS_WORKER && ngx_process != NGX_PROCESS_SINGLE)) {
        return NGX_OK;
    }
    ngx_http_assay_note_engine(cycle, conf);
    ngx_http_assay_start_waiting();
    return ngx_http_assay_start_deciding() == NGX_OK ? ngx_http_assay_start_feeds(cycle, conf) : NGX_ERROR;
}

/* The gateways end with the configuration's pool. */
void ngx_http_assay_stop_worker(ngx_cycle_t *cycle)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_assay_module);
    ngx_http_assay_source_t **sources = conf == NULL ? NULL : conf->sources.elts;
    for (ngx_uint_t i = 0; conf != NULL && i < conf->sources.nelts; i++) {
        ngx_http_assay_stop_feed(sources[i]);
    }
    ngx_http_assay_stop_deciding();
}
