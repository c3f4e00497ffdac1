// cjwt_rsa_avx2_power4: four tokens, one in each lane of a 256-bit register.

#define RSA_LANES 4

#include "rsa_muludq.h"

#if defined(__x86_64__)

#define MULUDQ __attribute__((target("avx2")))
#define MULUDQ_INLINE static inline __attribute__((target("avx2"), always_inline))

#include "rsa_muludq_multiply.h"
#include "rsa_muludq_power.h"

void cjwt_rsa_avx2_power4(int results[4], const void *const keys[4], uint8_t *const ems[4], const uint8_t *const sigs[4]) {
    powers(results, keys, ems, sigs);
}

#endif
