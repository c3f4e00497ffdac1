// cjwt_kernels_best, cjwt_kernels_named, cjwt_kernels_force: choose the kernels for this CPU.
//
// The library is compiled for the lowest CPU it supports; only the functions of a SIMD file are compiled for more, through their target
// attribute. So the choice is made at run time: on x86-64 AVX-512 (BW, VBMI and VBMI2) or else AVX2 where the CPU and the operating system
// support it; NEON always on AArch64; otherwise the generic code. No environment variable is read here: ASSAY_ENGINE chooses only among the
// signature kernels, in JWTCore.

#include "internal.h"

#include <stdatomic.h>
#include <string.h>

#define TABLE(SUFFIX)                                                                                          \
    {                                                                                                          \
        .name = #SUFFIX, .base64url_decode = base64url_decode_##SUFFIX,                                        \
        .json_string_span = json_string_span_##SUFFIX, .ascii_span = ascii_span_##SUFFIX,                      \
        .find_dot = find_dot_##SUFFIX, .find_dots = find_dots_##SUFFIX, .string_stops = string_stops_##SUFFIX, \
        .is_utf8 = is_utf8_##SUFFIX,                                                                           \
    }

const cjwt_kernels cjwt_kernels_generic = TABLE(generic);
#if defined(CJWT_HAVE_AVX2)
static const cjwt_kernels kAVX2 = TABLE(avx2), kAVX512 = TABLE(avx512);
#elif defined(CJWT_HAVE_NEON)
static const cjwt_kernels kNEON = TABLE(neon);
#endif

// The choice; NULL until it is made. Relaxed order is enough everywhere: the kernels it points to are constant.
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

// The kernels of this build, the fastest first.
static const cjwt_kernels *const kAll[] = {
#if defined(CJWT_HAVE_AVX2)
    &kAVX512, &kAVX2,
#elif defined(CJWT_HAVE_NEON)
    &kNEON,
#endif
    &cjwt_kernels_generic,
};

enum { kNumAll = sizeof(kAll) / sizeof(kAll[0]) };

// fitting returns the fastest kernels this CPU can run.
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
    // Threads that race here find the same answer. A choice forced in the meantime stays: the exchange replaces only NULL, and on failure
    // stores the current choice in `kernels`.
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
