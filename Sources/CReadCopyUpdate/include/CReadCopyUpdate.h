// CReadCopyUpdate: read-side critical sections, so that a pointer can be replaced while others read what it points to, and the old
// thing freed once nobody can be reading it (McKenney, "Is Parallel Programming Hard", chapter 9; Desnoyers et al., "User-Level
// Implementations of Read-Copy Update", 2012, section 5.4: the flavour whose readers execute no fence).
//
// A reader stores to a record of its own thread, loads the pointer, reads, stores again: no lock, no atomic read-modify-write, no
// write to a cache line that another core uses. The price is paid by the writer, who makes every running thread of the process pass
// a barrier (membarrier(2)) before it looks at the records. Where the kernel has no membarrier, readers execute a fence instead.

#ifndef ASSAY_CREADCOPYUPDATE_H
#define ASSAY_CREADCOPYUPDATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The record of a thread. Made when the thread first reads, given back when it ends, and never freed: another thread takes it over.
typedef struct crcu_reader crcu_reader;

/// crcu_enter begins a read-side critical section of the calling thread. Sections nest. NULL when memory ran out: then nothing may be
/// read, and crcu_leave is not called.
crcu_reader *crcu_enter(void);

/// crcu_leave ends the section that crcu_enter began on the same thread.
void crcu_leave(crcu_reader *reader);

/// crcu_grace_begin names the present moment, after a pointer has been replaced: what the pointer led to before may be freed once
/// crcu_grace_is_over says so of the number returned. Takes microseconds; for writers alone.
uint64_t crcu_grace_begin(void);

/// One when every section that had begun at the moment `grace` has ended. Never waits.
int crcu_grace_is_over(uint64_t grace);

/// The number of thread records in use, and whether readers execute a fence of their own. For tests and status.
size_t crcu_reader_count(void);
int crcu_readers_fence(void);

/// Makes readers fence from now on, as where membarrier is missing. For tests, before any other thread reads.
void crcu_force_fence(void);

#ifdef __cplusplus
}
#endif

#endif
