// Which keys get a table, and signatures made for a chosen hash: cases that no search for messages would find.

#include "ed25519.h"

#include <stdlib.h>

// RFC 8032 section 5.1.3 with libcrypto's big numbers: y below p and (y^2 - 1) / (d y^2 + 1) a square other than zero.
static int decodes(ed25519_run *run, const uint8_t key[32], BIGNUM *y, BIGNUM *u, BIGNUM *v) {
    uint8_t bytes[32];
    memcpy(bytes, key, 32);
    bytes[31] &= 0x7f;
    BN_lebin2bn(bytes, 32, y);
    if (BN_cmp(y, run->prime) >= 0) { return 0; }
    BN_hex2bn(&v, "52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3");
    BN_mod_sqr(u, y, run->prime, run->bn);
    BN_mod_mul(v, v, u, run->prime, run->bn);
    BN_add_word(v, 1);
    BN_sub_word(u, 1);
    // u v is a square exactly where u / v is.
    BN_mod_mul(u, u, v, run->prime, run->bn);
    return BN_kronecker(u, run->prime, run->bn) == 1;
}

static void check_random_keys(ed25519_run *run, uint64_t cases) {
    NUMBER y = BN_new(), *u = BN_new(), *v = BN_new();
    for (uint64_t i = 0; i < cases; i++) {
        uint8_t key[32], again[32];
        point a;
        random_bytes(&run->random, key, 32);
        // y of p to p + 18 is among the first; so are y of 0 to 18.
        if (i < 152) {
            memset(key, i % 4 < 2 ? 0xff : 0, 32);
            key[0] = (uint8_t)(i / 4 + (i % 4 < 2 ? 0xda : 0));
            key[31] = (uint8_t)((i % 2 ? 0x80 : 0) | (i % 4 < 2 ? 0x7f : 0));
        }
        const int decoded = cjwt_ed25519_point_decode(&a, key);
        ed25519_encode(again, &a);
        // A point of small order is refused: it decodes, but y is 0, 1, -1 or one of four numbers that no random key reaches.
        BN_lebin2bn(key, 32, y);
        BN_mask_bits(y, 255);
        BN_copy(u, y);
        BN_add_word(u, 1);
        const int small = BN_is_zero(y) || BN_is_one(y) || BN_cmp(u, run->prime) == 0;
        ed25519_expect(run, decoded == (decodes(run, key, y, u, v) && !small), "key that decodes", i);
        ed25519_expect(run, !decoded || memcmp(key, again, 32) == 0, "key decoded and encoded", i);
    }
}

static void check_small_orders(ed25519_run *run) {
    static const uint8_t of_order_eight[32] = {
        0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
        0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05};
    void *table = ed25519_new_table(CJWT_TABLE_SMALL);
    point torsion;
    uint8_t encoded[32];
    // The point is set even where the key is refused.
    ed25519_expect(run, !cjwt_ed25519_point_decode(&torsion, of_order_eight), "key of order eight", 0);
    for (uint8_t i = 0; i < 8; i++) {
        point multiple;
        ed25519_multiply_slowly(&multiple, &i, 1, &torsion);
        ed25519_encode(encoded, &multiple);
        ed25519_expect(run, !cjwt_ed25519_table_build(table, CJWT_TABLE_SMALL, encoded), "key of small order", i);
        encoded[31] ^= 0x80;
        ed25519_expect(run, !cjwt_ed25519_table_build(table, CJWT_TABLE_SMALL, encoded), "key of small order, other sign", i);
    }
    free(table);
}

void ed25519_check_keys(ed25519_run *run, uint64_t cases) {
    check_small_orders(run);
    check_random_keys(run, cases / 2);
}

// A key with a known logarithm, with a table of either size.
typedef struct {
    uint8_t logarithm[32];
    point negative;
    void *tables[2];
} known_key;

static void make_known_key(ed25519_run *run, known_key *key, int number) {
    point base, a;
    uint8_t encoded[32];
    ed25519_edgy_scalar(run, key->logarithm);
    // A = B, 2 B, 4 B…: multiples that the base point's table also holds; and L - 1: A = -B.
    if (number < 8) {
        memset(key->logarithm, 0, 32);
        key->logarithm[number > 4 ? 17 : 0] = (uint8_t)(1 << number);
    }
    if (number == 8) { BN_sub_word(run->order, 1), BN_bn2lebinpad(run->order, key->logarithm, 32), BN_add_word(run->order, 1); }
    ed25519_base_point(&base);
    ed25519_multiply_slowly(&a, key->logarithm, 32, &base);
    ed25519_encode(encoded, &a);
    for (int size = 0; size < 2; size++) {
        key->tables[size] = ed25519_new_table((cjwt_table_size)size);
        if (!cjwt_ed25519_table_build(key->tables[size], (cjwt_table_size)size, encoded)) {
            // A logarithm of zero: the point at infinity has no table.
            free(key->tables[size]);
            key->tables[size] = NULL;
        }
    }
}

static void expect_all(ed25519_run *run, const known_key *key, const uint8_t h[64], const uint8_t sig[64], cjwt_verdict verdict,
                       const char *what, uint64_t number) {
    for (int size = 0; size < 2; size++) {
        ed25519_expect_verdict(run, kPortable, cjwt_ed25519_verify(key->tables[size], h, sig) == verdict, what, number);
        if (!cjwt_ifma_available()) { continue; }
        ed25519_expect_verdict(run, kOverLanes, cjwt_ed25519_ifma_verify(key->tables[size], h, sig) == verdict, what, number);
        const int lane = (int)(number % kLanes);
        const void *tables[kLanes] = {NULL};
        const uint8_t *hs[kLanes] = {NULL}, *sigs[kLanes] = {NULL};
        cjwt_verdict verdicts[kLanes];
        tables[lane] = key->tables[size], hs[lane] = h, sigs[lane] = sig;
        cjwt_ed25519_ifma_verify8(verdicts, tables, hs, sigs);
        for (int i = 0; i < kLanes; i++) {
            ed25519_expect_verdict(run, kInLanes, verdicts[i] == (i == lane ? verdict : CJWT_UNDECIDED), what, number);
        }
    }
}

// For any h and S exactly one R is valid: [S] B - [h] A, computed here without a table. Then each part is altered.
static void check_one_chosen(ed25519_run *run, const known_key *key, uint64_t number) {
    point base, r;
    uint8_t h[64], sig[64], minus_a[32], logarithm[32], zero[32] = {0}, spoiled[64];
    const uint64_t choice = next_random(&run->random);
    NUMBER x = BN_lebin2bn(key->logarithm, 32, NULL);
    random_bytes(&run->random, h, 64);
    if (choice % 3 == 0) { memset(h, choice & 8 ? 0xff : 0, 64); }
    if (choice % 3 == 1) { memset(h + 32, 0, 32), ed25519_edgy_scalar(run, h); }
    ed25519_edgy_scalar(run, sig + 32);
    BN_sub(x, run->order, x);
    BN_bn2lebinpad(x, minus_a, 32);
    ed25519_add_product(run, logarithm, sig + 32, h, 64, minus_a);
    // R = 0 B, the point at infinity, once in sixteen: S = h a.
    if (choice % 16 == 5) { ed25519_add_product(run, sig + 32, zero, h, 64, key->logarithm), memset(logarithm, 0, 32); }
    ed25519_base_point(&base);
    ed25519_multiply_slowly(&r, logarithm, 32, &base);
    ed25519_encode(sig, &r);
    expect_all(run, key, h, sig, CJWT_ACCEPTED, "signature for a chosen hash", number);

    memcpy(spoiled, sig, 64);
    spoiled[choice / 64 % 64] ^= (uint8_t)(1 << choice / 4096 % 8);
    expect_all(run, key, h, spoiled, CJWT_REFUSED, "spoiled signature for a chosen hash", number);
    // S + L is the same scalar.
    NUMBER s = BN_lebin2bn(sig + 32, 32, NULL);
    BN_add(s, s, run->order);
    memcpy(spoiled, sig, 64);
    BN_bn2lebinpad(s, spoiled + 32, 32);
    expect_all(run, key, h, spoiled, CJWT_REFUSED, "malleated signature for a chosen hash", number);
    h[choice / 64 % 64] ^= (uint8_t)(1 << choice / 4096 % 8);
    expect_all(run, key, h, sig, CJWT_REFUSED, "signature for another hash", number);
}

void ed25519_check_chosen(ed25519_run *run, uint64_t cases) {
    enum { kKeys = 16 };
    known_key keys[kKeys];
    for (int i = 0; i < kKeys; i++) { make_known_key(run, &keys[i], i); }
    for (uint64_t i = 0; i < cases / 40; i++) {
        const known_key *key = &keys[i % kKeys];
        if (key->tables[0] != NULL && key->tables[1] != NULL) { check_one_chosen(run, key, i); }
    }
    for (int i = 0; i < kKeys; i++) { free(keys[i].tables[0]), free(keys[i].tables[1]); }
}
