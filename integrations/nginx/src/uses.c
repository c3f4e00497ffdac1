/* uses.c: what passes once: the zone in which all workers remember what was used, and what one request has used.
 *
 * nginx keeps the zone over a reload. libassay's memory in it has no lock, so a worker that is killed leaves nothing locked. */

#include "assay_module.h"

/* Of a zone's pool. */
typedef struct {
    size_t size;
    void *block;
} ngx_http_assay_replays_t;

static void *ngx_http_assay_new_block(ngx_slab_pool_t *pool)
{
    ngx_http_assay_replays_t *replays = ngx_slab_calloc(pool, sizeof(*replays));
    if (replays == NULL) {
        return NULL;
    }
    replays->size = pool->pfree * ngx_pagesize;
    replays->block = ngx_slab_alloc(pool, replays->size);
    pool->data = replays;
    return replays->block;
}

/* Without `data` the zone is new. */
static ngx_int_t ngx_http_assay_init_replays(ngx_shm_zone_t *zone, void *data)
{
    ngx_http_assay_main_conf_t *conf = zone->data;
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *) zone->shm.addr;
    ngx_uint_t is_new = data == NULL && !zone->shm.exists;
    if (is_new && ngx_http_assay_new_block(pool) == NULL) {
        return NGX_ERROR;
    }
    ngx_http_assay_replays_t *replays = pool->data;
    return assay_replay_memory_place(conf->replays, replays->block, replays->size, (uint32_t) is_new) == ASSAY_OK ? NGX_OK : NGX_ERROR;
}

static void ngx_http_assay_free_replays(void *data)
{
    assay_replay_memory_free(data);
}

/* A zone of another size would be a new one, which knows of no use. */
static ngx_int_t ngx_http_assay_check_size(ngx_conf_t *cf, const ngx_shm_zone_t *mine)
{
    ngx_cycle_t *old = cf->cycle->old_cycle;
    for (ngx_list_part_t *part = old == NULL ? NULL : &old->shared_memory.part; part != NULL; part = part->next) {
        const ngx_shm_zone_t *zone = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            if (zone[i].tag == mine->tag && zone[i].shm.name.len == mine->shm.name.len && zone[i].shm.size != mine->shm.size
                && ngx_strncmp(zone[i].shm.name.data, mine->shm.name.data, mine->shm.name.len) == 0)
            {
                ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "the size of \"assay_replay_zone\" changes only when nginx starts: "
                              "a new zone does not know what was used");
                return NGX_ERROR;
            }
        }
    }
    return NGX_OK;
}

/* Adds the zone, and the memory that gateways get before the zone is there. */
ngx_int_t ngx_http_assay_add_replay_zone(ngx_conf_t *cf)
{
    static ngx_str_t name = ngx_string("assay_replays");
    ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    if (conf->replay_zone_size == 0) {
        return NGX_OK;
    }
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(cf->pool, 0);
    ngx_shm_zone_t *zone = cleanup == NULL ? NULL : ngx_shared_memory_add(cf, &name, conf->replay_zone_size, &ngx_http_assay_module);
    if (zone == NULL || assay_replay_memory_new(&conf->replays, 0) != ASSAY_OK) {
        return NGX_ERROR;
    }
    cleanup->handler = ngx_http_assay_free_replays;
    cleanup->data = conf->replays;
    zone->init = ngx_http_assay_init_replays;
    zone->data = conf;
    return ngx_http_assay_check_size(cf, zone);
}

ngx_uint_t ngx_http_assay_counts_uses(const ngx_http_assay_gateway_t *gateway)
{
    return json_is_true(json_object_get(gateway->provider, "once")) || json_object_get(gateway->provider, "dpop") != NULL;
}

/* The pool is that of the main request and of all its subrequests, and lives through internal redirects. */
static void ngx_http_assay_end_uses(void *data)
{
}

static ngx_array_t *ngx_http_assay_uses(ngx_http_request_t *r)
{
    for (ngx_pool_cleanup_t *cleanup = r->pool->cleanup; cleanup != NULL; cleanup = cleanup->next) {
        if (cleanup->handler == ngx_http_assay_end_uses) {
            return cleanup->data;
        }
    }
    return NULL;
}

/* The client's method: an internal redirect or a subrequest has another one, and a proof is for that of the client. */
static ngx_str_t ngx_http_assay_client_method(ngx_http_request_t *r)
{
    ngx_str_t line = r->main->request_line;
    const u_char *end = line.len > 0 ? ngx_strlchr(line.data, line.data + line.len, ' ') : NULL;
    return end != NULL && end > line.data ? (ngx_str_t) {(size_t) (end - line.data), line.data} : r->main->method_name;
}

/* A request may be judged several times: after an internal redirect, and in subrequests. */
void ngx_http_assay_describe_uses(assay_request *request, ngx_http_request_t *r)
{
    const ngx_array_t *uses = ngx_http_assay_uses(r);
    request->method = ngx_http_assay_lent(ngx_http_assay_client_method(r));
    request->used = uses == NULL ? NULL : uses->elts;
    request->used_count = uses == NULL ? 0 : uses->nelts;
}

ngx_int_t ngx_http_assay_keep_uses(ngx_http_request_t *r, const assay_decision *decision)
{
    assay_use use;
    ngx_array_t *uses = ngx_http_assay_uses(r);
    size_t known = uses == NULL ? 0 : uses->nelts;
    for (size_t i = known; assay_decision_use(&use, decision, i) == ASSAY_OK; i++) {
        if (uses == NULL) {
            ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(r->pool, sizeof(*uses));
            if (cleanup == NULL || ngx_array_init(cleanup->data, r->pool, 2, sizeof(use)) != NGX_OK) {
                return NGX_ERROR;
            }
            uses = cleanup->data;
            cleanup->handler = ngx_http_assay_end_uses;
        }
        assay_use *place = ngx_array_push(uses);
        if (place == NULL) {
            return NGX_ERROR;
        }
        *place = use;
    }
    return NGX_OK;
}
