// CMallocCount: counts the heap allocations of a thread, by standing before malloc, calloc, realloc, posix_memalign and aligned_alloc
// in the program it is linked into. libcrypto's own are routed past the count, so that what is left is Swift's and ours.
// glibc only; under a sanitizer, which has an allocator of its own, counting is off.

#ifndef ASSAY_CMALLOCCOUNT_H
#define ASSAY_CMALLOCCOUNT_H

#include <stddef.h>

/// One where counting works in this build.
int cmalloc_count_works(void);

/// Routes libcrypto's allocations past the count. Must be called before libcrypto allocates anything; one on success.
int cmalloc_ignore_libcrypto(void);

/// Allocations of the calling thread since it started.
size_t cmalloc_count(void);

#endif
