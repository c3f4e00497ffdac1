// json_runs.h: the fastest reader that this CPU runs: json_runs_avx512.c, or else json_compact.h.
//
// Only where claims are looked for, so not for headers: a thread remembers the last one, and a refused header, which needs no signature,
// would cost more.

#ifndef CJWT_JSON_RUNS_H
#define CJWT_JSON_RUNS_H

#include "json_compact.h"

enum { kMoreRecords = 3 };  // that read_runs_avx512 may write behind the last one

// read_runs_avx512 reads the text from the beginning, where its quotes have followers and claims are looked for. Returns the number of
// records, or zero.
size_t read_runs_avx512(const reader *r, const cjwt_stops *stops, const followers *followers, const cjwt_json_limits *limits);

#if defined(CJWT_HAVE_AVX512)
INLINE int finds_runs(const cjwt_kernels *kernels, const reader *r) {
    return r->claims != NULL && kernels->string_stops == string_stops_avx512;
}
#endif

INLINE int find_stops(const cjwt_kernels *kernels, const reader *r, cjwt_stops *stops, followers *followers) {
#if defined(CJWT_HAVE_AVX512)
    if (finds_runs(kernels, r)) {
        return followed_stops_avx512(stops, followers, r->in, r->in_len);
    }
#endif
    (void)followers;
    return kernels->string_stops(stops, r->in, r->in_len);
}

// read_quickly reads the text after find_stops with the same kernels. Returns the number of records, or zero.
INLINE size_t read_quickly(
    const cjwt_kernels *kernels, const reader *r, const cjwt_stops *stops, const followers *followers, const cjwt_json_limits *limits) {
#if defined(CJWT_HAVE_AVX512)
    if (finds_runs(kernels, r) && stops->count <= kMaxFollowed) {
        return read_runs_avx512(r, stops, followers, limits);
    }
#endif
    (void)kernels, (void)followers;
    return read_compact(r, stops, limits);
}

#endif
