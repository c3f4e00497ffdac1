// cjwt_ifma_available: whether this CPU can run the IFMA verification kernels.

#include "CJWTKernelsVerdict.h"

int cjwt_ifma_available(void) {
#if defined(__x86_64__)
    // Asks the CPU and, through XGETBV, whether the operating system saves the 512-bit registers.
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512ifma");
#else
    return 0;
#endif
}
