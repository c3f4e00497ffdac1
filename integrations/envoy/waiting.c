#include "waiting.h"

#include <pthread.h>

#include "clock.h"
#include "driver.h"

/* A waiting request holds its headers and its connection. */
#define MOST_WAITS 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ae_wait *waits;
static size_t wait_count, fetch_count;
static uint64_t ended;

uint64_t ae_waits_ended(void) { return __atomic_load_n(&ended, __ATOMIC_ACQUIRE); }

bool ae_wait_is_possible(const ae_wait *wait, int64_t milliseconds) {
    return milliseconds > 0 && (wait->deadline == 0 || ae_milliseconds() < wait->deadline);
}

static void commit(const ae_wait *wait) { CALLBACK(http_filter_scheduler_commit)(wait->scheduler, 0); }

static void add(ae_wait *wait) {
    wait->place = &waits;
    wait->next = waits;
    if (waits) {
        waits->place = &wait->next;
    }
    waits = wait;
    wait_count++;
}

ae_wait_outcome ae_wait_begin(ae_wait *wait, void *filter, const ae_gateway *gateway, int64_t milliseconds, uint64_t seen) {
    wait->deadline = wait->deadline ? wait->deadline : ae_milliseconds() + milliseconds;
    /* Asked first: a fetch that is not due any more is counted, or has ended, and then `ended` has changed. */
    bool is_due = assay_gateway_next_due(gateway->core) <= 0;
    pthread_mutex_lock(&lock);
    bool is_fetching = is_due || fetch_count > 0;
    ae_wait_outcome outcome = ended != seen ? AE_ENDED : is_fetching && wait_count < MOST_WAITS ? AE_WAITS : AE_NO_WAIT;
    if (outcome == AE_WAITS) {
        wait->scheduler = CALLBACK(http_filter_scheduler_new)(filter);
        add(wait);
    }
    pthread_mutex_unlock(&lock);
    if (outcome == AE_WAITS) {
        ae_driver_wake();
    }
    return outcome;
}

void ae_wait_end(ae_wait *wait) {
    if (!wait->scheduler) {
        return;
    }
    pthread_mutex_lock(&lock);
    *wait->place = wait->next;
    if (wait->next) {
        wait->next->place = wait->place;
    }
    wait_count--;
    pthread_mutex_unlock(&lock);
    CALLBACK(http_filter_scheduler_delete)(wait->scheduler);
    wait->scheduler = NULL;
}

void ae_fetching_begin(void) {
    pthread_mutex_lock(&lock);
    fetch_count++;
    pthread_mutex_unlock(&lock);
}

void ae_fetching_end(bool wakes) {
    pthread_mutex_lock(&lock);
    fetch_count--;
    __atomic_store_n(&ended, ended + wakes, __ATOMIC_RELEASE);
    for (ae_wait *wait = wakes ? waits : NULL; wait; wait = wait->next) {
        commit(wait);
    }
    pthread_mutex_unlock(&lock);
}

int64_t ae_waits_expire(int64_t most) {
    int64_t now = ae_milliseconds();
    pthread_mutex_lock(&lock);
    for (ae_wait *wait = waits; wait; wait = wait->next) {
        if (wait->deadline <= now) {
            commit(wait);
        } else if (wait->deadline - now < most) {
            most = wait->deadline - now;
        }
    }
    pthread_mutex_unlock(&lock);
    return most;
}
