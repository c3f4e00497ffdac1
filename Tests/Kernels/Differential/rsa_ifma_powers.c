// check_rsa_powers: compares whole powers with BN_mod_exp, one at a time and eight, over pools of numbers with known results.

#include "rsa_ifma_check.h"

#include <stdlib.h>

enum { kMostEntries = 24000, kSquareKind = kModulusKinds - 1 };

// A number with its expected result. `in_range` is zero where the number is not below its modulus.
typedef struct entry {
    size_t key;
    int in_range;
    uint8_t sig[kMostBytes], em[kMostBytes];
} entry;

// One size: its moduli, each prepared twice, so that a batch of one modulus can use one key or two; and its judged numbers.
typedef struct pool {
    size_t bytes, count;
    uint8_t moduli[kModulusKinds][kMostBytes];
    BIGNUM *root;  // of the modulus of kSquareKind
    rsa_ifma_key *keys[2][kModulusKinds];
    entry *entries;
} pool;

static void judge(entry *e, const pool *p, BN_CTX *context) {
    BN_CTX_start(context);
    BIGNUM *n = BN_CTX_get(context), *s = BN_CTX_get(context), *exponent = BN_CTX_get(context);
    BN_bin2bn(p->moduli[e->key], (int)p->bytes, n);
    BN_bin2bn(e->sig, (int)p->bytes, s);
    BN_set_word(exponent, 65537);
    e->in_range = BN_cmp(s, n) < 0;
    if (e->in_range) {
        if (BN_mod_exp(s, s, exponent, n, context) != 1) { abort(); }
        BN_bn2binpad(s, e->em, (int)p->bytes);
    }
    BN_CTX_end(context);
}

static void add_small(uint8_t *number, size_t len, int value) {
    for (size_t i = len; i-- > 0 && value != 0;) {
        int sum = number[i] + value;
        number[i] = (uint8_t)sum;
        value = sum >> 8;
    }
}

// draw_sig: 0, 1, 2, n - 1, n, n + 1 and 2^bits - 1; n with one byte changed; n's upper half; any.
static void draw_sig(rsa_check *check, uint8_t *sig, const uint8_t *modulus, size_t len) {
    size_t style = below(check, 24);
    random_bytes(&check->random, sig, len);
    if (style < 3) { memset(sig, 0, len), sig[len - 1] = (uint8_t)style; }
    if (style >= 3 && style <= 7) { memcpy(sig, modulus, len); }
    if (style >= 3 && style <= 5) { add_small(sig, len, (int)style - 4); }  // 2^bits - 1 plus one wraps to 0: the oracle covers that
    if (style == 6) { memset(sig, 0xff, len); }
    if (style == 7) { sig[below(check, len)] ^= (uint8_t)(1 << below(check, 8)); }
    if (style == 8) { memcpy(sig, modulus, len / 2); }
    if (style > 12) { sig[0] &= 0x7f; }  // below every modulus
}

// A modulus m^2: its numbers m*t have the power zero, which the preceding multiplications represent as n, not 0.
static void square_modulus(rsa_check *check, pool *p) {
    uint8_t root[kMostBytes / 2];
    BN_CTX *context = BN_CTX_new();
    NUMBER n = BN_new();
    random_bytes(&check->random, root, p->bytes / 2);
    root[0] |= 0xc0;  // so that the square has its top bit set
    root[p->bytes / 2 - 1] |= 1;
    p->root = BN_bin2bn(root, (int)p->bytes / 2, NULL);
    BN_sqr(n, p->root, context);
    BN_bn2binpad(n, p->moduli[kSquareKind], (int)p->bytes);
    BN_CTX_free(context);
}

// draw_root_sig: numbers with such small powers that the last multiplication ends at power + n. (1 + m*t)^65537 is 1 + 65537*m*t mod m^2,
// so t = j/65537 mod m makes the power 1 + j*m, half as long as n; m*t makes it zero.
static void draw_root_sig(rsa_check *check, uint8_t *sig, const pool *p, BN_CTX *context) {
    BN_CTX_start(context);
    BIGNUM *t = BN_CTX_get(context), *exponent = BN_CTX_get(context);
    int is_zero = below(check, 2) == 0;
    BN_set_word(exponent, 65537);
    if (!is_zero && BN_mod_inverse(t, exponent, p->root, context) == NULL) { is_zero = 1; }
    if (is_zero) { BN_set_word(t, 1 + next_random(&check->random)); }
    BN_mul_word(t, 1 + below(check, 1000));
    BN_nnmod(t, t, p->root, context);
    BN_mul(t, t, p->root, context);
    if (!is_zero) { BN_add_word(t, 1); }
    BN_bn2binpad(t, sig, (int)p->bytes);
    BN_CTX_end(context);
}

static void make_pool(rsa_check *check, pool *p, size_t bytes, size_t count) {
    BN_CTX *context = BN_CTX_new();
    p->bytes = bytes;
    p->count = count;
    p->entries = calloc(count, sizeof *p->entries);
    if (context == NULL || p->entries == NULL) { abort(); }
    for (size_t i = 0; i < kModulusKinds; i++) {
        rsa_modulus(check, p->moduli[i], bytes, i);
        if (i == kSquareKind) { square_modulus(check, p); }
        p->keys[0][i] = rsa_prepared(p->moduli[i], bytes);
        p->keys[1][i] = rsa_prepared(p->moduli[i], bytes);
    }
    for (size_t i = 0; i < count; i++) {
        entry *e = &p->entries[i];
        e->key = i % kModulusKinds;
        draw_sig(check, e->sig, p->moduli[e->key], bytes);
        if (e->key == kSquareKind && below(check, 2)) { draw_root_sig(check, e->sig, p, context); }
        judge(e, p, context);
    }
    BN_CTX_free(context);
}

static void free_pool(pool *p) {
    for (size_t i = 0; i < kModulusKinds; i++) {
        free(p->keys[0][i]);
        free(p->keys[1][i]);
    }
    BN_free(p->root);
    free(p->entries);
}

// The expected content of a buffer that held 0xa5 before: the power, or 0xa5.
static int is_answer(const entry *e, int result, const uint8_t *em, size_t bytes) {
    uint8_t untouched[kMostBytes];
    memset(untouched, 0xa5, sizeof untouched);
    return result == e->in_range && memcmp(em, e->in_range ? e->em : untouched, bytes) == 0;
}

static void check_single(rsa_check *check, const pool *p) {
    const entry *e = &p->entries[below(check, p->count)];
    uint8_t em[kMostBytes];
    memset(em, 0xa5, sizeof em);
    int result = cjwt_rsa_ifma_power(p->keys[0][e->key], em, e->sig);
    check->powers[0]++;
    expect(check, is_answer(e, result, em, p->bytes), "power", p->bytes);
}

typedef struct batch {
    const entry *entries[kLanes];  // NULL without work
    const void *keys[kLanes];
    uint8_t ems[kLanes][kMostBytes];
} batch;

// All of one key, all of one modulus prepared twice, or mixed; some with idle lanes.
static void draw_batch(rsa_check *check, const pool *p, batch *b) {
    size_t style = below(check, 4), key = below(check, kModulusKinds), idle = below(check, 3) ? 0 : below(check, 256);
    for (size_t i = 0; i < kLanes; i++) {
        size_t pick = below(check, p->count / kModulusKinds) * kModulusKinds + (style < 2 ? key : below(check, kModulusKinds));
        b->entries[i] = idle >> i & 1 ? NULL : &p->entries[pick];
        b->keys[i] = b->entries[i] == NULL ? NULL : p->keys[style == 0 ? 0 : below(check, 2)][b->entries[i]->key];
    }
}

static void run_batch(rsa_check *check, const pool *p, batch *b, const char *what) {
    int results[kLanes];
    uint8_t *ems[kLanes];
    const uint8_t *sigs[kLanes];
    memset(results, 0x7f, sizeof results);
    memset(b->ems, 0xa5, sizeof b->ems);
    for (size_t i = 0; i < kLanes; i++) {
        ems[i] = b->entries[i] == NULL ? NULL : b->ems[i];
        sigs[i] = b->entries[i] == NULL ? NULL : b->entries[i]->sig;
    }
    cjwt_rsa_ifma_power8(results, b->keys, ems, sigs);
    check->powers[1] += kLanes;
    for (size_t i = 0; i < kLanes; i++) {
        int holds = b->entries[i] == NULL ? results[i] == 0 : is_answer(b->entries[i], results[i], b->ems[i], p->bytes);
        expect(check, holds, what, p->bytes);
    }
}

static void check_batch(rsa_check *check, const pool *p) {
    batch b;
    draw_batch(check, p, &b);
    run_batch(check, p, &b, "power8");
    for (size_t i = kLanes - 1; i > 0; i--) {
        size_t j = below(check, i + 1);
        const entry *e = b.entries[i];
        const void *key = b.keys[i];
        b.entries[i] = b.entries[j], b.keys[i] = b.keys[j];
        b.entries[j] = e, b.keys[j] = key;
    }
    run_batch(check, p, &b, "power8, lanes in another order");
}

// A key whose length differs from the first key's is not processed.
static void check_stray_lane(rsa_check *check, const pool *p, const pool *other) {
    batch b;
    draw_batch(check, p, &b);
    size_t stray = 1 + below(check, kLanes - 1);
    if (b.entries[0] == NULL) { return; }
    b.entries[stray] = NULL;
    b.keys[stray] = other->keys[0][below(check, kModulusKinds)];
    run_batch(check, p, &b, "power8 with a key of another length");
}

void check_rsa_powers(rsa_check *check, uint64_t cases) {
    static pool pools[kSizes];
    uint64_t wanted = cases / 8 + 2 * kModulusKinds, entries = wanted < kMostEntries ? wanted : kMostEntries;
    for (size_t i = 0; i < kSizes; i++) {
        make_pool(check, &pools[i], size_of(i), (size_t)entries / kModulusKinds * kModulusKinds);
    }
    uint64_t end = check->result.cases + cases;
    for (size_t i = 0; check->result.cases < end; i++) {
        const pool *p = &pools[i % kSizes];
        for (size_t j = 0; j < 4; j++) { check_single(check, p); }
        check_batch(check, p);
        if (i % 16 == 0) { check_stray_lane(check, p, &pools[below(check, 2) ? (i + 1) % kSizes : (i + 2) % kSizes]); }
    }
    for (size_t i = 0; i < kSizes; i++) { free_pool(&pools[i]); }
}
