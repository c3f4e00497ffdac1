/* helper.c: the process that fetches. nginx starts a "cache manager process" where a path of the configuration has a manager. It has an
 * event loop, the rights of the workers, the log and the signals; nginx starts it again when it dies, and replaces it at a reload. The
 * module adds a path for it that is no directory: nginx has made its directories before this is added, so none is made for it. A
 * proxy_cache shares the process. */

#include "assay_documents.h"

/* How long the helper is away from nginx's event loop while requests are under way, and how often it looks without being woken. */
#define ASSAY_TURN 50
#define ASSAY_IDLE 1000

static ngx_event_t ngx_http_assay_turn;
static ngx_http_assay_transport_t ngx_http_assay_transport;

/* The field that makes a request conditional, from the document that is there. Empty without an entity tag and without a date. */
static ngx_str_t ngx_http_assay_validators(const ngx_http_assay_document_t *document, u_char *memory, size_t size)
{
    ngx_str_t field = ngx_null_string, rest, name, value;
    if (document == NULL) {
        return field;
    }
    rest = (ngx_str_t) {document->fields_size, (u_char *) document->bytes};
    while (ngx_http_assay_next_field(&rest, &name, &value)) {
        const char *condition = NULL;
        if (name.len == 4 && ngx_strncasecmp(name.data, (u_char *) "etag", 4) == 0) {
            condition = "If-None-Match";
        } else if (field.len == 0 && name.len == 13 && ngx_strncasecmp(name.data, (u_char *) "last-modified", 13) == 0) {
            condition = "If-Modified-Since";
        }
        if (condition != NULL && value.len + 32 < size) {
            field.data = memory;
            field.len = (size_t) (ngx_sprintf(memory, "%s: %V%Z", condition, &value) - memory - 1);
        }
    }
    return field;
}

/* The milliseconds until a fetch may begin; 0: now. */
static int64_t ngx_http_assay_delay(const ngx_http_assay_entry_t *entry, int64_t now)
{
    return ngx_max(entry->starts[0] + ASSAY_FETCH_WINDOW - now, 0);
}

/* Begins what is asked for and allowed. Returns the milliseconds until the next one is allowed. */
static int64_t ngx_http_assay_begin_due(void)
{
    int64_t now = ngx_http_assay_now(), next = ASSAY_IDLE;
    u_char memory[1024];
    ngx_http_assay_documents_t *documents = ngx_http_assay_lock_documents();
    ngx_queue_t *end = ngx_queue_sentinel(&documents->entries);
    for (ngx_queue_t *at = ngx_queue_head(&documents->entries); at != end; at = ngx_queue_next(at)) {
        ngx_http_assay_entry_t *entry = ngx_queue_data(at, ngx_http_assay_entry_t, queue);
        ngx_str_t url = {entry->url_size, entry->url};
        ngx_uint_t has_newer = entry->document != NULL && entry->document->serial > entry->asked;
        if (has_newer || entry->answered >= entry->asked || ngx_http_assay_is_transferring(url)) {
            continue;
        }
        int64_t delay = ngx_http_assay_delay(entry, now);
        if (delay > 0) {
            next = ngx_min(next, delay);
            continue;
        }
        ngx_str_t validators = ngx_http_assay_validators(entry->document, memory, sizeof(memory));
        if (ngx_http_assay_begin_transfer(url, validators, entry->is_forced) != NULL) {
            ngx_memmove(&entry->starts[0], &entry->starts[1], sizeof(entry->starts) - sizeof(entry->starts[0]));
            entry->starts[ASSAY_FETCHES - 1] = now;
            entry->is_forced = 0;
        }
    }
    ngx_http_assay_unlock_documents();
    return next;
}

static void ngx_http_assay_note_failure(ngx_http_assay_documents_t *documents, ngx_http_assay_entry_t *entry,
                                        const ngx_http_assay_response_t *response)
{
    entry->answered = ++documents->serial;
    entry->failure = response->failure;
    entry->status = response->status;
    entry->retry_after = response->retry_after;
    ngx_memcpy(entry->reason, response->reason, sizeof(entry->reason));
}

/* Whether the body of a document is another one. */
static ngx_uint_t ngx_http_assay_is_changed(const ngx_http_assay_document_t *document, ngx_str_t body)
{
    return document != NULL
        && (document->body_size != body.len || ngx_memcmp(document->bytes + document->fields_size, body.data, body.len) != 0);
}

/* Gives a fetch that has brought another document back to the budget, so a source that rotates every two seconds loses no request. A client
 * that invents key ids cannot change the document. The budget that libassay has in each worker limits a source with a new document in every
 * answer. */
static void ngx_http_assay_give_back(ngx_http_assay_entry_t *entry)
{
    ngx_memmove(&entry->starts[1], &entry->starts[0], sizeof(entry->starts) - sizeof(entry->starts[0]));
    entry->starts[0] = -ASSAY_FETCH_WINDOW;
}

/* Puts a response into the zone. A 304 confirms the document that is there, with the response's fields (RFC 9111 section 4.3.4). */
static ngx_uint_t ngx_http_assay_store(ngx_http_assay_documents_t *documents, ngx_http_assay_entry_t *entry,
                                       const ngx_http_assay_response_t *response)
{
    ngx_str_t body = response->body;
    ngx_uint_t is_confirmed = response->status == 304 && entry->document != NULL;
    if (response->failure != 0 || (response->status != 200 && !is_confirmed)) {
        return 0;
    }
    /* What is first is not evicted for the new document. */
    ngx_queue_remove(&entry->queue);
    ngx_queue_insert_head(&documents->entries, &entry->queue);
    if (is_confirmed) {
        body = (ngx_str_t) {entry->document->body_size, entry->document->bytes + entry->document->fields_size};
    }
    ngx_http_assay_document_t *document = ngx_http_assay_new_document(documents, response->fields.len + body.len);
    if (document == NULL) {
        ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, 0, "assay_zone has no room for a document of %uz bytes", body.len);
        return 0;
    }
    if (ngx_http_assay_is_changed(entry->document, body)) {
        ngx_http_assay_give_back(entry);
    }
    document->fetched = ngx_http_assay_now();
    document->field_count = response->field_count;
    document->fields_size = (uint32_t) response->fields.len;
    document->body_size = (uint32_t) body.len;
    ngx_memcpy(document->bytes, response->fields.data, response->fields.len);
    ngx_memcpy(document->bytes + response->fields.len, body.data, body.len);
    ngx_http_assay_publish(documents, entry, document);
    return 1;
}

static const char *ngx_http_assay_failure_name(uint32_t failure)
{
    static const char *names[] = {
        "", "connection", "tls", "timed out", "too large", "redirect", "malformed", "forbidden address", "cancelled",
        "unresolved name"
    };
    return failure < sizeof(names) / sizeof(names[0]) ? names[failure] : "invalid URL";
}

static void ngx_http_assay_on_done(ngx_str_t url, ngx_http_assay_response_t *response)
{
    ngx_http_assay_documents_t *documents = ngx_http_assay_lock_documents();
    ngx_http_assay_entry_t *entry = ngx_http_assay_entry(documents, url);
    if (entry != NULL && !ngx_http_assay_store(documents, entry, response)) {
        ngx_http_assay_note_failure(documents, entry, response);
    }
    ngx_http_assay_unlock_documents();
    ngx_http_assay_wake_workers();
    if (response->failure != 0) {
        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0, "assay cannot fetch \"%V\": %s%s%s", &url,
                      ngx_http_assay_failure_name(response->failure), response->reason[0] != '\0' ? ": " : "", response->reason);
    } else if (response->status != 200 && response->status != 304) {
        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0, "assay cannot fetch \"%V\": answered, status %uD", &url, response->status);
    }
}

static void ngx_http_assay_take_turn(ngx_event_t *event)
{
    int64_t next = ngx_http_assay_begin_due();
    if (ngx_http_assay_run_transfers(ASSAY_TURN, ngx_http_assay_on_done) > 0) {
        next = 1;
    }
    ngx_add_timer(&ngx_http_assay_turn, (ngx_msec_t) ngx_max(next, 1));
}

static void ngx_http_assay_on_question(void)
{
    ngx_add_timer(&ngx_http_assay_turn, 0);
}

/* nginx calls this in the cache manager process, at once and then after the returned milliseconds. */
static ngx_msec_t ngx_http_assay_manage(void *data)
{
    static ngx_uint_t is_started;
    if (is_started) {
        return 3600000;
    }
    is_started = 1;
    ngx_http_assay_main_conf_t *conf = ngx_http_cycle_get_module_main_conf(ngx_cycle, ngx_http_assay_module);
    /* It decides nothing. */
    ngx_http_assay_free_gateways(conf);
    ngx_http_assay_use_documents(conf->zone);
    ngx_http_assay_transport = (ngx_http_assay_transport_t) {
        conf->authorities, (ngx_uint_t) conf->allow_private_addresses, (ngx_uint_t) conf->allow_loopback, conf->fetch_timeout
    };
    ngx_http_assay_turn.handler = ngx_http_assay_take_turn;
    ngx_http_assay_turn.data = &ngx_http_assay_turn;
    ngx_http_assay_turn.log = ngx_cycle->log;
    ngx_http_assay_turn.cancelable = 1;
    if (ngx_http_assay_start_transfers(&ngx_http_assay_transport, ngx_cycle->log) == NGX_OK
        && ngx_http_assay_watch_as_helper((ngx_cycle_t *) ngx_cycle, ngx_http_assay_on_question) == NGX_OK)
    {
        ngx_add_timer(&ngx_http_assay_turn, 0);
    }
    return 3600000;
}

ngx_int_t ngx_http_assay_add_helper(ngx_cycle_t *cycle)
{
    ngx_path_t *path = ngx_pcalloc(cycle->pool, sizeof(*path)), **place = ngx_array_push(&cycle->paths);
    if (path == NULL || place == NULL || ngx_http_assay_open_wakeups(cycle->log) != NGX_OK) {
        return NGX_ERROR;
    }
    ngx_str_set(&path->name, "assay");
    path->manager = ngx_http_assay_manage;
    *place = path;
    return NGX_OK;
}
