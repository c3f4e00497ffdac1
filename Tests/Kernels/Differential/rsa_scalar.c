// check_rsa_scalar: compares RSA with 64-bit products with libcrypto: rows, products modulo n and powers, of extreme limbs and moduli.

#include <stdlib.h>

#include "../../../Sources/CJWTKernels/rsa/rsa_scalar_squares.h"
#include "CJWTKernelsVerdict.h"
#include "rsa_ifma_check.h"

enum { kScalarKinds = kModulusKinds + 6, kKeyWords = 9 + kMostLimbs / kRowLimbs * kMostLimbs };

typedef struct scalar {
    size_t bytes;
    uint8_t modulus[kMostBytes];
    uint64_t memory[kKeyWords];
    BIGNUM *n, *row_inverse;
} scalar;

// Mostly limbs at the ends of their range: carries travel far there.
static void extreme_limbs(rsa_check *check, uint64_t *limbs, size_t count) {
    static const uint64_t extremes[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX, UINT32_MAX};
    size_t style = below(check, 4);
    for (size_t i = 0; i < count; i++) {
        uint64_t draw = next_random(&check->random), extreme = extremes[draw % 8];
        limbs[i] = style == 0 ? UINT64_MAX : style == 1 ? extreme : style == 2 && draw >> 61 == 0 ? extreme : draw;
    }
}

// Moduli whose lowest or highest rows are extreme, after those of the IFMA check: 2^bits less one to three, rows of ones and zeros.
static void scalar_modulus_of(rsa_check *check, uint8_t *modulus, size_t len, size_t kind) {
    rsa_modulus(check, modulus, len, kind);
    switch (kind) {
    case kModulusKinds: memset(modulus, 0xff, len), modulus[len - 1] = 0xfd; break;
    case kModulusKinds + 1: memset(modulus, 0xff, len - 64), memset(modulus + len - 64, 0, 64); break;  // 1 modulo 2^512
    case kModulusKinds + 2: memset(modulus, 0, len - 64), memset(modulus + len - 64, 0xff, 64); break;  // -1 modulo 2^512
    case kModulusKinds + 3: memset(modulus, 0xff, 64); break;
    case kModulusKinds + 4: memset(modulus, 0, 64); break;
    case kModulusKinds + 5: {
        uint64_t limbs[kMostLimbs];
        extreme_limbs(check, limbs, len / 8);
        memcpy(modulus, limbs, len);
        break;
    }
    default: break;
    }
    modulus[0] |= 0x80;
    modulus[len - 1] |= 1;
}

static void to_limbs(uint64_t *limbs, const BIGNUM *number, size_t count) {
    if (BN_bn2lebinpad(number, (uint8_t *)limbs, (int)(8 * count)) < 0) { abort(); }
}

static void prepare(rsa_check *check, scalar *k, size_t bytes, size_t kind, BN_CTX *context) {
    NUMBER row = BN_new();
    k->bytes = bytes;
    scalar_modulus_of(check, k->modulus, bytes, kind);
    expect(check, cjwt_rsa_scalar_key_bytes(bytes) <= sizeof k->memory, "the length of a key", bytes);
    expect(check, cjwt_rsa_scalar_key_build(k->memory, k->modulus, bytes) == 1, "a modulus is refused", bytes);
    k->n = BN_bin2bn(k->modulus, (int)bytes, NULL);
    BN_set_bit(row, 512);
    k->row_inverse = BN_mod_inverse(NULL, row, k->n, context);
    if (k->row_inverse == NULL) { abort(); }
}

// The constants: n * inverse is -1 modulo 2^512, and the fold of row i is 2^(8 bytes + 512 i) modulo n, of row 1 below n.
static void check_key(rsa_check *check, const scalar *k, BN_CTX *context) {
    const rsa_scalar_key *key = (const void *)k->memory;
    NUMBER x = BN_new(), *expected = BN_new();
    BN_lebin2bn((const uint8_t *)key->inverse, 64, x);
    BN_mul(x, x, k->n, context);
    BN_add_word(x, 1);
    BN_mask_bits(x, 512);
    expect(check, BN_is_zero(x), "-1/n modulo 2^512", k->bytes);
    for (size_t row = 1; row < k->bytes / 64; row++) {
        BN_zero(expected);
        BN_set_bit(expected, (int)(8 * k->bytes + 512 * row));
        BN_nnmod(expected, expected, k->n, context);
        BN_lebin2bn((const uint8_t *)scalar_fold(key, row), (int)k->bytes, x);
        expect(check, row > 1 || BN_cmp(x, k->n) < 0, "the fold of row 1 is below n", k->bytes);
        BN_nnmod(x, x, k->n, context);
        expect(check, BN_cmp(x, expected) == 0, "the fold of a row", k->bytes);
    }
}

// Both rows, and plain arithmetic in columns.
SCALAR static void check_row(rsa_check *check) {
    uint64_t sum[9] = {0}, portable[9], m[kRowLimbs], ends[2], expected[9], carry = 0;
    extreme_limbs(check, sum, kRowLimbs);
    extreme_limbs(check, m, kRowLimbs);
    extreme_limbs(check, ends, 2);
    memcpy(portable, sum, sizeof sum);
    unsigned __int128 column = (unsigned __int128)sum[0] + ends[0];
    expected[0] = (uint64_t)column;
    carry = (uint64_t)(column >> 64);
    for (int i = 1; i < 9; i++) {
        column = (unsigned __int128)sum[i] + carry;
        expected[i] = (uint64_t)column;
        carry = (uint64_t)(column >> 64);
    }
    carry = 0;
    for (int i = 0; i < kRowLimbs; i++) {
        column = (unsigned __int128)m[i] * ends[1] + expected[i] + carry;
        expected[i] = (uint64_t)column;
        carry = (uint64_t)(column >> 64);
    }
    expected[8] += carry;
    add_row(sum, &ends[0], m, ends[1]);
    add_row_portable(portable, &ends[0], m, ends[1]);
    expect(check, memcmp(sum, expected, sizeof sum) == 0, "row", 64);
    expect(check, memcmp(portable, expected, sizeof portable) == 0, "portable row", 64);
}

// Both ways to square a row: its products once, doubled with what was there, and the squares.
SCALAR static void check_square(rsa_check *check) {
    uint64_t a[kRowLimbs], p[2 * kRowLimbs], portable[2 * kRowLimbs], carries[2][2];
    extreme_limbs(check, a, kRowLimbs);
    triangle(p, a);
    triangle_portable(portable, a);
    expect(check, memcmp(p, portable, sizeof p) == 0, "triangle", 64);
    if (below(check, 2)) { extreme_limbs(check, p, 2 * kRowLimbs), memcpy(portable, p, sizeof p); }
    for (int i = 0; i < 2; i++) { carries[0][i] = carries[1][i] = below(check, 2); }
    double_and_add(p, a, &carries[0][0], &carries[0][1]);
    double_and_add_portable(portable, a, &carries[1][0], &carries[1][1]);
    expect(check, memcmp(p, portable, sizeof p) == 0 && memcmp(carries[0], carries[1], sizeof carries[0]) == 0, "doubling", 64);
}

static void expect_residue(rsa_check *check, const scalar *k, const uint64_t *found, const BIGNUM *expected, const char *what,
                           BN_CTX *context) {
    NUMBER x = BN_new();
    BN_lebin2bn((const uint8_t *)found, (int)k->bytes, x);
    BN_nnmod(x, x, k->n, context);
    expect(check, BN_cmp(x, expected) == 0, what, k->bytes);
}

// a*b/B mod n of any numbers below R, n and above it among them. With b = R - 1, the upper half of a*b is a - 1: rows of ones there, to
// which a carry comes.
static void check_product(rsa_check *check, const scalar *k, BN_CTX *context) {
    const rsa_scalar_key *key = (const void *)k->memory;
    size_t limbs = k->bytes / 8, style = below(check, 8);
    uint64_t a[kMostLimbs], b[kMostLimbs], r[kMostLimbs];
    NUMBER x = BN_new(), *y = BN_new();
    extreme_limbs(check, a, limbs);
    extreme_limbs(check, b, limbs);
    if (style == 0) { to_limbs(a, k->n, limbs); }
    if (style < 3) { memset(b, 0xff, sizeof b); }
    if (style == 2) { memset(a + kRowLimbs, 0xff, 8 * kRowLimbs * (1 + below(check, limbs / kRowLimbs - 1))); }
    int squares = style > 3;
    if (squares) { memcpy(b, a, sizeof b); }
    BN_lebin2bn((const uint8_t *)a, (int)k->bytes, x);
    BN_lebin2bn((const uint8_t *)b, (int)k->bytes, y);
    BN_mul(x, x, y, context);
    BN_mod_mul(x, x, k->row_inverse, k->n, context);
    if (squares) { rsa_scalar_square(key, r, a); } else { rsa_scalar_multiply(key, r, a, b); }
    expect_residue(check, k, r, x, squares ? "square" : "product", context);
    BN_lebin2bn((const uint8_t *)a, (int)k->bytes, x);
    BN_lshift(x, x, 512);
    BN_nnmod(x, x, k->n, context);
    rsa_scalar_times_row(key, r, a);
    expect_residue(check, k, r, x, "a number times a row", context);
}

static void draw(rsa_check *check, uint8_t *sig, const scalar *k) {
    uint64_t limbs[kMostLimbs];
    size_t style = below(check, 8);
    extreme_limbs(check, limbs, k->bytes / 8);
    memcpy(sig, limbs, k->bytes);
    if (style < 2) { memset(sig, 0, k->bytes), sig[k->bytes - 1] = (uint8_t)style; }
    if (style == 2 || style == 3) { memcpy(sig, k->modulus, k->bytes), sig[k->bytes - 1] ^= (uint8_t)(style == 3); }  // n, n - 1
    if (style == 4) { memset(sig, 0xff, k->bytes); }
    if (style > 5) { sig[0] &= 0x7f; }
}

static void check_power(rsa_check *check, const scalar *k, BN_CTX *context) {
    uint8_t sig[kMostBytes], em[kMostBytes], expected[kMostBytes];
    NUMBER s = BN_new(), *exponent = BN_new();
    draw(check, sig, k);
    memset(em, 0xa5, sizeof em);
    memset(expected, 0xa5, sizeof expected);
    BN_bin2bn(sig, (int)k->bytes, s);
    BN_set_word(exponent, 65537);
    int in_range = BN_cmp(s, k->n) < 0;
    if (in_range) {
        if (BN_mod_exp(s, s, exponent, k->n, context) != 1) { abort(); }
        BN_bn2binpad(s, expected, (int)k->bytes);
    }
    int result = cjwt_rsa_scalar_power(k->memory, em, sig);
    check->powers[0]++;
    expect(check, result == in_range && memcmp(em, expected, k->bytes) == 0, "power", k->bytes);
}

static void check_unsuitable(rsa_check *check) {
    uint64_t memory[kKeyWords];
    uint8_t modulus[kMostBytes + 1];
    for (size_t len = 0; len <= kMostBytes; len++) {
        int supported = len == 256 || len == 384 || len == 512;
        memset(modulus, 0xff, sizeof modulus);
        expect(check, (cjwt_rsa_scalar_key_bytes(len) != 0) == supported, "the length of a key", len);
        if (!supported) { expect(check, cjwt_rsa_scalar_key_build(memory, modulus, len) == 0, "an unsuitable length", len); }
        if (!supported) { continue; }
        modulus[len - 1] = 0xfe;
        expect(check, cjwt_rsa_scalar_key_build(memory, modulus, len) == 0, "an even modulus", len);
        modulus[len - 1] = 0xff;
        modulus[0] = 0x7f;
        expect(check, cjwt_rsa_scalar_key_build(memory, modulus, len) == 0, "a modulus one bit short", len);
    }
}

static int can_run(void) {
#if defined(__x86_64__)
    return cjwt_adx_available();
#else
    return 1;
#endif
}

differential_result check_rsa_scalar(uint64_t cases, uint64_t seed) {
    rsa_check check = {.random = {seed}, .seed = seed, .name = "rsa-scalar"};
    check_unsuitable(&check);
    const size_t none = cjwt_rsa_scalar_pays(0) + cjwt_rsa_scalar_pays(255) + cjwt_rsa_scalar_pays(257) + cjwt_rsa_scalar_pays(1024);
    expect(&check, none == 0, "a length without a key pays", none);
    if (!can_run()) {
        expect(&check, cjwt_rsa_scalar_pays(256) == 0, "a kernel that cannot run pays", 256);
        return check.result;
    }
    expect(&check, cjwt_rsa_scalar_self_test() == 1, "self test", 256);
    BN_CTX *context = BN_CTX_new();
    for (size_t turn = 0; check.result.cases < cases || turn < kSizes * kScalarKinds; turn++) {
        scalar k;
        prepare(&check, &k, size_of(turn), turn / kSizes % kScalarKinds, context);
        check_key(&check, &k, context);
        for (int i = 0; i < 600; i++) { check_row(&check), check_square(&check); }
        for (int i = 0; i < 100; i++) { check_product(&check, &k, context); }
        for (int i = 0; i < 5; i++) { check_power(&check, &k, context); }
        BN_free(k.n);
        BN_free(k.row_inverse);
    }
    BN_CTX_free(context);
    printf("rsa-scalar: %llu powers\n", (unsigned long long)check.powers[0]);
    return check.result;
}
