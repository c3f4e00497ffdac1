// ecdsa_tables.h: shared by the checks of the ECDSA kernels with tables.

#ifndef ASSAY_ECDSA_TABLES_H
#define ASSAY_ECDSA_TABLES_H

#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/ecdsa.h>

#include "../../../Sources/CJWTKernels/nist/nist_internal.h"
#include "../Cases/ecdsa_signature.h"
#include "CJWTKernelsECDSA.h"
#include "differential.h"

enum { kMaxLimbs = 9, kMaxBytes = 66, kMaxWindows = 136 };

/// A curve: the kernel's functions and libcrypto's numbers.
typedef struct ecdsa_curve {
    const char *name;
    int nid;
    const nist_internal *parts;
    size_t bytes, hash_bytes;  // of a coordinate, of a hash
    size_t (*table_bytes)(cjwt_table_size size);
    int (*build)(void *table, cjwt_table_size size, const uint8_t *x, const uint8_t *y);
    cjwt_verdict (*verify)(const void *table, const uint8_t *hash, const uint8_t *sig);
    void (*verify8)(cjwt_verdict *verdicts, const void *const *tables, const uint8_t *const *hashes, const uint8_t *const *sigs);
    int (*self_test)(void);
    EC_GROUP *group;
    BIGNUM *prime, *order;
    BN_CTX *context;
} ecdsa_curve;

typedef struct ecdsa_check {
    differential_random random;
    differential_result result;
    uint64_t seed, verdicts;  // verdicts on whole signatures of the current curve
} ecdsa_check;

/// Counts a case; prints a failure with the seed that repeats it.
void expect(ecdsa_check *check, const ecdsa_curve *curve, int holds, const char *what);

/// A number below the modulus, often near a boundary where carries fail.
void draw_number(ecdsa_check *check, const ecdsa_curve *curve, uint64_t *out, const BIGNUM *modulus);

BIGNUM *number_of(const uint64_t *limbs, int count);
void limbs_of(const ecdsa_curve *curve, uint64_t *limbs, const BIGNUM *number);

/// Checks field, order, digits and single additions: one case.
void check_arithmetic(ecdsa_check *check, const ecdsa_curve *curve);
void check_digits(ecdsa_check *check, const ecdsa_curve *curve, const void *table);
void check_row(ecdsa_check *check, const ecdsa_curve *curve, const void *table, const BIGNUM *logarithm);
void check_addition(ecdsa_check *check, const ecdsa_curve *curve);

/// Keys with both tables, and signatures over them that libcrypto has judged.
typedef struct signature_pool signature_pool;
signature_pool *pool_create(ecdsa_check *check, const ecdsa_curve *curve, size_t signatures);
void pool_free(signature_pool *pool);
void check_signature(ecdsa_check *check, signature_pool *pool);
void check_signature_in_lanes(ecdsa_check *check, signature_pool *pool);
const void *pool_table(ecdsa_check *check, const signature_pool *pool, const BIGNUM **logarithm);

void put(const ecdsa_curve *curve, uint8_t *out, const BIGNUM *number);
EC_KEY *key_of(const ecdsa_curve *curve, const EC_POINT *q);
void *table_of(ecdsa_check *check, const ecdsa_curve *curve, const EC_POINT *q, cjwt_table_size size);
int judged_valid(const ecdsa_curve *curve, EC_KEY *key, const uint8_t *hash, const uint8_t *sig);

/// Signatures whose point's x is r, so small that r plus the order is below the prime too; or differs from r by the order and, in some, by
/// the overflow of a too large sum: the first two are valid.
typedef enum large_x { kSmallX, kBelowPrime, kLessPrime, kLessRadix, kLargeX } large_x;
void check_large_x(ecdsa_check *check, const ecdsa_curve *curve, large_x kind);

/// Coordinates that belong to no point.
void check_bad_keys(ecdsa_check *check, const ecdsa_curve *curve);

#endif
