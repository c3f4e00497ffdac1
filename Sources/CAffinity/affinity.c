#define _GNU_SOURCE
#include "CAffinity.h"

#if defined(__linux__)
#include <sched.h>

int caffinity_pin(int core) {
    if (core < 0 || core >= CPU_SETSIZE) return 0;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

#else

int caffinity_pin(int core) {
    (void)core;
    return 0;
}

#endif
