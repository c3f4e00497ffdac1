// Fails where libcrypto takes a lock of the process for which a fork does not wait: outside cossl_begin and cossl_end. Each case has a new
// thread, since libcrypto takes more locks at a thread's first use and at its end.

#define _GNU_SOURCE
#include <COpenSSL.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

static _Atomic int uncovered;

/// `caller` is about to take a lock.
static void look(const void *caller) {
    Dl_info place;
    if (cossl_open_calls() == 0 && dladdr(caller, &place) != 0 && strstr(place.dli_fname, "libcrypto") != NULL) { uncovered++; }
}

// These replace the functions of libc for libcrypto too.

#define WATCH(function, type)                                                                \
    int function(type *lock) {                                                               \
        static int (*_Atomic real)(type *);                                                  \
        if (real == NULL) { real = (int (*)(type *))dlsym(RTLD_NEXT, #function); }           \
        look(__builtin_return_address(0));                                                   \
        return real(lock);                                                                   \
    }

WATCH(pthread_rwlock_rdlock, pthread_rwlock_t)
WATCH(pthread_rwlock_wrlock, pthread_rwlock_t)
WATCH(pthread_mutex_lock, pthread_mutex_t)

static int passed, failed;

static void expect(int holds, const char *name, const char *fault) {
    if (holds) {
        passed++;
    } else {
        failed++;
        printf("FAIL %s: %s\n", name, fault);
    }
}

static void *run(void *argument) {
    const test_case *each = argument;
    return (void *)(intptr_t)each->run();
}

/// A host's key: its destructor runs after thread-local destructors, and again while it sets a value.
static pthread_key_t late_key;
static _Thread_local int late_rounds;

static void run_late(void *argument) {
    expect(run(argument) != NULL, "a destructor", "a call failed");
    if (++late_rounds < 3) { pthread_setspecific(late_key, argument); }
}

static void *run_and_end_late(void *argument) {
    return pthread_setspecific(late_key, argument) == 0 ? run(argument) : NULL;
}

/// The locks that one case took outside, its thread's end included.
static int locks_of(const test_case *each, void *(*body)(void *)) {
    pthread_t thread;
    void *did = NULL;
    uncovered = 0;
    if (pthread_create(&thread, NULL, body, (void *)each) != 0) { abort(); }
    pthread_join(thread, &did);
    expect(did != NULL, each->name, "a call failed");
    return uncovered;
}

static void expect_no_lock(const test_case *each, void *(*body)(void *), const char *place) {
    char fault[80];
    int locks = locks_of(each, body);
    snprintf(fault, sizeof fault, "%d locks that a fork does not wait for, %s", locks, place);
    expect(locks == 0, each->name, fault);
}

// Forks

static int handlers_call;

static void call(void) {
    if (!handlers_call) { return; }
    cossl_begin();
    cossl_end();
}

/// Older than COpenSSL's own handlers, as those of a host are that loads the library later: the child runs these first.
__attribute__((constructor(101))) static void be_older(void) { pthread_atfork(call, call, call); }

/// Added handlers, in the order in which a fork runs them.
static char order[16];

static void note(char step) {
    size_t length = strlen(order);
    if (length + 1 < sizeof order) { order[length] = step; }
}

static void first_before(void) { note('a'); }
static void first_in_parent(void) { note('p'); }
static void first_in_child(void) { note('c'); }
static void second_before(void) { note('b'); }
static void second_in_child(void) { note('d'); }

/// One where parent and child run them in their order.
static int handlers_have_an_order(void) {
    int status = 0;
    cossl_add_fork_handlers(first_before, first_in_parent, first_in_child);
    cossl_add_fork_handlers(second_before, NULL, second_in_child);
    pid_t child = fork();
    if (child == 0) { _exit(strcmp(order, "bacd") != 0); }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 && strcmp(order, "bap") == 0;
}

static int calls_in_child;

static void count_in_child(void) { calls_in_child++; }

/// One where a child runs more handlers than Assay's modules have.
static int many_handlers_run(void) {
    enum { kMore = 12 };
    int status = 0;
    for (int i = 0; i < kMore; i++) { cossl_add_fork_handlers(NULL, NULL, count_in_child); }
    pid_t child = fork();
    if (child == 0) { _exit(calls_in_child != kMore); }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/// One where a child can call, and the parent after it. A process that hangs is killed.
static int fork_serves(int depth) {
    int status = 0;
    alarm(20);
    for (int i = 0; i < depth; i++) { cossl_begin(); }
    pid_t child = fork();
    if (child == 0) { alarm(20); }
    for (int i = 0; i < depth; i++) { cossl_end(); }
    cossl_begin();
    cossl_end();
    if (child == 0) { _exit(cossl_open_calls() == 0 ? 0 : 1); }
    int ok = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    alarm(0);
    return ok && cossl_open_calls() == 0;
}

/// In a call, waits for what comes after the fork: a lock that an older handler of the forking thread would hold.
static int is_begun[2], is_forked[2];

static void *wait_in_call(void *unused) {
    char octet = 0;
    cossl_begin();
    int ok = write(is_begun[1], &octet, 1) == 1 && read(is_forked[0], &octet, 1) == 1;
    cossl_end();
    return ok ? unused : NULL;
}

static int fork_ends_beside_a_call_that_waits_for_it(void) {
    pthread_t thread;
    char octet = 0;
    void *did = NULL;
    if (pipe(is_begun) != 0 || pipe(is_forked) != 0 || pthread_create(&thread, NULL, wait_in_call, &octet) != 0) { abort(); }
    int ok = read(is_begun[0], &octet, 1) == 1 && fork_serves(0);
    ok &= write(is_forked[1], &octet, 1) == 1;
    pthread_join(thread, &did);
    return ok && did != NULL && fork_serves(0);
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    prepare_cases();
    expect(uncovered == 0, "the first calls of the process", "locks that a fork does not wait for");
    if (pthread_key_create(&late_key, run_late) != 0) { abort(); }
    for (const test_case *each = cases; each->name != NULL; each++) {
        expect_no_lock(each, run, "in a thread");
        expect_no_lock(each, run_and_end_late, "in a destructor of its thread");
    }
    expect(locks_of(&uncovered_case, run) > 0, uncovered_case.name, "the check sees no lock at all");
    expect(fork_serves(0), "a fork", "the child or the parent cannot call");
    expect(many_handlers_run(), "more handlers than before", "not all of them ran");
    expect(handlers_have_an_order(), "handlers that were added", "they ran in another order");
    expect(fork_ends_beside_a_call_that_waits_for_it(), "a fork beside a call that waits", "it did not end, or its child cannot call");
    expect(fork_serves(2), "a fork inside a call", "the child or the parent cannot call");
    handlers_call = 1;
    expect(fork_serves(0), "handlers of forks that call", "the child or the parent cannot call");
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
