// ed25519.h: shared by the parts of the Ed25519 check.

#ifndef ASSAY_DIFFERENTIAL_ED25519_H
#define ASSAY_DIFFERENTIAL_ED25519_H

#include "../Cases/scoped_numbers.h"
#include "differential.h"

#include "../../../Sources/CJWTKernels/ed25519/point.h"
#include "../../../Sources/CJWTKernels/ed25519/table.h"
#include "CJWTKernelsEd25519.h"

/// The kernel that gives a verdict.
typedef enum ed25519_kernel { kPortable, kOverLanes, kInLanes, kKernels } ed25519_kernel;

typedef struct ed25519_run {
    differential_random random;
    uint64_t seed;
    differential_result result;
    uint64_t verdicts[kKernels];
    BN_CTX *bn;
    BIGNUM *prime, *order;
} ed25519_run;

/// Counts a case; prints the first hundred failures, by name and number.
void ed25519_expect(ed25519_run *run, int holds, const char *what, uint64_t number);

/// Same, for a verdict.
void ed25519_expect_verdict(ed25519_run *run, ed25519_kernel kernel, int holds, const char *what, uint64_t number);

/// A number below 2^bits, often of few or of many ones, or next to a power of two.
uint64_t ed25519_edgy_word(differential_random *random, unsigned bits);

/// A scalar below L, often close to either end or with windows of one value.
void ed25519_edgy_scalar(ed25519_run *run, uint8_t out[32]);

/// (a + b c) mod L; all little-endian, `b` of `b_len` bytes.
void ed25519_add_product(ed25519_run *run, uint8_t out[32], const uint8_t a[32], const uint8_t *b, size_t b_len, const uint8_t c[32]);

/// p becomes p + q.
void ed25519_add_points(point *p, const point *q);

/// k P by doubling and adding: no table, no window. P has Z = 1.
void ed25519_multiply_slowly(point *out, const uint8_t *k, size_t len, const point *p);
void ed25519_encode(uint8_t out[32], const point *p);
void ed25519_base_point(point *out);

/// Memory for a table, which the caller frees.
void *ed25519_new_table(cjwt_table_size size);

/// Parts of the check; each runs about `cases` cases.
void ed25519_check_arithmetic(ed25519_run *run, uint64_t cases);
void ed25519_check_scalars(ed25519_run *run, uint64_t cases);
void ed25519_check_lanes(ed25519_run *run, uint64_t cases);
void ed25519_check_keys(ed25519_run *run, uint64_t cases);
void ed25519_check_chosen(ed25519_run *run, uint64_t cases);
void ed25519_check_signatures(ed25519_run *run, uint64_t cases);

#endif
