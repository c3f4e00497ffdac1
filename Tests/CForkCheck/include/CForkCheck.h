// What a forked child sees of the threads it does not have.

#ifndef ASSAY_CFORKCHECK_H
#define ASSAY_CFORKCHECK_H

/// One where, in a child forked now, no read-side critical section is under way; zero where one is; -1 without a child.
int cfork_child_sees_no_readers(void);

/// One where, in a child whose readers fence for themselves, as they do on a kernel without membarrier, a reader beside thousands of
/// replacements never met what had been freed; zero where it did; -1 without a child, or where threads in a child cannot be had.
int cfork_fencing_readers_are_safe(void);

/// What `child` returns in a child forked now, 0 to 255; -1 without a child, or where it was killed: it has a minute.
int cfork_child_says(int (*child)(void));

#endif
