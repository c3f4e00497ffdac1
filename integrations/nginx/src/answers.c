/* answers.c: a worker's questions, and the answers that it takes out of the zone. */

#include "assay_documents.h"

#define ASSAY_MOST_FIELDS_OF_DOCUMENT 32

/* After this many milliseconds without an answer the helper is taken for dead; nginx starts another one. It may wait for its window first. */
#define ASSAY_PATIENCE (ASSAY_FETCH_WINDOW + 4000)

/* The document that answers a question; NULL: none yet. A worker that starts does not get one that no worker has accepted if there is
 * another, and none that has come to its end. A list serves all workers for as long as its URL may not be fetched again. */
static ngx_http_assay_document_t *ngx_http_assay_document_for(const ngx_http_assay_question_t *question,
                                                              const ngx_http_assay_entry_t *entry)
{
    if (question->is_list) {
        const ngx_http_assay_document_t *list = entry->document;
        return list != NULL && list->serial > question->newest && list->fetched >= question->oldest ? entry->document : NULL;
    }
    if (question->newest == 0 && entry->accepted != NULL && entry->accepted_until >= ngx_http_assay_now()) {
        return entry->accepted;
    }
    if (entry->document == NULL || entry->document->serial <= question->newest) {
        return NULL;
    }
    ngx_uint_t has_ended = entry->usable_until != 0 && entry->usable_until < ngx_http_assay_now();
    return question->newest == 0 && has_ended ? NULL : entry->document;
}

ngx_int_t ngx_http_assay_ask(ngx_http_assay_question_t *question, ngx_str_t url, ngx_uint_t is_forced)
{
    ngx_http_assay_documents_t *documents = ngx_http_assay_lock_documents();
    ngx_http_assay_entry_t *entry = ngx_http_assay_entry(documents, url, question->is_list);
    question->oldest = ngx_http_assay_now() - ASSAY_FETCH_WINDOW;
    ngx_uint_t has_answer = entry != NULL && ngx_http_assay_document_for(question, entry) != NULL;
    if (entry == NULL) {
        entry = ngx_http_assay_new_entry(documents, url, question->is_list);
    }
    if (entry == NULL) {
        ngx_http_assay_unlock_documents();
        return NGX_ERROR;
    }
    ngx_queue_remove(&entry->queue);
    ngx_queue_insert_head(&documents->entries, &entry->queue);
    question->question = ++documents->serial;
    question->deadline = ngx_http_assay_now() + ASSAY_PATIENCE;
    if (!has_answer) {
        entry->asked = question->question;
        entry->is_forced |= is_forced;
    }
    ngx_http_assay_unlock_documents();
    if (!has_answer) {
        ngx_http_assay_wake_helper();
    }
    return NGX_OK;
}

/* Hands a copy of a document over, with its age, so that its lifetime counts from the response and not from now. */
static assay_code ngx_http_assay_hand_over(const ngx_http_assay_document_t *document, assay_gateway *core, assay_fetch *fetch)
{
    assay_field fields[ASSAY_MOST_FIELDS_OF_DOCUMENT + 1];
    size_t count = 0;
    int64_t age = ngx_max(ngx_http_assay_now() - document->fetched, 0) / 1000;
    u_char text[NGX_INT64_LEN];
    ngx_str_t rest = {document->fields_size, (u_char *) document->bytes}, name, value;
    while (count < ASSAY_MOST_FIELDS_OF_DOCUMENT && ngx_http_assay_next_field(&rest, &name, &value)) {
        if (name.len == 3 && ngx_strncasecmp(name.data, (u_char *) "age", 3) == 0) {
            ngx_int_t stated = ngx_atoi(value.data, value.len);
            age += stated == NGX_ERROR ? 0 : stated;
        } else {
            fields[count].name = ngx_http_assay_lent(name);
            fields[count++].value = ngx_http_assay_lent(value);
        }
    }
    fields[count].name = (assay_text) {"Age", 3};
    fields[count++].value = (assay_text) {(char *) text, (size_t) (ngx_sprintf(text, "%L", age) - text)};
    return assay_gateway_install(core, fetch, 200, fields, count, (const char *) document->bytes + document->fields_size, document->body_size);
}

static assay_code ngx_http_assay_hand_over_failure(uint32_t failure, uint32_t status, uint32_t retry_after, assay_gateway *core,
                                                   assay_fetch *fetch)
{
    u_char text[NGX_INT64_LEN];
    if (failure != 0) {
        return assay_gateway_fail(core, fetch, failure);
    }
    assay_field field = {{"Retry-After", 11}, {(char *) text, (size_t) (ngx_sprintf(text, "%uD", retry_after) - text)}};
    return assay_gateway_install(core, fetch, status, &field, retry_after > 0, NULL, 0);
}

/* A copy, because a document may be replaced as soon as the lock is open. NULL without memory. */
static ngx_http_assay_document_t *ngx_http_assay_copy(const ngx_http_assay_document_t *document)
{
    size_t size = sizeof(*document) + document->fields_size + document->body_size;
    ngx_http_assay_document_t *copy = ngx_alloc(size, ngx_cycle->log);
    if (copy != NULL) {
        ngx_memcpy(copy, document, size);
    }
    return copy;
}

/* The list that a worker which starts uses while the source of it fails, as the others do. NULL: none. */
static ngx_http_assay_document_t *ngx_http_assay_stale_list(const ngx_http_assay_question_t *question,
                                                            const ngx_http_assay_entry_t *entry)
{
    ngx_uint_t is_usable = question->is_list && question->newest == 0 && entry->answered >= question->question && entry->document != NULL
        && entry->document->fetched + question->stale >= ngx_http_assay_now();
    return is_usable ? entry->document : NULL;
}

/* NGX_AGAIN: there is no answer yet. NGX_OK: libassay has it, and `code` says what it made of it. After a failure every document of before
 * is old: the next attempt must not get what has just been refused. */
ngx_int_t ngx_http_assay_answer(ngx_http_assay_question_t *question, ngx_str_t url, assay_gateway *core, assay_fetch *fetch,
                                assay_code *code)
{
    ngx_http_assay_documents_t *documents = ngx_http_assay_lock_documents();
    ngx_http_assay_entry_t *entry = ngx_http_assay_entry(documents, url, question->is_list);
    ngx_http_assay_document_t *copy = NULL;
    uint32_t failure = ASSAY_FAILURE_CANCELLED, status = 0, retry_after = 0;
    uint64_t last = documents->serial;
    ngx_uint_t has_failed = entry == NULL;
    ngx_http_assay_document_t *document = entry == NULL ? NULL : ngx_http_assay_document_for(question, entry);
    if (document == NULL && entry != NULL) {
        document = ngx_http_assay_stale_list(question, entry);
    }
    question->reason[0] = '\0';
    if (document != NULL) {
        copy = ngx_http_assay_copy(document);
        has_failed = copy == NULL;
    } else if (entry != NULL && entry->answered >= question->question) {
        has_failed = 1;
        failure = entry->failure;
        status = entry->status;
        retry_after = entry->retry_after;
        ngx_memcpy(question->reason, entry->reason, sizeof(question->reason));
    }
    ngx_http_assay_unlock_documents();
    if (copy != NULL) {
        if (question->handed_count < ASSAY_MOST_REQUESTS) {
            question->handed[question->handed_count++] = copy->serial;
        }
        question->status = 200;
        *code = ngx_http_assay_hand_over(copy, core, fetch);
        if (*code == ASSAY_OK) {
            question->newest = copy->serial;
        } else if (*code != ASSAY_FETCH_CONTINUES) {
            question->newest = last;
        }
        ngx_free(copy);
        return NGX_OK;
    }
    if (!has_failed && ngx_http_assay_now() < question->deadline) {
        return NGX_AGAIN;
    }
    question->status = has_failed && failure == 0 ? status : 0;
    *code = ngx_http_assay_hand_over_failure(has_failed ? failure : ASSAY_FAILURE_TIMED_OUT, status, retry_after, core, fetch);
    if (*code != ASSAY_FETCH_CONTINUES) {
        question->newest = last;
    }
    return NGX_OK;
}

/* Whether another worker's question has brought a document that this worker does not have. */
ngx_uint_t ngx_http_assay_has_newer(ngx_str_t url, uint64_t newest)
{
    ngx_http_assay_documents_t *documents = ngx_http_assay_lock_documents();
    ngx_http_assay_entry_t *entry = documents->published > newest ? ngx_http_assay_entry(documents, url, 0) : NULL;
    ngx_uint_t has_newer = entry != NULL && entry->document != NULL && entry->document->serial > newest;
    ngx_http_assay_unlock_documents();
    return has_newer;
}

static ngx_uint_t ngx_http_assay_was_handed(const ngx_http_assay_question_t *question, uint64_t serial)
{
    for (ngx_uint_t i = 0; i < question->handed_count; i++) {
        if (question->handed[i] == serial) {
            return 1;
        }
    }
    return 0;
}

/* A fetch has succeeded: its documents are accepted. A worker that starts must not trust them for longer than those do that have them. */
void ngx_http_assay_note_use(const ngx_http_assay_question_t *question, int64_t usable_until)
{
    ngx_http_assay_documents_t *documents = ngx_http_assay_lock_documents();
    ngx_queue_t *end = ngx_queue_sentinel(&documents->entries);
    for (ngx_queue_t *at = ngx_queue_head(&documents->entries); at != end; at = ngx_queue_next(at)) {
        ngx_http_assay_entry_t *entry = ngx_queue_data(at, ngx_http_assay_entry_t, queue);
        if (entry->document != NULL && entry->usable_until == 0 && ngx_http_assay_was_handed(question, entry->document->serial)) {
            ngx_http_assay_accept(entry, usable_until);
        }
    }
    ngx_http_assay_unlock_documents();
}
