#include "waiting.h"

#include <pthread.h>

#include "callout.h"

/* A waiting request holds its headers and its connection. */
#define MOST_WAITS 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ae_wait *waits;
static size_t wait_count;

static bool is_fetching(const ae_source *source) {
    assay_keys_state state = {.size = sizeof state};
    return assay_keys_status(&state, source->keys) == ASSAY_OK && state.is_fetching;
}

static void commit(const ae_wait *wait) { CALLBACK(http_filter_scheduler_commit)(wait->scheduler, 0); }

static bool add(ae_wait *wait) {
    pthread_mutex_lock(&lock);
    bool has_room = wait_count < MOST_WAITS;
    if (has_room) {
        wait->previous = NULL;
        wait->next = waits;
        if (waits) {
            waits->previous = wait;
        }
        waits = wait;
        wait_count++;
    }
    pthread_mutex_unlock(&lock);
    return has_room;
}

ae_wait_outcome ae_wait_begin(ae_wait *wait, void *filter, const ae_source *source, int64_t milliseconds) {
    if (milliseconds == 0) {
        return AE_NO_WAIT;
    }
    if (!is_fetching(source)) {
        return AE_NO_FETCH;
    }
    wait->source = source;
    wait->deadline = ae_now() + milliseconds;
    wait->scheduler = CALLBACK(http_filter_scheduler_new)(filter);
    if (!add(wait)) {
        CALLBACK(http_filter_scheduler_delete)(wait->scheduler);
        wait->scheduler = NULL;
        return AE_NO_WAIT;
    }
    /* The fetch may have ended before the request was among those that wait. */
    if (!is_fetching(source)) {
        commit(wait);
    }
    ae_sources_look();
    return AE_WAITS;
}

void ae_wait_end(ae_wait *wait) {
    if (!wait->scheduler) {
        return;
    }
    pthread_mutex_lock(&lock);
    *(wait->previous ? &wait->previous->next : &waits) = wait->next;
    if (wait->next) {
        wait->next->previous = wait->previous;
    }
    wait_count--;
    pthread_mutex_unlock(&lock);
    CALLBACK(http_filter_scheduler_delete)(wait->scheduler);
    wait->scheduler = NULL;
}

void ae_waits_wake(const ae_source *source) {
    pthread_mutex_lock(&lock);
    for (ae_wait *wait = waits; wait; wait = wait->next) {
        if (wait->source == source) {
            commit(wait);
        }
    }
    pthread_mutex_unlock(&lock);
}

int64_t ae_waits_expire(int64_t most) {
    int64_t now = ae_now();
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
