#include "CMallocCount.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

// glibc's own names for its allocator.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

// libcrypto's, declared here so that this target needs no header of OpenSSL.
extern int CRYPTO_set_mem_functions(void *(*malloc_fn)(size_t, const char *, int), void *(*realloc_fn)(void *, size_t, const char *, int),
                                    void (*free_fn)(void *, const char *, int));

static _Thread_local size_t allocations;

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    allocations++;
    *out = __libc_memalign(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}

static void *crypto_malloc(size_t size, const char *file, int line) {
    (void)file;
    (void)line;
    return __libc_malloc(size);
}

static void *crypto_realloc(void *memory, size_t size, const char *file, int line) {
    (void)file;
    (void)line;
    return __libc_realloc(memory, size);
}

static void crypto_free(void *memory, const char *file, int line) {
    (void)file;
    (void)line;
    __libc_free(memory);
}

int cmalloc_count_works(void) { return 1; }
int cmalloc_ignore_libcrypto(void) { return CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free); }
size_t cmalloc_count(void) { return allocations; }

#else

int cmalloc_count_works(void) { return 0; }
int cmalloc_ignore_libcrypto(void) { return 0; }
size_t cmalloc_count(void) { return 0; }

#endif
