// check_p256_ifma: the lanes of ES256 against libcrypto.
//
// Three in five cases are of the field (p256_ifma_field.h). The rest are signatures: a pool of them, made in every way that is known to
// matter and judged by ECDSA_do_verify once, is verified one at a time and in lanes, mixed at random with other keys, other sizes of
// table and lanes without work. A kernel may answer "undecided" only for the keys and signatures made to reach exceptional additions.

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <stdlib.h>
#include <string.h>

#include "p256_ifma_field.h"

#if defined(__x86_64__)

enum { kRandomKeys = 8, kSpecialKeys = 16, kKeys = kRandomKeys + kSpecialKeys };

typedef struct key {
    EC_KEY *key;
    BIGNUM *d;       // the private key; NULL where nobody knows it
    void *table[2];  // by cjwt_table_size
} key;

typedef struct sample {
    uint8_t hash[32], sig[64];
    uint8_t key, accepted, may_be_undecided;
} sample;

typedef struct run {
    differential_random random;
    differential_result result;
    uint64_t undecided;
    EC_GROUP *group;
    BN_CTX *context;
    const BIGNUM *order;
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

static int judged_by_libcrypto(const sample *s, EC_KEY *key) {
    ECDSA_SIG *sig = ECDSA_SIG_new();
    ECDSA_SIG_set0(sig, BN_bin2bn(s->sig, 32, NULL), BN_bin2bn(s->sig + 32, 32, NULL));
    int good = ECDSA_do_verify(s->hash, 32, sig, key) == 1;
    ECDSA_SIG_free(sig);
    return good;
}

// expect compares a verdict with libcrypto's.
static void expect(run *r, const char *what, const sample *s, cjwt_verdict verdict) {
    r->result.cases++;
    if (verdict == CJWT_UNDECIDED) {
        r->undecided++;
        if (!s->may_be_undecided) { fail(r, what, s, verdict); }
    } else if ((verdict == CJWT_ACCEPTED) != s->accepted) {
        fail(r, what, s, verdict);
    }
}

static BIGNUM *random_scalar(run *r) {
    uint8_t bytes[40];
    random_bytes(&r->random, bytes, sizeof bytes);
    BIGNUM *k = BN_bin2bn(bytes, sizeof bytes, NULL);
    BN_nnmod(k, k, r->order, r->context);
    if (BN_is_zero(k)) { BN_one(k); }
    return k;
}

// key_of_point makes the key's tables, too, in memory it keeps.
static void key_of_point(run *r, key *k, const EC_POINT *point, BIGNUM *d) {
    uint8_t x[32], y[32];
    BIGNUM *bx = BN_new(), *by = BN_new();
    EC_POINT_get_affine_coordinates(r->group, point, bx, by, r->context);
    BN_bn2binpad(bx, x, 32);
    BN_bn2binpad(by, y, 32);
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
    }
    BN_free(bx);
    BN_free(by);
}

static void key_of_scalar(run *r, key *k, BIGNUM *d) {
    EC_POINT *point = EC_POINT_new(r->group);
    EC_POINT_mul(r->group, point, d, NULL, NULL, r->context);
    key_of_point(r, k, point, d);
    EC_POINT_free(point);
}

// special_scalar: G, small multiples and powers of two times G, and all of them negated.
static BIGNUM *special_scalar(run *r, int i) {
    BIGNUM *d = BN_new();
    if (i / 2 < 4) {
        BN_set_word(d, (BN_ULONG)(i / 2) + 1);
    } else {
        static const int powers[4] = {4, 8, 128, 248};
        BN_set_bit(d, powers[i / 2 - 4]);
    }
    if (i % 2 == 1) { BN_sub(d, r->order, d); }
    return d;
}

// check_table compares rows with libcrypto's multiples.
static void check_table(run *r, const key *k, int size, int rows) {
    const p256_table *table = k->table[size];
    EC_POINT *point = EC_POINT_new(r->group);
    BIGNUM *m = BN_new(), *c[2] = {BN_new(), BN_new()}, *row = BN_new();
    for (int i = 0; i < rows; i++) {
        uint32_t window = (uint32_t)(next_random(&r->random) % table->windows), per_window = p256_table_rows_per_window(table->bits);
        uint32_t d = i % 4 == 0 ? per_window - 1 : (uint32_t)(next_random(&r->random) % per_window);
        BN_set_word(m, 2 * d + 1);
        BN_lshift(m, m, (int)(table->bits * window));
        EC_POINT_mul(r->group, point, NULL, EC_KEY_get0_public_key(k->key), m, r->context);
        EC_POINT_get_affine_coordinates(r->group, point, c[0], c[1], r->context);
        for (int j = 0; j < 2; j++) {
            BN_lshift(c[j], c[j], 260);
            BN_mod(c[j], c[j], r->p, r->context);
            BN_lebin2bn((const uint8_t *)(table->rows[window * per_window + d] + 4 * j), 32, row);
            r->result.cases++;
            if (BN_cmp(c[j], row) != 0) {
                r->result.failures++;
                printf("p256-ifma: table of %u bits, window %u, row %u\n", table->bits, window, d);
            }
        }
    }
    EC_POINT_free(point);
    BN_free(m), BN_free(c[0]), BN_free(c[1]), BN_free(row);
}

// check_no_points: coordinates that are none, or of no point.
static void check_no_points(run *r) {
    void *table = aligned_alloc(64, cjwt_p256_ifma_table_bytes(CJWT_TABLE_SMALL));
    uint8_t good[64], bad[64];
    BIGNUM *x = BN_new(), *y = BN_new(), *big = BN_new();
    EC_POINT_get_affine_coordinates(r->group, EC_KEY_get0_public_key(r->keys[0].key), x, y, r->context);
    BN_bn2binpad(x, good, 32);
    BN_bn2binpad(y, good + 32, 32);
    for (int i = 0; i < 64 * 8 + 3; i++) {
        memcpy(bad, good, 64);
        if (i < 64 * 8) {
            bad[i / 8] ^= (uint8_t)(1 << i % 8);
        } else {
            memset(bad, i == 64 * 8 ? 0 : 0xff, i == 64 * 8 + 1 ? 32 : 64);
        }
        BN_bin2bn(bad, 32, x);
        BN_bin2bn(bad + 32, 32, y);
        EC_POINT *point = EC_POINT_new(r->group);
        int is_point = BN_cmp(x, r->p) < 0 && BN_cmp(y, r->p) < 0 && EC_POINT_set_affine_coordinates(r->group, point, x, y, r->context);
        EC_POINT_free(point);
        r->result.cases++;
        if (cjwt_p256_ifma_table_build(table, CJWT_TABLE_SMALL, bad, bad + 32) != is_point) {
            r->result.failures++;
            printf("p256-ifma: no point, %d\n", i);
        }
    }
    BN_free(x), BN_free(y), BN_free(big);
    free(table);
}

// sign_for makes the signature whose multipliers are u1 and u2: R = u1 G + u2 Q, r = x(R), s = r / u2, e = u1 s. Where R is the
// neutral element r is anything, and the signature is none.
static void sign_for(run *r, sample *s, const key *k, const BIGNUM *u1, const BIGNUM *u2) {
    EC_POINT *point = EC_POINT_new(r->group);
    BIGNUM *x = BN_new(), *sig = BN_new(), *e = BN_new();
    EC_POINT_mul(r->group, point, u1, EC_KEY_get0_public_key(k->key), u2, r->context);
    if (EC_POINT_is_at_infinity(r->group, point)) {
        BN_set_word(x, 7);
    } else {
        EC_POINT_get_affine_coordinates(r->group, point, x, NULL, r->context);
        BN_nnmod(x, x, r->order, r->context);
    }
    BN_mod_inverse(sig, u2, r->order, r->context);
    BN_mod_mul(sig, sig, x, r->order, r->context);
    BN_mod_mul(e, u1, sig, r->order, r->context);
    BN_bn2binpad(x, s->sig, 32);
    BN_bn2binpad(sig, s->sig + 32, 32);
    BN_bn2binpad(e, s->hash, 32);
    s->accepted = (uint8_t)judged_by_libcrypto(s, k->key);
    EC_POINT_free(point);
    BN_free(x), BN_free(sig), BN_free(e);
}

// edge_number: numbers at the ends of the ranges of r, s and hashes.
static void edge_number(run *r, uint8_t out[32]) {
    BIGNUM *n = BN_dup(next_random(&r->random) % 4 == 0 ? r->p : r->order);
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
    BN_free(n);
}

static void flip_bit(run *r, uint8_t *bytes, size_t len) {
    uint64_t at = next_random(&r->random) % (8 * len);
    bytes[at / 8] ^= (uint8_t)(1 << at % 8);
}

// edge_multipliers signs with u1 and u2 of few or of extreme digits, or with u1 = 0.
static void edge_multipliers(run *r, sample *s, const key *k) {
    uint8_t bytes[2][32];
    BIGNUM *u[2];
    for (int i = 0; i < 2; i++) {
        edge_number(r, bytes[i]);
        u[i] = BN_bin2bn(bytes[i], 32, NULL);
        BN_nnmod(u[i], u[i], r->order, r->context);
        if (i == 1 && BN_is_zero(u[i])) { BN_one(u[i]); }
    }
    sign_for(r, s, k, u[0], u[1]);
    BN_free(u[0]), BN_free(u[1]);
}

// add_sample makes a signature by one of the keys and spoils most of them.
static void add_sample(run *r, size_t i) {
    sample *s = &r->pool[i];
    s->key = (uint8_t)(next_random(&r->random) % kKeys);
    s->may_be_undecided = s->key >= kRandomKeys;
    key *k = &r->keys[s->key];
    uint64_t how = next_random(&r->random) % 16;
    random_bytes(&r->random, s->hash, 32);
    if (how == 0) { edge_number(r, s->hash); }
    if (how == 1) {
        edge_multipliers(r, s, k);
        return;
    }
    ECDSA_SIG *sig = ECDSA_do_sign(s->hash, 32, k->key);
    BN_bn2binpad(ECDSA_SIG_get0_r(sig), s->sig, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(sig), s->sig + 32, 32);
    ECDSA_SIG_free(sig);
    uint8_t swapped[32];
    switch (how) {
    case 2: flip_bit(r, s->sig, 64); break;
    case 3: flip_bit(r, s->hash, 32); break;
    case 4: edge_number(r, s->sig); break;
    case 5: edge_number(r, s->sig + 32); break;
    case 6: edge_number(r, s->sig), edge_number(r, s->sig + 32), edge_number(r, s->hash); break;
    case 7:
        memcpy(swapped, s->sig, 32);
        memcpy(s->sig, s->sig + 32, 32);
        memcpy(s->sig + 32, swapped, 32);
        break;
    case 8: random_bytes(&r->random, s->sig, 64); break;
    case 9: s->key = (uint8_t)(next_random(&r->random) % kKeys), s->may_be_undecided |= s->key >= kRandomKeys; break;
    default: break;
    }
    s->accepted = (uint8_t)judged_by_libcrypto(s, r->keys[s->key].key);
}

static cjwt_verdict verify_alone(const key *k, int size, const sample *s) { return cjwt_p256_ifma_verify(k->table[size], s->hash, s->sig); }

// check_lanes verifies eight of the pool in lanes, with one in sixteen lanes empty.
static void check_lanes(run *r) {
    const void *tables[8];
    const uint8_t *hashes[8], *sigs[8];
    const sample *lanes[8];
    cjwt_verdict verdicts[8];
    uint64_t sizes = next_random(&r->random), empty = next_random(&r->random);
    int mixed = next_random(&r->random) % 4 == 0;
    for (int i = 0; i < 8; i++) {
        const sample *s = lanes[i] = &r->pool[next_random(&r->random) % r->pool_count];
        int is_empty = mixed && (empty >> 4 * i & 15) == 0;
        tables[i] = is_empty ? NULL : r->keys[s->key].table[mixed ? sizes >> i & 1 : sizes & 1];
        hashes[i] = is_empty ? NULL : s->hash;
        sigs[i] = is_empty ? NULL : s->sig;
    }
    cjwt_p256_ifma_verify8(verdicts, tables, hashes, sigs);
    for (int i = 0; i < 8; i++) {
        if (tables[i] != NULL) {
            expect(r, "lanes", lanes[i], verdicts[i]);
        } else if (verdicts[i] != CJWT_UNDECIDED) {
            fail(r, "a lane without work", lanes[i], verdicts[i]);
        }
    }
}

// Places of a token's points, as lanes.h lists them: the generator's windows, then the key's.

typedef struct places {
    BIGNUM *coefficient[kP256MaxPoints];  // what the place's digit times its window is
    int count;
} places;

static void places_new(places *all, run *r, const BIGNUM *u1, const BIGNUM *u2, uint32_t bits) {
    const BIGNUM *u[2] = {u1, u2};
    const uint32_t width[2] = {kP256FullBits, bits};
    all->count = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t k[4];
        uint8_t bytes[32];
        BN_bn2lebinpad(u[i], bytes, 32);
        memcpy(k, bytes, 32);
        p256_digits digits;
        p256_recode(&digits, k);
        for (uint32_t window = 0; window < 256 / width[i]; window++) {
            uint32_t row, negative = p256_digit(&digits, width[i], window, &row);
            BIGNUM *c = all->coefficient[all->count++] = BN_new();
            BN_set_word(c, 2 * row + 1);
            BN_lshift(c, c, (int)(width[i] * window));
            if (negative) { BN_sub(c, r->order, c); }
            BN_nnmod(c, c, r->order, r->context);
        }
    }
}

// set_sum adds the places of a set: of the generator into g, of the key into q.
static void set_sum(run *r, const places *all, const uint8_t in[kP256MaxPoints], uint8_t mark, BIGNUM *g, BIGNUM *q) {
    BN_zero(g), BN_zero(q);
    for (int i = 0; i < all->count; i++) {
        BIGNUM *to = i < kP256FullWindows ? g : q;
        if (in[i] == mark) { BN_mod_add(to, to, all->coefficient[i], r->order, r->context); }
    }
}

// meeting marks two sets of places that are summed apart and then added to each other: in one token's lanes, or in a lane's chains.
static void meeting(run *r, uint8_t in[kP256MaxPoints], int count, int batch) {
    memset(in, 0, kP256MaxPoints);
    uint64_t any = next_random(&r->random);
    int level = (int)(any % 5), lane = (int)(any >> 8) % 8, width = batch ? 2 : 8;
    if (batch && level > 1) { level = 4; }
    // A chain or lane, up to an addition of the key's.
    int first = batch ? lane % 2 : lane, last = count - width + first;
    int steps = (last - kP256FullWindows) / width + 1, at = last - width * ((int)(any >> 16 & 0xffff) % steps);
    for (int i = 0; i < count; i++) {
        if (level < 2) {
            in[i] = i == at ? 2 : i % width == first && i < at ? 1 : 0;
        } else if (batch) {
            in[i] = (uint8_t)(1 + i % 2);
        } else {
            // Lanes that differ in bit 2, those in bits 2 and 1, all: each pair of halves.
            int apart = level == 2 ? 4 : level == 3 ? 2 : 1, same = level == 2 ? 3 : level == 3 ? 1 : 0;
            if (((i ^ lane) & same) == 0) { in[i] = (i & apart) == 0 ? 1 : 2; }
        }
    }
}

// check_exceptional makes a key for which two sums that meet are equal or opposite, as multiples of G, and a signature good by it.
static void check_exceptional(run *r, key *k, int size, int batch) {
    BIGNUM *u1 = random_scalar(r), *u2 = random_scalar(r), *g[2] = {BN_new(), BN_new()}, *q[2] = {BN_new(), BN_new()};
    uint32_t bits = size == CJWT_TABLE_FULL ? kP256FullBits : kP256SmallBits;
    places all;
    uint8_t in[kP256MaxPoints];
    places_new(&all, r, u1, u2, bits);
    meeting(r, in, all.count, batch);
    set_sum(r, &all, in, 1, g[0], q[0]);
    set_sum(r, &all, in, 2, g[1], q[1]);
    // g0 + d q0 = ±(g1 + d q1)
    if (next_random(&r->random) % 2 == 0) {
        BN_sub(g[1], r->order, g[1]);
        BN_sub(q[1], r->order, q[1]);
    }
    BIGNUM *d = BN_new(), *divisor = BN_new();
    BN_mod_sub(d, g[1], g[0], r->order, r->context);
    BN_mod_sub(divisor, q[0], q[1], r->order, r->context);
    if (!BN_is_zero(d) && !BN_is_zero(divisor)) {
        BN_mod_inverse(divisor, divisor, r->order, r->context);
        BN_mod_mul(d, d, divisor, r->order, r->context);
        key_of_scalar(r, k, d);
        sample s = {.key = 255, .may_be_undecided = 1};
        sign_for(r, &s, k, u1, u2);
        const void *tables[8] = {k->table[size], NULL, k->table[!size], NULL, NULL, NULL, NULL, k->table[size]};
        const uint8_t *hashes[8] = {s.hash, 0, s.hash, 0, 0, 0, 0, s.hash}, *sigs[8] = {s.sig, 0, s.sig, 0, 0, 0, 0, s.sig};
        cjwt_verdict lanes[8], alone = verify_alone(k, size, &s);
        cjwt_p256_ifma_verify8(lanes, tables, hashes, sigs);
        expect(r, "exceptional, alone", &s, alone);
        expect(r, "exceptional, other size alone", &s, verify_alone(k, !size, &s));
        for (int i = 0; i < 8; i++) {
            if (tables[i] != NULL) { expect(r, "exceptional, lanes", &s, lanes[i]); }
        }
        if (batch ? lanes[0] != CJWT_UNDECIDED || lanes[7] != CJWT_UNDECIDED : alone != CJWT_UNDECIDED) {
            fail(r, "an exceptional addition went unnoticed", &s, batch ? lanes[0] : alone);
        }
        EC_KEY_free(k->key);
    }
    for (int i = 0; i < all.count; i++) { BN_free(all.coefficient[i]); }
    for (int i = 0; i < 2; i++) { BN_free(g[i]), BN_free(q[i]); }
    BN_free(u1), BN_free(u2), BN_free(d), BN_free(divisor);
}

// check_small_x: R with x in [n, p), where r is x - n, or with x below p - n, where r + n is a field element too.
static void check_small_x(run *r, key *k, int above_order) {
    BIGNUM *x = BN_new(), *rr = BN_new(), *s = random_scalar(r), *e = random_scalar(r), *inverse = BN_new();
    EC_POINT *point = EC_POINT_new(r->group), *at = EC_POINT_new(r->group);
    BN_sub(x, r->p, r->order);
    uint8_t bytes[32];
    random_bytes(&r->random, bytes, 32);
    if (next_random(&r->random) % 2 == 0) { memset(bytes, 0, 31); }  // near the ends
    BN_bin2bn(bytes, 32, rr);
    BN_nnmod(rr, rr, x, r->context);
    if (next_random(&r->random) % 2 == 0) { BN_sub(rr, x, rr); }
    do {
        BN_mod_add(rr, rr, BN_value_one(), x, r->context);
        BN_copy(inverse, rr);
        if (above_order) { BN_add(inverse, inverse, r->order); }
    } while (BN_is_zero(rr) || !EC_POINT_set_compressed_coordinates(r->group, point, inverse, 0, r->context));
    // Q = (s R - e G) / r
    BN_mod_inverse(inverse, rr, r->order, r->context);
    BN_mod_mul(x, s, inverse, r->order, r->context);
    BN_mod_mul(inverse, inverse, e, r->order, r->context);
    BN_sub(inverse, r->order, inverse);
    EC_POINT_mul(r->group, at, inverse, point, x, r->context);
    key_of_point(r, k, at, NULL);
    sample sample = {.key = 255};
    BN_bn2binpad(rr, sample.sig, 32);
    BN_bn2binpad(s, sample.sig + 32, 32);
    BN_bn2binpad(e, sample.hash, 32);
    sample.accepted = (uint8_t)judged_by_libcrypto(&sample, k->key);
    if (!sample.accepted) { fail(r, "a signature that should be good", &sample, CJWT_REFUSED); }
    for (int i = 0; i < 3; i++) {
        for (int size = 0; size < 2; size++) {
            expect(r, "small x", &sample, verify_alone(k, size, &sample));
            const void *tables[8] = {[3] = k->table[size], [6] = r->keys[0].table[1]};
            const uint8_t *hashes[8] = {[3] = sample.hash, [6] = sample.hash}, *sigs[8] = {[3] = sample.sig, [6] = sample.sig};
            cjwt_verdict lanes[8];
            cjwt_p256_ifma_verify8(lanes, tables, hashes, sigs);
            expect(r, "small x, lanes", &sample, lanes[3]);
        }
        sample.sig[i == 0 ? 31 : 0] ^= 1;
        sample.accepted = (uint8_t)judged_by_libcrypto(&sample, k->key);
    }
    EC_KEY_free(k->key);
    EC_POINT_free(point), EC_POINT_free(at);
    BN_free(x), BN_free(rr), BN_free(s), BN_free(e), BN_free(inverse);
}

// check_digits: a recoded number is the sum of its digits.
static void check_digits(run *r) {
    uint8_t bytes[32];
    random_bytes(&r->random, bytes, 32);
    if (next_random(&r->random) % 2 == 0) { edge_number(r, bytes); }
    BIGNUM *k = BN_bin2bn(bytes, 32, NULL), *sum = BN_new(), *term = BN_new();
    if (BN_cmp(k, r->order) > 0) { BN_nnmod(k, k, r->order, r->context); }
    uint64_t words[4];
    BN_bn2lebinpad(k, (uint8_t *)words, 32);
    p256_digits digits;
    p256_recode(&digits, words);
    for (uint32_t bits = kP256SmallBits; bits <= kP256FullBits; bits += kP256FullBits - kP256SmallBits) {
        BN_zero(sum);
        for (uint32_t window = 0; window < 256 / bits; window++) {
            uint32_t row, negative = p256_digit(&digits, bits, window, &row);
            BN_set_word(term, 2 * row + 1);
            BN_lshift(term, term, (int)(bits * window));
            negative ? BN_sub(sum, sum, term) : BN_add(sum, sum, term);
        }
        BN_sub(sum, sum, k);
        BN_nnmod(sum, sum, r->order, r->context);
        r->result.cases++;
        if (!BN_is_zero(sum)) {
            r->result.failures++;
            printf("p256-ifma: digits of %u bits\n", bits);
        }
    }
    BN_free(k), BN_free(sum), BN_free(term);
}

static void run_new(run *r, uint64_t cases) {
    r->group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    r->context = BN_CTX_new();
    r->order = EC_GROUP_get0_order(r->group);
    r->p = BN_new();
    EC_GROUP_get_curve(r->group, r->p, NULL, NULL, r->context);
    for (int i = 0; i < kKeys; i++) {
        key_of_scalar(r, &r->keys[i], i < kRandomKeys ? random_scalar(r) : special_scalar(r, i - kRandomKeys));
    }
    // libcrypto takes about 0.1 ms for each and is asked once.
    r->pool_count = (size_t)(cases / 50 < 256 ? 256 : cases / 50 > 150000 ? 150000 : cases / 50);
    r->pool = calloc(r->pool_count, sizeof *r->pool);
    for (size_t i = 0; i < r->pool_count; i++) { add_sample(r, i); }
}

static void run_free(run *r) {
    for (int i = 0; i < kKeys; i++) {
        EC_KEY_free(r->keys[i].key);
        BN_free(r->keys[i].d);
        free(r->keys[i].table[0]), free(r->keys[i].table[1]);
    }
    free(r->pool);
    BN_free(r->p);
    BN_CTX_free(r->context);
    EC_GROUP_free(r->group);
}

static void check_crafted(run *r, uint64_t cases) {
    key scratch = {.key = NULL};
    uint64_t rounds = cases / 5000 < 24 ? 24 : cases / 5000 > 2000 ? 2000 : cases / 5000;
    for (uint64_t i = 0; i < rounds; i++) {
        check_exceptional(r, &scratch, (int)(i % 2), (int)(i / 2 % 2));
        check_small_x(r, &scratch, (int)(i % 2));
        for (int j = 0; j < 8; j++) { check_digits(r); }
        if (i < kKeys) { check_table(r, &r->keys[i], 0, 16), check_table(r, &r->keys[i], 1, 32); }
    }
    check_no_points(r);
    free(scratch.table[0]), free(scratch.table[1]);
}

differential_result check_p256_ifma(uint64_t cases, uint64_t seed) {
    run r = {.random = {seed ^ UINT64_C(0x70323536)}};
    if (!cjwt_ifma_available()) { return r.result; }
    r.result = check_field(cases / 5 * 3, &r.random);
    if (!cjwt_p256_ifma_self_test()) {
        r.result.failures++;
        printf("p256-ifma: the self test fails\n");
    }
    run_new(&r, cases);
    check_crafted(&r, cases);
    for (uint64_t i = 0; r.result.cases < cases; i++) {
        check_lanes(&r);
        const sample *s = &r.pool[i % r.pool_count];
        if (i % 4 == 0) { expect(&r, "alone", s, verify_alone(&r.keys[s->key], (int)(i / 4 % 2), s)); }
    }
    printf("p256-ifma: %llu of the signatures' cases undecided\n", (unsigned long long)r.undecided);
    run_free(&r);
    return r.result;
}

#else

differential_result check_p256_ifma(uint64_t cases, uint64_t seed) {
    (void)cases, (void)seed;
    return (differential_result){0, 0};
}

#endif
