/* wakeups.c: two counters of the kernel, one that wakes the helper and one that wakes all workers. The master makes them once, and keeps
 * them over reloads: an old worker that still serves requests asks the new helper. */

#include "assay_documents.h"

#include <sys/eventfd.h>

static int ngx_http_assay_to_helper = -1;
static int ngx_http_assay_to_workers = -1;
static void (*ngx_http_assay_woken)(void);

ngx_int_t ngx_http_assay_open_wakeups(ngx_log_t *log)
{
    if (ngx_http_assay_to_helper != -1) {
        return NGX_OK;
    }
    ngx_http_assay_to_helper = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    ngx_http_assay_to_workers = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (ngx_http_assay_to_helper == -1 || ngx_http_assay_to_workers == -1) {
        ngx_log_error(NGX_LOG_EMERG, log, ngx_errno, "eventfd() failed");
        return NGX_ERROR;
    }
    return NGX_OK;
}

/* A full counter has an event that no process has read yet, so it need not grow. */
static void ngx_http_assay_wake(int counter)
{
    uint64_t one = 1;
    if (write(counter, &one, sizeof(one)) == -1 && ngx_errno != NGX_EAGAIN) {
        ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno, "write() to an eventfd failed");
    }
}

void ngx_http_assay_wake_helper(void)
{
    ngx_http_assay_wake(ngx_http_assay_to_helper);
}

void ngx_http_assay_wake_workers(void)
{
    ngx_http_assay_wake(ngx_http_assay_to_workers);
}

/* The helper empties its counter. That of the workers is never emptied: each of them is told of every change, and none takes it away. */
static void ngx_http_assay_on_wakeup(ngx_event_t *event)
{
    ngx_connection_t *connection = event->data;
    uint64_t count;
    if (connection->fd == ngx_http_assay_to_helper && read(connection->fd, &count, sizeof(count)) == -1 && ngx_errno != NGX_EAGAIN) {
        ngx_log_error(NGX_LOG_ALERT, event->log, ngx_errno, "read() of an eventfd failed");
    }
    ngx_http_assay_woken();
}

/* `channel` keeps nginx from reporting an open socket when the process ends. */
static ngx_int_t ngx_http_assay_watch(ngx_cycle_t *cycle, int counter, ngx_uint_t flags)
{
    ngx_connection_t *connection = ngx_get_connection(counter, cycle->log);
    if (connection == NULL) {
        return NGX_ERROR;
    }
    connection->read->handler = ngx_http_assay_on_wakeup;
    connection->read->log = cycle->log;
    connection->read->channel = 1;
    connection->write->channel = 1;
    return ngx_add_event(connection->read, NGX_READ_EVENT, flags);
}

ngx_int_t ngx_http_assay_watch_as_helper(ngx_cycle_t *cycle, void (*woken)(void))
{
    ngx_http_assay_woken = woken;
    ngx_uint_t flags = (ngx_event_flags & NGX_USE_CLEAR_EVENT) ? NGX_CLEAR_EVENT : NGX_LEVEL_EVENT;
    return ngx_http_assay_watch(cycle, ngx_http_assay_to_helper, flags);
}

/* Without edges, as with select, an unread counter would wake a worker without end: there the timer of feeds.c has to do. */
ngx_int_t ngx_http_assay_watch_as_worker(ngx_cycle_t *cycle, void (*woken)(void))
{
    ngx_http_assay_woken = woken;
    if ((ngx_event_flags & NGX_USE_CLEAR_EVENT) == 0) {
        return NGX_OK;
    }
    return ngx_http_assay_watch(cycle, ngx_http_assay_to_workers, NGX_CLEAR_EVENT);
}
