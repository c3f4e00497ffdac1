// ed25519_pool.h: signatures and their verdicts by EVP_DigestVerify, for ed25519_signatures.c.

#ifndef ASSAY_DIFFERENTIAL_ED25519_POOL_H
#define ASSAY_DIFFERENTIAL_ED25519_POOL_H

#include <openssl/evp.h>

#include "ed25519.h"

/// The first kMixedKeys have a part of small order: key i is a B + T_i.
enum { kKeys = 24, kMixedKeys = 8, kMostMessage = 64 };

typedef struct {
    uint8_t encoded[32], logarithm[32], seed[32];
    EVP_PKEY *judge, *signer;
    void *tables[2];
} pool_key;

typedef struct {
    const pool_key *key;
    uint8_t h[64], sig[64];
    cjwt_verdict verdict;
} pool_entry;

typedef struct {
    pool_key keys[kKeys];
    point torsion[8];
    pool_entry *entries;
    size_t count, room;
} ed25519_pool;

/// Makes keys and `room` signatures, and checks that both verdicts are frequent enough.
void ed25519_pool_fill(ed25519_run *run, ed25519_pool *pool, size_t room);
void ed25519_pool_free(ed25519_pool *pool);

#endif
