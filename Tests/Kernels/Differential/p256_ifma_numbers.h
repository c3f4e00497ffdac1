// p256_ifma_numbers.h: eight lanes of field numbers as BIGNUMs, with limbs at the limits of fe8.h.

#ifndef ASSAY_P256_IFMA_NUMBERS_H
#define ASSAY_P256_IFMA_NUMBERS_H

#include <string.h>

#include "../../../Sources/CJWTKernels/p256ifma/lanes.h"
#include "../Cases/scoped_numbers.h"
#include "differential.h"

#if defined(__x86_64__)

typedef uint64_t limbs8[5][8];

/// BIGNUMs of a run.
typedef struct field_numbers {
    BN_CTX *context;
    BIGNUM *p, *a, *b, *c, *d, *e;
} field_numbers;

static inline void field_numbers_new(field_numbers *n) {
    n->context = BN_CTX_new();
    BIGNUM **all[] = {&n->p, &n->a, &n->b, &n->c, &n->d, &n->e};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) { *all[i] = BN_new(); }
    BN_hex2bn(&n->p, "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
}

static inline void field_numbers_free(field_numbers *n) {
    BIGNUM *all[] = {n->p, n->a, n->b, n->c, n->d, n->e};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) { BN_free(all[i]); }
    BN_CTX_free(n->context);
}

// limbs_value is the sum of the lane's limbs times 2^(52 i), each but the last cut to `bits`.
static inline void limbs_value(BIGNUM *value, limbs8 l, int lane, int bits) {
    uint64_t mask = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
    BN_zero(value);
    for (int i = 4; i >= 0; i--) {
        BN_lshift(value, value, 52);
        BN_add_word(value, i < 4 ? l[i][lane] & mask : l[i][lane]);
    }
}

#define FIELD_STORE(to, from) \
    for (int field_i = 0; field_i < 5; field_i++) { _mm512_storeu_si512((to)[field_i], (from).l[field_i]); }
#define FIELD_LOAD(to, from) \
    for (int field_i = 0; field_i < 5; field_i++) { (to).l[field_i] = _mm512_loadu_si512((from)[field_i]); }

static inline uint64_t boundary_digit(differential_random *random) {
    uint64_t bits = next_random(random), any = next_random(random) & FE8_MASK52;
    switch (bits % 8) {
    case 0: return 0;
    case 1: return FE8_MASK52;
    case 2: return FE8_MASK52 - (bits >> 60);
    case 3: return bits >> 60;
    case 4: return UINT64_C(1) << (bits >> 8) % 52;
    case 5: return (UINT64_C(1) << (bits >> 8) % 52) - 1;
    default: return any;
    }
}

// boundary_number fills a lane with digits below 2^52: at the ends of their range, or a multiple of p or a neighbour of one.
static inline void boundary_number(differential_random *random, limbs8 l, int lane) {
    static const uint64_t p[5] = {FE8_P0, FE8_P1, FE8_P2, FE8_P3, FE8_P4};
    uint64_t kind = next_random(random) % 4, carry = 0, times = next_random(random) % 16;
    int64_t beside = (int64_t)(next_random(random) % 3) - 1;
    for (int i = 0; i < 5; i++) {
        uint64_t v = times * p[i] + carry + (i == 0 && times > 0 ? (uint64_t)beside : 0);
        carry = v >> 52;
        l[i][lane] = kind == 0 ? v & FE8_MASK52 : kind == 1 ? FE8_MASK52 : boundary_digit(random);
    }
}

// field_fail prints the data that reproduces the failure.
static inline uint64_t field_fail(const char *what, limbs8 a, limbs8 b, int lane) {
    printf("p256-ifma: %s, lane %d:", what, lane);
    for (int i = 0; i < 5; i++) { printf(" %016llx/%016llx", (unsigned long long)a[i][lane], (unsigned long long)b[i][lane]); }
    printf("\n");
    return 1;
}

// is_montgomery_product says whether r 2^260 = a b + c d (mod p).
static inline int is_montgomery_sum(field_numbers *n, limbs8 r, int bits, limbs8 a, limbs8 b, limbs8 c, limbs8 d, int lane) {
    limbs_value(n->a, a, lane, 52);
    limbs_value(n->b, b, lane, 52);
    BN_mul(n->c, n->a, n->b, n->context);
    if (c != NULL) {
        limbs_value(n->a, c, lane, 52);
        limbs_value(n->b, d, lane, 52);
        BN_mul(n->d, n->a, n->b, n->context);
        BN_add(n->c, n->c, n->d);
    }
    limbs_value(n->e, r, lane, bits);
    // The bound of fe8_reduce: r < (a b + c d) / 2^260 + p.
    BN_sub(n->b, n->e, n->p);
    BN_lshift(n->b, n->b, 260);
    int bounded = BN_cmp(n->b, n->c) < 0;
    BN_lshift(n->e, n->e, 260);
    BN_sub(n->c, n->c, n->e);
    BN_mod(n->c, n->c, n->p, n->context);
    return bounded && BN_is_zero(n->c);
}

// same_value says whether a and b are equal: modulo p, or exactly.
static inline int same_value(field_numbers *n, limbs8 a, int a_bits, limbs8 b, int lane, int modulo_p) {
    limbs_value(n->a, a, lane, a_bits);
    limbs_value(n->b, b, lane, 64);
    if (!modulo_p) { return BN_cmp(n->a, n->b) == 0; }
    BN_sub(n->c, n->a, n->b);
    BN_mod(n->c, n->c, n->p, n->context);
    return BN_is_zero(n->c);
}

// sum_limb is a limb of an uncarried sum, at most as large as fe8.h allows.
static inline uint64_t sum_limb(differential_random *random, int last) {
    uint64_t kind = next_random(random), any = next_random(random);
    if (last) { return kind % 4 == 0 ? (UINT64_C(15) << 48) - (any >> 60) : any % (UINT64_C(15) << 48); }
    uint64_t top = (UINT64_C(1) << 60) - 1, least = UINT64_C(1) << 48;
    switch (kind % 4) {
    case 0: return top - (any >> 60);
    case 1: return least + (any >> 60);
    case 2: return (UINT64_C(1) << (49 + any % 11)) - 1 + (kind >> 63);
    default: return least + any % (top - least);
    }
}

#endif
#endif
