// cjwt_ifma_available, cjwt_adx_available: whether this CPU can run the verification kernels of these instructions.

#include "CJWTKernelsVerdict.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

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

int cjwt_adx_available(void) {
#if defined(__x86_64__)
    // CPUID leaf 7: BMI2 is bit 8 and ADX bit 19 of EBX. Clang before 19 does not know the names.
    unsigned eax, ebx, ecx, edx;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx >> 8 & 1) && (ebx >> 19 & 1);
#else
    return 0;
#endif
}
