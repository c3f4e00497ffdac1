// Constructed keys: signature points whose x is not r but would match after an unchecked overflow; and keys that are not points.

#include <stdlib.h>
#include <string.h>

#include "ecdsa_tables.h"

// draw_x: r in [1, n-1] and the x (below p) of a point, with x = r, r + n, r + n - p or r + n - R.
static void draw_x(ecdsa_check *check, const ecdsa_curve *curve, large_x kind, BIGNUM *x, BIGNUM *r, EC_POINT *point) {
    uint64_t limbs[kMaxLimbs];
    NUMBER span = BN_new(), *lost = BN_new();
    if (kind == kSmallX) { BN_copy(lost, curve->order); }
    if (kind == kLessPrime) { BN_copy(lost, curve->prime); }
    if (kind > kBelowPrime) { BN_set_bit(span, 64 * curve->parts->limbs); }
    if (kind == kLessRadix) { BN_copy(lost, span); }
    BN_sub(span, kind <= kBelowPrime ? curve->prime : span, kind == kLessPrime ? curve->prime : curve->order);
    do {
        draw_number(check, curve, limbs, span);
        BN_lebin2bn((const unsigned char *)limbs, (int)curve->bytes, x);
        if (kind == kBelowPrime) { BN_add(x, x, curve->order); }
        BN_add(r, x, lost);
        BN_sub(r, r, curve->order);
    } while (BN_is_zero(r) || BN_cmp(r, curve->order) >= 0 ||
             EC_POINT_set_compressed_coordinates(curve->group, point, x, (int)below(check, 2), curve->context) != 1);
}

// draw_key sets q to (s R - e G) / r for any s and e, so that R is the point of the signature, and writes hash and signature.
static void draw_key(const ecdsa_curve *curve, EC_POINT *q, const EC_POINT *point, const BIGNUM *r, uint8_t *hash, uint8_t *sig) {
    NUMBER s = BN_new(), *e = BN_new(), *t = BN_new();
    BN_rand_range(s, curve->order);
    do { BN_rand_range(e, curve->order); } while (BN_num_bytes(e) > (int)curve->hash_bytes);
    BN_bn2binpad(e, hash, (int)curve->hash_bytes);
    put(curve, sig, r);
    put(curve, sig + curve->bytes, s);
    BN_mod_inverse(t, r, curve->order, curve->context);
    BN_mod_mul(s, s, t, curve->order, curve->context);
    BN_mod_mul(e, e, t, curve->order, curve->context);
    BN_sub(e, curve->order, e);
    EC_POINT_mul(curve->group, q, e, point, s, curve->context);
}

// gives says whether every kernel gives the verdict, alone and in a lane beside idle ones.
static int gives(const ecdsa_curve *curve, const void *table, const uint8_t *hash, const uint8_t *sig, cjwt_verdict expected) {
    const void *tables[8] = {[3] = table};
    const uint8_t *hashes[8] = {[3] = hash}, *sigs[8] = {[3] = sig};
    cjwt_verdict verdicts[8] = {[3] = expected};
    if (curve->verify8 != NULL) { curve->verify8(verdicts, tables, hashes, sigs); }
    return curve->verify(table, hash, sig) == expected && verdicts[3] == expected;
}

void check_large_x(ecdsa_check *check, const ecdsa_curve *curve, large_x kind) {
    uint8_t hash[kMaxBytes], sig[2 * kMaxBytes];
    NUMBER x = BN_new(), *r = BN_new();
    POINT point = EC_POINT_new(curve->group), *q = EC_POINT_new(curve->group);
    cjwt_verdict expected = kind <= kBelowPrime ? CJWT_ACCEPTED : CJWT_REFUSED;
    draw_x(check, curve, kind, x, r, point);
    draw_key(curve, q, point, r, hash, sig);
    EC_KEY *key = key_of(curve, q);
    expect(check, curve, judged_valid(curve, key, hash, sig) == (expected == CJWT_ACCEPTED), "libcrypto: an x far from r");
    for (int size = 0; size < 2; size++) {
        void *table = table_of(check, curve, q, (cjwt_table_size)size);
        check->verdicts += 2;
        expect(check, curve, gives(curve, table, hash, sig, expected), "an x far from r");
        sig[curve->bytes - 1] ^= 1;
        expect(check, curve, gives(curve, table, hash, sig, CJWT_REFUSED), "an x that is r in no way");
        sig[curve->bytes - 1] ^= 1;
        free(table);
    }
    EC_KEY_free(key);
}

static int builds(const ecdsa_curve *curve, const uint8_t *x, const uint8_t *y) {
    void *table = aligned_alloc(64, curve->table_bytes(CJWT_TABLE_SMALL));
    int built = curve->build(table, CJWT_TABLE_SMALL, x, y);
    free(table);
    return built;
}

// The generator with each bit of x or y changed: libcrypto decides which of them belong to a point.
static void check_changed_bits(ecdsa_check *check, const ecdsa_curve *curve, uint8_t *x, uint8_t *y) {
    POINT point = EC_POINT_new(curve->group);
    for (size_t bit = 0; bit < 16 * curve->bytes; bit++) {
        uint8_t *byte = bit < 8 * curve->bytes ? &x[bit / 8] : &y[bit / 8 - curve->bytes];
        *byte ^= (uint8_t)(1 << (bit % 8));
        NUMBER px = BN_bin2bn(x, (int)curve->bytes, NULL), *py = BN_bin2bn(y, (int)curve->bytes, NULL);
        int fine = BN_cmp(px, curve->prime) < 0 && BN_cmp(py, curve->prime) < 0 &&
                   EC_POINT_set_affine_coordinates(curve->group, point, px, py, curve->context) == 1;
        expect(check, curve, builds(curve, x, y) == fine, "a key with a changed bit");
        *byte ^= (uint8_t)(1 << (bit % 8));
    }
}

// A small x, and x plus the prime, which still fits: only the first is a valid coordinate.
static void check_unreduced(ecdsa_check *check, const ecdsa_curve *curve) {
    uint8_t x[kMaxBytes], y[kMaxBytes];
    NUMBER px = BN_new(), *py = BN_new();
    POINT point = EC_POINT_new(curve->group);
    do { BN_set_word(px, 1 + below(check, UINT64_C(1) << 40)); } while (
        EC_POINT_set_compressed_coordinates(curve->group, point, px, (int)below(check, 2), curve->context) != 1);
    EC_POINT_get_affine_coordinates(curve->group, point, NULL, py, curve->context);
    put(curve, x, px);
    put(curve, y, py);
    expect(check, curve, builds(curve, x, y) == 1, "a key with a small coordinate");
    BN_add(px, px, curve->prime);
    put(curve, x, px);
    expect(check, curve, builds(curve, x, y) == 0, "a coordinate of the prime and more");
}

void check_bad_keys(ecdsa_check *check, const ecdsa_curve *curve) {
    uint8_t x[kMaxBytes], y[kMaxBytes], zero[kMaxBytes] = {0}, full[kMaxBytes], prime[kMaxBytes];
    NUMBER px = BN_new(), *py = BN_new();
    EC_POINT_get_affine_coordinates(curve->group, EC_GROUP_get0_generator(curve->group), px, py, curve->context);
    put(curve, x, px);
    put(curve, y, py);
    put(curve, prime, curve->prime);
    memset(full, 0xff, sizeof full);
    expect(check, curve, builds(curve, x, y) == 1, "the generator as a key");
    const uint8_t *bad[][2] = {{zero, zero}, {zero, y}, {x, zero}, {full, y}, {x, full}, {prime, y}, {x, prime}, {y, x}, {prime, prime}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect(check, curve, builds(curve, bad[i][0], bad[i][1]) == 0, "a key off the curve");
    }
    check_changed_bits(check, curve, x, y);
    for (int i = 0; i < 8; i++) { check_unreduced(check, curve); }
}
