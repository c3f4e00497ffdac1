// A pool of signatures with the verdicts of EVP_DigestVerify: libcrypto's own, altered ones, and constructed ones with parts of small
// order.

#include "ed25519_pool.h"

#include <openssl/sha.h>
#include <stdlib.h>

static void finish_key(pool_key *key) {
    key->judge = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, key->encoded, 32);
    for (int size = 0; size < 2; size++) {
        key->tables[size] = ed25519_new_table((cjwt_table_size)size);
        if (!cjwt_ed25519_table_build(key->tables[size], (cjwt_table_size)size, key->encoded)) { abort(); }
    }
}

static void make_honest_key(ed25519_run *run, pool_key *key) {
    size_t len = 32;
    random_bytes(&run->random, key->seed, 32);
    key->signer = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, key->seed, 32);
    EVP_PKEY_get_raw_public_key(key->signer, key->encoded, &len);
    finish_key(key);
}

// The eight points whose order divides eight, as multiples of a point of order eight; in one case of two, L times a random point has that
// order.
static void make_torsion(ed25519_run *run, point torsion[8]) {
    uint8_t bytes[32], order[32];
    point p, t;
    BN_bn2lebinpad(run->order, order, 32);
    do {
        do { random_bytes(&run->random, bytes, 32); } while (!cjwt_ed25519_point_decode(&p, bytes));
        ed25519_multiply_slowly(&t, order, 32, &p);
        torsion[4] = t;
        point_double(&torsion[4]);
        point_double(&torsion[4]);
    } while (fe51_is_zero(&torsion[4].x) && fe51_equal(&torsion[4].y, &torsion[4].z));
    point_set_identity(&torsion[0]);
    for (int i = 1; i < 8; i++) {
        torsion[i] = torsion[i - 1];
        ed25519_add_points(&torsion[i], &t);
    }
}

// A = a B + T of order L, 2 L, 4 L or 8 L.
static void make_mixed_key(ed25519_run *run, pool_key *key, const point *torsion) {
    point base, a;
    ed25519_edgy_scalar(run, key->logarithm);
    key->logarithm[8] |= 1;
    ed25519_base_point(&base);
    ed25519_multiply_slowly(&a, key->logarithm, 32, &base);
    ed25519_add_points(&a, torsion);
    ed25519_encode(key->encoded, &a);
    finish_key(key);
}

static int openssl_accepts(const pool_key *key, const uint8_t sig[64], const uint8_t *message, size_t len) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int accepts = EVP_DigestVerifyInit(context, NULL, NULL, NULL, key->judge) == 1 &&
                  EVP_DigestVerify(context, sig, 64, message, len) == 1;
    EVP_MD_CTX_free(context);
    return accepts;
}

static void hash(uint8_t out[64], const pool_key *key, const uint8_t r[32], const uint8_t *message, size_t len) {
    uint8_t all[64 + kMostMessage];
    memcpy(all, r, 32);
    memcpy(all + 32, key->encoded, 32);
    memcpy(all + 64, message, len);
    SHA512(all, 64 + len, out);
}

static void add_entry(ed25519_pool *pool, const pool_key *key, const uint8_t sig[64], const uint8_t *message, size_t len) {
    if (pool->count == pool->room) { return; }
    pool_entry *entry = &pool->entries[pool->count++];
    entry->key = key;
    memcpy(entry->sig, sig, 64);
    hash(entry->h, key, sig, message, len);
    entry->verdict = openssl_accepts(key, sig, message, len) ? CJWT_ACCEPTED : CJWT_REFUSED;
}

static void add_to_s(ed25519_run *run, uint8_t sig[64], int times) {
    NUMBER s = BN_lebin2bn(sig + 32, 32, NULL);
    for (int i = 0; i < times; i++) { BN_add(s, s, run->order); }
    if (BN_bn2lebinpad(s, sig + 32, 32) != 32) { memset(sig + 32, 0xff, 32); }
}

static void put_order_less(ed25519_run *run, uint8_t out[32], BN_ULONG less) {
    NUMBER n = BN_dup(run->order);
    BN_sub_word(n, less);
    BN_bn2lebinpad(n, out, 32);
}

// Alters a signature or its message in one way.
static void spoil(ed25519_run *run, uint8_t sig[64], uint8_t *message, size_t len) {
    const uint64_t choice = next_random(&run->random), bit = choice / 64;
    switch (choice % 12) {
    case 0: add_to_s(run, sig, 1); break;
    case 1: add_to_s(run, sig, (int)(2 + bit % 14)); break;
    case 2: put_order_less(run, sig + 32, 1); break;
    case 3: put_order_less(run, sig + 32, 0); break;
    case 4: memset(sig + 32, bit % 2 ? 0xff : 0, 32); break;
    case 5: random_bytes(&run->random, sig, 32); break;
    case 6: memset(sig, 0xff, 32), sig[0] = (uint8_t)(0xe0 + bit % 32), sig[31] = bit & 64 ? 0xff : 0x7f; break;
    case 7: memset(sig, 0, 32), sig[0] = (uint8_t)(bit % 3), sig[31] = bit & 64 ? 0x80 : 0; break;
    case 8: sig[31] ^= 0x80; break;
    case 9: message[bit % len] ^= (uint8_t)(1 << bit / 64 % 8); break;
    default: sig[bit % 64] ^= (uint8_t)(1 << bit / 64 % 8); break;
    }
}

// A signature of libcrypto's: unchanged, and three times altered or under another key.
static void add_honest(ed25519_run *run, ed25519_pool *pool) {
    const pool_key *key = &pool->keys[kMixedKeys + next_random(&run->random) % (kKeys - kMixedKeys)];
    uint8_t message[kMostMessage], sig[64], spoiled[64];
    size_t len = 1 + next_random(&run->random) % kMostMessage, sig_len = 64;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    random_bytes(&run->random, message, len);
    EVP_DigestSignInit(context, NULL, NULL, NULL, key->signer);
    EVP_DigestSign(context, sig, &sig_len, message, len);
    EVP_MD_CTX_free(context);
    add_entry(pool, key, sig, message, len);
    for (int i = 0; i < 3; i++) {
        memcpy(spoiled, sig, 64);
        spoil(run, spoiled, message, len);
        add_entry(pool, i == 2 ? &pool->keys[next_random(&run->random) % kKeys] : key, spoiled, message, len);
    }
}

// A = a B + T_i, R = r B + T_j, S = r + h a: without the cofactor valid only where -[h] T_i = T_j, with it always. In one case of four r is
// 0, so R is of small order; `bytes` may be other bytes for R.
static void add_mixed(ed25519_run *run, ed25519_pool *pool, int i, int j, const uint8_t *bytes) {
    const pool_key *key = &pool->keys[i];
    uint8_t message[kMostMessage], sig[64], r[32], h[64];
    point base, sum;
    random_bytes(&run->random, message, kMostMessage);
    ed25519_edgy_scalar(run, r);
    if (bytes != NULL || next_random(&run->random) % 4 == 0) { memset(r, 0, 32); }
    ed25519_base_point(&base);
    ed25519_multiply_slowly(&sum, r, 32, &base);
    ed25519_add_points(&sum, &pool->torsion[j]);
    ed25519_encode(sig, &sum);
    if (bytes != NULL) { memcpy(sig, bytes, 32); }
    hash(h, key, sig, message, kMostMessage);
    ed25519_add_product(run, sig + 32, r, h, 64, key->logarithm);
    add_entry(pool, key, sig, message, kMostMessage);
}

// S such that [S] B - [h] A is of small order, with R's bytes next to 0 or p and of either sign: y of 1 and p + 1, x = 0 with the sign
// bit, y = p - 1, y = 0 and p; each under keys of every order.
static void add_odd_encodings(ed25519_run *run, ed25519_pool *pool) {
    for (int round = 0; round < 4; round++) {
        for (unsigned i = 0; i < 2 * 2 * 20; i++) {
            uint8_t bytes[32];
            const int high = i / 2 % 2;
            memset(bytes, high ? 0xff : 0, 32);
            bytes[0] = (uint8_t)(i / 4 + (high ? 0xec : 0));
            bytes[31] = (uint8_t)((high ? 0x7f : 0) | (i % 2 ? 0x80 : 0));
            for (int key = 0; key < kMixedKeys; key += 1 + (i / 4 > 2)) { add_mixed(run, pool, key, 0, bytes); }
        }
    }
}

static void expect_both_verdicts(ed25519_run *run, const ed25519_pool *pool) {
    size_t accepted = 0, mixed = 0;
    for (size_t i = 0; i < pool->count; i++) {
        accepted += pool->entries[i].verdict == CJWT_ACCEPTED;
        mixed += pool->entries[i].verdict == CJWT_ACCEPTED && pool->entries[i].key < &pool->keys[kMixedKeys];
    }
    // The pool must contain both verdicts to be useful.
    ed25519_expect(run, accepted > pool->count / 20 && accepted < pool->count / 2 && mixed > 20, "mix of the pool", accepted);
}

void ed25519_pool_fill(ed25519_run *run, ed25519_pool *pool, size_t room) {
    pool->room = room;
    pool->count = 0;
    pool->entries = calloc(room, sizeof *pool->entries);
    make_torsion(run, pool->torsion);
    for (int i = 0; i < kMixedKeys; i++) { make_mixed_key(run, &pool->keys[i], &pool->torsion[i]); }
    for (int i = kMixedKeys; i < kKeys; i++) { make_honest_key(run, &pool->keys[i]); }
    for (int i = 0; i < 64 * 4; i++) { add_mixed(run, pool, i / 8 % 8, i % 8, NULL); }
    add_odd_encodings(run, pool);
    for (int i = 0; pool->count < pool->room; i++) {
        add_honest(run, pool);
        if (i % 4 == 0) { add_mixed(run, pool, i / 4 / 8 % 8, i / 4 % 8, NULL); }
    }
    expect_both_verdicts(run, pool);
}

void ed25519_pool_free(ed25519_pool *pool) {
    for (int i = 0; i < kKeys; i++) {
        EVP_PKEY_free(pool->keys[i].judge), EVP_PKEY_free(pool->keys[i].signer);
        free(pool->keys[i].tables[0]), free(pool->keys[i].tables[1]);
    }
    free(pool->entries);
}
