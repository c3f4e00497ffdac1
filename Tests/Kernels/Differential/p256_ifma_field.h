// p256_ifma_field.h: compares the lanes' field arithmetic with BIGNUM.

#ifndef ASSAY_P256_IFMA_FIELD_H
#define ASSAY_P256_IFMA_FIELD_H

#include "p256_ifma_numbers.h"

#if defined(__x86_64__)

// check_products: eight lanes of a b, a^2, a b + c d; factors have random bits above their digits.
__attribute__((target(CJWT_IFMA_TARGET))) static uint64_t check_products(differential_random *random, field_numbers *n) {
    limbs8 in[4], out[4];
    fe8_factor f[4];
    for (int k = 0; k < 4; k++) {
        limbs8 dirty;
        for (int lane = 0; lane < 8; lane++) { boundary_number(random, in[k], lane); }
        memcpy(dirty, in[k], sizeof dirty);
        for (int i = 0; i < 4; i++) {
            for (int lane = 0; lane < 8; lane++) { dirty[i][lane] |= next_random(random) << 52; }
        }
        FIELD_LOAD(f[k], dirty);
    }
    FIELD_STORE(out[0], fe8_mul(f[0], f[1]));
    FIELD_STORE(out[1], fe8_sqr(f[0]));
    fe8_product two = fe8_product_of(f[0], f[1]);
    fe8_accumulate(&two, f[2], f[3]);
    FIELD_STORE(out[2], fe8_reduce(two));
    FIELD_STORE(out[3], fe8_carry(fe8_mul(f[2], f[3])));
    uint64_t failures = 0;
    for (int lane = 0; lane < 8; lane++) {
        if (!is_montgomery_sum(n, out[0], 64, in[0], in[1], NULL, NULL, lane)) { failures += field_fail("a b", in[0], in[1], lane); }
        if (!is_montgomery_sum(n, out[1], 64, in[0], in[0], NULL, NULL, lane)) { failures += field_fail("a a", in[0], in[0], lane); }
        if (!is_montgomery_sum(n, out[2], 64, in[0], in[1], in[2], in[3], lane)) {
            failures += field_fail("a b + c d", in[0], in[1], lane);
        }
        if (!is_montgomery_sum(n, out[3], 52, in[2], in[3], NULL, NULL, lane)) { failures += field_fail("carried", in[2], in[3], lane); }
        for (int i = 0; i < 5; i++) {
            if (out[0][i][lane] >> 57 != 0 || out[2][i][lane] >> 57 != 0) { failures += field_fail("limbs", in[0], in[1], lane); }
        }
    }
    return failures;
}

// check_carries: fe8_carry, fe8_digits and fe8_fold on limbs up to 2^60.
__attribute__((target(CJWT_IFMA_TARGET))) static uint64_t check_carries(differential_random *random, field_numbers *n) {
    limbs8 in, carried, digits, folded;
    fe8_sum sum;
    for (int i = 0; i < 5; i++) {
        for (int lane = 0; lane < 8; lane++) { in[i][lane] = sum_limb(random, i == 4); }
    }
    FIELD_LOAD(sum, in);
    FIELD_STORE(carried, fe8_carry(sum));
    FIELD_STORE(digits, fe8_digits(sum));
    FIELD_STORE(folded, fe8_fold(sum));
    uint64_t failures = 0;
    for (int lane = 0; lane < 8; lane++) {
        int good = same_value(n, carried, 52, in, lane, 0) & same_value(n, digits, 64, in, lane, 0);
        good &= same_value(n, folded, 64, in, lane, 1);
        limbs_value(n->a, folded, lane, 64);
        BN_rshift(n->a, n->a, 230);
        BN_sub_word(n->a, 1);
        good &= BN_num_bits(n->a) <= 26;  // below 2^256 + 2^230
        for (int i = 0; i < 5; i++) { good &= digits[i][lane] >> 52 == 0 && folded[i][lane] >> 52 == 0; }
        if (!good) { failures += field_fail("carry", in, digits, lane); }
    }
    return failures;
}

// check_differences: a + k p - b for an uncarried product b; and which numbers are multiples of p.
__attribute__((target(CJWT_IFMA_TARGET))) static uint64_t check_differences(differential_random *random, field_numbers *n) {
    limbs8 in[3], b, out, zero;
    fe8_factor f[2];
    fe8 a, small;
    for (int lane = 0; lane < 8; lane++) {
        for (int k = 0; k < 3; k++) { boundary_number(random, in[k], lane); }
        in[1][4][lane] >>= 5;  // slightly above p/2 at most, so that the product is below 2 p
        in[2][4][lane] %= UINT64_C(14) << 48;
        uint64_t times = next_random(random) % 4, carry = 0;
        const uint64_t p[5] = {FE8_P0, FE8_P1, FE8_P2, FE8_P3, FE8_P4};
        for (int i = 0; i < 5; i++) {
            uint64_t v = times * p[i] + carry;
            carry = v >> 52;
            zero[i][lane] = v & FE8_MASK52;
        }
        if (next_random(random) % 2 == 0) { zero[next_random(random) % 5][lane] ^= UINT64_C(1) << next_random(random) % 48; }
    }
    FIELD_LOAD(f[0], in[0]);
    FIELD_LOAD(f[1], in[1]);
    FIELD_LOAD(a, in[2]);
    FIELD_LOAD(small, zero);
    fe8_sum product = fe8_mul(f[0], f[1]);
    FIELD_STORE(b, product);
    FIELD_STORE(out, fe8_digits(fe8_sub(fe8_add(fe8_as_sum(a), fe8_times_p(2, 17)), product)));
    __mmask8 zeros = fe8_is_zero(small);
    uint64_t failures = 0;
    for (int lane = 0; lane < 8; lane++) {
        limbs_value(n->a, in[2], lane, 64);
        limbs_value(n->b, b, lane, 64);
        BN_sub(n->a, n->a, n->b);
        BN_add(n->a, n->a, n->p);
        BN_add(n->a, n->a, n->p);
        limbs_value(n->c, out, lane, 64);
        int good = BN_cmp(n->a, n->c) == 0;
        limbs_value(n->a, zero, lane, 64);
        BN_mod(n->a, n->a, n->p, n->context);
        good &= BN_is_zero(n->a) == (zeros >> lane & 1);
        if (!good) { failures += field_fail("difference", in[2], zero, lane); }
    }
    return failures;
}

// check_rows: loads and stores rows, with y and with p - y.
__attribute__((target(CJWT_IFMA_TARGET))) static uint64_t check_rows(differential_random *random, field_numbers *n) {
    _Alignas(64) uint64_t rows[8][8], back[8][8];
    const uint64_t *at[8];
    limbs8 x, y;
    for (int i = 0; i < 8; i++) {
        at[i] = rows[i];
        for (int j = 0; j < 8; j++) { rows[i][j] = next_random(random) >> (j % 4 == 3 ? 1 : 0); }
        for (int j = 4; j < 8 && i == 0; j++) { rows[i][j] = j == 4; }
    }
    __mmask8 negative = (__mmask8)next_random(random);
    affine8 q;
    rows8_load(&q, at, negative);
    FIELD_STORE(x, q.x);
    FIELD_STORE(y, q.y);
    __m512i w[8];
    fe8_to_words(w, q.x);
    fe8_to_words(w + 4, q.y);
    transpose(w);
    for (int i = 0; i < 8; i++) { _mm512_store_si512(back[i], w[i]); }
    uint64_t failures = 0;
    for (int lane = 0; lane < 8; lane++) {
        int good = memcmp(rows[lane], back[lane], 32) == 0;
        BN_lebin2bn((const unsigned char *)rows[lane], 32, n->a);
        limbs_value(n->b, x, lane, 64);
        good &= BN_cmp(n->a, n->b) == 0;
        BN_lebin2bn((const unsigned char *)(rows[lane] + 4), 32, n->a);
        if (negative >> lane & 1) { BN_sub(n->a, n->p, n->a); }
        limbs_value(n->b, y, lane, 64);
        good &= BN_cmp(n->a, n->b) == 0;
        if (!good) { failures += field_fail("row", x, y, lane); }
    }
    return failures;
}

// check_field runs about `cases` cases; each lane of an operation is one case.
static inline differential_result check_field(uint64_t cases, differential_random *random) {
    differential_result result = {0, 0};
    field_numbers n;
    field_numbers_new(&n);
    while (result.cases < cases) {
        result.failures += check_products(random, &n);
        result.failures += check_carries(random, &n);
        result.failures += check_differences(random, &n);
        result.failures += check_rows(random, &n);
        result.cases += 8 * 10;
    }
    field_numbers_free(&n);
    return result;
}

#endif
#endif
