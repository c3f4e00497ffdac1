/* list_feeds.c: how status lists get to the gateways of a worker. Tokens name them, each gateway has its own, and many may be under way at
 * once. What a worker remembers of a list outlives its fetch: the next question must not get the document of the last one. */

#include "assay_documents.h"

/* How long libassay uses the last list while its source fails, where no directive says it (Docs/Gateway.md). */
#define ASSAY_LIST_STALE 3600

typedef struct {
    ngx_queue_t queue;                  /* what was fetched last comes first */
    assay_gateway *core;                /* that judges by it */
    assay_fetch *fetch;                 /* that libassay has handed out; NULL: none */
    ngx_http_assay_question_t question;
    char reported[32];                  /* the last failure since the last success; empty: none */
    ngx_str_t url;
    u_char bytes[];                     /* of the URL */
} ngx_http_assay_list_t;

/* What a fetch is for, its Accept field says (Docs/CInterface.md). */
ngx_uint_t ngx_http_assay_is_list(assay_fetch *fetch)
{
    const char *name, *value;
    for (size_t i = 0; assay_fetch_field(&name, &value, fetch, i) == ASSAY_OK; i++) {
        if (ngx_strcmp(name, "Accept") == 0) {
            return ngx_strcmp(value, "application/statuslist+jwt") == 0;
        }
    }
    return 0;
}

static void ngx_http_assay_end_list(ngx_http_assay_list_t *list)
{
    assay_fetch_free(list->fetch);
    list->fetch = NULL;
}

static void ngx_http_assay_free_list(ngx_http_assay_list_t *list)
{
    ngx_http_assay_end_list(list);
    ngx_queue_remove(&list->queue);
    ngx_free(list);
}

/* Forgets what was fetched longest ago. A list that is being fetched stays: libassay limits these. */
static void ngx_http_assay_forget_oldest(ngx_queue_t *lists)
{
    ngx_uint_t count = 0;
    ngx_http_assay_list_t *oldest = NULL;
    for (ngx_queue_t *at = ngx_queue_head(lists); at != ngx_queue_sentinel(lists); at = ngx_queue_next(at)) {
        ngx_http_assay_list_t *list = ngx_queue_data(at, ngx_http_assay_list_t, queue);
        oldest = list->fetch == NULL ? list : oldest;
        count++;
    }
    if (count >= ASSAY_MOST_LISTS && oldest != NULL) {
        ngx_http_assay_free_list(oldest);
    }
}

static ngx_http_assay_list_t *ngx_http_assay_new_list(ngx_queue_t *lists, const ngx_http_assay_gateway_t *gateway, ngx_str_t url)
{
    const json_t *terms = json_object_get(gateway->provider, "statusLists"), *stale = json_object_get(terms, "staleSeconds");
    ngx_http_assay_list_t *list = ngx_calloc(sizeof(*list) + url.len, ngx_cycle->log);
    if (list == NULL) {
        return NULL;
    }
    ngx_http_assay_forget_oldest(lists);
    list->core = gateway->core;
    list->question.is_list = 1;
    list->question.stale = (stale == NULL ? ASSAY_LIST_STALE : json_integer_value(stale)) * 1000;
    list->url = (ngx_str_t) {url.len, list->bytes};
    ngx_memcpy(list->bytes, url.data, url.len);
    ngx_queue_insert_head(lists, &list->queue);
    return list;
}

static ngx_http_assay_list_t *ngx_http_assay_list(ngx_queue_t *lists, const ngx_http_assay_gateway_t *gateway, ngx_str_t url)
{
    for (ngx_queue_t *at = ngx_queue_head(lists); at != ngx_queue_sentinel(lists); at = ngx_queue_next(at)) {
        ngx_http_assay_list_t *list = ngx_queue_data(at, ngx_http_assay_list_t, queue);
        if (list->core == gateway->core && list->url.len == url.len && ngx_memcmp(list->url.data, url.data, url.len) == 0) {
            return list;
        }
    }
    return ngx_http_assay_new_list(lists, gateway, url);
}

/* Asks for the list of a fetch, which it takes over. */
void ngx_http_assay_take_list(ngx_queue_t *lists, const ngx_http_assay_gateway_t *gateway, assay_fetch *fetch)
{
    ngx_str_t url = {ngx_strlen(assay_fetch_url(fetch)), (u_char *) assay_fetch_url(fetch)};
    ngx_http_assay_list_t *list = ngx_http_assay_list(lists, gateway, url);
    if (list == NULL || list->fetch != NULL || ngx_http_assay_ask(&list->question, list->url, 0) != NGX_OK) {
        assay_gateway_fail(gateway->core, fetch, ASSAY_FAILURE_CANCELLED);
        assay_fetch_free(fetch);
        return;
    }
    list->fetch = fetch;
    ngx_queue_remove(&list->queue);
    ngx_queue_insert_head(lists, &list->queue);
}

/* What the status of a gateway says about a list. */
typedef struct {
    char failure[32];                   /* the code of the last one */
    json_int_t failures;                /* since the last success */
    double accepted_for;                /* seconds for which the last list still judges; 0: there is none */
} ngx_http_assay_list_state_t;

/* A list that the status does not have was forgotten meanwhile: `out` stays as it is. */
static void ngx_http_assay_list_state(ngx_http_assay_list_state_t *out, const ngx_http_assay_list_t *list)
{
    char *text = ngx_http_assay_status(list->core);
    json_t *status = text == NULL ? NULL : json_loads(text, 0, NULL), *provider, *entry;
    size_t i, j;
    json_array_foreach(json_object_get(status, "statusLists"), i, provider) {
        json_array_foreach(json_object_get(provider, "lists"), j, entry) {
            ngx_str_t url = ngx_http_assay_text(json_object_get(entry, "uri"));
            const char *failure = json_string_value(json_object_get(entry, "lastFailure"));
            if (failure != NULL && url.len == list->url.len && ngx_memcmp(url.data, list->url.data, url.len) == 0) {
                ngx_cpystrn((u_char *) out->failure, (u_char *) failure, sizeof(out->failure));
                out->failures = json_integer_value(json_object_get(entry, "failures"));
                out->accepted_for = json_number_value(json_object_get(entry, "acceptedFor"));
            }
        }
    }
    json_decref(status);
    ngx_free(text);
}

/* As for keys, the level `error` has each reason once. */
static void ngx_http_assay_report_list(ngx_http_assay_list_t *list)
{
    ngx_http_assay_list_state_t state = {.failure = "cancelled", .failures = 1};
    u_char answer[sizeof(": ") + ASSAY_LONGEST_REASON] = "";
    ngx_http_assay_list_state(&state, list);
    if (list->question.status != 0) {
        ngx_sprintf(answer, ", status %uD%Z", list->question.status);
    } else if (list->question.reason[0] != '\0') {
        ngx_sprintf(answer, ": %s%Z", list->question.reason);
    }
    ngx_uint_t level = ngx_worker == 0 && ngx_strcmp(state.failure, list->reported) != 0 ? NGX_LOG_ERR : NGX_LOG_WARN;
    ngx_log_error(level, ngx_cycle->log, 0,
                  "assay has not got the status list \"%V\": %s, for the %L. time%s; the last list judges for %L s", &list->url, state.failure,
                  (int64_t) state.failures, answer, (int64_t) state.accepted_for);
    ngx_memcpy(list->reported, state.failure, sizeof(list->reported));
}

/* Hands an answer over, if there is one: 1 if something has changed. */
static ngx_uint_t ngx_http_assay_take_list_answer(ngx_http_assay_list_t *list)
{
    assay_code code;
    if (list->fetch == NULL || ngx_http_assay_answer(&list->question, list->url, list->core, list->fetch, &code) == NGX_AGAIN) {
        return 0;
    }
    list->question.handed_count = 0;
    if (code == ASSAY_OK) {
        list->reported[0] = '\0';
    } else {
        ngx_http_assay_report_list(list);
    }
    ngx_http_assay_end_list(list);
    return 1;
}

ngx_uint_t ngx_http_assay_take_list_answers(ngx_queue_t *lists)
{
    ngx_uint_t has_changed = 0;
    for (ngx_queue_t *at = ngx_queue_head(lists); at != ngx_queue_sentinel(lists); at = ngx_queue_next(at)) {
        has_changed |= ngx_http_assay_take_list_answer(ngx_queue_data(at, ngx_http_assay_list_t, queue));
    }
    return has_changed;
}

/* Whether a fetch of a gateway, of any one where `core` is NULL, is under way. */
ngx_uint_t ngx_http_assay_has_list_fetch(const ngx_queue_t *lists, const assay_gateway *core)
{
    for (ngx_queue_t *at = ngx_queue_head(lists); at != ngx_queue_sentinel(lists); at = ngx_queue_next(at)) {
        const ngx_http_assay_list_t *list = ngx_queue_data(at, ngx_http_assay_list_t, queue);
        if (list->fetch != NULL && (core == NULL || list->core == core)) {
            return 1;
        }
    }
    return 0;
}

void ngx_http_assay_free_lists(ngx_queue_t *lists)
{
    while (!ngx_queue_empty(lists)) {
        ngx_http_assay_free_list(ngx_queue_data(ngx_queue_head(lists), ngx_http_assay_list_t, queue));
    }
}
