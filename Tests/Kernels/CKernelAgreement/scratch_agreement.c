// check_scratch: scratch memory meets its contract on one thread, between threads and while a thread exits.

#include "agreement.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { kNumNested = 7, kNumThreads = 6, kNumRounds = 20000 };

// More sizes than a thread keeps, small and large mixed, one above the largest size that is kept.
static const size_t kSizes[kNumNested] = {0, 1, 4097, 64, 100000, 3 << 20, 5000};

static int is_filled(const uint8_t *bytes, size_t len, uint8_t value) {
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] != value) {
            return 0;
        }
    }
    return 1;
}

// num_nested_wrong takes all sizes at once, fills each with its own byte, and counts missing, misaligned and overwritten blocks.
static size_t num_nested_wrong(uint8_t mark) {
    uint8_t *taken[kNumNested];
    size_t num_wrong = 0;
    for (size_t i = 0; i < kNumNested; i++) {
        taken[i] = cjwt_scratch_acquire(kSizes[i]);
        if (taken[i] == NULL || (uintptr_t)taken[i] % 64 != 0) {
            abort();  // the checks below need all blocks
        }
        memset(taken[i], (uint8_t)(mark + i), kSizes[i]);
    }
    for (size_t i = 0; i < kNumNested; i++) {
        num_wrong += !is_filled(taken[i], kSizes[i], (uint8_t)(mark + i));
        for (size_t other = 0; other < i; other++) {
            num_wrong += taken[i] == taken[other];
        }
    }
    for (size_t i = kNumNested; i > 0; i--) {
        cjwt_scratch_release(taken[i - 1]);
    }
    return num_wrong;
}

// num_rounds_wrong takes and returns two small blocks repeatedly. Threads that shared a list would soon share a block.
static size_t num_rounds_wrong(uint8_t mark) {
    size_t num_wrong = 0;
    for (int round = 0; round < kNumRounds; round++) {
        uint8_t *outer = cjwt_scratch_acquire(100), *inner = cjwt_scratch_acquire(100);
        memset(outer, mark, 100);
        memset(inner, mark + 1, 100);
        num_wrong += !is_filled(outer, 100, mark) || !is_filled(inner, 100, (uint8_t)(mark + 1));
        cjwt_scratch_release(inner);
        cjwt_scratch_release(outer);
    }
    return num_wrong;
}

static void check_one_thread(agreement *run) {
    for (uint8_t round = 0; round < 20; round++) {
        if (num_nested_wrong(round) != 0) {
            disagree(run, "nested scratch memory is not distinct (round %u)", round);
        }
    }
    for (size_t size = 0; size <= 1 << 20; size = size * 2 + 1) {
        void *first = cjwt_scratch_acquire(size);
        cjwt_scratch_release(first);
        void *again = cjwt_scratch_acquire(size);
        cjwt_scratch_release(again);
        if (first != again) {
            disagree(run, "%zu bytes of scratch memory are not reused", size);
        }
    }
    if (cjwt_scratch_acquire(SIZE_MAX) != NULL || cjwt_scratch_acquire(SIZE_MAX - 100) != NULL) {
        disagree(run, "more scratch memory than there is address space is granted");
    }
    cjwt_scratch_release(NULL);
}

// Threads that take memory, wait until all have taken some, and check that theirs is unchanged.
typedef struct meeting {
    atomic_size_t num_arrived;
    atomic_size_t num_wrong;
    atomic_uintptr_t taken[kNumThreads];
    pthread_key_t at_exit;
} meeting;

typedef struct guest {
    meeting *meeting;
    size_t number;
    int exits;  // how many times this thread's destructor has run
} guest;

// Runs as a thread exits and asks to run again: so at least once after the destructor that frees the thread's scratch memory.
static void use_at_exit(void *context) {
    guest *g = context;
    atomic_fetch_add(&g->meeting->num_wrong, num_nested_wrong((uint8_t)g->number));
    if (++g->exits < 3) {
        (void)pthread_setspecific(g->meeting->at_exit, g);
    }
}

static void *attend(void *context) {
    guest *g = context;
    meeting *m = g->meeting;
    (void)pthread_setspecific(m->at_exit, g);
    uint8_t *mine = cjwt_scratch_acquire(1000);
    memset(mine, (int)g->number, 1000);
    atomic_store(&m->taken[g->number], (uintptr_t)mine);
    atomic_fetch_add(&m->num_arrived, 1);
    while (atomic_load(&m->num_arrived) < kNumThreads) {
        (void)sched_yield();
    }
    for (size_t other = 0; other < kNumThreads; other++) {
        int same = atomic_load(&m->taken[other]) == (uintptr_t)mine;
        atomic_fetch_add(&m->num_wrong, (size_t)(same != (other == g->number)));
    }
    atomic_fetch_add(&m->num_wrong, num_nested_wrong((uint8_t)(g->number * 16)));
    atomic_fetch_add(&m->num_wrong, num_rounds_wrong((uint8_t)(g->number * 16)));
    atomic_fetch_add(&m->num_wrong, (size_t)!is_filled(mine, 1000, (uint8_t)g->number));
    cjwt_scratch_release(mine);
    return NULL;
}

static void check_threads(agreement *run) {
    meeting m = {0};
    guest guests[kNumThreads];
    pthread_t threads[kNumThreads];
    if (pthread_key_create(&m.at_exit, use_at_exit) != 0) {
        abort();
    }
    for (size_t i = 0; i < kNumThreads; i++) {
        guests[i] = (guest){.meeting = &m, .number = i};
        if (pthread_create(&threads[i], NULL, attend, &guests[i]) != 0) {
            abort();
        }
    }
    for (size_t i = 0; i < kNumThreads; i++) {
        (void)pthread_join(threads[i], NULL);
        if (guests[i].exits != 3) {
            disagree(run, "scratch memory was not tried while a thread exits");
        }
    }
    (void)pthread_key_delete(m.at_exit);
    if (atomic_load(&m.num_wrong) != 0) {
        disagree(run, "scratch memory of two threads is not distinct");
    }
}

void check_scratch(agreement *run) {
    check_one_thread(run);
    check_threads(run);
}
