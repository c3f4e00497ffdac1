/* module.c: the module as nginx sees it. */

#include "assay_documents.h"

/* `nginx -s` only sends a signal: it has to work without libassay-http. */
static ngx_int_t ngx_http_assay_check_fetching(ngx_conf_t *cf)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    return conf->zone == NULL || ngx_process == NGX_PROCESS_SIGNALLER ? NGX_OK : ngx_http_assay_check_client(conf, cf->log);
}

static ngx_int_t ngx_http_assay_init(ngx_conf_t *cf)
{
    /* libassay judges issuers first: what is none has no host to ask. */
    if (ngx_http_assay_add_zone(cf) != NGX_OK || ngx_http_assay_add_replay_zone(cf) != NGX_OK
        || ngx_http_assay_make_gateways(cf) != NGX_OK || ngx_http_assay_check_fetching(cf) != NGX_OK)
    {
        return NGX_ERROR;
    }
    ngx_http_assay_report_idle(cf);
    return ngx_http_assay_init_phases(cf);
}

/* Without a master there is no helper. */
static ngx_int_t ngx_http_assay_check_master(ngx_cycle_t *cycle, const ngx_http_assay_main_conf_t *conf)
{
    ngx_core_conf_t *core = (ngx_core_conf_t *) ngx_get_conf(cycle->conf_ctx, ngx_core_module);
    if (conf->zone != NULL && !core->master) {
        ngx_log_error(NGX_LOG_EMERG, cycle->log, 0, "assay needs \"master_process on\" to fetch keys");
        return NGX_ERROR;
    }
    return NGX_OK;
}

static ngx_int_t ngx_http_assay_init_module(ngx_cycle_t *cycle)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_assay_module);
    if (conf == NULL) {
        return NGX_OK;
    }
    if (ngx_http_assay_check_master(cycle, conf) != NGX_OK) {
        return NGX_ERROR;
    }
    return ngx_test_config || conf->zone == NULL ? NGX_OK : ngx_http_assay_add_helper(cycle);
}

static ngx_http_module_t ngx_http_assay_context = {
    ngx_http_assay_add_variables,       /* preconfiguration */
    ngx_http_assay_init,                /* postconfiguration */
    ngx_http_assay_create_main_conf,
    ngx_http_assay_init_main_conf,
    ngx_http_assay_create_srv_conf,
    ngx_http_assay_merge_srv_conf,
    ngx_http_assay_create_loc_conf,
    ngx_http_assay_merge_loc_conf
};

ngx_module_t ngx_http_assay_module = {
    NGX_MODULE_V1,
    &ngx_http_assay_context,
    ngx_http_assay_commands,
    NGX_HTTP_MODULE,
    NULL,                               /* init master, which nginx never calls */
    ngx_http_assay_init_module,
    ngx_http_assay_start_worker,        /* init process */
    NULL,                               /* init thread */
    NULL,                               /* exit thread */
    ngx_http_assay_stop_worker,         /* exit process */
    NULL,                               /* exit master */
    NGX_MODULE_V1_PADDING
};
