/* helper.c: the process that fetches. nginx starts a "cache manager process" where a path of the configuration has a manager. It has an
 * event loop, the rights of the workers, the log and the signals; nginx starts it again when it dies, and replaces it at a reload. The
 * module adds a path for it that is no directory: nginx has made its directories before this is added, so none is made for it. A
 * proxy_cache shares the process. */

#include "assay_documents.h"

/* How often the helper looks without being woken. */
#define ASSAY_IDLE 1000

/* The most fields of a request. */
#define ASSAY_MOST_REQUEST_FIELDS 3

static ngx_event_t ngx_http_assay_turn;

/* The field that makes a request conditional, from the document that is there; 0 without an entity tag and without a date. */
static ngx_uint_t ngx_http_assay_validator(assay_field *out, const ngx_http_assay_document_t *document)
{
    ngx_str_t rest = {document == NULL ? 0 : document->fields_size, document == NULL ? NULL : (u_char *) document->bytes}, name, value;
    ngx_uint_t has_date = 0;
    while (ngx_http_assay_next_field(&rest, &name, &value)) {
        /* `*` would match every document (RFC 9110 section 13.1.2). */
        if (ngx_http_assay_is_named(name, "etag") && value.len > 0 && !ngx_http_assay_is_named(value, "*")) {
            *out = (assay_field) {{"If-None-Match", 13}, ngx_http_assay_lent(value)};
            return 1;
        }
        if (!has_date && ngx_http_assay_is_named(name, "last-modified")) {
            *out = (assay_field) {{"If-Modified-Since", 17}, ngx_http_assay_lent(value)};
            has_date = 1;
        }
    }
    return has_date;
}

/* The fields of a request, whose texts are the zone's; their number. */
static size_t ngx_http_assay_request_fields(assay_field *out, const ngx_http_assay_entry_t *entry)
{
    static const assay_text keys = {"application/jwk-set+json, application/json", 42};
    static const assay_text list = {"application/statuslist+jwt", 26};
    size_t count = 0;
    out[count++] = (assay_field) {{"Accept", 6}, entry->is_list ? list : keys};
    count += ngx_http_assay_validator(&out[count], entry->document);
    if (entry->is_forced) {
        out[count++] = (assay_field) {{"Cache-Control", 13}, {"no-cache", 8}};
    }
    return count;
}

/* The milliseconds until a fetch may begin; 0: now. */
static int64_t ngx_http_assay_delay(const ngx_http_assay_entry_t *entry, int64_t now)
{
    return ngx_max(entry->starts[0] + ASSAY_FETCH_WINDOW - now, 0);
}

/* The client has one request for a URL at a time, so its answer is for the entry that was sent last. An old helper's answer during a
 * reload is too. */
static void ngx_http_assay_note_sent(ngx_http_assay_documents_t *documents, ngx_http_assay_entry_t *entry, int64_t now)
{
    ngx_http_assay_entry_t *other = ngx_http_assay_entry(documents, (ngx_str_t) {entry->url_size, entry->url}, !entry->is_list);
    if (other != NULL) {
        other->is_sent = 0;
    }
    entry->is_sent = 1;
    entry->is_forced = 0;
    ngx_memmove(&entry->starts[0], &entry->starts[1], sizeof(entry->starts) - sizeof(entry->starts[0]));
    entry->starts[ASSAY_FETCHES - 1] = now;
}

static ngx_http_assay_entry_t *ngx_http_assay_sent_entry(ngx_http_assay_documents_t *documents, ngx_str_t url)
{
    for (ngx_uint_t is_list = 0; is_list < 2; is_list++) {
        ngx_http_assay_entry_t *entry = ngx_http_assay_entry(documents, url, is_list);
        if (entry != NULL && entry->is_sent) {
            return entry;
        }
    }
    return NULL;
}

/* Begins what is asked for and allowed. Returns the milliseconds until the next one is allowed. */
static int64_t ngx_http_assay_begin_due(void)
{
    int64_t now = ngx_http_assay_now(), next = ASSAY_IDLE;
    assay_field fields[ASSAY_MOST_REQUEST_FIELDS];
    ngx_http_assay_documents_t *documents = ngx_http_assay_lock_documents();
    ngx_queue_t *end = ngx_queue_sentinel(&documents->entries);
    for (ngx_queue_t *at = ngx_queue_head(&documents->entries); at != end; at = ngx_queue_next(at)) {
        ngx_http_assay_entry_t *entry = ngx_queue_data(at, ngx_http_assay_entry_t, queue);
        ngx_str_t url = {entry->url_size, entry->url};
        ngx_uint_t has_newer = entry->document != NULL && entry->document->serial > entry->asked;
        int64_t delay = ngx_http_assay_delay(entry, now);
        if (has_newer || entry->answered >= entry->asked) {
            continue;
        }
        if (delay > 0) {
            next = ngx_min(next, delay);
        } else if (ngx_http_assay_send(url, fields, ngx_http_assay_request_fields(fields, entry)) == NGX_OK) {
            ngx_http_assay_note_sent(documents, entry, now);
        }
    }
    ngx_http_assay_unlock_documents();
    return next;
}

static void ngx_http_assay_note_failure(ngx_http_assay_documents_t *documents, ngx_http_assay_entry_t *entry,
                                        const assay_http_answer *answer)
{
    size_t len = ngx_min(answer->reason.len, ASSAY_LONGEST_REASON);
    entry->answered = ++documents->serial;
    entry->failure = answer->failure;
    entry->status = answer->status;
    entry->retry_after = ngx_http_assay_retry_after(answer);
    *ngx_cpymem(entry->reason, answer->reason.bytes, len) = '\0';
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
static ngx_uint_t ngx_http_assay_store(ngx_http_assay_documents_t *documents, ngx_http_assay_entry_t *entry, const assay_http_answer *answer)
{
    ngx_str_t body = ngx_http_assay_str(answer->body);
    ngx_uint_t is_confirmed = answer->status == 304 && entry->document != NULL;
    size_t fields_size = ngx_http_assay_write_fields(NULL, answer);
    if (answer->failure != 0 || (answer->status != 200 && !is_confirmed)) {
        return 0;
    }
    /* What is first is not evicted for the new document. */
    ngx_queue_remove(&entry->queue);
    ngx_queue_insert_head(&documents->entries, &entry->queue);
    if (is_confirmed) {
        body = (ngx_str_t) {entry->document->body_size, entry->document->bytes + entry->document->fields_size};
    }
    ngx_http_assay_document_t *document = ngx_http_assay_new_document(documents, fields_size + body.len, entry->is_list);
    if (document == NULL) {
        ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, 0, "assay_zone has no room for a document of %uz bytes", body.len);
        return 0;
    }
    if (ngx_http_assay_is_changed(entry->document, body)) {
        ngx_http_assay_give_back(entry);
    }
    document->fetched = ngx_http_assay_now();
    document->fields_size = (uint32_t) fields_size;
    document->body_size = (uint32_t) body.len;
    ngx_http_assay_write_fields(document->bytes, answer);
    ngx_memcpy(document->bytes + fields_size, body.data, body.len);
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

static void ngx_http_assay_log_failure(ngx_str_t url, const assay_http_answer *answer)
{
    ngx_str_t reason = ngx_http_assay_str(answer->reason);
    if (answer->failure != 0) {
        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0, "assay cannot fetch \"%V\": %s%s%V", &url,
                      ngx_http_assay_failure_name(answer->failure), reason.len > 0 ? ": " : "", &reason);
    } else if (answer->status != 200 && answer->status != 304) {
        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0, "assay cannot fetch \"%V\": answered, status %uD", &url, answer->status);
    }
}

static void ngx_http_assay_keep(const assay_http_answer *answer)
{
    ngx_str_t url = ngx_http_assay_str(answer->url);
    ngx_http_assay_documents_t *documents = ngx_http_assay_lock_documents();
    ngx_http_assay_entry_t *entry = ngx_http_assay_sent_entry(documents, url);
    if (entry != NULL && !ngx_http_assay_store(documents, entry, answer)) {
        ngx_http_assay_note_failure(documents, entry, answer);
    }
    ngx_http_assay_unlock_documents();
    ngx_http_assay_log_failure(url, answer);
}

static void ngx_http_assay_take_turn(ngx_event_t *event)
{
    assay_http_answer answer;
    ngx_uint_t has_answers = 0;
    while (ngx_http_assay_take(&answer) == NGX_OK) {
        ngx_http_assay_keep(&answer);
        has_answers = 1;
    }
    if (has_answers) {
        ngx_http_assay_wake_workers();
    }
    ngx_add_timer(&ngx_http_assay_turn, (ngx_msec_t) ngx_max(ngx_http_assay_begin_due(), 1));
}

/* A worker asks, or an answer is there. */
static void ngx_http_assay_on_wake(void)
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
    ngx_http_assay_turn.handler = ngx_http_assay_take_turn;
    ngx_http_assay_turn.data = &ngx_http_assay_turn;
    ngx_http_assay_turn.log = ngx_cycle->log;
    ngx_http_assay_turn.cancelable = 1;
    if (ngx_http_assay_start_client(conf, ngx_cycle->log) == NGX_OK
        && ngx_http_assay_watch_as_helper((ngx_cycle_t *) ngx_cycle, ngx_http_assay_on_wake) == NGX_OK)
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
