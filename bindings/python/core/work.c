/* work.c: threads that are in libassay without the GIL when the interpreter ends. */

#include "core.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int working;
static atomic_flag awaited = ATOMIC_FLAG_INIT;

void work_begins(void) { atomic_fetch_add(&working, 1); }

void work_ends(void) { atomic_fetch_sub(&working, 1); }

/* No thread can begin any more, because none gets the GIL. A piece of work takes less than a second; one that hangs must not keep the
 * process. */
static void await_work(void) {
    const struct timespec millisecond = {0, 1000000};
    for (int rounds = 0; rounds < 5000 && atomic_load(&working) > 0; rounds++) { nanosleep(&millisecond, NULL); }
}

/* A child of a fork has only the thread that forked, and that one is not at work. */
static void forget_work(void) { atomic_store(&working, 0); }

int work_is_awaited(void) {
    if (atomic_flag_test_and_set(&awaited) || (pthread_atfork(NULL, NULL, forget_work) == 0 && Py_AtExit(await_work) == 0)) { return 0; }
    PyErr_SetString(PyExc_ImportError, "assay: this process takes no more functions for its end or for its forks");
    return -1;
}
