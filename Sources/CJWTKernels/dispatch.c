// cjwt_kernels_best, cjwt_kernels_named, cjwt_kernels_force: which kernels run here.
//
// The library is compiled for the lowest CPU it supports; only the functions of a SIMD file are compiled for more, through their
// target attribute. So the choice is made at run time: AVX-512 (BW, VBMI and VBMI2) or else AVX2 where the CPU and the operating system
// have it (x86-64), NEON always (AArch64 has no CPU without it), the generic code anywhere else. No environment variable is consulted
// here: ASSAY_ENGINE chooses among the kernels that judge signatures alone, in JWTCore.

#include "internal.h"

#include <stdatomic.h>
#include <string.h>

const cjwt_kernels cjwt_kernels_generic = {
    .name = "generic",
    .base64url_decode = base64url_decode_generic,
    .json_string_span = json_string_span_generic,
    .ascii_span = ascii_span_generic,
    .find_dot = find_dot_generic,
    .find_dots = find_dots_generic,
    .string_stops = string_stops_generic,
};

#if defined(CJWT_HAVE_AVX2)
static const cjwt_kernels kAVX2 = {
    .name = "avx2",
    .base64url_decode = base64url_decode_avx2,
    .json_string_span = json_string_span_avx2,
    .ascii_span = ascii_span_avx2,
    .find_dot = find_dot_avx2,
    .find_dots = find_dots_avx2,
    .string_stops = string_stops_avx2,
};
#endif

#if defined(CJWT_HAVE_AVX512)
static const cjwt_kernels kAVX512 = {
    .name = "avx512",
    .base64url_decode = base64url_decode_avx512,
    .json_string_span = json_string_span_avx512,
    .ascii_span = ascii_span_avx512,
    .find_dot = find_dot_avx512,
    .find_dots = find_dots_avx512,
    .string_stops = string_stops_avx512,
};
#endif

#if defined(CJWT_HAVE_NEON)
static const cjwt_kernels kNEON = {
    .name = "neon",
    .base64url_decode = base64url_decode_neon,
    .json_string_span = json_string_span_neon,
    .ascii_span = ascii_span_neon,
    .find_dot = find_dot_neon,
    .find_dots = find_dots_neon,
    .string_stops = string_stops_neon,
};
#endif

// The choice; NULL until it is made. Relaxed order is enough everywhere: what it points to is constant and never written.
static _Atomic(const cjwt_kernels *) chosen;

// can_run says whether this CPU and this operating system run `kernels`.
static int can_run(const cjwt_kernels *kernels) {
#if defined(CJWT_HAVE_AVX2)
    __builtin_cpu_init();
    int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    if (kernels == &kAVX512) {
        return has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("bmi2");
    }
    return kernels != &kAVX2 || has_avx2;
#else
    (void)kernels;
    return 1;
#endif
}

// The kernels of this build, the best first.
static const cjwt_kernels *const kAll[] = {
#if defined(CJWT_HAVE_AVX512)
    &kAVX512,
#endif
#if defined(CJWT_HAVE_AVX2)
    &kAVX2,
#endif
#if defined(CJWT_HAVE_NEON)
    &kNEON,
#endif
    &cjwt_kernels_generic,
};

enum { kNumAll = sizeof(kAll) / sizeof(kAll[0]) };

// fitting returns the best kernels this CPU can run.
static const cjwt_kernels *fitting(void) {
    size_t i = 0;
    while (i + 1 < kNumAll && !can_run(kAll[i])) {
        i++;
    }
    return kAll[i];
}

const cjwt_kernels *cjwt_kernels_best(void) {
    const cjwt_kernels *kernels = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (kernels != NULL) {
        return kernels;
    }
    // Threads that race here find the same answer. A choice forced in the meantime stays: the exchange is from NULL only, and on
    // failure leaves what it found in `kernels`.
    const cjwt_kernels *fit = fitting();
    int stored = atomic_compare_exchange_strong_explicit(&chosen, &kernels, fit, memory_order_relaxed, memory_order_relaxed);
    return stored ? fit : kernels;
}

const cjwt_kernels *cjwt_kernels_named(const char *name) {
    for (size_t i = 0; i < kNumAll; i++) {
        if (strcmp(name, kAll[i]->name) == 0) {
            return can_run(kAll[i]) ? kAll[i] : NULL;
        }
    }
    return NULL;
}

int cjwt_kernels_force(const char *name) {
    const cjwt_kernels *kernels = name == NULL ? fitting() : cjwt_kernels_named(name);
    if (kernels == NULL) {
        return 0;
    }
    atomic_store_explicit(&chosen, kernels, memory_order_relaxed);
    return 1;
}
