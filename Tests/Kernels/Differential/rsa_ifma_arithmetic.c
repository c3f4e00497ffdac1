// check_rsa_arithmetic: parts that a random power rarely drives to their limits, each alone: carrying, the last subtraction, digits and
// bytes, and single multiplications, compared with plain arithmetic and BN.

#include "rsa_ifma_check.h"

#include <stdlib.h>

#if defined(__x86_64__)

typedef struct number {
    _Alignas(64) uint64_t digits[kMostWords];
} number;

static void carry_plainly(number *x, size_t words) {
    uint64_t carry = 0;
    for (size_t i = 0; i < words; i++) {
        unsigned __int128 sum = (unsigned __int128)x->digits[i] + carry;
        x->digits[i] = (uint64_t)sum & DIGIT_MASK;
        carry = (uint64_t)(sum >> kDigitBits);
    }
}

// The words above the shape's are no digits: the carry of a larger shape would change them.
static void check_carry(rsa_check *check, const rsa_ifma_shape *shape, number *columns, const char *what) {
    size_t words = shape->vectors * kLanes;
    for (size_t i = words; i < kMostWords; i++) { columns->digits[i] = UINT64_MAX; }
    number expected = *columns;
    carry_plainly(&expected, words);
    rsa_ifma_carry(shape, columns->digits);
    expect(check, memcmp(columns, &expected, sizeof expected) == 0, what, shape->bytes);
}

static void check_random_carry(rsa_check *check, const rsa_ifma_shape *shape) {
    static const uint64_t extremes[] = {0, 1, DIGIT_MASK, DIGIT_MASK - 1, DIGIT_MASK + 1, UINT64_MAX, UINT64_C(1) << 63,
                                        UINT64_MAX - DIGIT_MASK, UINT64_MAX - DIGIT_MASK - 1, 2 * DIGIT_MASK, 2 * DIGIT_MASK + 1};
    number columns;
    uint64_t style = next_random(&check->random);
    for (size_t i = 0; i < shape->vectors * kLanes; i++) {
        uint64_t draw = next_random(&check->random);
        uint64_t extreme = extremes[draw % (sizeof extremes / sizeof extremes[0])];
        // Mostly 2^52 - 1 with a few other digits, because carries travel far there.
        switch (style % 4) {
        case 0: columns.digits[i] = extreme; break;
        case 1: columns.digits[i] = draw >> 32 & 15 ? DIGIT_MASK : extreme; break;
        case 2: columns.digits[i] = draw >> 63 ? extreme : draw; break;
        default: columns.digits[i] = draw >> (style >> 8 & 15); break;
        }
    }
    check_carry(check, shape, &columns, "carry");
}

enum { kWindow = 8, kPatterns = 6561 };  // 3^8

// Every one of the 3^8 patterns of digits that propagate, generate or stop a carry, at every position: the case numbers enumerate them.
static void check_pattern(rsa_check *check, const rsa_ifma_shape *shape, uint64_t index) {
    static const uint64_t digit[] = {DIGIT_MASK - 1, DIGIT_MASK, DIGIT_MASK + 1};
    number columns = {{0}};
    size_t place = (size_t)(index / kPatterns % (shape->vectors * kLanes - kWindow + 1));
    uint64_t pattern = index % kPatterns;
    for (size_t i = 0; i < kWindow; i++, pattern /= 3) { columns.digits[place + i] = digit[pattern % 3]; }
    check_carry(check, shape, &columns, "carry pattern");
}

// operand draws a number below 2n: any below 2^bits (which is at most 2n), n, 2n, or n plus a number below 2^(bits - 1).
static void operand(rsa_check *check, number *x, const rsa_ifma_key *key) {
    const uint64_t *n = key_modulus(key);
    size_t bits = 8 * (size_t)key->shape->bytes, top = (bits - 1) / kDigitBits, style = below(check, 6);
    memset(x, 0, sizeof *x);
    for (size_t i = 0; i <= top; i++) {
        uint64_t draw = next_random(&check->random);
        x->digits[i] = (style == 0 ? DIGIT_MASK : style == 1 ? 0 - (draw & 1) : draw) & DIGIT_MASK;
    }
    x->digits[top] &= (UINT64_C(1) << (bits - kDigitBits * top - (style == 4))) - 1;
    for (size_t i = 0; i <= top; i++) {
        if (style == 2) { x->digits[i] = n[i]; }
        if (style == 3) { x->digits[i] = 2 * n[i] - (i == 0); }
        if (style == 4) { x->digits[i] += n[i]; }
    }
    carry_plainly(x, key->shape->digits);
}

// The definition: (a*b + q*n) / R, where q is the one number below R that makes the result an integer.
static void multiply_plainly(number *r, const number *a, const number *b, const rsa_ifma_key *key) {
    size_t digits = key->shape->digits;
    const uint64_t *n = key_modulus(key);
    uint64_t t[kMostWords + 1] = {0};
    for (size_t i = 0; i < digits; i++) {
        uint64_t q = (t[0] + a->digits[0] * b->digits[i]) * key->inverse & DIGIT_MASK;
        unsigned __int128 carry = 0;
        for (size_t j = 0; j <= digits; j++) {
            unsigned __int128 sum = carry + t[j];
            if (j < digits) { sum += (unsigned __int128)a->digits[j] * b->digits[i] + (unsigned __int128)q * n[j]; }
            if (j > 0) { t[j - 1] = (uint64_t)sum & DIGIT_MASK; }
            carry = sum >> kDigitBits;
        }
        t[digits] = (uint64_t)carry;
    }
    memset(r, 0, sizeof *r);
    memcpy(r->digits, t, digits * sizeof t[0]);
}

static void big_number(BIGNUM *out, const uint64_t *digits, size_t count) {
    uint8_t bytes[2 * kMostBytes] = {0};
    for (size_t bit = 0; bit < count * kDigitBits; bit += 4) {
        uint64_t four = digits[bit / kDigitBits] >> (bit % kDigitBits) & 15;
        bytes[bit / 8] |= (uint8_t)(four << (bit % 8));
    }
    BN_lebin2bn(bytes, sizeof bytes, out);
}

// The other oracle: r*R = a*b mod n, and r < 2n.
static int agrees_with_bn(const number *r, const number *a, const number *b, const rsa_ifma_key *key) {
    size_t digits = key->shape->digits;
    BN_CTX *context = BN_CTX_new();
    BN_CTX_start(context);
    BIGNUM *n = BN_CTX_get(context), *x = BN_CTX_get(context), *y = BN_CTX_get(context), *z = BN_CTX_get(context);
    big_number(n, key_modulus(key), digits);
    big_number(x, a->digits, digits);
    big_number(y, b->digits, digits);
    big_number(z, r->digits, digits);
    BN_mod_mul(x, x, y, n, context);
    BN_lshift1(y, n);
    int in_range = BN_cmp(z, y) < 0;
    BN_lshift(z, z, (int)(kDigitBits * digits));
    BN_nnmod(z, z, n, context);
    int agrees = in_range && BN_cmp(x, z) == 0;
    BN_CTX_end(context);
    BN_CTX_free(context);
    return agrees;
}

static void check_multiply(rsa_check *check, const rsa_ifma_key *key) {
    number a, b, r, expected;
    size_t size = key->shape->vectors * kLanes * sizeof(uint64_t);
    operand(check, &a, key);
    operand(check, &b, key);
    multiply_plainly(&expected, &a, &b, key);
    rsa_ifma_multiply(key, r.digits, a.digits, b.digits);
    expect(check, memcmp(&r, &expected, size) == 0, "multiply", key->shape->bytes);
    if (below(check, 16) == 0) { expect(check, agrees_with_bn(&r, &a, &b, key), "multiply against BN", key->shape->bytes); }
    multiply_plainly(&expected, &a, &a, key);
    rsa_ifma_square(key, r.digits, a.digits);
    expect(check, memcmp(&r, &expected, size) == 0, "square", key->shape->bytes);
}

typedef struct eight {
    _Alignas(64) uint64_t words[kMostWords * kLanes];
} eight;

static void put_lane(eight *out, size_t lane, const uint64_t *digits, size_t count) {
    for (size_t i = 0; i < count; i++) { out->words[kLanes * i + lane] = digits[i]; }
}

static int lane_is(const eight *x, size_t lane, const number *expected, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (x->words[kLanes * i + lane] != expected->digits[i]) { return 0; }
    }
    return 1;
}

static void check_multiply8(rsa_check *check, rsa_ifma_key *const *keys, size_t key_count) {
    eight n, x, y, q, squares;
    number a[kLanes], b[kLanes], expected;
    const rsa_ifma_key *lane_keys[kLanes];
    uint64_t inverse[kLanes];
    size_t digits = keys[0]->shape->digits, bytes = keys[0]->shape->bytes;
    for (size_t i = 0; i < kLanes; i++) {
        lane_keys[i] = keys[below(check, key_count)];
        inverse[i] = lane_keys[i]->inverse;
        operand(check, &a[i], lane_keys[i]);
        operand(check, &b[i], lane_keys[i]);
        put_lane(&n, i, key_modulus(lane_keys[i]), digits);
        put_lane(&x, i, a[i].digits, digits);
        put_lane(&y, i, b[i].digits, digits);
    }
    squares = x;
    rsa_ifma_multiply8(x.words, y.words, n.words, inverse, q.words, digits);
    rsa_ifma_square8(squares.words, n.words, inverse, q.words, digits);
    for (size_t i = 0; i < kLanes; i++) {
        multiply_plainly(&expected, &a[i], &b[i], lane_keys[i]);
        expect(check, lane_is(&x, i, &expected, digits), "multiply8", bytes);
        multiply_plainly(&expected, &a[i], &a[i], lane_keys[i]);
        expect(check, lane_is(&squares, i, &expected, digits), "square8", bytes);
    }
}

// The last subtraction, and bytes, with n, 2n - 1 and other operands.
static void check_ends(rsa_check *check, const rsa_ifma_key *key) {
    const rsa_ifma_shape *shape = key->shape;
    const uint64_t *n = key_modulus(key);
    number x, again = {{0}};
    uint8_t bytes[kMostBytes];
    operand(check, &x, key);
    NUMBER expected = BN_new(), *got = BN_new();
    big_number(expected, x.digits, shape->digits);
    big_number(got, n, shape->digits);
    if (BN_cmp(expected, got) >= 0) { BN_sub(expected, expected, got); }
    reduce_once(x.digits, n, shape->digits);
    bytes_from_digits(bytes, x.digits, shape);
    digits_from_bytes(again.digits, bytes, shape);
    BN_bin2bn(bytes, (int)shape->bytes, got);
    expect(check, BN_cmp(expected, got) == 0, "subtraction", shape->bytes);
    expect(check, memcmp(again.digits, x.digits, shape->digits * sizeof(uint64_t)) == 0, "bytes", shape->bytes);
}

void check_rsa_arithmetic(rsa_check *check, uint64_t cases) {
    rsa_ifma_key *keys[kSizes][kModulusKinds];
    uint8_t modulus[kMostBytes];
    for (size_t i = 0; i < kSizes * kModulusKinds; i++) {
        rsa_modulus(check, modulus, size_of(i), i / kSizes);
        keys[i % kSizes][i / kSizes] = rsa_prepared(modulus, size_of(i));
    }
    uint64_t end = check->result.cases + cases;
    for (uint64_t i = 0; check->result.cases < end; i++) {
        const rsa_ifma_key *key = keys[i % kSizes][below(check, kModulusKinds)];
        check_random_carry(check, key->shape);
        check_pattern(check, key->shape, i / kSizes);
        if (i % 64 < kSizes) { check_ends(check, key); }
        if (i % 256 < kSizes) { check_multiply(check, key); }
        if (i % 1024 < kSizes) { check_multiply8(check, keys[i % kSizes], kModulusKinds); }
    }
    for (size_t i = 0; i < kSizes * kModulusKinds; i++) { free(keys[i % kSizes][i / kSizes]); }
}

#else

void check_rsa_arithmetic(rsa_check *check, uint64_t cases) {
    (void)check, (void)cases;
}

#endif
