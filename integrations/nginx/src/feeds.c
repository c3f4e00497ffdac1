/* feeds.c: how documents get to the gateways of a worker. libassay says what to request and when; the answers come out of shared memory. The
 * gateways of a source share its keys, so whichever hands a request out, the feed has one at a time. */

#include "assay_documents.h"

/* How often a worker looks without being woken. */
#define ASSAY_TICK 1000

struct ngx_http_assay_feed_s {
    ngx_http_assay_source_t *source;
    assay_fetch *fetch;                 /* that libassay has handed out; NULL: none */
    assay_gateway *core;                /* that has handed it out */
    ngx_http_assay_question_t question;
    const char *reported;               /* the last failure since the last success; NULL: none */
    ngx_str_t keys_url;                 /* where the keys came from; it may change with an issuer's metadata */
    ngx_event_t timer;
    ngx_event_t order;                  /* posted when a verification has made a fetch due */
    ngx_queue_t queue;
};

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

/* The state of the source's keys; 0 without one. */
static ngx_uint_t ngx_http_assay_state(assay_keys_state *out, const ngx_http_assay_feed_t *feed)
{
    ngx_str_t issuer = feed->source->issuer;
    *out = (assay_keys_state) {.size = sizeof(*out)};
    return assay_gateway_keys_status(out, ngx_http_assay_first_gateway(feed)->core, (const char *) issuer.data, issuer.len) == ASSAY_OK;
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
static void ngx_http_assay_note_keys(ngx_http_assay_feed_t *feed, ngx_str_t url)
{
    assay_keys_state state;
    ngx_uint_t is_known = feed->keys_url.len == url.len && ngx_memcmp(feed->keys_url.data, url.data, url.len) == 0;
    if (!is_known && !ngx_http_assay_is_metadata(url)) {
        u_char *copy = ngx_alloc(url.len + 1, ngx_cycle->log);
        if (copy == NULL) {
            return;
        }
        ngx_free(feed->keys_url.data);
        ngx_memcpy(copy, url.data, url.len);
        feed->keys_url = (ngx_str_t) {url.len, copy};
    }
    if (ngx_http_assay_state(&state, feed)) {
        ngx_http_assay_note_use(&feed->question, ngx_http_assay_now() + state.used_for);
    }
}

/* Every worker has the failure, and a source that stays away fails every few seconds: with the level `error`, which nginx has by default,
 * the log gets one line for each reason. */
static ngx_uint_t ngx_http_assay_level(const ngx_http_assay_feed_t *feed, const char *failure)
{
    ngx_uint_t is_new = feed->reported == NULL || ngx_strcmp(feed->reported, failure) != 0;
    return is_new && ngx_worker == 0 ? NGX_LOG_ERR : NGX_LOG_WARN;
}

static void ngx_http_assay_report(ngx_http_assay_feed_t *feed, ngx_str_t url)
{
    assay_keys_state state;
    u_char answer[sizeof(": ") + ASSAY_LONGEST_REASON] = "";
    if (!ngx_http_assay_state(&state, feed) || state.last_failure == NULL) {
        return;
    }
    if (feed->question.status != 0) {
        ngx_sprintf(answer, ", status %uD%Z", feed->question.status);
    } else if (feed->question.reason[0] != '\0') {
        ngx_sprintf(answer, ": %s%Z", feed->question.reason);
    }
    ngx_log_error(ngx_http_assay_level(feed, state.last_failure), feed->timer.log, 0,
                  "assay has not got the keys of \"%V\": %s, for the %uL. time; the last request was to \"%V\"%s", &feed->source->name,
                  state.last_failure, state.failures, &url, answer);
    feed->reported = state.last_failure;
}

/* Hands an answer over, if there is one: 1 if something has changed. */
static ngx_uint_t ngx_http_assay_take_answer(ngx_http_assay_feed_t *feed)
{
    ngx_str_t url = ngx_http_assay_url_of(feed->fetch);
    assay_code code;
    if (ngx_http_assay_answer(&feed->question, url, feed->core, feed->fetch, &code) == NGX_AGAIN) {
        return 0;
    }
    if (code == ASSAY_OK) {
        feed->reported = NULL;
        ngx_http_assay_note_keys(feed, url);
    } else if (code != ASSAY_FETCH_CONTINUES) {
        ngx_http_assay_report(feed, url);
    }
    if (code != ASSAY_FETCH_CONTINUES) {
        feed->question.handed_count = 0;
    }
    assay_fetch_free(feed->fetch);
    feed->fetch = NULL;
    return 1;
}

static void ngx_http_assay_ask_for(ngx_http_assay_feed_t *feed)
{
    if (ngx_http_assay_ask(&feed->question, ngx_http_assay_url_of(feed->fetch), ngx_http_assay_bypasses_caches(feed->fetch)) == NGX_OK) {
        return;
    }
    ngx_log_error(NGX_LOG_ERR, feed->timer.log, 0, "assay_zone has no room for a question");
    assay_gateway_fail(feed->core, feed->fetch, ASSAY_FAILURE_CANCELLED);
    assay_fetch_free(feed->fetch);
    feed->fetch = NULL;
}

/* Asks every gateway, because each reads its file of revocations then. 1 if there is a request. */
static ngx_uint_t ngx_http_assay_next_request(ngx_http_assay_feed_t *feed)
{
    ngx_http_assay_gateway_t **gateways = feed->source->gateways.elts;
    for (ngx_uint_t i = 0; feed->fetch == NULL && i < feed->source->gateways.nelts; i++) {
        if (assay_gateway_request(&feed->fetch, gateways[i]->core) == ASSAY_OK) {
            feed->core = gateways[i]->core;
            ngx_http_assay_ask_for(feed);
            return 1;
        }
    }
    return 0;
}

static void ngx_http_assay_set_timer(ngx_http_assay_feed_t *feed)
{
    int64_t due = assay_gateway_next_due(ngx_http_assay_first_gateway(feed)->core);
    if (feed->fetch != NULL || due > ASSAY_TICK) {
        due = ASSAY_TICK;
    }
    ngx_add_timer(&feed->timer, (ngx_msec_t) ngx_max(due, 1));
}

/* Does all that can be done now. */
static void ngx_http_assay_pump(ngx_http_assay_feed_t *feed)
{
    ngx_uint_t has_changed = 0;
    if (feed->fetch == NULL && feed->keys_url.len > 0 && ngx_http_assay_has_newer(feed->keys_url, feed->question.newest)) {
        assay_gateway_refresh(ngx_http_assay_first_gateway(feed)->core);
    }
    for (;;) {
        if (feed->fetch == NULL && !ngx_http_assay_next_request(feed)) {
            break;
        }
        if (feed->fetch != NULL && !ngx_http_assay_take_answer(feed)) {
            break;
        }
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
    /* Each gateway looks at the file in its own second, so the first one speaks for all. */
    if (conf->revocations.len > 0 && feed->source == *(ngx_http_assay_source_t **) conf->sources.elts) {
        ngx_http_assay_note_revocations(ngx_http_assay_first_gateway(feed)->core, conf->revocations);
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
    ngx_queue_remove(&feed->queue);
    assay_fetch_free(feed->fetch);
    ngx_free(feed->keys_url.data);
    ngx_free(feed);
    source->feed = NULL;
}
