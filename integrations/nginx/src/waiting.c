/* waiting.c: requests that wait for keys. The first token under a new key names a key that the worker does not have; the keys are fetched
 * at once, and the request goes on when they are there, or is refused after `assay_wait`. */

#include "assay_module.h"

/* The requests of this worker, in the order of their arrival. */
static ngx_queue_t ngx_http_assay_waiting;

void ngx_http_assay_start_waiting(void)
{
    ngx_queue_init(&ngx_http_assay_waiting);
}

void ngx_http_assay_stop_waiting(ngx_http_assay_verdict_t *verdict)
{
    if (!verdict->is_waiting) {
        return;
    }
    verdict->is_waiting = 0;
    ngx_queue_remove(&verdict->queue);
    if (verdict->timer.timer_set) {
        ngx_del_timer(&verdict->timer);
    }
}

/* Runs the phases of a request again, from the one in which it waits. */
static void ngx_http_assay_resume(ngx_http_assay_verdict_t *verdict)
{
    ngx_http_request_t *r = verdict->request;
    ngx_connection_t *connection = r->connection;
    ngx_http_assay_stop_waiting(verdict);
    ngx_http_set_log_request(connection->log, r);
    r->read_event_handler = ngx_http_block_reading;
    r->write_event_handler = ngx_http_core_run_phases;
    ngx_http_core_run_phases(r);
    ngx_http_run_posted_requests(connection);
}

static void ngx_http_assay_end_wait(ngx_event_t *event)
{
    ngx_http_assay_verdict_t *verdict = event->data;
    verdict->has_waited = 1;
    ngx_http_assay_resume(verdict);
}

/* A request that is judged may end others (of the same connection, over HTTP/2), and may wait again: the queue is moved away first, and
 * each leaves it by itself. */
void ngx_http_assay_resume_all(void)
{
    ngx_queue_t all;
    if (ngx_queue_empty(&ngx_http_assay_waiting)) {
        return;
    }
    ngx_queue_init(&all);
    ngx_queue_add(&all, &ngx_http_assay_waiting);
    ngx_queue_init(&ngx_http_assay_waiting);
    while (!ngx_queue_empty(&all)) {
        ngx_http_assay_resume(ngx_queue_data(ngx_queue_head(&all), ngx_http_assay_verdict_t, queue));
    }
}

ngx_uint_t ngx_http_assay_may_wait(const ngx_http_assay_verdict_t *verdict)
{
    return !verdict->has_waited && verdict->policy->wait > 0;
}

/* Starts the timer with the first wait, so that a request waits once, however often keys arrive meanwhile. */
static void ngx_http_assay_start_timer(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict)
{
    ngx_msec_int_t rest = (ngx_msec_int_t) verdict->policy->wait;
    if (verdict->deadline != 0) {
        rest = (ngx_msec_int_t) (verdict->deadline - ngx_current_msec);
    } else {
        verdict->deadline = ngx_current_msec + (ngx_msec_t) rest;
    }
    verdict->timer.handler = ngx_http_assay_end_wait;
    verdict->timer.data = verdict;
    verdict->timer.log = r->connection->log;
    ngx_add_timer(&verdict->timer, (ngx_msec_t) ngx_max(rest, 1));
}

/* NGX_AGAIN: the request waits. */
ngx_int_t ngx_http_assay_wait(ngx_http_request_t *r, ngx_http_assay_verdict_t *verdict)
{
    if (r == r->main && ngx_handle_read_event(r->connection->read, 0) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }
    ngx_http_assay_start_timer(r, verdict);
    ngx_queue_insert_tail(&ngx_http_assay_waiting, &verdict->queue);
    verdict->is_waiting = 1;
    /* A client that goes away ends its request; nothing else wakes it. */
    r->read_event_handler = r == r->main ? ngx_http_test_reading : ngx_http_block_reading;
    r->write_event_handler = ngx_http_request_empty_handler;
    return NGX_AGAIN;
}
