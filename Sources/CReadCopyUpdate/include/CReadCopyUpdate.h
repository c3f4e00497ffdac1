// CReadCopyUpdate: read-side critical sections. A writer can replace a pointer while readers use the old object, and free that object when
// no reader can still use it (McKenney, "Is Parallel Programming Hard", chapter 9; Desnoyers et al., "User-Level Implementations of
// Read-Copy Update", 2012, section 5.4: the variant whose readers execute no fence).
//
// A reader stores to its thread's record, loads the pointer, reads, and stores again: no lock, no atomic read-modify-write, no write to a
// cache line that another core uses. The writer pays: before it examines the records, every running thread of the process must execute a
// barrier (membarrier(2)). Where the kernel has no membarrier, readers execute a fence instead. The same holds from the moment a sandbox
// forbids membarrier: then nothing is freed until every thread that has read before has read again or ended. crcu_readers_fence reports
// this.

#ifndef ASSAY_CREADCOPYUPDATE_H
#define ASSAY_CREADCOPYUPDATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A thread's record. Made at the thread's first read, returned when the thread ends, and never freed: another thread reuses it.
typedef struct crcu_reader crcu_reader;

/// crcu_enter begins a read-side critical section of the calling thread. Sections nest. Returns NULL when memory is exhausted: then do not
/// read, and do not call crcu_leave.
crcu_reader *crcu_enter(void);

/// crcu_leave ends the section that crcu_enter began on the same thread.
void crcu_leave(crcu_reader *reader);

/// crcu_grace_begin starts a grace period after a writer has replaced a pointer: the old object may be freed once crcu_grace_is_over
/// returns one for the number returned here. Takes microseconds and never fails; only for writers.
uint64_t crcu_grace_begin(void);

/// One when every section that had begun before the grace period `grace` has ended. Never waits.
int crcu_grace_is_over(uint64_t grace);

/// The number of thread records in use, and whether readers execute fences. For tests and status.
size_t crcu_reader_count(void);
int crcu_readers_fence(void);

/// Makes readers execute fences from now on, as where membarrier is missing. For tests, before any other thread reads.
void crcu_force_fence(void);

#ifdef __cplusplus
}
#endif

#endif
