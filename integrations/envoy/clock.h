/* The monotonic clock. */
#ifndef ASSAY_ENVOY_CLOCK_H
#define ASSAY_ENVOY_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t ae_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static inline int64_t ae_milliseconds(void) { return ae_nanoseconds() / 1000000; }

#endif
