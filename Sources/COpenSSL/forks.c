// Makes a fork wait until no thread is inside libcrypto's process-wide locks.
//
// libcrypto protects its engines, algorithms, random generators and thread states by locks, and does nothing about them in a forked child.
// A lock that another thread held at the fork stays held there, and the child's next key would wait for ever. So each call of libcrypto
// stands between cossl_begin and cossl_end. These calls do not wait for each other, only for a fork. What takes no lock needs no such
// bracket: SHA-2 and HMAC by its state functions, RSA by Montgomery multiplication, memory. Tests/Kernels/ForkLocks watches the locks.

#define _GNU_SOURCE
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <pthread.h>

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

void cossl_enter(void) {
    if (depth++ == 0) { pthread_rwlock_rdlock(&calls); }
}

void cossl_leave(void) {
    if (--depth == 0) { pthread_rwlock_unlock(&calls); }
}

// The end of a thread

/// glibc runs these functions before the destructors of thread-specific data; musl and Darwin have none of this name.
extern int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *library) __attribute__((weak));
extern void *__dso_handle __attribute__((weak, visibility("hidden")));

static _Thread_local int is_known;

/// libcrypto would take locks to forget the thread, in a destructor of its own.
static void thread_ends(void *unused) {
    (void)unused;
    cossl_enter();
    OPENSSL_thread_stop();
    cossl_leave();
    is_known = 0;
}

void cossl_begin(void) {
    cossl_enter();
    if (!is_known && __cxa_thread_atexit_impl != NULL) { is_known = __cxa_thread_atexit_impl(thread_ends, NULL, &__dso_handle) == 0; }
    // Inside: a thread's first use of its error queue takes such a lock too.
    ERR_set_mark();
}

void cossl_end(void) {
    ERR_pop_to_mark();
    cossl_leave();
}

unsigned cossl_open_calls(void) { return depth; }

// Forks

/// Counts as a call, so that the host's older handlers may call, which run after this one here and before it in parent and child. A thread
/// that forks inside a call, in a handler of a signal, would wait for itself: such a fork does not wait for other threads either.
static void before_fork(void) {
    if (depth++ == 0) { pthread_rwlock_wrlock(&calls); }
}

static void after_fork_in_parent(void) { cossl_leave(); }

/// A rwlock belongs to the thread that holds it, and the child's thread has another number: it cannot unlock it.
static void after_fork_in_child(void) {
    calls = (pthread_rwlock_t)FREE_LOCK;
    if (--depth != 0) { pthread_rwlock_rdlock(&calls); }
}

/// When the program or library is loaded, so that this handler is the oldest. A fork runs the handlers before it from the newest: it takes
/// Assay's other locks first, as threads do that begin such a call while they hold one.
__attribute__((constructor)) static void keep_across_forks(void) {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
