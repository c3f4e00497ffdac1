// A library to preload: calls of malloc and its like by the program itself and by libcrypto get no memory. Swift's runtime still gets it,
// because it ends the process where it gets none. MALLOC_FAILS is the number of the first call that fails, and MALLOC_FAILS_LAST that of the
// last. At the end the number of all such calls is in the file that MALLOC_COUNT names. THREADS_FAIL is the number of the first thread that
// the program itself does not get.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// glibc's own.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { kMost = 16 };
static struct {
    uintptr_t start, end;
} code[kMost];
static int num_code;
static atomic_long calls, threads;
static long first_failing = -1, last_failing = -1, first_thread = -1;

static int note_code(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    (void)unused;
    // The program has no name here.
    if (object->dlpi_name[0] != 0 && strstr(object->dlpi_name, "/libcrypto.") == NULL) { return 0; }
    for (int i = 0; i < object->dlpi_phnum && num_code < kMost; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) { continue; }
        code[num_code].start = object->dlpi_addr + part->p_vaddr;
        code[num_code].end = code[num_code].start + part->p_memsz;
        num_code++;
    }
    return 0;
}

static long number_in(const char *variable, long otherwise) {
    const char *text = getenv(variable);
    return text == NULL ? otherwise : strtol(text, NULL, 10);
}

__attribute__((constructor)) static void begin(void) {
    first_failing = number_in("MALLOC_FAILS", -1);
    last_failing = number_in("MALLOC_FAILS_LAST", first_failing);
    first_thread = number_in("THREADS_FAIL", -1);
    dl_iterate_phdr(note_code, NULL);
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("MALLOC_COUNT");
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL) { return; }
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}

static int is_watched(const void *caller) {
    for (int i = 0; i < num_code; i++) {
        if ((uintptr_t)caller >= code[i].start && (uintptr_t)caller < code[i].end) { return 1; }
    }
    return 0;
}

static int fails(const void *caller) {
    if (!is_watched(caller)) { return 0; }
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (number < first_failing || number > last_failing) { return 0; }
    errno = ENOMEM;
    return 1;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) { return fails(CALLER) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) { return fails(CALLER) ? NULL : __libc_calloc(count, size); }

void *realloc(void *memory, size_t size) { return fails(CALLER) ? NULL : __libc_realloc(memory, size); }

void *aligned_alloc(size_t alignment, size_t size) { return fails(CALLER) ? NULL : __libc_memalign(alignment, size); }

typedef int create_function(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    create_function *create = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
    if (first_thread > 0 && is_watched(CALLER) && atomic_fetch_add(&threads, 1) + 1 >= first_thread) { return EAGAIN; }
    return create(thread, attributes, start, argument);
}
