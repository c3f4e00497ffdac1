// json_runs.h: the fastest reader that this CPU runs: json_runs_avx512.c, or else json_compact.h.

#ifndef CJWT_JSON_RUNS_H
#define CJWT_JSON_RUNS_H

#include "json_compact.h"

enum { kMoreRecords = 3 };  // that read_runs_avx512 may write behind the last one

// read_runs_avx512 reads the text from the beginning, where its quotes have followers. Returns the number of records, or zero.
size_t read_runs_avx512(const reader *r, const cjwt_stops *stops, const followers *followers, const cjwt_json_limits *limits);

#if defined(CJWT_HAVE_AVX512)
INLINE int finds_runs(const cjwt_kernels *kernels) {
    return kernels->string_stops == string_stops_avx512;
}
#endif

INLINE int find_stops(const cjwt_kernels *kernels, cjwt_stops *stops, followers *followers, const uint8_t *in, size_t in_len) {
#if defined(CJWT_HAVE_AVX512)
    if (finds_runs(kernels)) {
        return followed_stops_avx512(stops, followers, in, in_len);
    }
#endif
    (void)followers;
    return kernels->string_stops(stops, in, in_len);
}

// read_quickly reads the text after find_stops with the same kernels. Returns the number of records, or zero.
INLINE size_t read_quickly(
    const cjwt_kernels *kernels, const reader *r, const cjwt_stops *stops, const followers *followers, const cjwt_json_limits *limits) {
#if defined(CJWT_HAVE_AVX512)
    if (finds_runs(kernels) && stops->count <= kMaxFollowed) {
        return read_runs_avx512(r, stops, followers, limits);
    }
#endif
    (void)kernels, (void)followers;
    return read_compact(r, stops, limits);
}

#endif
