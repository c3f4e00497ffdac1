#include "CReadCopyUpdate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Constants of linux/membarrier.h, which older headers lack.
enum { MEMBARRIER_PRIVATE_EXPEDITED = 1 << 3, MEMBARRIER_REGISTER_PRIVATE_EXPEDITED = 1 << 4 };

// Two cache lines, because the hardware fetches lines in pairs.
struct crcu_reader {
    // Zero outside every section; inside, the epoch that was current when the outermost section began.
    _Alignas(128) _Atomic uint64_t section;
    uint64_t depth;
    // The thread sets this once it has begun a section with a fence: from then on `section` is reliable without membarrier.
    _Atomic int fences;
    _Atomic int in_use;
    struct crcu_reader *next;
};

// Records are only ever prepended, so the list is read without a lock.
static _Atomic(crcu_reader *) readers;
static _Atomic uint64_t epoch = 1;
static _Atomic int readers_fence;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_exit;
static _Thread_local crcu_reader *own;

static int membarrier(int command) {
#if defined(__linux__) && defined(SYS_membarrier)
    return (int)syscall(SYS_membarrier, command, 0, 0);
#else
    (void)command;
    return -1;
#endif
}

static void give_back(void *record) {
    crcu_reader *reader = record;
    own = NULL;
    atomic_store_explicit(&reader->section, 0, memory_order_release);
    atomic_store_explicit(&reader->in_use, 0, memory_order_release);
}

// In the child only the forking thread continues, so the other threads' sections have ended.
static void forget_other_threads(void) {
    for (crcu_reader *reader = atomic_load(&readers); reader != NULL; reader = reader->next) {
        if (reader == own) continue;
        reader->depth = 0;
        atomic_store(&reader->section, 0);
        atomic_store(&reader->in_use, 0);
    }
    if (membarrier(MEMBARRIER_REGISTER_PRIVATE_EXPEDITED) != 0) atomic_store(&readers_fence, 1);
}

// When the program or library is loaded, so that the child runs a host's later handlers after it: they may wait for a grace period.
__attribute__((constructor)) static void watch_forks(void) {
    if (pthread_atfork(NULL, NULL, forget_other_threads) != 0) abort();
}

static void set_up(void) {
    if (pthread_key_create(&at_exit, give_back) != 0) abort();
    if (membarrier(MEMBARRIER_REGISTER_PRIVATE_EXPEDITED) != 0) atomic_store(&readers_fence, 1);
}

static crcu_reader *take_free_record(void) {
    for (crcu_reader *reader = atomic_load(&readers); reader != NULL; reader = reader->next) {
        int in_use = 0;
        if (atomic_compare_exchange_strong(&reader->in_use, &in_use, 1)) return reader;
    }
    return NULL;
}

static crcu_reader *make_record(void) {
    crcu_reader *reader = aligned_alloc(_Alignof(crcu_reader), sizeof *reader);
    if (reader == NULL) return NULL;
    atomic_init(&reader->section, 0);
    reader->depth = 0;
    atomic_init(&reader->fences, 0);
    atomic_init(&reader->in_use, 1);
    reader->next = atomic_load(&readers);
    while (!atomic_compare_exchange_weak(&readers, &reader->next, reader)) {}
    return reader;
}

static crcu_reader *register_thread(void) {
    pthread_once(&once, set_up);
    crcu_reader *reader = take_free_record();
    if (reader == NULL) reader = make_record();
    if (reader == NULL) return NULL;
    reader->depth = 0;
    // If a writer saw this record unused and then enabled fences, the new thread's first section sees that.
    atomic_thread_fence(memory_order_seq_cst);
    if (pthread_setspecific(at_exit, reader) != 0) {
        give_back(reader);
        return NULL;
    }
    own = reader;
    return reader;
}

// The fence separates the store of the section's number from the caller's loads. Stores are released in order, so a writer that sees
// `fences` also sees every earlier section of this thread.
static void fence(crcu_reader *reader) {
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&reader->fences, memory_order_relaxed)) atomic_store_explicit(&reader->fences, 1, memory_order_release);
}

crcu_reader *crcu_enter(void) {
    crcu_reader *reader = own;
    if (reader == NULL && (reader = register_thread()) == NULL) return NULL;
    if (reader->depth++ > 0) return reader;
    // Other cores must see the store before the caller loads the pointer. The writer's membarrier ensures that, so only the compiler's
    // reordering must be prevented here.
    uint64_t now = atomic_load_explicit(&epoch, memory_order_acquire);
    atomic_store_explicit(&reader->section, now, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&readers_fence, memory_order_relaxed)) fence(reader);
    return reader;
}

void crcu_leave(crcu_reader *reader) {
    if (--reader->depth > 0) return;
    atomic_store_explicit(&reader->section, 0, memory_order_release);
}

uint64_t crcu_grace_begin(void) {
    pthread_once(&once, set_up);
    uint64_t grace = atomic_fetch_add(&epoch, 1) + 1;
    atomic_thread_fence(memory_order_seq_cst);
    // A sandbox installed after the start may forbid the registered membarrier: then readers execute fences from now on.
    if (!atomic_load(&readers_fence) && membarrier(MEMBARRIER_PRIVATE_EXPEDITED) != 0) {
        atomic_store(&readers_fence, 1);
        atomic_thread_fence(memory_order_seq_cst);
    }
    return grace;
}

// Whether this thread is in no section that began before `grace`. Where readers execute fences, a thread that has not yet done so may be in
// a section that is not visible here: the writer waits until that thread begins another section or ends.
static int has_left(crcu_reader *reader, uint64_t grace) {
    int may_hide = reader != own && atomic_load(&readers_fence) && atomic_load(&reader->in_use) && !atomic_load(&reader->fences);
    if (may_hide) return 0;
    // A section numbered `grace` or later loaded the epoch after it was advanced, and therefore the pointer after it was replaced.
    uint64_t section = atomic_load_explicit(&reader->section, memory_order_acquire);
    return section == 0 || section >= grace;
}

int crcu_grace_is_over(uint64_t grace) {
    for (crcu_reader *reader = atomic_load_explicit(&readers, memory_order_acquire); reader != NULL; reader = reader->next) {
        if (!has_left(reader, grace)) return 0;
    }
    return 1;
}

size_t crcu_reader_count(void) {
    size_t count = 0;
    for (crcu_reader *reader = atomic_load(&readers); reader != NULL; reader = reader->next) count += (size_t)atomic_load(&reader->in_use);
    return count;
}

int crcu_readers_fence(void) {
    pthread_once(&once, set_up);
    return atomic_load(&readers_fence);
}

void crcu_force_fence(void) {
    pthread_once(&once, set_up);
    atomic_store(&readers_fence, 1);
}
