/* documents.c: the zone of shared memory. nginx keeps it over a reload, and unlocks it when a process that holds its lock is killed. */

#include "assay_documents.h"

/* The zone of this process. The master has none: a configuration that it gives up takes its zone with it. */
static ngx_shm_zone_t *ngx_http_assay_zone;

void ngx_http_assay_use_documents(ngx_shm_zone_t *zone)
{
    ngx_http_assay_zone = zone;
}

int64_t ngx_http_assay_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The documents of a zone that nginx keeps are in it already. */
static ngx_int_t ngx_http_assay_init_zone(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *) zone->shm.addr;
    if (data != NULL || zone->shm.exists) {
        zone->data = data != NULL ? data : pool->data;
        return NGX_OK;
    }
    ngx_http_assay_documents_t *documents = ngx_slab_calloc(pool, sizeof(*documents));
    if (documents == NULL) {
        return NGX_ERROR;
    }
    ngx_queue_init(&documents->entries);
    pool->data = documents;
    pool->log_nomem = 0;
    zone->data = documents;
    return NGX_OK;
}

static ngx_uint_t ngx_http_assay_fetches(const ngx_http_assay_main_conf_t *conf)
{
    ngx_http_assay_source_t **sources = conf->sources.elts;
    for (ngx_uint_t i = 0; i < conf->sources.nelts; i++) {
        if (sources[i]->url.len > 0 || sources[i]->has_lists) {
            return 1;
        }
    }
    return 0;
}

/* Adds the zone where keys or status lists are fetched. */
ngx_int_t ngx_http_assay_add_zone(ngx_conf_t *cf)
{
    static ngx_str_t name = ngx_string("assay_documents");
    ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    if (!ngx_http_assay_fetches(conf)) {
        return NGX_OK;
    }
    conf->zone = ngx_shared_memory_add(cf, &name, conf->zone_size, &ngx_http_assay_module);
    if (conf->zone == NULL) {
        return NGX_ERROR;
    }
    conf->zone->init = ngx_http_assay_init_zone;
    return NGX_OK;
}

static ngx_slab_pool_t *ngx_http_assay_pool(void)
{
    return (ngx_slab_pool_t *) ngx_http_assay_zone->shm.addr;
}

ngx_http_assay_documents_t *ngx_http_assay_lock_documents(void)
{
    ngx_shmtx_lock(&ngx_http_assay_pool()->mutex);
    return ngx_http_assay_zone->data;
}

void ngx_http_assay_unlock_documents(void)
{
    ngx_shmtx_unlock(&ngx_http_assay_pool()->mutex);
}

ngx_http_assay_entry_t *ngx_http_assay_entry(ngx_http_assay_documents_t *documents, ngx_str_t url, ngx_uint_t is_list)
{
    for (ngx_queue_t *at = ngx_queue_head(&documents->entries); at != ngx_queue_sentinel(&documents->entries); at = ngx_queue_next(at)) {
        ngx_http_assay_entry_t *entry = ngx_queue_data(at, ngx_http_assay_entry_t, queue);
        if (entry->is_list == is_list && entry->url_size == url.len && ngx_memcmp(entry->url, url.data, url.len) == 0) {
            return entry;
        }
    }
    return NULL;
}

static void ngx_http_assay_free_document(ngx_http_assay_document_t *document)
{
    if (document != NULL) {
        ngx_slab_free_locked(ngx_http_assay_pool(), document);
    }
}

static void ngx_http_assay_free_entry(ngx_http_assay_documents_t *documents, ngx_http_assay_entry_t *entry)
{
    ngx_queue_remove(&entry->queue);
    documents->list_count -= entry->is_list;
    ngx_http_assay_free_document(entry->document);
    ngx_http_assay_free_document(entry->accepted);
    ngx_slab_free_locked(ngx_http_assay_pool(), entry);
}

/* What was asked for longest ago, but not the first one; NULL: nothing. */
static ngx_http_assay_entry_t *ngx_http_assay_oldest(ngx_http_assay_documents_t *documents, ngx_uint_t is_list)
{
    ngx_queue_t *end = ngx_queue_sentinel(&documents->entries), *first = ngx_queue_head(&documents->entries);
    for (ngx_queue_t *at = ngx_queue_last(&documents->entries); at != end && at != first; at = ngx_queue_prev(at)) {
        ngx_http_assay_entry_t *entry = ngx_queue_data(at, ngx_http_assay_entry_t, queue);
        if (entry->is_list == is_list) {
            return entry;
        }
    }
    return NULL;
}

/* Frees what was asked for longest ago; 0 if only what was asked for last is left. An issuer's metadata chooses the URL of its keys, and
 * may change it. Tokens choose those of lists, so a list takes no room of keys. */
static ngx_uint_t ngx_http_assay_evict(ngx_http_assay_documents_t *documents, ngx_uint_t is_list)
{
    ngx_http_assay_entry_t *entry = ngx_http_assay_oldest(documents, 1);
    if (entry == NULL && !is_list) {
        entry = ngx_http_assay_oldest(documents, 0);
    }
    if (entry != NULL) {
        ngx_http_assay_free_entry(documents, entry);
    }
    return entry != NULL;
}

static void *ngx_http_assay_allocate(ngx_http_assay_documents_t *documents, size_t size, ngx_uint_t is_list)
{
    void *memory;
    do {
        memory = ngx_slab_calloc_locked(ngx_http_assay_pool(), size);
    } while (memory == NULL && ngx_http_assay_evict(documents, is_list));
    return memory;
}

ngx_http_assay_entry_t *ngx_http_assay_new_entry(ngx_http_assay_documents_t *documents, ngx_str_t url, ngx_uint_t is_list)
{
    if (is_list && documents->list_count >= ASSAY_MOST_LISTS) {
        ngx_http_assay_evict(documents, is_list);
    }
    ngx_http_assay_entry_t *entry = ngx_http_assay_allocate(documents, sizeof(*entry) + url.len, is_list);
    if (entry == NULL) {
        return NULL;
    }
    entry->is_list = (uint32_t) is_list;
    documents->list_count += is_list;
    for (ngx_uint_t i = 0; i < ASSAY_FETCHES; i++) {
        entry->starts[i] = -ASSAY_FETCH_WINDOW;
    }
    entry->url_size = url.len;
    ngx_memcpy(entry->url, url.data, url.len);
    ngx_queue_insert_head(&documents->entries, &entry->queue);
    return entry;
}

ngx_http_assay_document_t *ngx_http_assay_new_document(ngx_http_assay_documents_t *documents, size_t size, ngx_uint_t is_list)
{
    return ngx_http_assay_allocate(documents, sizeof(ngx_http_assay_document_t) + size, is_list);
}

/* The document is complete: from here on it does not change. An accepted one stays beside it until this one is accepted too: the issuer may
 * have answered with a proxy's page. */
void ngx_http_assay_publish(ngx_http_assay_documents_t *documents, ngx_http_assay_entry_t *entry, ngx_http_assay_document_t *document)
{
    ngx_http_assay_document_t *old = entry->document;
    if (old != NULL && entry->usable_until != 0) {
        entry->accepted = old;
        entry->accepted_until = entry->usable_until;
        old = NULL;
    }
    document->serial = ++documents->serial;
    entry->document = document;
    entry->usable_until = 0;
    documents->published = document->serial;
    ngx_http_assay_free_document(old);
}

/* A worker has accepted the last document. */
void ngx_http_assay_accept(ngx_http_assay_entry_t *entry, int64_t usable_until)
{
    entry->usable_until = usable_until;
    ngx_http_assay_free_document(entry->accepted);
    entry->accepted = NULL;
}
