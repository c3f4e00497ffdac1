// How a forked child sees the threads that it does not have.

#ifndef ASSAY_CFORKCHECK_H
#define ASSAY_CFORKCHECK_H

/// 1 if no read-side critical section is active in a child forked now; 0 if one is; -1 without a child.
int cfork_child_sees_no_readers(void);

/// 1 if a reader beside thousands of replacements never saw freed data, in a child whose readers fence for themselves, as on a kernel
/// without membarrier; 0 if it did; -1 without a child, or if a child cannot have threads.
int cfork_fencing_readers_are_safe(void);

/// The same in a child whose sandbox forbids membarrier after the first sections. Also 0 if the child was killed or aborted; -1 if no such
/// sandbox is available, or the kernel has no membarrier.
int cfork_sandboxed_readers_are_safe(void);

/// The return value of `child` in a child forked now, 0 to 255; -1 without a child, or if it was killed. The time limit is one minute.
int cfork_child_says(int (*child)(void));

#endif
