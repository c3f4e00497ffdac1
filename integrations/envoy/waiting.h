/* Requests that wait for a fetch of keys: a token under a new key is judged when the fetch that it has ordered ends. */
#ifndef ASSAY_ENVOY_WAITING_H
#define ASSAY_ENVOY_WAITING_H

#include "gateway.h"

typedef struct ae_wait {
    void *scheduler;  /* Envoy's, for the request's thread; NULL while the request does not wait */
    int64_t deadline; /* of all waits of the request; 0: it has not waited */
    struct ae_wait **place, *next; /* in the list of all: what points to this one, and the next one */
} ae_wait;

typedef enum ae_wait_outcome {
    AE_WAITS,   /* later Envoy calls the filter's hook for scheduled events, once or more often */
    AE_ENDED,   /* nothing has begun: a fetch has ended meanwhile, perhaps with the keys */
    AE_NO_WAIT, /* nothing has begun: nothing is fetched, or too many wait */
} ae_wait_outcome;

/* How many fetches have ended. Read before a decision, it tells whether one has ended since. */
uint64_t ae_waits_ended(void);
/* Whether a request may wait, at most so long in all. */
bool ae_wait_is_possible(const ae_wait *wait, int64_t milliseconds);
/* Lets a request wait for any fetch: gateways share their keys. `ended` is from before the decision that lacked keys. */
ae_wait_outcome ae_wait_begin(ae_wait *wait, void *filter, const ae_gateway *gateway, int64_t milliseconds, uint64_t ended);
/* Ends a wait; does nothing for one that has not begun. */
void ae_wait_end(ae_wait *wait);

/* Of the main thread. A fetch counts from before libassay hands out its first request until the response to its last one is installed,
 * without a gap: waiting requests rely on it. `wakes`: all waiting requests decide again. */
void ae_fetching_begin(void);
void ae_fetching_end(bool wakes);
/* Of the main thread: wakes those whose time is over. Returns the milliseconds until the next one, at most `most`. */
int64_t ae_waits_expire(int64_t most);

#endif
