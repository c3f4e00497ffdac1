// rsa_lanes_arithmetic.h: the multiplications of RSA in lanes without 512-bit IFMA, with operands that powers rarely have, against BN. The
// including file includes the multiplications before, and defines KEY, a modulus' key for them, and CHECK, the name of its check.

#include <stdlib.h>
#include <string.h>

#include "rsa_lanes_check.h"

enum { kPaddedBytes = kMostBytes + 16 };

typedef struct numbers {
    _Alignas(column) uint64_t words[kMaxDigits * RSA_LANES];
} numbers;

static void put(uint64_t *lane, const BIGNUM *x, size_t digits) {
    uint8_t bytes[kPaddedBytes];
    if (BN_bn2lebinpad(x, bytes, sizeof bytes) < 0) { abort(); }
    for (size_t i = 0; i < digits; i++) {
        uint64_t word;
        memcpy(&word, bytes + kDigitBits * i / 8, sizeof word);
        lane[RSA_LANES * i] = (word >> (kDigitBits * i % 8)) & DIGIT_MASK;
    }
}

// Zero where a digit is too large.
static int take(BIGNUM *x, const uint64_t *lane, size_t digits) {
    uint8_t bytes[kPaddedBytes] = {0};
    for (size_t i = 0; i < digits; i++) {
        uint64_t word;
        if (lane[RSA_LANES * i] > DIGIT_MASK) { return 0; }
        memcpy(&word, bytes + kDigitBits * i / 8, sizeof word);
        word |= lane[RSA_LANES * i] << (kDigitBits * i % 8);
        memcpy(bytes + kDigitBits * i / 8, &word, sizeof word);
    }
    return BN_lebin2bn(bytes, sizeof bytes, x) != NULL;
}

// operand draws a number below 2n: any below 2^bits (which is at most 2n), 2^bits - 1, extreme digits, n, 2n - 1, or n plus a number below
// 2^(bits - 1).
static void operand(rsa_check *check, BIGNUM *x, const BIGNUM *n, size_t bytes) {
    uint8_t drawn[kMostBytes];
    size_t style = below(check, 6);
    random_bytes(&check->random, drawn, bytes);
    for (size_t bit = 0, digit = 0; style == 0 && bit < 8 * bytes; bit++) {
        if (bit % kDigitBits == 0) { digit = below(check, 3); }
        drawn[bytes - 1 - bit / 8] &= (uint8_t)~(1 << bit % 8);
        drawn[bytes - 1 - bit / 8] |= (uint8_t)((digit == 1 || (digit == 2 && bit % kDigitBits > 0)) << bit % 8);
    }
    if (style == 1) { memset(drawn, 0xff, bytes); }
    if (style == 4) { drawn[0] &= 0x7f; }
    BN_bin2bn(drawn, (int)bytes, x);
    if (style == 2) { BN_copy(x, n); }
    if (style == 3) { BN_lshift1(x, n), BN_sub_word(x, 1); }
    if (style == 4) { BN_add(x, x, n); }
}

// r*R = x*y mod n, r < 2n.
static int is_product(const uint64_t *lane, const BIGNUM *x, const BIGNUM *y, const BIGNUM *n, size_t digits, BN_CTX *context) {
    BN_CTX_start(context);
    BIGNUM *r = BN_CTX_get(context), *expected = BN_CTX_get(context), *twice = BN_CTX_get(context);
    int holds = take(r, lane, digits);
    BN_lshift1(twice, n);
    holds = holds && BN_cmp(r, twice) < 0;
    BN_mod_mul(expected, x, y, n, context);
    BN_lshift(r, r, (int)(kDigitBits * digits));
    BN_nnmod(r, r, n, context);
    holds = holds && BN_cmp(r, expected) == 0;
    BN_CTX_end(context);
    return holds;
}

static void check_products(rsa_check *check, const rsa_lanes_modulus *moduli, size_t count, BN_CTX *context) {
    static numbers n, x, y, q, squares;
    _Alignas(column) uint64_t inverse[RSA_LANES];
    const rsa_lanes_modulus *chosen[RSA_LANES];
    BIGNUM *operands[RSA_LANES][2];
    const size_t digits = ((const rsa_lanes_key *)moduli[0].KEY)->shape->digits;
    BN_CTX_start(context);
    for (size_t i = 0; i < RSA_LANES; i++) {
        chosen[i] = &moduli[below(check, count)];
        inverse[i] = ((const rsa_lanes_key *)chosen[i]->KEY)->inverse;
        put(n.words + i, chosen[i]->n, digits);
        for (int j = 0; j < 2; j++) {
            operands[i][j] = BN_CTX_get(context);
            operand(check, operands[i][j], chosen[i]->n, chosen[i]->bytes);
        }
        put(x.words + i, operands[i][0], digits);
        put(y.words + i, operands[i][1], digits);
    }
    squares = x;
    montgomery_multiply(x.words, y.words, n.words, inverse, q.words, digits);
    montgomery_square(squares.words, n.words, inverse, q.words, digits);
    for (size_t i = 0; i < RSA_LANES; i++) {
        const BIGNUM *a = operands[i][0], *b = operands[i][1];
        expect(check, is_product(x.words + i, a, b, chosen[i]->n, digits, context), "product", chosen[i]->bytes);
        expect(check, is_product(squares.words + i, a, a, chosen[i]->n, digits, context), "square", chosen[i]->bytes);
    }
    BN_CTX_end(context);
}

// The constants of a key: n, R^2 mod n, and -1/n mod the digits' radix.
static void check_key(rsa_check *check, const rsa_lanes_modulus *modulus, BN_CTX *context) {
    const rsa_lanes_key *key = modulus->KEY;
    const size_t digits = key->shape->digits;
    numbers row;
    NUMBER got = BN_new(), *expected = BN_new();
    for (size_t i = 0; i < digits; i++) { row.words[RSA_LANES * i] = key_modulus(key)[i]; }
    expect(check, take(got, row.words, digits) && BN_cmp(got, modulus->n) == 0, "the digits of n", modulus->bytes);
    for (size_t i = 0; i < digits; i++) { row.words[RSA_LANES * i] = key_r_squared(key)[i]; }
    BN_set_bit(expected, (int)(2 * kDigitBits * digits));
    BN_nnmod(expected, expected, modulus->n, context);
    expect(check, take(got, row.words, digits) && BN_cmp(got, expected) == 0, "R^2", modulus->bytes);
    expect(check, ((key->inverse * key_modulus(key)[0] + 1) & DIGIT_MASK) == 0 && key->inverse <= DIGIT_MASK, "-1/n", modulus->bytes);
}

void CHECK(rsa_check *check, const rsa_lanes_modulus *moduli, size_t count, uint64_t cases, BN_CTX *context) {
    for (size_t i = 0; i < count; i++) { check_key(check, &moduli[i], context); }
    for (uint64_t end = check->result.cases + cases; check->result.cases < end;) { check_products(check, moduli, count, context); }
}
