/* assay_documents.h: documents that one process fetches and all workers read.
 *
 * Each worker has its own keys, and libassay tells it what to request and when. It does not make the request: it puts the URL into a zone
 * of shared memory and wakes the helper, nginx's cache manager process. The helper makes the request, puts the response into the zone as an
 * immutable document with a serial number of its own, and wakes all workers. A worker copies a document out before it reads it.
 *
 * So the number of workers does not multiply the requests; a worker that starts has the documents at once; and nothing in the workers or
 * the master resolves a name, opens a connection or parses HTTP. */

#ifndef ASSAY_DOCUMENTS_H
#define ASSAY_DOCUMENTS_H

#include "assay_module.h"
#include "assay_http.h"

/* At most so many fetches of one URL in so many milliseconds, whatever the number of workers; one that brings another document does not
 * count. libassay allows each set of keys as many. */
#define ASSAY_FETCHES 2
#define ASSAY_FETCH_WINDOW 10000

/* So many URLs of status lists at most are in the zone, and are remembered by a worker: tokens name them. */
#define ASSAY_MOST_LISTS 1024

/* The most requests of one fetch: the keys, both addresses of the metadata, the keys at their new address. */
#define ASSAY_MOST_REQUESTS 4

/* The longest text about a failure, without its final NUL. */
#define ASSAY_LONGEST_REASON 160

/* A response with status 200. `bytes` has its fields, then its body. */
typedef struct {
    uint64_t serial;                    /* larger than that of every document before */
    int64_t fetched;                    /* milliseconds of the monotonic clock */
    uint32_t fields_size;
    uint32_t body_size;
    u_char bytes[];                     /* for each field the sizes of its name and its value as uint16_t, then both texts */
} ngx_http_assay_document_t;

/* A URL, for keys or for a status list: the answers to the two are not the same. Its members are read and written under the zone's lock. */
typedef struct {
    ngx_queue_t queue;                  /* what was asked for last comes first */
    ngx_http_assay_document_t *document; /* the last one; NULL: none */
    int64_t usable_until;               /* until when the last document serves workers that start; 0: no worker has accepted it */
    ngx_http_assay_document_t *accepted; /* while none has: the one before, which a worker has accepted; else NULL */
    int64_t accepted_until;
    uint64_t asked;                     /* the serial number of the last question */
    uint64_t answered;                  /* the last question that a failed attempt has answered */
    uint32_t failure;                   /* of that attempt: ASSAY_FAILURE_…, or 0 for a status */
    uint32_t status;
    uint32_t retry_after;               /* seconds; 0: not given */
    uint32_t is_forced;                 /* the next request bypasses caches */
    uint32_t is_list;                   /* a status list, and no document with keys */
    uint32_t is_sent;                   /* the client's answer for the URL is this one's */
    u_char reason[ASSAY_LONGEST_REASON + 1]; /* of that attempt, in printable words; empty: there is none */
    int64_t starts[ASSAY_FETCHES];      /* when the last fetches began */
    size_t url_size;
    u_char url[];
} ngx_http_assay_entry_t;

typedef struct {
    ngx_queue_t entries;
    uint64_t serial;                    /* the last number given to a question or a document */
    uint64_t published;                 /* the serial number of the newest document */
    uint64_t list_count;                /* of the entries for status lists */
} ngx_http_assay_documents_t;

/* documents.c. A worker and the helper say first which zone is theirs. */
ngx_int_t ngx_http_assay_add_zone(ngx_conf_t *cf);
void ngx_http_assay_use_documents(ngx_shm_zone_t *zone);
ngx_http_assay_documents_t *ngx_http_assay_lock_documents(void);
void ngx_http_assay_unlock_documents(void);
ngx_http_assay_entry_t *ngx_http_assay_entry(ngx_http_assay_documents_t *documents, ngx_str_t url, ngx_uint_t is_list);
ngx_http_assay_entry_t *ngx_http_assay_new_entry(ngx_http_assay_documents_t *documents, ngx_str_t url, ngx_uint_t is_list);
ngx_http_assay_document_t *ngx_http_assay_new_document(ngx_http_assay_documents_t *documents, size_t size, ngx_uint_t is_list);
void ngx_http_assay_publish(ngx_http_assay_documents_t *documents, ngx_http_assay_entry_t *entry, ngx_http_assay_document_t *document);
void ngx_http_assay_accept(ngx_http_assay_entry_t *entry, int64_t usable_until);
int64_t ngx_http_assay_now(void);

/* wakeups.c: file descriptors that the master makes once, and all processes inherit. */
ngx_int_t ngx_http_assay_open_wakeups(ngx_log_t *log);
void ngx_http_assay_wake_helper(void);
void ngx_http_assay_wake_workers(void);
ngx_int_t ngx_http_assay_watch_as_helper(ngx_cycle_t *cycle, void (*woken)(void));
ngx_int_t ngx_http_assay_watch_as_worker(ngx_cycle_t *cycle, void (*woken)(void));

/* feeds.c: how documents get to the keys of a worker. */
ngx_int_t ngx_http_assay_start_feed(ngx_cycle_t *cycle, ngx_http_assay_source_t *source);
void ngx_http_assay_stop_feed(ngx_http_assay_source_t *source);
void ngx_http_assay_pump_all(void);

/* revocations.c: logs whether the files of revocations can be used. */
void ngx_http_assay_note_revocations(const assay_gateway *core, const ngx_http_assay_main_conf_t *conf);
/* The status of a gateway, which ends with a NUL; ngx_free gives it back. NULL without memory. */
char *ngx_http_assay_status(const assay_gateway *core);

/* list_feeds.c: how status lists get to the gateways of a worker. */
ngx_uint_t ngx_http_assay_is_list(assay_fetch *fetch);
void ngx_http_assay_take_list(ngx_queue_t *lists, const ngx_http_assay_gateway_t *gateway, assay_fetch *fetch);
ngx_uint_t ngx_http_assay_take_list_answers(ngx_queue_t *lists);
ngx_uint_t ngx_http_assay_has_list_fetch(const ngx_queue_t *lists, const assay_gateway *core);
void ngx_http_assay_free_lists(ngx_queue_t *lists);

/* answers.c: what became of a question. */
typedef struct {
    uint64_t question;                  /* the serial number of what was asked; 0: nothing is asked */
    uint64_t newest;                    /* a document with a larger serial number answers */
    int64_t deadline;                   /* after it the attempt has failed */
    ngx_uint_t is_list;                 /* about a status list */
    int64_t oldest;                     /* of a list: a document that was fetched before does not answer */
    int64_t stale;                      /* of a list: the age, in milliseconds, of a document that serves a worker's first question where
                                         * the fetch fails */
    uint64_t handed[ASSAY_MOST_REQUESTS]; /* the serial numbers of the documents that this fetch has got */
    ngx_uint_t handed_count;
    uint32_t status;                    /* of the last answer; 0: there was none */
    u_char reason[ASSAY_LONGEST_REASON + 1]; /* why there was none, in words; empty: it is not known */
} ngx_http_assay_question_t;

ngx_int_t ngx_http_assay_ask(ngx_http_assay_question_t *question, ngx_str_t url, ngx_uint_t is_forced);
ngx_int_t ngx_http_assay_answer(ngx_http_assay_question_t *question, ngx_str_t url, assay_gateway *core, assay_fetch *fetch,
                                assay_code *code);
ngx_uint_t ngx_http_assay_has_newer(ngx_str_t url, uint64_t newest);
void ngx_http_assay_note_use(const ngx_http_assay_question_t *question, int64_t usable_until);

/* helper.c */
ngx_int_t ngx_http_assay_add_helper(ngx_cycle_t *cycle);

/* client.c: requests of the helper. NGX_ERROR after a message. NGX_DECLINED: this request is not begun, or there is no answer. */
ngx_int_t ngx_http_assay_check_client(const ngx_http_assay_main_conf_t *conf, ngx_log_t *log);
ngx_int_t ngx_http_assay_start_client(const ngx_http_assay_main_conf_t *conf, ngx_log_t *log);
ngx_int_t ngx_http_assay_send(ngx_str_t url, const assay_field *fields, size_t count);
ngx_int_t ngx_http_assay_take(assay_http_answer *answer);

/* response_fields.c */
ngx_uint_t ngx_http_assay_is_named(ngx_str_t text, const char *name);
size_t ngx_http_assay_write_fields(u_char *out, const assay_http_answer *answer);
ngx_uint_t ngx_http_assay_next_field(ngx_str_t *rest, ngx_str_t *name, ngx_str_t *value);
uint32_t ngx_http_assay_retry_after(const assay_http_answer *answer);

#endif
