// check_rsa_avx512vl_arithmetic

#if defined(__x86_64__)

#define RSA_LANES 4
#define IFMA256 __attribute__((target("avx512vl,avx512ifma")))
#define IFMA256_INLINE static inline __attribute__((target("avx512vl,avx512ifma"), always_inline))
#define MADD52LO _mm256_madd52lo_epu64
#define MADD52HI _mm256_madd52hi_epu64
#define KEY ifma256_key
#define CHECK check_rsa_avx512vl_arithmetic

#include "../../../Sources/CJWTKernels/rsa/rsa_ifma256_multiply.h"
#include "rsa_lanes_arithmetic.h"

#endif
