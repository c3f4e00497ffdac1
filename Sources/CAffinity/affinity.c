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

int caffinity_cores(int *cores, int most) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
    int count = 0;
    for (int core = 0; core < CPU_SETSIZE && count < most; core++) {
        if (CPU_ISSET(core, &set)) cores[count++] = core;
    }
    return count;
}

#else

int caffinity_pin(int core) {
    (void)core;
    return 0;
}

int caffinity_cores(int *cores, int most) {
    (void)cores;
    (void)most;
    return 0;
}

#endif

void caffinity_spin(unsigned long additions) {
    unsigned long sum = 0, one = 1;
    // Some cores add constants before execution, several in a cycle, so each addition adds a register.
    __asm__ volatile("" : "+r"(one));
    // Eight additions an iteration: a jump costs a cycle or, on some cores, two.
    for (unsigned long done = 0; done < additions; done += 8) {
        for (int n = 0; n < 8; n++) {
            sum += one;
            __asm__ volatile("" : "+r"(sum));
        }
    }
}

void caffinity_spin_wide(unsigned long additions) {
    unsigned long sums[8] = {0}, one = 1;
    __asm__ volatile("" : "+r"(one));
    for (unsigned long done = 0; done < additions; done += 32) {
        for (int n = 0; n < 4; n++) {
            __asm__ volatile("" : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3]), "+r"(sums[4]), "+r"(sums[5]), "+r"(sums[6]),
                             "+r"(sums[7]));
            for (int sum = 0; sum < 8; sum++) { sums[sum] += one; }
        }
    }
    __asm__ volatile("" : : "r"(sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7]));
}
