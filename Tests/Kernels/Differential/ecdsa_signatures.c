// Compares signatures over the ECDSA kernels' tables with libcrypto: valid, mutated and constructed ones. A pool is made once and then used
// in any order, with either table of its key.

#include <stdlib.h>
#include <string.h>

#include "ecdsa_tables.h"

typedef struct pool_key {
    BIGNUM *logarithm;  // Q = logarithm G
    EC_KEY *key;
    void *tables[2];
} pool_key;

typedef struct pool_signature {
    size_t key;
    uint8_t hash[kMaxBytes], sig[2 * kMaxBytes];
    int valid, crafted, exceptional;  // crafted: with chosen multipliers; exceptional: u1 G = ± u2 Q
} pool_signature;

enum { kFixedKeys = 12, kKeys = 20 };

struct signature_pool {
    const ecdsa_curve *curve;
    pool_key keys[kKeys];
    size_t count;
    pool_signature *signatures;
};

EC_KEY *key_of(const ecdsa_curve *curve, const EC_POINT *q) {
    EC_KEY *key = EC_KEY_new();
    EC_KEY_set_group(key, curve->group);
    EC_KEY_set_public_key(key, q);
    return key;
}

void *table_of(ecdsa_check *check, const ecdsa_curve *curve, const EC_POINT *q, cjwt_table_size size) {
    uint8_t x[kMaxBytes], y[kMaxBytes];
    ecdsa_coordinates(curve->group, q, curve->bytes, x, y);
    void *table = aligned_alloc(64, curve->table_bytes(size));
    expect(check, curve, table != NULL && curve->build(table, size, x, y) == 1, "a key's table");
    return table;
}

// draw_logarithm: G, -G, 2^k G, small multiples and their opposites first, then random ones.
static void draw_logarithm(ecdsa_check *check, const ecdsa_curve *curve, BIGNUM *out, size_t i) {
    static const int shifts[] = {8, 7, 64, 4};
    uint64_t limbs[kMaxLimbs];
    BN_set_word(out, i / 2 + 1);
    if (i >= 4 && i < 8) { BN_lshift(out, BN_value_one(), shifts[i - 4]); }
    if (i == 8) { BN_lshift(out, BN_value_one(), (int)(8 * curve->bytes - 8)); }
    if (i < 4 && i % 2 == 1) { BN_sub(out, curve->order, out); }
    if (i >= kFixedKeys) {
        do {
            draw_number(check, curve, limbs, curve->order);
            BN_lebin2bn((const unsigned char *)limbs, (int)curve->bytes, out);
        } while (BN_is_zero(out));
    }
}

static void make_key(ecdsa_check *check, const ecdsa_curve *curve, pool_key *key, size_t i) {
    POINT q = EC_POINT_new(curve->group);
    key->logarithm = BN_new();
    draw_logarithm(check, curve, key->logarithm, i);
    EC_POINT_mul(curve->group, q, key->logarithm, NULL, NULL, curve->context);
    key->key = key_of(curve, q);
    EC_KEY_set_private_key(key->key, key->logarithm);
    for (int size = 0; size < 2; size++) { key->tables[size] = table_of(check, curve, q, (cjwt_table_size)size); }
}

void put(const ecdsa_curve *curve, uint8_t *out, const BIGNUM *number) { BN_bn2binpad(number, out, (int)curve->bytes); }

int judged_valid(const ecdsa_curve *curve, EC_KEY *key, const uint8_t *hash, const uint8_t *sig) {
    return ecdsa_is_valid(key, curve->bytes, curve->hash_bytes, hash, sig);
}

// craft makes the signature whose multipliers are u1 and u2 (not zero); zero where no hash is long enough for it.
static int craft(const ecdsa_curve *curve, const pool_key *key, pool_signature *out, const BIGNUM *u1, const BIGNUM *u2) {
    NUMBER k = BN_new();
    BN_mod_mul(k, u2, key->logarithm, curve->order, curve->context);
    out->exceptional = BN_cmp(k, u1) == 0;
    BN_mod_add(k, k, u1, curve->order, curve->context);
    out->exceptional |= BN_is_zero(k);
    return ecdsa_craft(key->key, curve->context, curve->bytes, curve->hash_bytes, u1, u2, out->hash, out->sig);
}

// draw_multipliers: both at the digits' boundaries; or with u1 G = ± u2 Q; or with partial sums of rows that meet: u1 G is, up to the sign,
// the sum of the lower windows of u2 Q, less one of its rows.
static void draw_multipliers(ecdsa_check *check, const ecdsa_curve *curve, const pool_key *key, BIGNUM *u1, BIGNUM *u2) {
    uint64_t limbs[kMaxLimbs], kind = below(check, 4);
    draw_number(check, curve, limbs, curve->order);
    BN_lebin2bn((const unsigned char *)limbs, (int)curve->bytes, u2);
    if (BN_is_zero(u2)) { BN_one(u2); }
    draw_number(check, curve, limbs, curve->order);
    BN_lebin2bn((const unsigned char *)limbs, (int)curve->bytes, u1);
    if (kind == 0) { return; }
    BN_copy(u1, u2);
    if (kind == 1) {
        int digits[kMaxWindows], window = curve->parts->window(key->tables[below(check, 2)]);
        const void *table = key->tables[curve->parts->window(key->tables[0]) == window ? 0 : 1];
        limbs_of(curve, limbs, u2);
        int count = curve->parts->recode(digits, table, limbs), level = (int)below(check, (uint64_t)count);
        BN_zero(u1);
        for (int i = level; i >= 0; i--) {
            int digit = i == level && below(check, 2) ? digits[i] : -digits[i];
            BN_lshift(u1, u1, window);
            if (digit < 0) { BN_sub_word(u1, (BN_ULONG)-digit); } else { BN_add_word(u1, (BN_ULONG)digit); }
        }
        BN_nnmod(u1, u1, curve->order, curve->context);
    }
    BN_mod_mul(u1, u1, key->logarithm, curve->order, curve->context);
    if (below(check, 2)) { BN_mod_sub(u1, curve->order, u1, curve->order, curve->context); }
}

static int make_crafted(ecdsa_check *check, const ecdsa_curve *curve, const pool_key *key, pool_signature *out) {
    NUMBER u1 = BN_new(), *u2 = BN_new();
    draw_multipliers(check, curve, key, u1, u2);
    return craft(curve, key, out, u1, u2);
}

// make_signed: signs a random hash, or one of all zeros or all ones.
static void make_signed(ecdsa_check *check, const ecdsa_curve *curve, const pool_key *key, pool_signature *out) {
    uint64_t kind = below(check, 4);
    out->exceptional = 0;
    random_bytes(&check->random, out->hash, curve->hash_bytes);
    if (kind < 2) { memset(out->hash, kind == 0 ? 0 : 0xff, curve->hash_bytes); }
    ECDSA_SIG *signature = ECDSA_do_sign(out->hash, (int)curve->hash_bytes, key->key);
    put(curve, out->sig, ECDSA_SIG_get0_r(signature));
    put(curve, out->sig + curve->bytes, ECDSA_SIG_get0_s(signature));
    ECDSA_SIG_free(signature);
}

// Numbers at the ends of the range [1, n-1], and outside it.
static void put_boundary(ecdsa_check *check, const ecdsa_curve *curve, uint8_t *out) {
    NUMBER number = BN_new();
    uint64_t kind = below(check, 8);
    if (kind > 1) { BN_copy(number, kind < 5 ? curve->order : curve->prime); }
    if (kind == 1 || kind == 4 || kind == 7) { BN_add_word(number, 1); }
    if (kind == 3 || kind == 6) { BN_sub_word(number, 1); }
    put(curve, out, number);
    if (below(check, 8) == 0) { memset(out, 0xff, curve->bytes); }
}

static void mutate(ecdsa_check *check, const ecdsa_curve *curve, pool_signature *signature) {
    uint8_t *half = signature->sig + (below(check, 2) ? curve->bytes : 0);
    size_t byte = below(check, curve->bytes);
    NUMBER s = BN_bin2bn(signature->sig + curve->bytes, (int)curve->bytes, NULL);
    switch (below(check, 8)) {
        case 0: signature->hash[byte % curve->hash_bytes] ^= (uint8_t)(1 << below(check, 8)); break;
        case 1 ... 2: half[byte] ^= (uint8_t)(1 << below(check, 8)); break;
        case 3: put_boundary(check, curve, half); break;
        case 4: random_bytes(&check->random, half, curve->bytes); break;
        case 5:  // n - s: valid if s is
            BN_sub(s, curve->order, s);
            put(curve, signature->sig + curve->bytes, s);
            break;
        default: break;
    }
}

signature_pool *pool_create(ecdsa_check *check, const ecdsa_curve *curve, size_t count) {
    signature_pool *pool = calloc(1, sizeof *pool);
    pool->curve = curve;
    pool->count = count;
    pool->signatures = calloc(count, sizeof *pool->signatures);
    for (size_t i = 0; i < kKeys; i++) { make_key(check, curve, &pool->keys[i], i); }
    for (size_t i = 0; i < count; i++) {
        pool_signature *out = &pool->signatures[i];
        out->key = below(check, kKeys);
        const pool_key *key = &pool->keys[out->key];
        out->crafted = below(check, 2) && make_crafted(check, curve, key, out);
        if (!out->crafted) { make_signed(check, curve, key, out); }
        if (!out->exceptional) { mutate(check, curve, out); }
        out->valid = judged_valid(curve, key->key, out->hash, out->sig);
    }
    return pool;
}

void pool_free(signature_pool *pool) {
    for (size_t i = 0; i < kKeys; i++) {
        BN_free(pool->keys[i].logarithm);
        EC_KEY_free(pool->keys[i].key);
        free(pool->keys[i].tables[0]);
        free(pool->keys[i].tables[1]);
    }
    free(pool->signatures);
    free(pool);
}

const void *pool_table(ecdsa_check *check, const signature_pool *pool, const BIGNUM **logarithm) {
    const pool_key *key = &pool->keys[below(check, kKeys)];
    *logarithm = key->logarithm;
    return key->tables[below(check, 2)];
}

// Undecided is correct only for exceptional signatures. One in eight is verified under another key, which the kernel must not accept unless
// libcrypto does.
void check_signature(ecdsa_check *check, signature_pool *pool) {
    const pool_signature *signature = &pool->signatures[below(check, pool->count)];
    size_t under = below(check, 8) == 0 ? below(check, kKeys) : signature->key;
    cjwt_verdict verdict = pool->curve->verify(pool->keys[under].tables[below(check, 2)], signature->hash, signature->sig);
    int valid = signature->valid;
    check->verdicts++;
    if (under != signature->key) {
        valid = verdict == CJWT_REFUSED ? 0 : judged_valid(pool->curve, pool->keys[under].key, signature->hash, signature->sig);
        expect(check, pool->curve, verdict != CJWT_ACCEPTED || valid, "a signature under another key");
        return;
    }
    cjwt_verdict expected = signature->exceptional ? CJWT_UNDECIDED : valid ? CJWT_ACCEPTED : CJWT_REFUSED;
    expect(check, pool->curve, verdict == expected, "a signature");
}

// is_right: libcrypto's verdict; or, where the multipliers were chosen so that sums of rows meet, undecided.
static int is_right(const pool_signature *signature, cjwt_verdict verdict) {
    if (verdict == CJWT_UNDECIDED) { return signature->crafted; }
    return verdict == (signature->valid ? CJWT_ACCEPTED : CJWT_REFUSED);
}

// Kernels that add the rows of both multipliers to one sum: more of them can meet than u1 G and u2 Q.
void check_signature_in_lanes(ecdsa_check *check, signature_pool *pool) {
    const ecdsa_curve *curve = pool->curve;
    const pool_signature *chosen[8];
    const void *tables[8];
    const uint8_t *hashes[8], *sigs[8];
    cjwt_verdict verdicts[8];
    for (int i = 0; i < 8; i++) {
        chosen[i] = below(check, 16) == 0 ? NULL : &pool->signatures[below(check, pool->count)];
        tables[i] = chosen[i] == NULL ? NULL : pool->keys[chosen[i]->key].tables[below(check, 2)];
        hashes[i] = chosen[i] == NULL ? NULL : chosen[i]->hash;
        sigs[i] = chosen[i] == NULL ? NULL : chosen[i]->sig;
    }
    curve->verify8(verdicts, tables, hashes, sigs);
    for (int i = 0; i < 8; i++) {
        check->verdicts++;
        if (chosen[i] == NULL) {
            expect(check, curve, verdicts[i] == CJWT_UNDECIDED, "an idle lane");
        } else {
            expect(check, curve, is_right(chosen[i], verdicts[i]), "a signature in a lane");
        }
    }
    const pool_signature *one = &pool->signatures[below(check, pool->count)];
    check->verdicts++;
    expect(check, curve, is_right(one, curve->verify(pool->keys[one->key].tables[below(check, 2)], one->hash, one->sig)),
           "a signature over all lanes");
}
