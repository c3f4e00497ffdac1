// rsa_ifma_check.h: shared by the parts of the check of RSA with IFMA.

#ifndef ASSAY_RSA_IFMA_CHECK_H
#define ASSAY_RSA_IFMA_CHECK_H

#include "../../../Sources/CJWTKernels/rsa/rsa_ifma.h"
#include "../../../Sources/CJWTKernels/rsa/rsa_digits.h"
#include "rsa_check.h"

enum { kMostWords = 80 };

/// A prepared key in aligned memory, which the caller frees. The modulus must be suitable.
rsa_ifma_key *rsa_prepared(const uint8_t *modulus, size_t len);

void check_rsa_arithmetic(rsa_check *check, uint64_t cases);
void check_rsa_powers(rsa_check *check, uint64_t cases);

#endif
