// The report, the guard pages and the random numbers of agreement.h, and the check of the dispatch.

#if !defined(_DEFAULT_SOURCE) && !defined(__APPLE__)
#define _DEFAULT_SOURCE 1  // MAP_ANONYMOUS
#endif

#include "agreement.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

report report_make(char *message, size_t message_max) {
    if (message_max > 0) {
        message[0] = '\0';
    }
    return (report){.message = message, .message_max = message_max};
}

void disagree(report *r, const char *format, ...) {
    if (r->num_disagreements++ == 0 && r->message_max > 0) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(r->message, r->message_max, format, arguments);
        va_end(arguments);
    }
}

guarded guarded_make(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t inner = (CJWT_STOPS_MAX + kAlignments + page - 1) / page * page;
    guarded g = {.map_len = inner + 2 * page};
    void *map = mmap(NULL, g.map_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) {
        abort();
    }
    g.map = map;
    g.start = g.map + page;
    g.end = g.start + inner;
    if (mprotect(g.map, page, PROT_NONE) != 0 || mprotect(g.end, page, PROT_NONE) != 0) {
        abort();
    }
    return g;
}

void guarded_free(guarded *g) {
    (void)munmap(g->map, g->map_len);
}

uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

size_t random_below(uint64_t *state, size_t bound) {
    return (size_t)(random_next(state) % bound);
}

size_t ckernel_dispatch_disagreements(char *message, size_t message_max) {
    report r = report_make(message, message_max);
    (void)cjwt_kernels_force(NULL);
    const cjwt_kernels *best = cjwt_kernels_best();
    if (cjwt_kernels_best() != best) {
        disagree(&r, "two calls of cjwt_kernels_best differ");
    }
    if (cjwt_kernels_named(best->name) != best) {
        disagree(&r, "the best kernels are not found by their name, %s", best->name);
    }
    if (cjwt_kernels_named("generic") != &cjwt_kernels_generic) {
        disagree(&r, "\"generic\" does not name the generic kernels");
    }
    if (cjwt_kernels_named("") != NULL || cjwt_kernels_named("AVX2") != NULL) {
        disagree(&r, "a name that nothing has is found");
    }
    if (!cjwt_kernels_force("generic") || cjwt_kernels_best() != &cjwt_kernels_generic) {
        disagree(&r, "forcing \"generic\" has no effect");
    }
    if (cjwt_kernels_force("none of that name") || cjwt_kernels_best() != &cjwt_kernels_generic) {
        disagree(&r, "forcing an unknown name changes the choice");
    }
    if (!cjwt_kernels_force(NULL) || cjwt_kernels_best() != best) {
        disagree(&r, "the choice is not given back to the CPU");
    }
    return r.num_disagreements;
}
