#define _GNU_SOURCE

#include "CCounts.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

#define HIDDEN __attribute__((visibility("hidden")))

// The assembly below accesses these by offset.
HIDDEN _Thread_local ccounts_tally ccounts_thread;
HIDDEN ccounts_tally ccounts_process;
_Static_assert(offsetof(ccounts_tally, retains) == 8 && offsetof(ccounts_tally, releases) == 16, "the assembly counts there");

// The heap

// glibc's own names for its allocator.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

// libcrypto's function, declared here so that this target needs no OpenSSL header; weak, for programs without libcrypto.
__attribute__((weak)) extern int CRYPTO_set_mem_functions(void *(*malloc_fn)(size_t, const char *, int),
                                                          void *(*realloc_fn)(void *, size_t, const char *, int),
                                                          void (*free_fn)(void *, const char *, int));

static void note_allocation(void) {
    ccounts_thread.allocations++;
    __atomic_fetch_add(&ccounts_process.allocations, 1, __ATOMIC_RELAXED);
}

static int tracks_live;
static ccounts_heap live;

// Notes a block that begins to live, or ends: `blocks` is 1 or -1.
static void *note_live(void *memory, int blocks) {
    if (tracks_live && memory != NULL) {
        __atomic_fetch_add(&live.blocks, blocks, __ATOMIC_RELAXED);
        __atomic_fetch_add(&live.bytes, blocks * (int64_t)malloc_usable_size(memory), __ATOMIC_RELAXED);
    }
    return memory;
}

static void *resize(void *memory, size_t size) {
    note_live(memory, -1);
    void *resized = __libc_realloc(memory, size);
    // A block that could not be resized lives on.
    note_live(resized == NULL && size > 0 ? memory : resized, 1);
    return resized;
}

void *malloc(size_t size) {
    note_allocation();
    return note_live(__libc_malloc(size), 1);
}

void *calloc(size_t count, size_t size) {
    note_allocation();
    return note_live(__libc_calloc(count, size), 1);
}

void *realloc(void *memory, size_t size) {
    note_allocation();
    return resize(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note_allocation();
    return note_live(__libc_memalign(alignment, size), 1);
}

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    *out = aligned_alloc(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}

void free(void *memory) {
    note_live(memory, -1);
    __libc_free(memory);
}

static void *crypto_malloc(size_t size, const char *file, int line) {
    (void)file, (void)line;
    return note_live(__libc_malloc(size), 1);
}

static void *crypto_realloc(void *memory, size_t size, const char *file, int line) {
    (void)file, (void)line;
    return resize(memory, size);
}

static void crypto_free(void *memory, const char *file, int line) {
    (void)file, (void)line;
    free(memory);
}

int ccounts_ignore_libcrypto(void) {
    return CRYPTO_set_mem_functions != NULL && CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free);
}

int ccounts_count_allocations(void) { return 1; }

void ccounts_track_live(void) { tracks_live = 1; }

ccounts_heap ccounts_live(void) {
    return (ccounts_heap){__atomic_load_n(&live.blocks, __ATOMIC_RELAXED), __atomic_load_n(&live.bytes, __ATOMIC_RELAXED)};
}

// Reference counting

HIDDEN int ccounts_is_on;

#if defined(__x86_64__)

// In assembly, because callers of these functions may keep values in any register. They replace the runtime's functions of the same name
// for every caller except the runtime itself; the first call looks up the runtime's address, possibly before any constructor runs. A value
// that is not an object, such as a short string, is zero or has its highest bit set; the runtime does not count it either.
#define COUNTED(name, offset)                                              \
    HIDDEN void *ccounts_runtime_##name;                                   \
    __attribute__((used)) HIDDEN void ccounts_find_##name(void) {          \
        ccounts_runtime_##name = dlsym(RTLD_NEXT, "swift_" #name);         \
    }                                                                      \
    __asm__(".text\n"                                                      \
            ".globl swift_" #name "\n"                                     \
            ".type swift_" #name ", @function\n"                           \
            "swift_" #name ":\n"                                           \
            "  cmpq $0, ccounts_runtime_" #name "(%rip)\n"                 \
            "  je 2f\n"                                                    \
            "1: cmpl $0, ccounts_is_on(%rip)\n"                            \
            "  je 3f\n"                                                    \
            "  test %rdi, %rdi\n"                                          \
            "  jle 3f\n"                                                   \
            "  incq %fs:ccounts_thread@tpoff+" #offset "\n"                \
            "  lock incq ccounts_process+" #offset "(%rip)\n"              \
            "3: jmp *ccounts_runtime_" #name "(%rip)\n"                    \
            "2: push %rax\n  push %rdi\n  push %rsi\n  push %rdx\n"        \
            "  push %rcx\n  push %r8\n  push %r9\n  push %r10\n"           \
            "  push %r11\n"                                                \
            "  call ccounts_find_" #name "\n"                              \
            "  pop %r11\n"                                                 \
            "  pop %r10\n  pop %r9\n  pop %r8\n  pop %rcx\n"               \
            "  pop %rdx\n  pop %rsi\n  pop %rdi\n  pop %rax\n"             \
            "  jmp 1b\n"                                                   \
            ".size swift_" #name ", .-swift_" #name "\n")

COUNTED(retain, 8);
COUNTED(retain_n, 8);
COUNTED(tryRetain, 8);
COUNTED(bridgeObjectRetain, 8);
COUNTED(bridgeObjectRetain_n, 8);
COUNTED(release, 16);
COUNTED(release_n, 16);
COUNTED(bridgeObjectRelease, 16);
COUNTED(bridgeObjectRelease_n, 16);

int ccounts_work(void) { return 1; }

#else

int ccounts_work(void) { return 0; }

#endif

static void set_flag(int on) { __atomic_store_n(&ccounts_is_on, on, __ATOMIC_SEQ_CST); }

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
int ccounts_count_allocations(void) { return 0; }
void ccounts_track_live(void) {}
ccounts_heap ccounts_live(void) { return (ccounts_heap){0, 0}; }
int ccounts_ignore_libcrypto(void) { return 0; }
void ccounts_start(void) {}
ccounts ccounts_stop(void) { return (ccounts){{0, 0, 0}, {0, 0, 0}}; }

#endif

ccounts ccounts_of(void (*body)(void *context), void *context) {
    ccounts_start();
    body(context);
    return ccounts_stop();
}
