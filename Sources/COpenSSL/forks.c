// Makes a fork wait until no thread is inside libcrypto's process-wide locks, and for Assay's own locks. So does the end of the process.
//
// libcrypto protects its engines, algorithms, random generators and thread states by locks, and does nothing about them in a forked child.
// A lock that another thread held at the fork stays held there, and the child's next key would wait for ever. So each call of libcrypto
// stands between cossl_begin and cossl_end. These calls do not wait for each other, only for a fork. What takes no lock needs no such
// bracket: SHA-2 and HMAC by its state functions, RSA by Montgomery multiplication, memory. Tests/Kernels/ForkLocks watches the locks.

#define _GNU_SOURCE
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

// glibc's other kind lets calls that overlap without end delay a fork without end. `depth` excludes the recursion that this kind forbids.
#ifdef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#define FREE_LOCK PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#else
#define FREE_LOCK PTHREAD_RWLOCK_INITIALIZER
#endif

static pthread_rwlock_t calls = FREE_LOCK;
/// Such calls contain each other: a key that cannot be made is freed.
static _Thread_local unsigned depth;
static _Thread_local int is_own;
static _Atomic int is_ending;

void cossl_enter(void) {
    if (depth++ != 0) { return; }
    pthread_rwlock_rdlock(&calls);
    if (atomic_load_explicit(&is_ending, memory_order_relaxed) && is_own) {
        pthread_rwlock_unlock(&calls);
        for (;;) { pause(); }
    }
}

/// A signal's handler may fork between the two: it must not wait for a lock that its own thread still holds.
void cossl_leave(void) {
    if (depth == 1) { pthread_rwlock_unlock(&calls); }
    depth--;
}

// The end of a thread

/// glibc runs these functions before the destructors of thread-specific data; musl and Darwin have none of this name.
extern int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *library) __attribute__((weak));
extern void *__dso_handle __attribute__((weak, visibility("hidden")));

static _Thread_local int is_known, has_ended;

/// libcrypto would take locks to forget the thread, in a destructor of its own.
static void thread_ends(void *unused) {
    (void)unused;
    cossl_enter();
    OPENSSL_thread_stop();
    cossl_leave();
    has_ended = 1;
}

static void watch_the_end(void);

void cossl_begin(void) {
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    int is_new = !is_known;
    // Outside: glibc takes the lock of the loader, which a thread may hold that waits for a fork in a library's constructor.
    if (is_new && __cxa_thread_atexit_impl != NULL) { is_known = __cxa_thread_atexit_impl(thread_ends, NULL, &__dso_handle) == 0; }
    cossl_enter();
    // Inside: a child could find this begun and never ended.
    if (is_new) { pthread_once(&watched, watch_the_end); }
    // Inside: a thread's first use of its error queue takes such a lock too.
    ERR_set_mark();
}

void cossl_end(void) {
    ERR_pop_to_mark();
    // A host's destructor may call after thread_ends, which glibc would not run again.
    if (has_ended && depth == 1) { OPENSSL_thread_stop(); }
    cossl_leave();
}

unsigned cossl_open_calls(void) { return depth; }

// What else a fork does

/// At most the bits of `begun`.
#define MOST 24
static struct {
    cossl_fork_handler *before, *in_parent, *in_child;
    _Atomic int is_ready;
} handlers[MOST];
static _Atomic unsigned reserved;

void cossl_add_fork_handlers(cossl_fork_handler *before, cossl_fork_handler *in_parent, cossl_fork_handler *in_child) {
    unsigned place = atomic_fetch_add(&reserved, 1);
    if (place >= MOST) { abort(); }
    handlers[place].before = before;
    handlers[place].in_parent = in_parent;
    handlers[place].in_child = in_child;
    atomic_store_explicit(&handlers[place].is_ready, 1, memory_order_release);
}

// Forks

/// Seconds that a fork waits for calls. Code beneath libcrypto (a provider for PKCS #11) may take a lock of its own in a handler that runs
/// before this one, and a call may wait for that lock. Then the fork goes on, and its child may find a lock of libcrypto taken.
#define LONGEST_WAIT 5

/// What this thread's fork holds: a bit for each of `handlers`, and `calls`.
static _Thread_local unsigned begun;
static _Thread_local int has_calls;

static int take_calls(void) {
#ifdef __APPLE__
    return pthread_rwlock_wrlock(&calls) == 0;
#else
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += LONGEST_WAIT;
    return pthread_rwlock_timedwrlock(&calls, &end) == 0;
#endif
}

// The end of the process

void cossl_own_thread(void) { is_own = 1; }

/// When the process exits, libcrypto frees its locks and algorithms under the threads that call it. The library's own threads begin no call
/// from then on. The host's threads are the host's matter: one of its handlers may wait for them.
static void end(void) {
    int is_alone = depth == 0 && take_calls();
    atomic_store_explicit(&is_ending, 1, memory_order_relaxed);
    if (is_alone) { pthread_rwlock_unlock(&calls); }
}

/// Handlers run from the newest: this one has to be newer than libcrypto's. Without an option OPENSSL_init_crypto does nothing.
static void watch_the_end(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CRYPTO_STRINGS, NULL);
    atexit(end);
}

/// Counts as a call, so that the host's older handlers may call, which run after this one here and before it in parent and child. A thread
/// that forks inside a call, in a handler of a signal, would wait for itself: such a fork does not wait for other threads either.
static void before_fork(void) {
    for (unsigned place = MOST; place-- > 0;) {
        if (!atomic_load_explicit(&handlers[place].is_ready, memory_order_acquire)) { continue; }
        begun |= 1u << place;
        if (handlers[place].before != NULL) { handlers[place].before(); }
    }
    if (depth == 0) { has_calls = take_calls(); }
    depth++;
}

static void after_fork_in_parent(void) {
    depth--;
    if (has_calls) { pthread_rwlock_unlock(&calls); }
    has_calls = 0;
    for (unsigned place = 0; place < MOST; place++) {
        if ((begun >> place & 1) != 0 && handlers[place].in_parent != NULL) { handlers[place].in_parent(); }
    }
    begun = 0;
}

/// A rwlock belongs to the thread that holds it, and the child's thread has another number: it cannot unlock it.
static void after_fork_in_child(void) {
    calls = (pthread_rwlock_t)FREE_LOCK;
    has_calls = 0;
    if (--depth != 0) { pthread_rwlock_rdlock(&calls); }
    for (unsigned place = 0; place < MOST; place++) {
        if ((begun >> place & 1) != 0 && handlers[place].in_child != NULL) { handlers[place].in_child(); }
    }
    begun = 0;
}

/// When the program or library is loaded. A fork runs handlers before it from the newest, and after it from the oldest: those that a host
/// registers later run while the fork holds no lock of the library, and may call it. Within, a fork takes Assay's other locks first, as
/// threads do that begin a call while they hold one.
__attribute__((constructor)) static void keep_across_forks(void) {
    if (pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) != 0) { abort(); }
}
