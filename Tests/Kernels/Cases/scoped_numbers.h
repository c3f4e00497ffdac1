// scoped_numbers.h: libcrypto's numbers and points as locals that are freed at the end of their scope.

#ifndef ASSAY_SCOPED_NUMBERS_H
#define ASSAY_SCOPED_NUMBERS_H

#include <openssl/bn.h>
#include <openssl/ec.h>

static inline void number_free(BIGNUM **number) { BN_free(*number); }

static inline void point_free(EC_POINT **point) { EC_POINT_free(*point); }

/// NUMBER a = BN_new(), *b = BN_new();
#define NUMBER __attribute__((cleanup(number_free))) BIGNUM *
#define POINT __attribute__((cleanup(point_free))) EC_POINT *

#endif
