// CInstructionCount: counts the instructions that a section of code executes, and those that take a cache line from other cores (atomic
// read-modify-writes) or enter the kernel. The counts depend only on the code.
//
// Only Linux on x86-64. Only one thread counts at a time.

#ifndef CINSTRUCTION_COUNT_H
#define CINSTRUCTION_COUNT_H

#include <stdint.h>

/// The executed instructions: outside libcrypto (before its call and after its return), or inside it.
typedef struct cinstruction_tally {
    uint64_t instructions;
    /// LOCK-prefixed instructions, and XCHG with memory, which locks implicitly.
    uint64_t atomics;
    uint64_t syscalls;
} cinstruction_tally;

enum { CINSTRUCTION_MAX_PLACES = 32 };

typedef struct cinstruction_counts {
    cinstruction_tally ours;
    /// All instructions between a call into libcrypto and its return, including functions that libcrypto calls.
    cinstruction_tally libcrypto;
    /// Our first atomics and system calls: the program's own last address before each, as an offset in its file. The instructions are
    /// mostly in the runtime (swift_retain); the address identifies the caller.
    uint64_t places[CINSTRUCTION_MAX_PLACES];
    uint64_t places_count;
} cinstruction_counts;

/// Counts the instructions of `body(context)`. Zero where the machine cannot single-step; `body` still runs.
int cinstruction_count(cinstruction_counts *out, void (*body)(void *context), void *context);

#endif
