// check_ecdsa_tables: the P-256, P-384 and P-521 kernels with tables against libcrypto, part by part and signature by signature.

#include "ecdsa_tables.h"

#include <inttypes.h>
#include <openssl/obj_mac.h>

#include "CJWTKernelsNISTIFMA.h"
#include "CJWTKernelsP256IFMA.h"

static ecdsa_curve curves[] = {
    {.name = "P-256", .nid = NID_X9_62_prime256v1, .parts = &p256_internal, .bytes = 32, .hash_bytes = 32,
     .table_bytes = cjwt_p256_table_bytes,
     .build = cjwt_p256_table_build, .verify = cjwt_p256_verify, .self_test = cjwt_p256_self_test},
    {.name = "P-384", .nid = NID_secp384r1, .parts = &p384_internal, .bytes = 48, .hash_bytes = 48,
     .table_bytes = cjwt_p384_table_bytes,
     .build = cjwt_p384_table_build, .verify = cjwt_p384_verify, .self_test = cjwt_p384_self_test},
    {.name = "P-521", .nid = NID_secp521r1, .parts = &p521_internal, .bytes = 66, .hash_bytes = 64, .table_bytes = cjwt_p521_table_bytes,
     .build = cjwt_p521_table_build, .verify = cjwt_p521_verify, .self_test = cjwt_p521_self_test},
};

enum { kCurves = sizeof curves / sizeof curves[0], kShown = 20 };

void expect(ecdsa_check *check, const ecdsa_curve *curve, int holds, const char *what) {
    check->result.cases++;
    if (holds) { return; }
    if (check->result.failures++ < kShown) {
        printf("ecdsa-tables: %s: %s; seed %" PRIu64 ", case %" PRIu64 "\n", curve->name, what, check->seed, check->result.cases);
    }
}

BIGNUM *number_of(const uint64_t *limbs, int count) {
    return BN_lebin2bn((const unsigned char *)limbs, 8 * count, NULL);
}

void limbs_of(const ecdsa_curve *curve, uint64_t *limbs, const BIGNUM *number) {
    BN_bn2lebinpad(number, (unsigned char *)limbs, 8 * curve->parts->limbs);
}

// draw_limb: a full or an empty limb makes a carry travel far.
static uint64_t draw_limb(ecdsa_check *check) {
    switch (below(check, 8)) {
        case 0: return 0;
        case 1: return ~UINT64_C(0);
        case 2: return UINT64_C(1) << below(check, 64);
        case 3: return (UINT64_C(1) << below(check, 64)) - 1;
        case 4: return ~((UINT64_C(1) << below(check, 64)) - 1);
        default: return next_random(&check->random);
    }
}

void draw_number(ecdsa_check *check, const ecdsa_curve *curve, uint64_t *out, const BIGNUM *modulus) {
    uint64_t kind = below(check, 8);
    for (int i = 0; i < curve->parts->limbs; i++) { out[i] = kind < 4 ? draw_limb(check) : next_random(&check->random); }
    NUMBER number = number_of(out, curve->parts->limbs);
    if (kind == 4) {  // a power of two and its neighbours
        BN_zero(number);
        BN_set_bit(number, (int)below(check, (uint64_t)BN_num_bits(modulus)));
        if (below(check, 2)) { BN_sub_word(number, below(check, 2)); } else { BN_add_word(number, 1); }
    }
    BN_mod(number, number, modulus, curve->context);
    if (kind < 5 && below(check, 2)) {  // the same distance below the modulus
        BN_sub(number, modulus, number);
        BN_mod(number, number, modulus, curve->context);
    }
    limbs_of(curve, out, number);
}

static void curve_open(ecdsa_curve *curve) {
    curve->group = EC_GROUP_new_by_curve_name(curve->nid);
    curve->prime = number_of(curve->parts->prime, curve->parts->limbs);
    curve->order = number_of(curve->parts->order, curve->parts->limbs);
    curve->context = BN_CTX_new();
}

static void curve_close(ecdsa_curve *curve) {
    EC_GROUP_free(curve->group);
    BN_free(curve->prime);
    BN_free(curve->order);
    BN_CTX_free(curve->context);
}

// check_constants: one where the kernel's constants are correct. Otherwise its tables are meaningless, and the check stops.
static int check_constants(ecdsa_check *check, const ecdsa_curve *curve) {
    NUMBER prime = BN_new();
    int stands = curve->self_test();
    EC_GROUP_get_curve(curve->group, prime, NULL, NULL, curve->context);
    expect(check, curve, BN_cmp(prime, curve->prime) == 0, "the prime");
    expect(check, curve, BN_cmp(EC_GROUP_get0_order(curve->group), curve->order) == 0, "the order");
    expect(check, curve, stands, "the self test");
    return stands;
}

// One case, by weight: libcrypto takes a microsecond for a product and almost a millisecond for a point of P-384.
static void check_one(ecdsa_check *check, const ecdsa_curve *curve, signature_pool *pool) {
    const BIGNUM *logarithm;
    uint64_t kind = below(check, 10000);
    if (kind < 300) {
        check_signature(check, pool);
    } else if (kind < 500) {
        check_digits(check, curve, pool_table(check, pool, &logarithm));
    } else if (kind < 504) {
        check_addition(check, curve);
    } else if (kind < 508) {
        const void *table = pool_table(check, pool, &logarithm);
        check_row(check, curve, table, logarithm);
    } else {
        check_arithmetic(check, curve);
    }
}

static void check_curve(ecdsa_check *check, const ecdsa_curve *curve, uint64_t cases) {
    uint64_t before = check->result.cases;
    check->verdicts = 0;
    check_bad_keys(check, curve);
    // Only where the order fills its limbs can a sum with it overflow.
    const uint64_t kinds = curve->parts->scalar_bits == 64 * curve->parts->limbs ? kLargeX : kLessRadix;
    uint64_t large = cases / 100000 < 40 ? 3 + cases / 100000 : 43;
    for (uint64_t i = 0; i < large; i++) { check_large_x(check, curve, (large_x)(i % kinds)); }
    uint64_t wanted = 200 + cases / (curve->bytes == 32 ? 100 : 1000), most = curve->bytes == 32 ? 40000 : 8000;
    uint64_t pooled = wanted < most ? wanted : most;
    signature_pool *pool = pool_create(check, curve, pooled);
    for (uint64_t end = check->result.cases + cases; check->result.cases < end;) { check_one(check, curve, pool); }
    pool_free(pool);
    printf("ecdsa-tables: %s: %" PRIu64 " cases of arithmetic and keys, %" PRIu64 " verdicts over %" PRIu64 " signatures\n", curve->name,
           check->result.cases - before - check->verdicts, check->verdicts, pooled + large);
}

differential_result check_ecdsa_tables(uint64_t cases, uint64_t seed) {
    ecdsa_check check = {.random = {seed}, .seed = seed};
    for (size_t i = 0; i < kCurves; i++) {
        curve_open(&curves[i]);
        if (check_constants(&check, &curves[i])) { check_curve(&check, &curves[i], cases / kCurves); }
        curve_close(&curves[i]);
    }
    return check.result;
}

differential_result check_p256_ifma_keys(uint64_t cases, uint64_t seed) {
    ecdsa_check check = {.random = {seed}, .seed = seed};
    ecdsa_curve curve = curves[0];
    curve.name = "P-256 with IFMA";
    curve.table_bytes = cjwt_p256_ifma_table_bytes, curve.build = cjwt_p256_ifma_table_build;
    curve.verify = cjwt_p256_ifma_verify, curve.verify8 = cjwt_p256_ifma_verify8;
    curve_open(&curve);
    check_bad_keys(&check, &curve);
    for (uint64_t i = 0; i < cases; i++) { check_large_x(&check, &curve, (large_x)(i % kLargeX)); }
    curve_close(&curve);
    return check.result;
}

// P-384 and P-521 in lanes, over the tables that check_ecdsa_tables checks.
static void check_lanes(ecdsa_check *check, ecdsa_curve *curve, uint64_t cases) {
    curve_open(curve);
    expect(check, curve, curve->self_test(), "the self test");
    for (uint64_t i = 0; i < 4 + cases / 20000; i++) { check_large_x(check, curve, (large_x)(i % kLessRadix)); }
    const uint64_t pooled = cases / 200 < 4000 ? 200 + cases / 200 : 4200;
    signature_pool *pool = pool_create(check, curve, pooled);
    for (uint64_t end = check->result.cases + cases; check->result.cases < end;) { check_signature_in_lanes(check, pool); }
    pool_free(pool);
    printf("nist-ifma: %s: %" PRIu64 " verdicts over %" PRIu64 " signatures\n", curve->name, check->verdicts, pooled);
    curve_close(curve);
}

// A verdict takes microseconds, so there are fewer cases than of arithmetic.
differential_result check_nist_ifma(uint64_t cases, uint64_t seed) {
    ecdsa_check check = {.random = {seed}, .seed = seed};
    ecdsa_curve lanes[] = {curves[1], curves[2]};
    lanes[0].verify = cjwt_p384_ifma_verify, lanes[0].verify8 = cjwt_p384_ifma_verify8, lanes[0].self_test = cjwt_p384_ifma_self_test;
    lanes[1].verify = cjwt_p521_ifma_verify, lanes[1].verify8 = cjwt_p521_ifma_verify8, lanes[1].self_test = cjwt_p521_ifma_self_test;
    for (size_t i = 0; i < 2; i++) {
        check.verdicts = 0;
        check_lanes(&check, &lanes[i], 1000 + cases / 20);
    }
    return check.result;
}
