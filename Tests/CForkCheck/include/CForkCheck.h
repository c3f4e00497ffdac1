// What a forked child sees of the threads it does not have.

#ifndef ASSAY_CFORKCHECK_H
#define ASSAY_CFORKCHECK_H

/// One where, in a child forked now, no read-side critical section is under way; zero where one is; -1 without a child.
int cfork_child_sees_no_readers(void);

#endif
