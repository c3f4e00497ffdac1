#include "openloop.h"

#include <stdio.h>
#include <stdlib.h>

void add(samples *s, int64_t nanoseconds) {
    if (s->count == s->capacity) {
        s->capacity = s->capacity == 0 ? 1 << 20 : s->capacity * 2;
        s->values = realloc(s->values, s->capacity * sizeof *s->values);
        if (s->values == NULL) {
            fputs("no memory for samples\n", stderr);
            exit(1);
        }
    }
    s->values[s->count++] = nanoseconds < 0 ? 0 : nanoseconds > UINT32_MAX ? UINT32_MAX : (uint32_t)nanoseconds;
}

static int compare(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

void sort(samples *s) {
    if (s->count > 0) { qsort(s->values, s->count, sizeof *s->values, compare); }
}

// The smallest sample that at least `share` of all samples do not exceed.
static double percentile(const samples *s, double share) {
    if (s->count == 0) { return 0; }
    size_t rank = (size_t)(share * (double)s->count);
    return s->values[rank < s->count ? rank : s->count - 1] / 1e3;
}

void print_samples(const char *name, const samples *s) {
    printf("\"%s\": {\"p50\": %.1f, \"p90\": %.1f, \"p99\": %.1f, \"p99.9\": %.1f, \"max\": %.1f}", name, percentile(s, 0.5),
           percentile(s, 0.9), percentile(s, 0.99), percentile(s, 0.999), percentile(s, 1));
}
