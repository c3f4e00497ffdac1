// Makes a fork wait until no thread is inside libcrypto's process-wide locks.
//
// libcrypto protects its engines, algorithms and thread states by locks, and does nothing about them in a forked child. A lock that another
// thread held at the fork stays held there, and the child's next key would wait for ever. So each call that may take such a lock stands
// between cossl_begin and cossl_end. These calls do not wait for each other, only for a fork. The verifications of RSA, ECDSA and HMAC that
// bypass EVP take no lock and are not among them.

#define _GNU_SOURCE
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

static void before_fork(void) { pthread_rwlock_wrlock(&calls); }

static void after_fork_in_parent(void) { pthread_rwlock_unlock(&calls); }

/// A rwlock belongs to the thread that holds it, and the child's thread has another number: it cannot unlock it.
static void after_fork_in_child(void) { calls = (pthread_rwlock_t)FREE_LOCK; }

/// When the program or library is loaded, so that this handler is the oldest. A fork runs the handlers before it from the newest: it takes
/// Assay's other locks first, as threads do that begin such a call while they hold one.
__attribute__((constructor)) static void keep_across_forks(void) {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
