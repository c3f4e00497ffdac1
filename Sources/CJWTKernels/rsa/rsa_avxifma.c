// rsa_avxifma_power4: four tokens, with AVX-IFMA. Its multiply-adds have VEX encoding, which needs no AVX-512.

#define RSA_LANES 4

#include "rsa_ifma256.h"

#if defined(__x86_64__)

#define IFMA256 __attribute__((target("avx2,avxifma")))
#define IFMA256_INLINE static inline __attribute__((target("avx2,avxifma"), always_inline))
#define MADD52LO _mm256_madd52lo_avx_epu64
#define MADD52HI _mm256_madd52hi_avx_epu64

#include "rsa_ifma256_multiply.h"
#include "rsa_muludq_power.h"

void rsa_avxifma_power4(int results[4], const void *const keys[4], uint8_t *const ems[4], const uint8_t *const sigs[4]) {
    powers(results, keys, ems, sigs);
}

#endif
