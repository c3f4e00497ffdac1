// ecdsa_case.h: the cases of the ECDSA fuzzer, and when a kernel may leave one undecided.

#ifndef ASSAY_ECDSA_CASE_H
#define ASSAY_ECDSA_CASE_H

#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/obj_mac.h>

#include "../Cases/ecdsa_signature.h"
#include "CJWTKernelsVerdict.h"
#include "fuzz_input.h"

enum { kMostBytes = 66, kFixedKeys = 7, kRawKey = kFixedKeys, kKeptRawKeys = 256 };

typedef struct ecdsa_fuzz ecdsa_fuzz;
typedef struct ecdsa_case ecdsa_case;

/// A family of kernels that verify with a table of a key. `judge8` is NULL where the family has no lanes. `meets` says whether points that
/// are added for u1 G + u2 Q, by `judge8` where in_lanes, are equal or opposite.
typedef struct ecdsa_family {
    size_t (*table_bytes)(cjwt_table_size size);
    int (*build)(void *table, cjwt_table_size size, const uint8_t *x, const uint8_t *y);
    cjwt_verdict (*judge)(const void *table, const uint8_t *hash, const uint8_t *sig);
    void (*judge8)(cjwt_verdict *verdicts, const void *const *tables, const uint8_t *const *hashes, const uint8_t *const *sigs);
    int (*meets)(const ecdsa_fuzz *fuzz, const ecdsa_case *c, const void *table, int in_lanes, const BIGNUM *u1, const BIGNUM *u2);
} ecdsa_family;

enum { kMostFamilies = 2 };

typedef struct ecdsa_key {
    EC_KEY *judge;
    void *tables[kMostFamilies][2];  // by cjwt_table_size
} ecdsa_key;

/// A key from raw coordinates: `key.judge` is NULL where they are not a point.
typedef struct ecdsa_raw_key {
    uint8_t choice[1 + 2 * kMostBytes];  // kind, x, y, as in the input
    int is_filled;
    ecdsa_key key;
} ecdsa_raw_key;

struct ecdsa_fuzz {
    size_t bytes, hash_bytes;  // length of a coordinate, r and s; of a hash
    int nid, num_families;
    ecdsa_family families[kMostFamilies];
    EC_GROUP *group;
    BN_CTX *context;
    const BIGNUM *order;
    BIGNUM *prime;
    ecdsa_key keys[kFixedKeys];
    ecdsa_raw_key raw_keys[kKeptRawKeys];
};

struct ecdsa_case {
    const ecdsa_key *key;
    uint8_t hash[kMostBytes], sig[2 * kMostBytes];
    cjwt_verdict expected;
};

// For kernels that sum u1 G and u2 Q separately: within neither sum do points meet (nist_verify.h).
static int sums_meet(const ecdsa_fuzz *fuzz, const ecdsa_case *c, const void *table, int in_lanes, const BIGNUM *u1, const BIGNUM *u2) {
    POINT a = EC_POINT_new(fuzz->group), *b = EC_POINT_new(fuzz->group);
    (void)table, (void)in_lanes;
    EC_POINT_mul(fuzz->group, a, u1, NULL, NULL, fuzz->context);
    EC_POINT_mul(fuzz->group, b, NULL, EC_KEY_get0_public_key(c->key->judge), u2, fuzz->context);
    int meet = EC_POINT_cmp(fuzz->group, a, b, fuzz->context) == 0;
    EC_POINT_invert(fuzz->group, b, fuzz->context);
    meet |= EC_POINT_cmp(fuzz->group, a, b, fuzz->context) == 0;
    return meet;
}

// One where "undecided" is correct: the points meet. Never for a signature whose r or s is out of range.
static int may_be_undecided(const ecdsa_fuzz *fuzz, int f, const ecdsa_case *c, const void *table, int in_lanes) {
    const int len = (int)fuzz->bytes;
    NUMBER u1 = BN_bin2bn(c->hash, (int)fuzz->hash_bytes, NULL);
    NUMBER u2 = BN_bin2bn(c->sig, len, NULL), *s = BN_bin2bn(c->sig + len, len, NULL);
    int may = !BN_is_zero(u2) && !BN_is_zero(s) && BN_cmp(u2, fuzz->order) < 0 && BN_cmp(s, fuzz->order) < 0;
    if (may) {
        BN_mod_inverse(s, s, fuzz->order, fuzz->context);
        BN_mod_mul(u1, u1, s, fuzz->order, fuzz->context);
        BN_mod_mul(u2, u2, s, fuzz->order, fuzz->context);
        may = fuzz->families[f].meets(fuzz, c, table, in_lanes, u1, u2);
    }
    return may;
}

static int is_right(const ecdsa_fuzz *fuzz, int f, const ecdsa_case *c, const void *table, int in_lanes, cjwt_verdict verdict) {
    return verdict == c->expected || (verdict == CJWT_UNDECIDED && may_be_undecided(fuzz, f, c, table, in_lanes));
}

#endif
