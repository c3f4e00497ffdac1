#include "CCounts.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && defined(__x86_64__) && !defined(SANITIZED)

#define HIDDEN __attribute__((visibility("hidden")))

// The assembly below reaches into these by offset.
HIDDEN _Thread_local ccounts_tally ccounts_thread;
HIDDEN ccounts_tally ccounts_process;
_Static_assert(offsetof(ccounts_tally, retains) == 8 && offsetof(ccounts_tally, releases) == 16, "the assembly counts there");

// The heap

// glibc's own names for its allocator.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void note_allocation(void) {
    ccounts_thread.allocations++;
    __atomic_fetch_add(&ccounts_process.allocations, 1, __ATOMIC_RELAXED);
}

void *malloc(size_t size) {
    note_allocation();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note_allocation();
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    note_allocation();
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note_allocation();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    note_allocation();
    *out = __libc_memalign(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}

// Reference counting

// The runtime's, which it consults only while the flag is set.
extern _Bool _swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly;
extern void *_swift_retain, *_swift_retain_n, *_swift_tryRetain, *_swift_release, *_swift_release_n;

HIDDEN void *ccounts_runtime_retain, *ccounts_runtime_retain_n, *ccounts_runtime_try_retain;
HIDDEN void *ccounts_runtime_release, *ccounts_runtime_release_n;

// In assembly, because callers of these functions may keep values in any register.
#define COUNTED(name, offset)                                  \
    HIDDEN void ccounts_##name(void);                          \
    __asm__(".text\n"                                          \
            ".hidden ccounts_" #name "\n"                      \
            ".globl ccounts_" #name "\n"                       \
            ".type ccounts_" #name ", @function\n"             \
            "ccounts_" #name ":\n"                             \
            "  incq %fs:ccounts_thread@tpoff+" #offset "\n"    \
            "  lock incq ccounts_process+" #offset "(%rip)\n"  \
            "  jmp *ccounts_runtime_" #name "(%rip)\n"         \
            ".size ccounts_" #name ", .-ccounts_" #name "\n")

COUNTED(retain, 8);
COUNTED(retain_n, 8);
COUNTED(try_retain, 8);
COUNTED(release, 16);
COUNTED(release_n, 16);

static void take_place(void **pointer, void **runtime, void (*counted)(void)) {
    *runtime = *pointer;
    __atomic_store_n(pointer, (void *)counted, __ATOMIC_RELEASE);
}

// Once, and for good: another thread may be inside.
__attribute__((constructor)) static void take_places(void) {
    take_place(&_swift_retain, &ccounts_runtime_retain, ccounts_retain);
    take_place(&_swift_retain_n, &ccounts_runtime_retain_n, ccounts_retain_n);
    take_place(&_swift_tryRetain, &ccounts_runtime_try_retain, ccounts_try_retain);
    take_place(&_swift_release, &ccounts_runtime_release, ccounts_release);
    take_place(&_swift_release_n, &ccounts_runtime_release_n, ccounts_release_n);
}

static void set_flag(_Bool on) {
    __atomic_store_n(&_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly, on, __ATOMIC_SEQ_CST);
}

// Counting

static _Thread_local ccounts started;

static ccounts now(void) {
    ccounts counts = {.thread = ccounts_thread};
    counts.process.allocations = __atomic_load_n(&ccounts_process.allocations, __ATOMIC_RELAXED);
    counts.process.retains = __atomic_load_n(&ccounts_process.retains, __ATOMIC_RELAXED);
    counts.process.releases = __atomic_load_n(&ccounts_process.releases, __ATOMIC_RELAXED);
    return counts;
}

static ccounts_tally difference(ccounts_tally later, ccounts_tally earlier) {
    return (ccounts_tally){later.allocations - earlier.allocations, later.retains - earlier.retains, later.releases - earlier.releases};
}

int ccounts_work(void) { return 1; }

void ccounts_start(void) {
    set_flag(1);
    started = now();
}

ccounts ccounts_stop(void) {
    ccounts stopped = now();
    set_flag(0);
    return (ccounts){difference(stopped.thread, started.thread), difference(stopped.process, started.process)};
}

#else

int ccounts_work(void) { return 0; }
void ccounts_start(void) {}
ccounts ccounts_stop(void) { return (ccounts){{0, 0, 0}, {0, 0, 0}}; }

#endif

ccounts ccounts_of(void (*body)(void *context), void *context) {
    ccounts_start();
    body(context);
    return ccounts_stop();
}
