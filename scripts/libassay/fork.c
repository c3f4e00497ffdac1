// Makes the Swift runtime's locks open again in a forked child.
//
// The runtime makes a lazy value under a lock that holds the number of its thread. It asks the kernel for this number once a thread, and the
// thread that forks takes the parent's number into the child. There the kernel knows another owner of the lock: as soon as a second thread
// waits, the first one tries for ever to open it.

#include <pthread.h>
#include <stdlib.h>

// Of the runtime, linked statically: ulock_get_tid in include/swift/Threading/Impl/Linux/ulock.h. It asks again for 0.
extern __thread unsigned int known_number __asm__("_ZZN5swift14threading_impl5linux13ulock_get_tidEvE3tid")
    __attribute__((visibility("hidden")));

static void forget_number(void) { known_number = 0; }

__attribute__((constructor)) static void forget_in_children(void) {
    if (pthread_atfork(NULL, NULL, forget_number) != 0) { abort(); }
}
