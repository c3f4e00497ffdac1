// Whether this CPU can run the verification kernels of each set of instructions.

#include "CJWTKernelsRSALanes.h"
#include "CJWTKernelsVerdict.h"

// Each function asks the CPU and, through XGETBV, whether the operating system saves the registers.

int cjwt_ifma_available(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512ifma");
#else
    return 0;
#endif
}

int cjwt_avx2_available(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

int cjwt_avx512f_available(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return cjwt_avx2_available() && __builtin_cpu_supports("avx512f");
#else
    return 0;
#endif
}
