// cjwt_rsa_avx512f_power8: eight tokens, one in each lane of a 512-bit register.

#define RSA_LANES 8

#include "rsa_muludq.h"

#if defined(__x86_64__)

#define MULUDQ __attribute__((target("avx512f")))
#define MULUDQ_INLINE static inline __attribute__((target("avx512f"), always_inline))

#include "rsa_muludq_multiply.h"
#include "rsa_muludq_power.h"

void cjwt_rsa_avx512f_power8(int results[8], const void *const keys[8], uint8_t *const ems[8], const uint8_t *const sigs[8]) {
    powers(results, keys, ems, sigs);
}

#endif
