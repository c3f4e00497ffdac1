// guarded_memory.h: memory between two inaccessible pages, so that a kernel that accesses bytes outside its range ends the process.

#ifndef ASSAY_GUARDED_MEMORY_H
#define ASSAY_GUARDED_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/// Whole pages, from `start` up to `end`.
typedef struct guarded {
    uint8_t *start, *end;
} guarded;

/// At least `len` bytes. Never fails: a machine that cannot map a few pages aborts the run.
static inline guarded guarded_make(size_t len) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inside = (len + page - 1) / page * page;
    uint8_t *pages = mmap(NULL, inside + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page, inside, PROT_READ | PROT_WRITE) != 0) { abort(); }
    return (guarded){pages + page, pages + page + inside};
}

static inline size_t guarded_size(guarded memory) { return (size_t)(memory.end - memory.start); }

static inline void guarded_free(guarded memory) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    (void)munmap(memory.start - page, guarded_size(memory) + 2 * page);
}

#endif
