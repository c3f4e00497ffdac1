// rsa_lanes_check.h: shared by the parts of the check of RSA in lanes without 512-bit IFMA.

#ifndef ASSAY_RSA_LANES_CHECK_H
#define ASSAY_RSA_LANES_CHECK_H

#include "CJWTKernelsRSALanes.h"
#include "CJWTKernelsVerdict.h"
#include "rsa_check.h"

/// A modulus with its prepared keys, that of IFMA where this machine has it in 256-bit registers; and its root, where it is a square.
typedef struct rsa_lanes_modulus {
    size_t bytes;
    BIGNUM *n, *root;
    void *key, *ifma256_key;
} rsa_lanes_modulus;

/// Multiplications and the constants of the keys: about `cases` cases. The moduli have one length.
typedef void rsa_lanes_arithmetic(rsa_check *check, const rsa_lanes_modulus *moduli, size_t count, uint64_t cases, BN_CTX *context);

rsa_lanes_arithmetic check_rsa_avx2_arithmetic, check_rsa_avx512f_arithmetic, check_rsa_avx512vl_arithmetic;

#endif
