// Makes a fork wait until no thread is inside libcrypto's process-wide locks.
//
// libcrypto protects its engines, algorithms and thread states by locks, and does nothing about them in a forked child. A lock that another
// thread held at the fork stays held there, and the child's next key would wait for ever. So each call that may take such a lock stands
// between cossl_begin and cossl_end. These calls do not wait for each other, only for a fork. The verifications of RSA, ECDSA and HMAC that
// bypass EVP take no lock and are not among them.

#include <openssl/err.h>
#include <pthread.h>

#include "internal.h"

static pthread_rwlock_t calls = PTHREAD_RWLOCK_INITIALIZER;
/// Such calls contain each other: a key that cannot be made is freed.
static _Thread_local unsigned depth;

void cossl_enter(void) {
    if (depth++ == 0) { pthread_rwlock_rdlock(&calls); }
}

void cossl_leave(void) {
    if (--depth == 0) { pthread_rwlock_unlock(&calls); }
}

void cossl_begin(void) {
    cossl_enter();
    // Inside: a thread's first use of its error queue takes such a lock too.
    ERR_set_mark();
}

void cossl_end(void) {
    ERR_pop_to_mark();
    cossl_leave();
}

unsigned cossl_open_calls(void) { return depth; }

static void set_up_lock(void) {
#if defined(__GLIBC__)
    // Otherwise calls that overlap without end would delay a fork without end. `depth` excludes the recursion that this forbids.
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&calls, &attributes);
    pthread_rwlockattr_destroy(&attributes);
#else
    pthread_rwlock_init(&calls, NULL);
#endif
}

static void before_fork(void) { pthread_rwlock_wrlock(&calls); }

static void after_fork_in_parent(void) { pthread_rwlock_unlock(&calls); }

/// A rwlock belongs to the thread that holds it, and the child's thread has another number: it cannot unlock it.
static void after_fork_in_child(void) { set_up_lock(); }

/// When the program or library is loaded, so that this handler is the oldest. A fork runs the handlers before it from the newest: it takes
/// Assay's other locks first, as threads do that begin such a call while they hold one.
__attribute__((constructor)) static void keep_across_forks(void) {
    set_up_lock();
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
