// Whether this CPU can run the verification kernels of each set of instructions.

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

// These ask the CPU and, through XGETBV, whether the operating system saves the 256-bit or the 512-bit registers.

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
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512f");
#else
    return 0;
#endif
}

int cjwt_avx512vl_available(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma");
#else
    return 0;
#endif
}

int cjwt_avxifma_available(void) {
#if defined(__x86_64__)
    // CPUID leaf 7, subleaf 1: AVX-IFMA is bit 23 of EAX. Not every clang knows the name. Its registers are those of AVX2.
    unsigned eax, ebx, ecx, edx;
    return cjwt_avx2_available() && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && (eax >> 23 & 1);
#else
    return 0;
#endif
}

int cjwt_ifma256_available(void) {
    return cjwt_avx512vl_available() || cjwt_avxifma_available();
}
