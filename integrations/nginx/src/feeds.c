/* feeds.c: how documents get to the gateways of a worker. libassay says what to request and when; the answers come out of shared memory. The
 * gateways of a source share its keys, so whichever hands a request out, an issuer has one at a time. */

#include "assay_documents.h"

/* How often a worker looks without being woken, and where there is a log of revocations. */
#define ASSAY_TICK 1000
#define ASSAY_LOG_TICK 250

struct ngx_http_assay_feed_s {
    ngx_http_assay_source_t *source;
    ngx_queue_t lists;                  /* of list_feeds.c */
    ngx_queue_t issuers;                /* of ngx_http_assay_issuer_t, each from its first fetch on; one, or one for each tenant */
    ngx_event_t timer;
    ngx_event_t order;                  /* posted when a verification has made a fetch due */
    ngx_queue_t queue;
};

typedef struct {
    ngx_queue_t queue;
    ngx_http_assay_feed_t *feed;
    assay_fetch *fetch;                 /* that libassay has handed out; NULL: none */
    assay_gateway *core;                /* that has handed it out */
    ngx_http_assay_question_t question;
    const char *reported;               /* the last failure since the last success; NULL: none */
    ngx_str_t keys_url;                 /* where the keys came from; it may change with an issuer's metadata */
    ngx_str_t name;
    u_char bytes[];                     /* of the name */
} ngx_http_assay_issuer_t;

static ngx_queue_t ngx_http_assay_feeds;

/* libassay orders a fetch inside a decision: the event runs after it. */
void ngx_http_assay_order(ngx_http_assay_feed_t *feed)
{
    ngx_post_event(&feed->order, &ngx_posted_events);
}

static const ngx_http_assay_gateway_t *ngx_http_assay_first_gateway(const ngx_http_assay_feed_t *feed)
{
    return *(ngx_http_assay_gateway_t **) feed->source->gateways.elts;
}

/* The issuer after another one, or the first one after NULL; NULL behind the last. */
static ngx_http_assay_issuer_t *ngx_http_assay_next_issuer(const ngx_http_assay_feed_t *feed, const ngx_http_assay_issuer_t *issuer)
{
    ngx_queue_t *at = issuer == NULL ? ngx_queue_head(&feed->issuers) : ngx_queue_next(&issuer->queue);
    return at == ngx_queue_sentinel(&feed->issuers) ? NULL : ngx_queue_data(at, ngx_http_assay_issuer_t, queue);
}

/* The issuer of the name; a new one, if this is its first fetch. NULL without memory. */
static ngx_http_assay_issuer_t *ngx_http_assay_issuer(ngx_http_assay_feed_t *feed, const char *name)
{
    size_t len = ngx_strlen(name);
    ngx_http_assay_issuer_t *issuer = NULL;
    while ((issuer = ngx_http_assay_next_issuer(feed, issuer)) != NULL) {
        if (issuer->name.len == len && ngx_memcmp(issuer->name.data, name, len) == 0) {
            return issuer;
        }
    }
    issuer = ngx_calloc(sizeof(*issuer) + len, ngx_cycle->log);
    if (issuer != NULL) {
        issuer->feed = feed;
        issuer->name = (ngx_str_t) {len, issuer->bytes};
        ngx_memcpy(issuer->bytes, name, len);
        ngx_queue_insert_tail(&feed->issuers, &issuer->queue);
    }
    return issuer;
}

static void ngx_http_assay_end_fetch(ngx_http_assay_issuer_t *issuer)
{
    assay_fetch_free(issuer->fetch);
    issuer->fetch = NULL;
}

/* Whether a fetch of any issuer's keys is under way. */
static ngx_uint_t ngx_http_assay_has_fetch(const ngx_http_assay_feed_t *feed)
{
    const ngx_http_assay_issuer_t *issuer = NULL;
    while ((issuer = ngx_http_assay_next_issuer(feed, issuer)) != NULL) {
        if (issuer->fetch != NULL) {
            return 1;
        }
    }
    return 0;
}

/* The state of an issuer's keys; 0 without one. */
static ngx_uint_t ngx_http_assay_state(assay_keys_state *out, const assay_gateway *core, ngx_str_t issuer)
{
    *out = (assay_keys_state) {.size = sizeof(*out)};
    return assay_gateway_keys_status(out, core, (const char *) issuer.data, issuer.len) == ASSAY_OK;
}

/* Whether a list of the gateway is due or under way. Which one the decision lacks, it does not say. */
static ngx_uint_t ngx_http_assay_is_fetching_lists(const ngx_http_assay_gateway_t *gateway)
{
    const ngx_http_assay_feed_t *feed = gateway->source->feed;
    if (feed == NULL || json_object_get(gateway->provider, "statusLists") == NULL) {
        return 0;
    }
    return ngx_http_assay_has_list_fetch(&feed->lists, gateway->core) || assay_gateway_next_due(gateway->core) == 0;
}

/* Whether waiting helps: a fetch is due or under way. Between two attempts at a source that fails the answer is given at once. */
ngx_uint_t ngx_http_assay_is_fetching(const ngx_http_assay_gateway_t *gateway)
{
    const ngx_http_assay_feed_t *feed = gateway->source->feed;
    assay_keys_state state;
    if (ngx_http_assay_is_fetching_lists(gateway)) {
        return 1;
    }
    if (json_object_get(gateway->provider, "tenants") == NULL || feed == NULL) {
        ngx_str_t issuer = ngx_http_assay_text(json_object_get(gateway->provider, "issuer"));
        return ngx_http_assay_state(&state, gateway->core, issuer) && state.is_fetching;
    }
    /* The decision does not say which tenant's keys it lacks. */
    return ngx_http_assay_has_fetch(feed) || assay_gateway_next_due(gateway->core) == 0;
}

static ngx_str_t ngx_http_assay_url_of(assay_fetch *fetch)
{
    ngx_str_t url;
    url.data = (u_char *) assay_fetch_url(fetch);
    url.len = ngx_strlen(url.data);
    return url;
}

static ngx_uint_t ngx_http_assay_bypasses_caches(assay_fetch *fetch)
{
    const char *name, *value;
    for (size_t i = 0; assay_fetch_field(&name, &value, fetch, i) == ASSAY_OK; i++) {
        if (ngx_strcmp(name, "Cache-Control") == 0) {
            return 1;
        }
    }
    return 0;
}

/* The addresses of OpenID Connect Discovery section 4 and RFC 8414 section 3. A fetch ends with metadata that names the address which the
 * keys have come from already. */
static ngx_uint_t ngx_http_assay_is_metadata(ngx_str_t url)
{
    return ngx_strstr(url.data, "/.well-known/openid-configuration") != NULL
        || ngx_strstr(url.data, "/.well-known/oauth-authorization-server") != NULL;
}

/* Remembers where the keys came from, for the documents that other workers ask for. */
static void ngx_http_assay_note_keys(ngx_http_assay_issuer_t *issuer, ngx_str_t url)
{
    assay_keys_state state;
    ngx_uint_t is_known = issuer->keys_url.len == url.len && ngx_memcmp(issuer->keys_url.data, url.data, url.len) == 0;
    if (!is_known && !ngx_http_assay_is_metadata(url)) {
        u_char *copy = ngx_alloc(url.len + 1, ngx_cycle->log);
        if (copy == NULL) {
            return;
        }
        ngx_free(issuer->keys_url.data);
        ngx_memcpy(copy, url.data, url.len);
        issuer->keys_url = (ngx_str_t) {url.len, copy};
    }
    if (ngx_http_assay_state(&state, issuer->core, issuer->name)) {
        ngx_http_assay_note_use(&issuer->question, ngx_http_assay_now() + state.used_for);
    }
}

/* Every worker has the failure, and a source that stays away fails every few seconds: with the level `error`, which nginx has by default,
 * the log gets one line for each reason. */
static ngx_uint_t ngx_http_assay_level(const ngx_http_assay_issuer_t *issuer, const char *failure)
{
    ngx_uint_t is_new = issuer->reported == NULL || ngx_strcmp(issuer->reported, failure) != 0;
    return is_new && ngx_worker == 0 ? NGX_LOG_ERR : NGX_LOG_WARN;
}

static void ngx_http_assay_report(ngx_http_assay_issuer_t *issuer, ngx_str_t url)
{
    const ngx_http_assay_source_t *source = issuer->feed->source;
    const ngx_str_t *name = json_object_get(source->provider, "tenants") == NULL ? &source->url : &issuer->name;
    assay_keys_state state;
    u_char answer[sizeof(": ") + ASSAY_LONGEST_REASON] = "";
    if (!ngx_http_assay_state(&state, issuer->core, issuer->name) || state.last_failure == NULL) {
        return;
    }
    if (issuer->question.status != 0) {
        ngx_sprintf(answer, ", status %uD%Z", issuer->question.status);
    } else if (issuer->question.reason[0] != '\0') {
        ngx_sprintf(answer, ": %s%Z", issuer->question.reason);
    }
    ngx_log_error(ngx_http_assay_level(issuer, state.last_failure), issuer->feed->timer.log, 0,
                  "assay has not got the keys of \"%V\": %s, for the %uL. time; the last request was to \"%V\"%s", name,
                  state.last_failure, state.failures, &url, answer);
    issuer->reported = state.last_failure;
}

/* Hands an answer over, if there is one: 1 if something has changed. */
static ngx_uint_t ngx_http_assay_take_answer(ngx_http_assay_issuer_t *issuer)
{
    assay_code code;
    if (issuer->fetch == NULL) {
        return 0;
    }
    ngx_str_t url = ngx_http_assay_url_of(issuer->fetch);
    if (ngx_http_assay_answer(&issuer->question, url, issuer->core, issuer->fetch, &code) == NGX_AGAIN) {
        return 0;
    }
    if (code == ASSAY_OK) {
        issuer->reported = NULL;
        ngx_http_assay_note_keys(issuer, url);
    } else if (code != ASSAY_FETCH_CONTINUES) {
        ngx_http_assay_report(issuer, url);
    }
    if (code != ASSAY_FETCH_CONTINUES) {
        issuer->question.handed_count = 0;
    }
    ngx_http_assay_end_fetch(issuer);
    return 1;
}

static ngx_uint_t ngx_http_assay_take_answers(ngx_http_assay_feed_t *feed)
{
    ngx_uint_t has_changed = ngx_http_assay_take_list_answers(&feed->lists);
    ngx_http_assay_issuer_t *issuer = NULL;
    while ((issuer = ngx_http_assay_next_issuer(feed, issuer)) != NULL) {
        has_changed |= ngx_http_assay_take_answer(issuer);
    }
    return has_changed;
}

static void ngx_http_assay_ask_for(ngx_http_assay_issuer_t *issuer)
{
    ngx_str_t url = ngx_http_assay_url_of(issuer->fetch);
    if (ngx_http_assay_ask(&issuer->question, url, ngx_http_assay_bypasses_caches(issuer->fetch)) != NGX_OK) {
        ngx_log_error(NGX_LOG_ERR, issuer->feed->timer.log, 0, "assay_zone has no room for a question");
        assay_gateway_fail(issuer->core, issuer->fetch, ASSAY_FAILURE_CANCELLED);
        ngx_http_assay_end_fetch(issuer);
    }
}

/* Takes a request of a gateway; 0: none is due. */
static ngx_uint_t ngx_http_assay_take_request(ngx_http_assay_feed_t *feed, const ngx_http_assay_gateway_t *gateway)
{
    assay_gateway *core = gateway->core;
    assay_fetch *fetch = NULL;
    if (assay_gateway_request(&fetch, core) != ASSAY_OK) {
        return 0;
    }
    if (ngx_http_assay_is_list(fetch)) {
        ngx_http_assay_take_list(&feed->lists, gateway, fetch);
        return 1;
    }
    ngx_http_assay_issuer_t *issuer = ngx_http_assay_issuer(feed, assay_fetch_issuer(fetch));
    if (issuer == NULL || issuer->fetch != NULL) {
        assay_gateway_fail(core, fetch, ASSAY_FAILURE_CANCELLED);
        assay_fetch_free(fetch);
        return 1;
    }
    issuer->fetch = fetch;
    issuer->core = core;
    ngx_http_assay_ask_for(issuer);
    return 1;
}

/* Asks every gateway, because each reads its files of revocations then. */
static ngx_uint_t ngx_http_assay_take_requests(ngx_http_assay_feed_t *feed)
{
    ngx_http_assay_gateway_t **gateways = feed->source->gateways.elts;
    ngx_uint_t has_changed = 0;
    for (ngx_uint_t i = 0; i < feed->source->gateways.nelts; i++) {
        while (ngx_http_assay_take_request(feed, gateways[i])) {
            has_changed = 1;
        }
    }
    return has_changed;
}

/* Gateways of a source share keys, and each has its own lists and reads the log by itself. */
static int64_t ngx_http_assay_next_due(const ngx_http_assay_feed_t *feed, ngx_uint_t has_log)
{
    ngx_http_assay_gateway_t **gateways = feed->source->gateways.elts;
    int64_t due = assay_gateway_next_due(gateways[0]->core);
    for (ngx_uint_t i = 1; (feed->source->has_lists || has_log) && i < feed->source->gateways.nelts; i++) {
        due = ngx_min(due, assay_gateway_next_due(gateways[i]->core));
    }
    return due;
}

static void ngx_http_assay_set_timer(ngx_http_assay_feed_t *feed)
{
    const ngx_http_assay_main_conf_t *conf = ngx_http_cycle_get_module_main_conf(ngx_cycle, ngx_http_assay_module);
    ngx_uint_t has_log = conf->revocation_log.len > 0;
    int64_t due = ngx_http_assay_next_due(feed, has_log), tick = has_log ? ASSAY_LOG_TICK : ASSAY_TICK;
    /* While a fetch is under way, nothing is awaited but its end. The next part of the log, which is due at once, does not wait for it. */
    ngx_uint_t has_fetch = ngx_http_assay_has_fetch(feed) || ngx_http_assay_has_list_fetch(&feed->lists, NULL);
    if (due > tick || (due > 0 && has_fetch)) {
        due = tick;
    }
    ngx_add_timer(&feed->timer, (ngx_msec_t) ngx_max(due, 1));
}

/* Orders what another worker's question has brought. */
static void ngx_http_assay_order_newer(const ngx_http_assay_feed_t *feed)
{
    assay_gateway *core = ngx_http_assay_first_gateway(feed)->core;
    const ngx_http_assay_issuer_t *issuer = NULL;
    while ((issuer = ngx_http_assay_next_issuer(feed, issuer)) != NULL) {
        if (issuer->fetch == NULL && issuer->keys_url.len > 0 && ngx_http_assay_has_newer(issuer->keys_url, issuer->question.newest)) {
            assay_gateway_refresh_issuer(core, (const char *) issuer->name.data, issuer->name.len);
        }
    }
}

/* Does all that can be done now. */
static void ngx_http_assay_pump(ngx_http_assay_feed_t *feed)
{
    ngx_uint_t has_changed = 0;
    ngx_http_assay_order_newer(feed);
    while (ngx_http_assay_take_requests(feed) | ngx_http_assay_take_answers(feed)) {
        has_changed = 1;
    }
    ngx_http_assay_set_timer(feed);
    if (has_changed) {
        ngx_http_assay_resume_all();
    }
}

static void ngx_http_assay_on_event(ngx_event_t *event)
{
    ngx_http_assay_feed_t *feed = event->data;
    const ngx_http_assay_main_conf_t *conf = ngx_http_cycle_get_module_main_conf(ngx_cycle, ngx_http_assay_module);
    ngx_http_assay_pump(feed);
    /* Each gateway looks at the files in its own time, so the first one speaks for all. */
    if (conf->revocations.len + conf->revocation_log.len > 0 && feed->source == *(ngx_http_assay_source_t **) conf->sources.elts) {
        ngx_http_assay_note_revocations(ngx_http_assay_first_gateway(feed)->core, conf);
    }
}

void ngx_http_assay_pump_all(void)
{
    ngx_queue_t *end = ngx_queue_sentinel(&ngx_http_assay_feeds);
    for (ngx_queue_t *at = ngx_queue_head(&ngx_http_assay_feeds); at != end; at = ngx_queue_next(at)) {
        ngx_http_assay_pump(ngx_queue_data(at, ngx_http_assay_feed_t, queue));
    }
}

/* A worker that ends gracefully does not wait for timers that are `cancelable`. */
static void ngx_http_assay_init_event(ngx_event_t *event, ngx_http_assay_feed_t *feed, ngx_log_t *log)
{
    event->handler = ngx_http_assay_on_event;
    event->data = feed;
    event->log = log;
    event->cancelable = 1;
}

ngx_int_t ngx_http_assay_start_feed(ngx_cycle_t *cycle, ngx_http_assay_source_t *source)
{
    if (ngx_http_assay_feeds.next == NULL) {
        ngx_queue_init(&ngx_http_assay_feeds);
    }
    ngx_http_assay_feed_t *feed = ngx_calloc(sizeof(*feed), cycle->log);
    if (feed == NULL) {
        return NGX_ERROR;
    }
    feed->source = source;
    source->feed = feed;
    ngx_queue_init(&feed->issuers);
    ngx_queue_init(&feed->lists);
    ngx_http_assay_init_event(&feed->timer, feed, cycle->log);
    ngx_http_assay_init_event(&feed->order, feed, cycle->log);
    ngx_queue_insert_tail(&ngx_http_assay_feeds, &feed->queue);
    ngx_http_assay_pump(feed);
    return NGX_OK;
}

void ngx_http_assay_stop_feed(ngx_http_assay_source_t *source)
{
    ngx_http_assay_feed_t *feed = source->feed;
    if (feed == NULL) {
        return;
    }
    if (feed->timer.timer_set) {
        ngx_del_timer(&feed->timer);
    }
    if (feed->order.posted) {
        ngx_delete_posted_event(&feed->order);
    }
    ngx_http_assay_issuer_t *issuer;
    while ((issuer = ngx_http_assay_next_issuer(feed, NULL)) != NULL) {
        ngx_queue_remove(&issuer->queue);
        ngx_http_assay_end_fetch(issuer);
        ngx_free(issuer->keys_url.data);
        ngx_free(issuer);
    }
    ngx_http_assay_free_lists(&feed->lists);
    ngx_queue_remove(&feed->queue);
    ngx_free(feed);
    source->feed = NULL;
}
