// What a program needs before it starts. Swift's runtime, Dispatch and Foundation end the process with SIGILL where they get no descriptor, no
// memory or no thread: a caller would see a signal in place of an exit code. So their lack is told here, before any of them begins.

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Defined by the headers above where the C library is glibc.
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "CProgram.h"

enum {
    // Dispatch takes one descriptor for its events, an event loop of NIO two, the runtime of Swift one for a moment.
    common_descriptors = 8,
    // The stacks of the pool's threads, and an arena of the heap.
    common_mebibytes = 192,
    common_threads = 4,
    // What a program writes to beside the stacks of its threads, which a limit of data counts too (RLIMIT_DATA).
    heap_mebibytes = 16,
    most = 1024,
    exit_without_resource = 5,
};

static void refuse_without(const char *what, int error) {
    char line[160];
    int length = snprintf(line, sizeof line, "Error: this program needs %s: %s\n", what, strerror(error));
    // There is nowhere to report a failed write.
    if (length > 0) { (void)!write(STDERR_FILENO, line, (size_t)length); }
    _exit(exit_without_resource);
}

static void refuse(int count, const char *what, int error) {
    char text[80];
    snprintf(text, sizeof text, "%d more %s", count, what);
    refuse_without(text, error);
}

static void require_descriptors(int wanted) {
    int taken[most], count = 0, error = 0;
    while (count < wanted && count < most && error == 0) {
        int descriptor = open("/", O_RDONLY | O_CLOEXEC | O_DIRECTORY);
        if (descriptor >= 0) { taken[count++] = descriptor; } else { error = errno; }
    }
    while (count > 0) { close(taken[--count]); }
    // A root that cannot be opened says nothing about descriptors.
    if (error == EMFILE || error == ENFILE || error == ENOMEM) { refuse(wanted, "file descriptors", error); }
}

static void *take(int mebibytes, int protection, const char *what) {
    void *space = mmap(NULL, (size_t)mebibytes << 20, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) { refuse(mebibytes, what, errno); }
    return space;
}

static void give_back(void *space, int mebibytes) { munmap(space, (size_t)mebibytes << 20); }

static void *wait_for_others(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

static void require_threads(int wanted) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[most];
    int count = 0, error = 0;
    pthread_mutex_lock(&gate);
    while (count < wanted && count < most && error == 0) {
        error = pthread_create(&threads[count], NULL, wait_for_others, &gate);
        if (error == 0) { count++; }
    }
    pthread_mutex_unlock(&gate);
    while (count > 0) { pthread_join(threads[--count], NULL); }
    if (error != 0) { refuse(wanted, "threads", error); }
}

void cprogram_require(int descriptors, int mebibytes, int threads) {
    require_descriptors(descriptors);
    give_back(take(mebibytes, PROT_NONE, "MB of address space"), mebibytes);
    void *heap = take(heap_mebibytes, PROT_READ | PROT_WRITE, "MB of memory");
    require_threads(threads);
    give_back(heap, heap_mebibytes);
}

/// Opens /dev/null for each closed standard descriptor, so that no later file gets its number. Reading or writing it still fails.
static void keep_standard_descriptors(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) != -1) { continue; }
        // Open gives the lowest free number.
        if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) { refuse_without("/dev/null", errno); }
    }
}

#if defined(__linux__)
/// Dispatch looks at its threads there each second, and ends the process with SIGILL where it cannot.
static void require_proc(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", (long)getpid());
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) { close(file); } else { refuse_without("/proc", errno); }
}

#else
static void require_proc(void) {}
#endif

// The heap of glibc has an arena for each thread, up to eight for each core. An arena reserves 64 MB of address space, and 128 MB for a
// moment; a thread that then gets no stack ends the process. So in a limited space there is one arena for each gibibyte of the limit.
static void limit_arenas(void) {
#if defined(__GLIBC__)
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur >= (rlim_t)most << 30) { return; }
    int arenas = (int)(space.rlim_cur >> 30);
    mallopt(M_ARENA_MAX, arenas > 1 ? arenas : 1);
#endif
}

// A constructor: Swift's own initialisers of the main task come before `main` of a Swift program.
__attribute__((constructor)) static void require_what_all_need(void) {
    keep_standard_descriptors();
    limit_arenas();
    require_proc();
    cprogram_require(common_descriptors, common_mebibytes, common_threads);
}
