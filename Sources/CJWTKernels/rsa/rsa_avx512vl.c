// rsa_avx512vl_power4: four tokens, with AVX-512 IFMA in 256-bit registers. Its multiply-adds have EVEX encoding.

#define RSA_LANES 4

#include "rsa_ifma256.h"

#if defined(__x86_64__)

#define IFMA256 __attribute__((target("avx512vl,avx512ifma")))
#define IFMA256_INLINE static inline __attribute__((target("avx512vl,avx512ifma"), always_inline))
#define MADD52LO _mm256_madd52lo_epu64
#define MADD52HI _mm256_madd52hi_epu64

#include "rsa_ifma256_multiply.h"
#include "rsa_muludq_power.h"

void rsa_avx512vl_power4(int results[4], const void *const keys[4], uint8_t *const ems[4], const uint8_t *const sigs[4]) {
    powers(results, keys, ems, sigs);
}

#endif
