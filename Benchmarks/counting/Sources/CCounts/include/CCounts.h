// CCounts: what a stretch of code asks of the heap and of reference counting: allocations, libcrypto's included, retains and
// releases; of the calling thread and of the whole process, which differ where code is asynchronous.
//
// It stands before malloc and its kin, and before the Swift runtime's functions that count references, in the program it is linked into:
// what the runtime does within itself is not counted. glibc on x86-64 alone, and not under a sanitizer.

#ifndef CCOUNTS_H
#define CCOUNTS_H

#include <stdint.h>

typedef struct ccounts_tally {
    uint64_t allocations, retains, releases;
} ccounts_tally;

typedef struct ccounts {
    ccounts_tally thread, process;
} ccounts;

/// One where counting works in this build.
int ccounts_work(void);

/// Begins to count.
void ccounts_start(void);

/// Ends what the same thread began.
ccounts ccounts_stop(void);

/// Counts what `body(context)` does.
ccounts ccounts_of(void (*body)(void *context), void *context);

#endif
