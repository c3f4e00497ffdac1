/* Requests that wait for a fetch of keys: a token under a new key is judged when the fetch that it has ordered ends. */
#ifndef ASSAY_ENVOY_WAITING_H
#define ASSAY_ENVOY_WAITING_H

#include "source.h"

typedef struct ae_wait {
    void *scheduler; /* Envoy's, for the request's thread; NULL while the request does not wait */
    const ae_source *source;
    int64_t deadline;
    struct ae_wait *previous, *next;
} ae_wait;

typedef enum ae_wait_outcome {
    AE_WAITS,     /* later Envoy calls the filter's hook for scheduled events, once or more often */
    AE_NO_FETCH,  /* nothing has begun: nothing is fetched, or not any more */
    AE_NO_WAIT,   /* nothing has begun: waiting is off, or too many wait */
} ae_wait_outcome;

/* Lets a request wait. */
ae_wait_outcome ae_wait_begin(ae_wait *wait, void *filter, const ae_source *source, int64_t milliseconds);
/* Ends a wait; does nothing for one that has not begun. */
void ae_wait_end(ae_wait *wait);

/* Of the main thread: the fetch of a source has ended. */
void ae_waits_wake(const ae_source *source);
/* Of the main thread: wakes those whose time is over. Returns the milliseconds until the next one, at most `most`. */
int64_t ae_waits_expire(int64_t most);

#endif
