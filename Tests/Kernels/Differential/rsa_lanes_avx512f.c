// check_rsa_avx512f_arithmetic

#if defined(__x86_64__)

#define RSA_LANES 8
#define MULUDQ __attribute__((target("avx512f")))
#define MULUDQ_INLINE static inline __attribute__((target("avx512f"), always_inline))
#define KEY key
#define CHECK check_rsa_avx512f_arithmetic

#include "../../../Sources/CJWTKernels/rsa/rsa_muludq_multiply.h"
#include "rsa_lanes_arithmetic.h"

#endif
