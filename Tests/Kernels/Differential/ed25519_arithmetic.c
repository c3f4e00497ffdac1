// Compares numbers modulo p and modulo L, and windows of a scalar, with libcrypto's big numbers.

#include "ed25519.h"

// The number that radix-2^51 digits of any size represent.
static void number_of(BIGNUM *out, const fe51 *a) {
    BN_zero(out);
    for (int i = 4; i >= 0; i--) {
        BN_lshift(out, out, 51);
        BN_add_word(out, a->digit[i]);
    }
}

// Whether a number has these words after reduction modulo p.
static int has_words(ed25519_run *run, BIGNUM *n, const uint64_t words[4]) {
    uint8_t bytes[32];
    uint64_t expected[4] = {0};
    BN_nnmod(n, n, run->prime, run->bn);
    BN_bn2lebinpad(n, bytes, 32);
    for (int i = 31; i >= 0; i--) { expected[i / 8] = expected[i / 8] << 8 | bytes[i]; }
    return memcmp(expected, words, sizeof expected) == 0;
}

static int equals(ed25519_run *run, BIGNUM *n, const fe51 *a) {
    uint64_t words[4];
    fe51_to_words(words, a);
    return has_words(run, n, words);
}

static int is_tight(const fe51 *a) {
    int tight = 1;
    for (int i = 0; i < 5; i++) { tight &= a->digit[i] <= (UINT64_C(1) << 51) + (1 << 13); }
    return tight;
}

static uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Every digit is at most `most`; in one number in sixteen all digits equal it.
static void edgy_number(ed25519_run *run, fe51 *out, uint64_t most) {
    const uint64_t all = next_random(&run->random) % 16;
    for (int i = 0; i < 5; i++) {
        uint64_t digit = ed25519_edgy_word(&run->random, i == 0 && all == 1 ? 6 : next_random(&run->random) % 2 ? 51 : 55);
        out->digit[i] = all == 0 ? most : all == 1 && i > 0 ? lesser(FE51_MASK, most) : lesser(digit, most);
    }
    // p - 19 to p + 44: the numbers next to p, which has a digit 0 of 2^51 - 19.
    if (all == 1) { out->digit[0] = lesser((UINT64_C(1) << 51) - 38 + out->digit[0], most); }
}

static void check_operations(ed25519_run *run, uint64_t number, BIGNUM *x, BIGNUM *y, BIGNUM *z) {
    const uint64_t loose = UINT64_C(1) << 54, subtrahend = UINT64_C(0xfffffffffffda);
    fe51 a, b, c, out;
    edgy_number(run, &a, loose);
    edgy_number(run, &b, loose);
    edgy_number(run, &c, subtrahend);
    number_of(x, &a);
    number_of(y, &b);

    fe51_multiply(&out, &a, &b);
    BN_mul(z, x, y, run->bn);
    ed25519_expect(run, is_tight(&out) && equals(run, z, &out), "multiplication", number);
    fe51_square(&out, &a);
    BN_sqr(z, x, run->bn);
    ed25519_expect(run, is_tight(&out) && equals(run, z, &out), "square", number);
    fe51_carry(&out, &b);
    ed25519_expect(run, is_tight(&out) && equals(run, y, &out), "carry", number);
    number_of(y, &c);
    BN_sub(z, x, y);
    for (int i = 0; i < 5; i++) { a.digit[i] = lesser(a.digit[i], loose - (UINT64_C(1) << 52)); }
    number_of(x, &a);
    BN_sub(z, x, y);
    fe51_subtract(&out, &a, &c);
    ed25519_expect(run, equals(run, z, &out), "subtraction", number);
}

static void check_inverse(ed25519_run *run, uint64_t number) {
    fe51 a, inverse;
    edgy_number(run, &a, UINT64_C(1) << 54);
    const int has_inverse = cjwt_ed25519_invert(&inverse, &a);
    ed25519_expect(run, has_inverse == !fe51_is_zero(&a), "whether a number has an inverse", number);
    fe51_multiply(&a, &a, &inverse);
    ed25519_expect(run, !has_inverse || (is_tight(&inverse) && fe51_equal(&a, &kFe51One)), "inverse", number);
}

void ed25519_check_arithmetic(ed25519_run *run, uint64_t cases) {
    NUMBER x = BN_new(), *y = BN_new(), *z = BN_new();
    for (uint64_t i = 0; i < cases / 5; i++) {
        check_operations(run, i, x, y, z);
        check_inverse(run, i);
    }
}

// 512 bits: random, with long runs, or next to a multiple of L.
static void edgy_hash(ed25519_run *run, uint8_t out[64], BIGNUM *x, BIGNUM *y) {
    const uint64_t choice = next_random(&run->random);
    random_bytes(&run->random, out, 64);
    if (choice % 4 == 0) { memset(out + choice / 4 % 64, choice & 64 ? 0xff : 0, 64 - choice / 4 % 64); }
    if (choice % 4 == 1) { memset(out, choice & 64 ? 0xff : 0, choice / 128 % 65); }
    if (choice % 4 != 2) { return; }
    BN_lebin2bn(out, 64, x);
    if (choice % 16 == 2) { BN_mask_bits(x, (int)(choice / 16 % 256) + 253); }
    BN_nnmod(y, x, run->order, run->bn);
    BN_sub(x, x, y);
    if (choice & 16) { BN_add_word(x, choice / 32 % 3); }
    if ((choice & 16) == 0 && !BN_is_zero(x)) { BN_sub_word(x, choice / 32 % 3); }
    if (BN_num_bits(x) <= 512) { BN_bn2lebinpad(x, out, 64); }
}

static int has_scalar(BIGNUM *n, const scalar *k) {
    uint8_t bytes[32];
    uint64_t words[4] = {0};
    if (BN_bn2lebinpad(n, bytes, 32) != 32) { return 0; }
    for (int i = 31; i >= 0; i--) { words[i / 8] = words[i / 8] << 8 | bytes[i]; }
    return memcmp(words, k->word, sizeof words) == 0;
}

static void check_reduction(ed25519_run *run, uint64_t number, BIGNUM *x, BIGNUM *y) {
    uint8_t hash[64];
    scalar k;
    edgy_hash(run, hash, x, y);
    BN_lebin2bn(hash, 64, x);
    BN_nnmod(x, x, run->order, run->bn);
    cjwt_ed25519_scalar_reduce(&k, hash);
    ed25519_expect(run, has_scalar(x, &k), "reduction modulo L", number);

    edgy_hash(run, hash, x, y);
    BN_lebin2bn(hash, 32, x);
    int below = BN_cmp(x, run->order) < 0;
    ed25519_expect(run, cjwt_ed25519_scalar_read(&k, hash) == below, "range of S", number);
}

// Reads the terms of k back as digits: their sum must be k.
static void check_windows(ed25519_run *run, uint64_t number, const point_table *table, BIGNUM *x, BIGNUM *y) {
    table_term terms[kMostTerms];
    uint8_t bytes[32];
    scalar k;
    ed25519_edgy_scalar(run, bytes);
    int below = cjwt_ed25519_scalar_read(&k, bytes);
    size_t count = cjwt_ed25519_terms(terms, 1, table, &k);
    BN_zero(x);
    for (size_t i = 0; i < count; i++) {
        size_t row = (size_t)(term_row(terms[i]) - table->rows);
        BN_set_word(y, row % table->rows_of_window + 1);
        BN_lshift(y, y, (int)(row / table->rows_of_window * table->window_bits));
        BN_set_negative(y, (int)(terms[i] & 1));
        BN_add(x, x, y);
    }
    ed25519_expect(run, below && !BN_is_negative(x) && has_scalar(x, &k), "windows of a scalar", number);
}

// Cases that are always covered: both ends, and both sides of small multiples of L.
static void check_ends(ed25519_run *run, BIGNUM *x, BIGNUM *y) {
    uint8_t hash[64];
    scalar k;
    for (unsigned i = 0; i < 60; i++) {
        BN_copy(x, run->order);
        BN_mul_word(x, i / 3);
        if (i % 3 == 2) { BN_add_word(x, 1); }
        if (i % 3 == 0 && i > 0) { BN_sub_word(x, 1); }
        BN_bn2lebinpad(x, hash, 64);
        BN_nnmod(y, x, run->order, run->bn);
        cjwt_ed25519_scalar_reduce(&k, hash);
        ed25519_expect(run, has_scalar(y, &k), "reduction next to a multiple of L", i);
        if (i < 15) { ed25519_expect(run, cjwt_ed25519_scalar_read(&k, hash) == (BN_cmp(x, run->order) < 0), "S next to L", i); }
    }
}

void ed25519_check_scalars(ed25519_run *run, uint64_t cases) {
    static _Alignas(64) uint8_t small_bytes[sizeof(point_table) + 64 * 8 * sizeof(table_row)];
    uint8_t base[32];
    NUMBER x = BN_new(), *y = BN_new();
    memset(base, 0x66, 32);
    base[0] = 0x58;
    ed25519_expect(run, cjwt_ed25519_table_bytes(CJWT_TABLE_SMALL) == sizeof small_bytes, "bytes of a small table", 0);
    ed25519_expect(run, cjwt_ed25519_table_build(small_bytes, CJWT_TABLE_SMALL, base), "table of the base point", 0);
    check_ends(run, x, y);
    for (uint64_t i = 0; i < cases / 4; i++) {
        check_reduction(run, i, x, y);
        check_windows(run, i, cjwt_ed25519_base_table(), x, y);
        check_windows(run, i, (const point_table *)small_bytes, x, y);
    }
}
