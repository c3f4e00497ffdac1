/* verdicts.c: where the verdict of a request is. nginx forgets a module's context at an internal redirect, so it is found again by the
 * cleanup of the pool, which lives as long as the request. A subrequest has a verdict of its own, in the same pool. */

#include "assay_module.h"

static void ngx_http_assay_end_verdict(void *data)
{
    ngx_http_assay_stop_waiting(data);
}

ngx_http_assay_verdict_t *ngx_http_assay_verdict(ngx_http_request_t *r)
{
    ngx_http_assay_verdict_t *verdict = ngx_http_get_module_ctx(r, ngx_http_assay_module);
    if (verdict != NULL) {
        return verdict;
    }
    for (ngx_pool_cleanup_t *cleanup = r->pool->cleanup; cleanup != NULL; cleanup = cleanup->next) {
        verdict = cleanup->data;
        if (cleanup->handler == ngx_http_assay_end_verdict && verdict->request == r) {
            ngx_http_set_ctx(r, verdict, ngx_http_assay_module);
            return verdict;
        }
    }
    return NULL;
}

ngx_http_assay_verdict_t *ngx_http_assay_new_verdict(ngx_http_request_t *r)
{
    ngx_http_assay_verdict_t *verdict = ngx_http_assay_verdict(r);
    if (verdict != NULL && verdict->request == r) {
        return verdict;
    }
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(r->pool, sizeof(*verdict));
    if (cleanup == NULL) {
        return NULL;
    }
    verdict = cleanup->data;
    ngx_memzero(verdict, sizeof(*verdict));
    verdict->request = r;
    cleanup->handler = ngx_http_assay_end_verdict;
    ngx_http_set_ctx(r, verdict, ngx_http_assay_module);
    return verdict;
}
