// CInstructionCount: what a stretch of code does, instruction by instruction: how many there are, and which of them take a cache
// line away from other cores (atomic read-modify-writes) or enter the kernel. Numbers that depend on the code and on nothing else.
//
// Linux on x86-64 alone. One thread at a time counts.

#ifndef CINSTRUCTION_COUNT_H
#define CINSTRUCTION_COUNT_H

#include <stdint.h>

/// What was executed: on the way into libcrypto and behind its return, or between the two.
typedef struct cinstruction_tally {
    uint64_t instructions;
    /// LOCK-prefixed instructions, and XCHG with memory, which locks without saying so.
    uint64_t atomics;
    uint64_t syscalls;
} cinstruction_tally;

enum { CINSTRUCTION_MAX_PLACES = 32 };

typedef struct cinstruction_counts {
    cinstruction_tally ours;
    /// All that ran between a call into libcrypto and its return: what libcrypto called belongs to it.
    cinstruction_tally libcrypto;
    /// Our first atomics and system calls: where the program itself was last, as an address in its file. They are mostly in the
    /// runtime (swift_retain), and who called it is the question.
    uint64_t places[CINSTRUCTION_MAX_PLACES];
    uint64_t places_count;
} cinstruction_counts;

/// Counts what `body(context)` executes. Zero where the machine cannot single-step; `body` was then called all the same.
int cinstruction_count(cinstruction_counts *out, void (*body)(void *context), void *context);

#endif
