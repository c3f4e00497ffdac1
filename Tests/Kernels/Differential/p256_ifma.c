// check_p256_ifma: compares the ES256 lanes with libcrypto.
//
// Three in five cases test the field (p256_ifma_field.h). The rest are signatures: a pool, made in every way known to matter and judged by
// ECDSA_do_verify once, is verified one at a time and in lanes, mixed at random with other keys, other table sizes and idle lanes. A kernel
// must answer "undecided" where an addition is exceptional (p256_ifma_exceptional.h), and only there.

#include "p256_ifma_crafted.h"

#if defined(__x86_64__)

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

static void flip_bit(run *r, uint8_t *bytes, size_t len) {
    uint64_t at = next_random(&r->random) % (8 * len);
    bytes[at / 8] ^= (uint8_t)(1 << at % 8);
}

// edge_multipliers signs with u1 and u2 that have few digits or extreme ones, or with u1 = 0.
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

// make_sample makes a signature by one of the keys and alters most of them.
static void make_sample(run *r, sample *s) {
    s->key = (uint8_t)(next_random(&r->random) % kKeys);
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
    case 9: s->key = (uint8_t)(next_random(&r->random) % kKeys); break;
    default: break;
    }
    s->accepted = (uint8_t)ecdsa_is_valid(r->keys[s->key].key, 32, 32, s->hash, s->sig);
}

// check_lanes verifies eight of the pool in lanes, with one in sixteen lanes idle.
static void check_lanes(run *r) {
    const void *tables[8];
    const uint8_t *hashes[8], *sigs[8];
    const sample *lanes[8];
    int size[8];
    cjwt_verdict verdicts[8];
    uint64_t sizes = next_random(&r->random), empty = next_random(&r->random);
    int mixed = next_random(&r->random) % 4 == 0;
    for (int i = 0; i < 8; i++) {
        const sample *s = lanes[i] = &r->pool[next_random(&r->random) % r->pool_count];
        int is_empty = mixed && (empty >> 4 * i & 15) == 0;
        size[i] = (int)(mixed ? sizes >> i & 1 : sizes & 1);
        tables[i] = is_empty ? NULL : r->keys[s->key].table[size[i]];
        hashes[i] = is_empty ? NULL : s->hash;
        sigs[i] = is_empty ? NULL : s->sig;
    }
    cjwt_p256_ifma_verify8(verdicts, tables, hashes, sigs);
    for (int i = 0; i < 8; i++) {
        if (tables[i] != NULL) {
            expect(r, "lanes", lanes[i], verdicts[i], size[i], 1);
        } else if (verdicts[i] != CJWT_UNDECIDED) {
            fail(r, "a lane without work", lanes[i], verdicts[i]);
        }
    }
}

// libcrypto takes about 0.1 ms for each signature and judges each only once.
static void make_pool(run *r, uint64_t cases) {
    size_t exceptional = 0;
    r->pool_count = (size_t)(cases / 50 < 256 ? 256 : cases / 50 > 150000 ? 150000 : cases / 50);
    r->pool = calloc(r->pool_count, sizeof *r->pool);
    for (size_t i = 0; i < r->pool_count; i++) {
        sample *s = &r->pool[i];
        make_sample(r, s);
        predict(r, &r->keys[s->key], s);
        exceptional += memchr(s->exceptional, 1, sizeof s->exceptional) != NULL;
    }
    if (exceptional <= r->pool_count / 20) { return; }
    r->result.failures++;
    printf("p256-ifma: %zu of %zu signatures are exceptional: too many to prove much\n", exceptional, r->pool_count);
}

static void run_new(run *r, uint64_t cases) {
    r->group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    r->context = BN_CTX_new();
    r->order = EC_GROUP_get0_order(r->group);
    BN_bn2lebinpad(r->order, (uint8_t *)r->order_words, 32);
    r->generator_rows = rows_of(r, NULL, kP256FullBits, BN_value_one());
    r->p = BN_new();
    EC_GROUP_get_curve(r->group, r->p, NULL, NULL, r->context);
    for (int i = 0; i < kKeys; i++) {
        key_of_scalar(r, &r->keys[i], i < kRandomKeys ? random_scalar(r) : special_scalar(r, i - kRandomKeys));
    }
    make_pool(r, cases);
}

static void run_free(run *r) {
    for (int i = 0; i < kKeys; i++) {
        EC_KEY_free(r->keys[i].key);
        BN_free(r->keys[i].d);
        for (int size = 0; size < 2; size++) { free(r->keys[i].table[size]), free(r->keys[i].rows[size]); }
    }
    free(r->generator_rows);
    free(r->pool);
    BN_free(r->p);
    BN_CTX_free(r->context);
    EC_GROUP_free(r->group);
}

static void report(const run *r) {
    printf("p256-ifma: %llu cases of arithmetic and keys, %llu verdicts over lanes, %llu in lanes; %llu of them undecided\n",
           (unsigned long long)(r->result.cases - r->verdicts[0] - r->verdicts[1]), (unsigned long long)r->verdicts[0],
           (unsigned long long)r->verdicts[1], (unsigned long long)r->undecided);
}

differential_result check_p256_ifma(uint64_t cases, uint64_t seed) {
    run r = {.random = {seed ^ UINT64_C(0x70323536)}};
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
        int size = (int)(i / 4 % 2);
        if (i % 4 == 0) { expect(&r, "alone", s, verify_alone(&r.keys[s->key], size, s), size, 0); }
    }
    report(&r);
    run_free(&r);
    return r.result;
}

#else

differential_result check_p256_ifma(uint64_t cases, uint64_t seed) {
    (void)cases, (void)seed;
    return (differential_result){0, 0};
}

#endif
