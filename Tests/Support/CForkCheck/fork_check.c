#include "CForkCheck.h"
#include "replacement.h"

#include <CReadCopyUpdate.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int cfork_child_says(int (*child)(void)) {
    pid_t process = fork();
    if (process < 0) return -1;
    if (process == 0) {
        // Threads of a pool may block signals.
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(SIGALRM, SIG_DFL);
        // For a child that waits for ever. On a busy machine one builds the tables of all suites for more than a minute.
        alarm(300);
        _exit(child());
    }
    int status = 0;
    if (waitpid(process, &status, 0) != process || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

static int sees_no_readers(void) { return crcu_grace_is_over(crcu_grace_begin()) ? 10 : 11; }

int cfork_child_sees_no_readers(void) {
    int verdict = cfork_child_says(sees_no_readers);
    return verdict < 0 ? -1 : verdict == 10;
}

enum { whole = 0x5a17, freed = 0xdead, cells = 8, replacements = 400000 };

static _Atomic(int *) current;
static _Atomic int is_running = 1, is_reading, met_freed;

static void *read_on(void *unused) {
    while (atomic_load(&is_running)) {
        crcu_reader *reader = crcu_enter();
        if (reader == NULL) break;
        const volatile int *seen = atomic_load_explicit(&current, memory_order_acquire);
        for (int look = 0; look < 64; look++) {
            if (*seen != whole) atomic_store(&met_freed, 1);
        }
        crcu_leave(reader);
        atomic_store(&is_reading, 1);
    }
    return unused;
}

// A replaced object is overwritten once its grace period is over: a thread that still reads it sees that.
int cfork_replace_under_a_reader(void) {
    pthread_t thread;
    int cell[cells] = {whole};
    atomic_store(&current, &cell[0]);
    if (pthread_create(&thread, NULL, read_on, NULL) != 0) return 12;
    while (!atomic_load(&is_reading)) {}
    for (int turn = 0; turn < replacements; turn++) {
        int *old = &cell[turn % cells], *next = &cell[(turn + 1) % cells];
        *(volatile int *)next = whole;
        atomic_store_explicit(&current, next, memory_order_release);
        uint64_t grace = crcu_grace_begin();
        while (!crcu_grace_is_over(grace)) {}
        *(volatile int *)old = freed;
    }
    atomic_store(&is_running, 0);
    pthread_join(thread, NULL);
    return atomic_load(&met_freed) ? 11 : 10;
}

static int replace_under_a_fencing_reader(void) {
    crcu_force_fence();
    return cfork_replace_under_a_reader();
}

int cfork_fencing_readers_are_safe(void) {
    int verdict = cfork_child_says(replace_under_a_fencing_reader);
    return verdict < 0 || verdict == 12 ? -1 : verdict == 10;
}
