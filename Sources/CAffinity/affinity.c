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

void caffinity_spin(unsigned long additions) {
    unsigned long sum = 0;
    // Eight a turn, for a turn is a jump, and some cores take two cycles for one.
    for (unsigned long done = 0; done < additions; done += 8) {
        for (int n = 0; n < 8; n++) {
            sum++;
            __asm__ volatile("" : "+r"(sum));
        }
    }
}
