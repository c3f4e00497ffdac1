// A wall clock that stands still, for programs that libfaketime stops at their start (Envoy's allocator asks for the time too early).
// LD_PRELOAD names this library, STOPPED_CLOCK the nanoseconds since 1970. The clocks by which a program waits go on.

#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Without a lock: every thread finds the same value.
static long long nanoseconds(void) {
    static long long found = -1;
    if (found < 0) {
        const char *text = getenv("STOPPED_CLOCK");
        found = text == NULL ? 0 : atoll(text);
    }
    return found;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) { return (int)syscall(SYS_clock_gettime, clock, now); }
    *now = (struct timespec){.tv_sec = nanoseconds() / 1000000000, .tv_nsec = nanoseconds() % 1000000000};
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    *now = (struct timeval){.tv_sec = nanoseconds() / 1000000000, .tv_usec = nanoseconds() % 1000000000 / 1000};
    return 0;
}

time_t time(time_t *now) {
    if (now != NULL) { *now = nanoseconds() / 1000000000; }
    return nanoseconds() / 1000000000;
}
