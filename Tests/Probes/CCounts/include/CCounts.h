// CCounts: counts the heap allocations, retains and releases of a section of code, of the calling thread and of the whole process (which
// differ for asynchronous code). The count includes libcrypto's allocations unless they are ignored.
//
// In the program it is linked into, it replaces malloc, calloc, realloc, memalign, posix_memalign, aligned_alloc and free, and the Swift
// runtime's reference counting functions: calls within the runtime itself are not counted. Only glibc; references only on x86-64; nothing under a
// sanitizer, which has its own allocator.

#ifndef CCOUNTS_H
#define CCOUNTS_H

#include <stdint.h>

typedef struct ccounts_tally {
    uint64_t allocations, retains, releases;
} ccounts_tally;

typedef struct ccounts {
    ccounts_tally thread, process;
} ccounts;

/// One where this build counts allocations and references.
int ccounts_work(void);

/// One where this build counts allocations.
int ccounts_count_allocations(void);

/// Excludes libcrypto's allocations from the count. Must be called before libcrypto first allocates; one on success.
int ccounts_ignore_libcrypto(void);

/// What the heap holds.
typedef struct ccounts_heap {
    int64_t blocks, bytes;
} ccounts_heap;

/// Counts from now on what every thread allocates and frees, libcrypto included.
void ccounts_track_live(void);

/// The blocks, and their bytes, that were allocated and not freed since ccounts_track_live: zero before it. Blocks that are older count as
/// minus one when they are freed.
ccounts_heap ccounts_live(void);

/// Starts counting.
void ccounts_start(void);

/// Stops the count that the same thread started.
ccounts ccounts_stop(void);

/// Counts the operations of `body(context)`.
ccounts ccounts_of(void (*body)(void *context), void *context);

#endif
