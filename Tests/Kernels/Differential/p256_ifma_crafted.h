// p256_ifma_crafted.h: cases that no random signature reaches: exceptional additions at every level, scalars and tables at their ends.

#ifndef ASSAY_P256_IFMA_CRAFTED_H
#define ASSAY_P256_IFMA_CRAFTED_H

#include "p256_ifma_exceptional.h"

#if defined(__x86_64__)

// check_table compares rows with libcrypto's multiples.
static void check_table(run *r, const key *k, int size, int rows) {
    const p256_table *table = k->table[size];
    POINT point = EC_POINT_new(r->group);
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
    BN_free(m), BN_free(c[0]), BN_free(c[1]), BN_free(row);
}

// A token's points, numbered as lanes.h lists them: the generator's windows, then the key's.

typedef struct places {
    BIGNUM *coefficient[kP256MaxPoints];  // the digit of this place times its window
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

// set_sum adds up the places of a set: the generator's into g, the key's into q.
static void set_sum(run *r, const places *all, const uint8_t in[kP256MaxPoints], uint8_t mark, BIGNUM *g, BIGNUM *q) {
    BN_zero(g), BN_zero(q);
    for (int i = 0; i < all->count; i++) {
        BIGNUM *to = i < kP256FullWindows ? g : q;
        if (in[i] == mark) { BN_mod_add(to, to, all->coefficient[i], r->order, r->context); }
    }
}

// meeting marks two sets of places that are summed separately and then added: in one token's lanes, or in a lane's chains.
static void meeting(run *r, uint8_t in[kP256MaxPoints], int count, int batch) {
    memset(in, 0, kP256MaxPoints);
    uint64_t any = next_random(&r->random);
    int level = (int)(any % 5), lane = (int)(any >> 8) % 8, width = batch ? 2 : 8;
    if (batch && level > 1) { level = 4; }
    // A chain or lane, up to an addition of a key's row.
    int first = batch ? lane % 2 : lane, last = count - width + first;
    int steps = (last - kP256FullWindows) / width + 1, at = last - width * ((int)(any >> 16 & 0xffff) % steps);
    for (int i = 0; i < count; i++) {
        if (level < 2) {
            in[i] = i == at ? 2 : i % width == first && i < at ? 1 : 0;
        } else if (batch) {
            in[i] = (uint8_t)(1 + i % 2);
        } else {
            // Lanes that differ in bit 2, in bits 2 and 1, or in all: each pair of halves.
            int apart = level == 2 ? 4 : level == 3 ? 2 : 1, same = level == 2 ? 3 : level == 3 ? 1 : 0;
            if (((i ^ lane) & same) == 0) { in[i] = (i & apart) == 0 ? 1 : 2; }
        }
    }
}

// check_exceptional makes a key for which two partial sums are equal or opposite multiples of G, and a valid signature by that key.
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
    NUMBER d = BN_new(), *divisor = BN_new();
    BN_mod_sub(d, g[1], g[0], r->order, r->context);
    BN_mod_sub(divisor, q[0], q[1], r->order, r->context);
    if (!BN_is_zero(d) && !BN_is_zero(divisor)) {
        BN_mod_inverse(divisor, divisor, r->order, r->context);
        BN_mod_mul(d, d, divisor, r->order, r->context);
        key_of_scalar(r, k, d);
        sample s = {.key = 255};
        sign_for(r, &s, k, u1, u2);
        predict(r, k, &s);
        const void *tables[8] = {k->table[size], NULL, k->table[!size], NULL, NULL, NULL, NULL, k->table[size]};
        const uint8_t *hashes[8] = {s.hash, 0, s.hash, 0, 0, 0, 0, s.hash}, *sigs[8] = {s.sig, 0, s.sig, 0, 0, 0, 0, s.sig};
        cjwt_verdict lanes[8], alone = verify_alone(k, size, &s);
        cjwt_p256_ifma_verify8(lanes, tables, hashes, sigs);
        expect(r, "exceptional, alone", &s, alone, size, 0);
        expect(r, "exceptional, other size alone", &s, verify_alone(k, !size, &s), !size, 0);
        for (int i = 0; i < 8; i++) {
            if (tables[i] != NULL) { expect(r, "exceptional, lanes", &s, lanes[i], i == 2 ? !size : size, 1); }
        }
        if (!s.exceptional[size][batch]) { fail(r, "a crafted addition was not predicted", &s, batch ? lanes[0] : alone); }
        EC_KEY_free(k->key);
    }
    for (int i = 0; i < all.count; i++) { BN_free(all.coefficient[i]); }
    for (int i = 0; i < 2; i++) { BN_free(g[i]), BN_free(q[i]); }
    BN_free(u1), BN_free(u2);
}

// check_digits: a recoded number is the sum of its digits.
static void check_digits(run *r) {
    uint8_t bytes[32];
    random_bytes(&r->random, bytes, 32);
    if (next_random(&r->random) % 2 == 0) { edge_number(r, bytes); }
    NUMBER k = BN_bin2bn(bytes, 32, NULL), *sum = BN_new(), *term = BN_new();
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
}

static void check_crafted(run *r, uint64_t cases) {
    key scratch = {.key = NULL};
    uint64_t rounds = cases / 5000 < 24 ? 24 : cases / 5000 > 2000 ? 2000 : cases / 5000;
    differential_result of_keys = check_p256_ifma_keys(rounds, next_random(&r->random));
    r->result.cases += of_keys.cases;
    r->result.failures += of_keys.failures;
    for (uint64_t i = 0; i < rounds; i++) {
        check_exceptional(r, &scratch, (int)(i % 2), (int)(i / 2 % 2));
        for (int j = 0; j < 8; j++) { check_digits(r); }
        if (i < kKeys) { check_table(r, &r->keys[i], 0, 16), check_table(r, &r->keys[i], 1, 32); }
    }
    for (int size = 0; size < 2; size++) { free(scratch.table[size]), free(scratch.rows[size]); }
}

#endif
#endif
