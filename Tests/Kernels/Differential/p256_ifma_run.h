// p256_ifma_run.h: a run of the lanes' check: its keys, constructed signatures, and libcrypto's verdicts.

#ifndef ASSAY_P256_IFMA_RUN_H
#define ASSAY_P256_IFMA_RUN_H

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/obj_mac.h>
#include <stdlib.h>
#include <string.h>

#include "../../../Sources/CJWTKernels/nist/nist_word.h"
#include "../Cases/ecdsa_signature.h"
#include "p256_ifma_field.h"

#if defined(__x86_64__)

enum { kRandomKeys = 8, kSpecialKeys = 16, kKeys = kRandomKeys + kSpecialKeys };

/// A point as a multiple of G, modulo the order.
typedef uint64_t logarithm[4];

typedef struct key {
    EC_KEY *key;
    BIGNUM *d;       // the private key; NULL where it is unknown
    void *table[2];  // by cjwt_table_size
    logarithm *rows[2];
} key;

typedef struct sample {
    uint8_t hash[32], sig[64];
    uint8_t key, accepted;
    uint8_t exceptional[2][2];  // by cjwt_table_size, and in lanes or not: one where an addition is exceptional, so undecided is right
} sample;

typedef struct run {
    differential_random random;
    differential_result result;
    uint64_t verdicts[2], undecided;  // verdicts on one token, and in lanes
    EC_GROUP *group;
    BN_CTX *context;
    const BIGNUM *order;
    uint64_t order_words[4];
    logarithm *generator_rows;
    BIGNUM *p;
    key keys[kKeys];
    sample *pool;
    size_t pool_count;
} run;

static void fail(run *r, const char *what, const sample *s, int verdict) {
    r->result.failures++;
    printf("p256-ifma: %s: key %d, %s by libcrypto, verdict %d\n  hash ", what, s->key, s->accepted ? "accepted" : "refused", verdict);
    for (int i = 0; i < 32; i++) { printf("%02x", s->hash[i]); }
    printf("\n  sig  ");
    for (int i = 0; i < 64; i++) { printf("%02x", s->sig[i]); }
    printf("\n");
}

// expect compares a verdict over a table of this size with libcrypto's or, where an addition is exceptional, with "undecided".
static void expect(run *r, const char *what, const sample *s, cjwt_verdict verdict, int size, int in_lanes) {
    cjwt_verdict decided = s->accepted ? CJWT_ACCEPTED : CJWT_REFUSED;
    r->result.cases++;
    r->verdicts[in_lanes]++;
    r->undecided += verdict == CJWT_UNDECIDED;
    if (s->exceptional[size][in_lanes]) {
        if (verdict != CJWT_UNDECIDED) { fail(r, "an exceptional addition went unnoticed", s, verdict); }
    } else if (verdict != decided) {
        fail(r, what, s, verdict);
    }
}

static uint32_t table_bits(int size) { return size == CJWT_TABLE_FULL ? kP256FullBits : kP256SmallBits; }

static BIGNUM *random_scalar(run *r) {
    uint8_t bytes[40];
    random_bytes(&r->random, bytes, sizeof bytes);
    BIGNUM *k = BN_bin2bn(bytes, sizeof bytes, NULL);
    BN_nnmod(k, k, r->order, r->context);
    if (BN_is_zero(k)) { BN_one(k); }
    return k;
}

// rows_of lists the logarithms of a table's rows, in `rows` or, where that is NULL, in memory that the caller frees.
static logarithm *rows_of(const run *r, logarithm *rows, uint32_t bits, const BIGNUM *d) {
    uint32_t per_window = p256_table_rows_per_window(bits);
    NUMBER row = BN_new(), *window = BN_dup(d), *twice = BN_new();
    if (rows == NULL) { rows = calloc(256 / bits * per_window, sizeof *rows); }
    for (uint32_t i = 0; i < 256 / bits * per_window; i++) {
        if (i % per_window == 0) {
            BN_copy(row, window);
            BN_mod_lshift1_quick(twice, row, r->order);
            BN_mod_lshift_quick(window, window, (int)bits, r->order);
        }
        BN_bn2lebinpad(row, (uint8_t *)rows[i], 32);
        BN_mod_add_quick(row, row, twice, r->order);
    }
    return rows;
}

// key_of_point also makes the key's tables, in memory it keeps.
static void key_of_point(run *r, key *k, const EC_POINT *point, BIGNUM *d) {
    uint8_t x[32], y[32];
    ecdsa_coordinates(r->group, point, 32, x, y);
    k->d = d;
    k->key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
    EC_KEY_set_public_key(k->key, point);
    if (d != NULL) { EC_KEY_set_private_key(k->key, d); }
    for (int size = 0; size < 2; size++) {
        if (k->table[size] == NULL) { k->table[size] = aligned_alloc(64, cjwt_p256_ifma_table_bytes((cjwt_table_size)size)); }
        if (!cjwt_p256_ifma_table_build(k->table[size], (cjwt_table_size)size, x, y)) {
            r->result.failures++;
            printf("p256-ifma: a point of the curve is refused\n");
        }
        if (d != NULL) { k->rows[size] = rows_of(r, k->rows[size], table_bits(size), d); }
    }
}

static void key_of_scalar(run *r, key *k, BIGNUM *d) {
    POINT point = EC_POINT_new(r->group);
    EC_POINT_mul(r->group, point, d, NULL, NULL, r->context);
    key_of_point(r, k, point, d);
}

// sign_for makes the signature with the multipliers u1 and u2.
static void sign_for(run *r, sample *s, const key *k, const BIGNUM *u1, const BIGNUM *u2) {
    (void)ecdsa_craft(k->key, r->context, 32, 32, u1, u2, s->hash, s->sig);
    s->accepted = (uint8_t)ecdsa_is_valid(k->key, 32, 32, s->hash, s->sig);
}

// edge_number: numbers at the ends of the ranges of r, s and hashes.
static void edge_number(run *r, uint8_t out[32]) {
    NUMBER n = BN_dup(next_random(&r->random) % 4 == 0 ? r->p : r->order);
    uint64_t kind = next_random(&r->random) % 8;
    switch (kind) {
    case 0: BN_zero(n); break;
    case 1: BN_set_word(n, next_random(&r->random) % 4); break;
    case 2: BN_sub_word(n, 1 + next_random(&r->random) % 3); break;
    case 3: break;
    case 4: BN_add_word(n, 1 + next_random(&r->random) % 3); break;
    case 5: BN_zero(n), BN_set_bit(n, 256), BN_sub_word(n, 1); break;
    case 6: BN_zero(n), BN_set_bit(n, (int)(next_random(&r->random) % 256)); break;
    default: BN_rshift1(n, n); break;
    }
    BN_bn2binpad(n, out, 32);
}

static cjwt_verdict verify_alone(const key *k, int size, const sample *s) { return cjwt_p256_ifma_verify(k->table[size], s->hash, s->sig); }

#endif
#endif
