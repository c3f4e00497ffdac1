// check_rsa_lanes: compares RSA in lanes without 512-bit IFMA with libcrypto: lengths, keys, multiplications, and whole powers.

#include "rsa_lanes_check.h"

#include <stdlib.h>
#include <string.h>

#include "CJWTKernelsVerdict.h"
#include "vex_ifma.h"

enum { kLanes = 8, kMostKeyBytes = 2560, kSquareKind = kModulusKinds - 1 };

typedef struct key_kind {
    size_t (*bytes)(size_t modulus_len);
    int (*build)(void *key, const uint8_t *modulus, size_t modulus_len);
} key_kind;

static const key_kind kLanesKey = {cjwt_rsa_lanes_key_bytes, cjwt_rsa_lanes_key_build};
static const key_kind kIFMA256Key = {cjwt_rsa_ifma256_key_bytes, cjwt_rsa_ifma256_key_build};

static void check_unsuitable(rsa_check *check, key_kind kind, int is_available) {
    _Alignas(64) uint8_t memory[kMostKeyBytes];
    uint8_t modulus[kMostBytes + 1];
    for (size_t len = 0; len <= kMostBytes; len++) {
        int supported = len == 256 || len == 384 || len == 512;
        memset(modulus, 0xff, sizeof modulus);
        expect(check, (kind.bytes(len) != 0) == supported, "the length of a key", len);
        expect(check, kind.bytes(len) <= sizeof memory, "a key is larger than was said", len);
        expect(check, kind.build(memory, modulus, len) == (supported && is_available), "an unsuitable length", len);
        if (!supported) { continue; }
        modulus[len - 1] = 0xfe;
        expect(check, kind.build(memory, modulus, len) == 0, "an even modulus", len);
        modulus[len - 1] = 0xff;
        modulus[0] = 0x7f;
        expect(check, kind.build(memory, modulus, len) == 0, "a modulus one bit short", len);
    }
}

#if defined(__x86_64__)

// The last kind is a square m^2: its numbers m*t have the power zero, which the preceding multiplications represent as n, not 0.
static void make_modulus(rsa_check *check, rsa_lanes_modulus *modulus, size_t bytes, size_t kind, BN_CTX *context) {
    uint8_t drawn[kMostBytes];
    rsa_modulus(check, drawn, bytes, kind);
    *modulus = (rsa_lanes_modulus){.bytes = bytes, .n = BN_new(), .key = aligned_alloc(64, kMostKeyBytes)};
    if (kind == kSquareKind) {
        drawn[0] |= 0xc0;  // so that the square has its top bit set
        drawn[bytes / 2 - 1] |= 1;
        modulus->root = BN_bin2bn(drawn, (int)bytes / 2, NULL);
        BN_sqr(modulus->n, modulus->root, context);
        BN_bn2binpad(modulus->n, drawn, (int)bytes);
    }
    BN_bin2bn(drawn, (int)bytes, modulus->n);
    if (modulus->key == NULL || cjwt_rsa_lanes_key_build(modulus->key, drawn, bytes) != 1) { abort(); }
    if (!cjwt_ifma256_available()) { return; }
    modulus->ifma256_key = aligned_alloc(64, kMostKeyBytes);
    if (modulus->ifma256_key == NULL || cjwt_rsa_ifma256_key_build(modulus->ifma256_key, drawn, bytes) != 1) { abort(); }
}

static void free_modulus(rsa_lanes_modulus *modulus) {
    BN_free(modulus->n);
    BN_free(modulus->root);
    free(modulus->key);
    free(modulus->ifma256_key);
}

// draw_number: 0, 1, n - 1, n, n + 1, 2^bits - 1, n's upper half, a multiple of a square's root, any.
static void draw_number(rsa_check *check, BIGNUM *s, const rsa_lanes_modulus *modulus) {
    uint8_t drawn[kMostBytes];
    const size_t style = below(check, 16), half = 4 * modulus->bytes;
    random_bytes(&check->random, drawn, modulus->bytes);
    if (style > 8) { drawn[0] &= 0x7f; }  // below every modulus
    if (style == 0) { memset(drawn, 0xff, modulus->bytes); }
    BN_bin2bn(drawn, (int)modulus->bytes, s);
    if (style < 3) { return; }
    if (style < 5) { BN_set_word(s, style - 3); }
    if (style == 5) { BN_rshift(s, modulus->n, (int)half), BN_lshift(s, s, (int)half); }
    if (style >= 6 && style <= 8) { BN_copy(s, modulus->n), BN_sub_word(s, 1), BN_add_word(s, style - 6); }
    if (style > 12 && modulus->root != NULL) { BN_copy(s, modulus->root), BN_mul_word(s, 1 + below(check, 1000)); }
    BN_mask_bits(s, (int)(2 * half));
}

// A lane's number, and the answer that is expected of it.
typedef struct lane {
    const rsa_lanes_modulus *modulus;
    int result;
    uint8_t sig[kMostBytes], expected[kMostBytes];
} lane;

static void draw_lane(rsa_check *check, lane *l, const rsa_lanes_modulus *modulus, BN_CTX *context) {
    NUMBER s = BN_new(), *exponent = BN_new();
    l->modulus = modulus;
    draw_number(check, s, modulus);
    BN_bn2binpad(s, l->sig, (int)modulus->bytes);
    memset(l->expected, 0xa5, sizeof l->expected);
    BN_set_word(exponent, 65537);
    l->result = BN_cmp(s, modulus->n) < 0;
    if (!l->result) { return; }
    if (BN_mod_exp(s, s, exponent, modulus->n, context) != 1) { abort(); }
    BN_bn2binpad(s, l->expected, (int)modulus->bytes);
}

typedef struct kernel {
    void (*power)(int *results, const void *const *keys, uint8_t *const *ems, const uint8_t *const *sigs);
    size_t lanes;
    int has_ifma;
} kernel;

static const kernel kAVX512F = {cjwt_rsa_avx512f_power8, 8, 0}, kAVX2 = {cjwt_rsa_avx2_power4, 4, 0};
static const kernel kIFMA256 = {cjwt_rsa_ifma256_power4, 4, 1};
#if defined(__linux__)
static const kernel kVEX = {vex_ifma_power4, 4, 1};
#endif

static const void *key_of(const kernel *k, const rsa_lanes_modulus *modulus) {
    return k->has_ifma ? modulus->ifma256_key : modulus->key;
}

// Bit i of `idle` makes lane i idle. Of `stray`, which is not zero, the key has another length: so is that lane, if another has a key.
static void run_lanes(rsa_check *check, const kernel *k, const lane *drawn, unsigned idle, size_t stray, const rsa_lanes_modulus *other) {
    const void *keys[kLanes];
    const uint8_t *sigs[kLanes];
    uint8_t ems[kLanes][kMostBytes], *em_of[kLanes], untouched[kMostBytes];
    int results[kLanes];
    const size_t lanes = k->lanes;
    memset(ems, 0xa5, sizeof ems);
    memset(untouched, 0xa5, sizeof untouched);
    memset(results, 0x7f, sizeof results);
    if (idle & 1) { stray = 0; }
    for (size_t i = 0; i < lanes; i++) {
        keys[i] = idle >> i & 1 ? NULL : key_of(k, drawn[i].modulus);
        if (i > 0 && i == stray) { keys[i] = key_of(k, other); }
        sigs[i] = keys[i] == NULL ? NULL : drawn[i].sig;
        em_of[i] = keys[i] == NULL ? NULL : ems[i];
    }
    k->power(results, keys, em_of, sigs);
    check->powers[1] += lanes;
    for (size_t i = 0; i < lanes; i++) {
        int has_work = keys[i] != NULL && !(i > 0 && i == stray);
        const uint8_t *expected = has_work ? drawn[i].expected : untouched;
        int holds = results[i] == (has_work && drawn[i].result) && memcmp(ems[i], expected, kMostBytes) == 0;
        expect(check, holds, k->has_ifma ? "power4 with IFMA" : lanes == kLanes ? "power8" : "power4", drawn[i].modulus->bytes);
    }
}

// Eight numbers by AVX-512F, and by AVX2 and by IFMA in two runs. All of one modulus, or mixed; in every third batch some are idle.
static void check_powers(rsa_check *check, const rsa_lanes_modulus *moduli, const rsa_lanes_modulus *other, BN_CTX *context) {
    static lane drawn[kLanes];
    size_t one = below(check, 2) ? kModulusKinds : below(check, kModulusKinds);
    unsigned idle = below(check, 3) ? 0 : (unsigned)below(check, 256);
    for (size_t i = 0; i < kLanes; i++) {
        draw_lane(check, &drawn[i], &moduli[one < kModulusKinds ? one : below(check, kModulusKinds)], context);
    }
    size_t stray = below(check, 4) ? 0 : below(check, kLanes);
    if (cjwt_avx512f_available()) { run_lanes(check, &kAVX512F, drawn, idle, stray, other); }
    for (size_t first = 0; first < kLanes; first += 4) {
        run_lanes(check, &kAVX2, drawn + first, idle >> first, stray % 4, other);
        if (cjwt_ifma256_available()) { run_lanes(check, &kIFMA256, drawn + first, idle >> first, stray % 4, other); }
    }
}

#if defined(__linux__)
// The code with VEX encoding: one power of each size, because without AVX-IFMA a handler computes its multiply-adds. Both encodings have
// the same IR, which is proved.
static void check_vex(rsa_check *check, rsa_lanes_modulus moduli[kSizes][kModulusKinds], BN_CTX *context) {
    static lane drawn[kLanes];
    if (!cjwt_ifma256_available()) { return; }
    for (size_t i = 0; i < kSizes; i++) {
        for (size_t j = 0; j < 4; j++) { draw_lane(check, &drawn[j], &moduli[i][below(check, kModulusKinds)], context); }
        run_lanes(check, &kVEX, drawn, i == 1 ? 2 : 0, i == 2 ? 3 : 0, moduli[(i + 1) % kSizes]);
    }
    printf("rsa-lanes: %llu instructions of AVX-IFMA were not the machine's\n", (unsigned long long)vex_ifma_computed());
}
#endif

static void check_sizes(rsa_check *check, uint64_t products, uint64_t powers) {
    rsa_lanes_modulus moduli[kSizes][kModulusKinds];
    BN_CTX *context = BN_CTX_new();
    for (size_t i = 0; i < kSizes * kModulusKinds; i++) {
        make_modulus(check, &moduli[i % kSizes][i / kSizes], size_of(i), i / kSizes, context);
    }
    for (size_t i = 0; i < kSizes; i++) {
        check_rsa_avx2_arithmetic(check, moduli[i], kModulusKinds, products / 6, context);
        if (cjwt_avx512f_available()) { check_rsa_avx512f_arithmetic(check, moduli[i], kModulusKinds, products / 6, context); }
        if (cjwt_avx512vl_available()) { check_rsa_avx512vl_arithmetic(check, moduli[i], kModulusKinds, products / 6, context); }
    }
    for (size_t i = 0; check->powers[1] < powers; i++) {
        check_powers(check, moduli[i % kSizes], moduli[(i + 1) % kSizes], context);
    }
#if defined(__linux__)
    check_vex(check, moduli, context);
#endif
    for (size_t i = 0; i < kSizes * kModulusKinds; i++) { free_modulus(&moduli[i % kSizes][i / kSizes]); }
    BN_CTX_free(context);
}

#endif

// A product takes as long as a hundred carries of check_rsa_ifma, and a power as a thousand: so there are fewer cases.
differential_result check_rsa_lanes(uint64_t cases, uint64_t seed) {
    rsa_check check = {.random = {seed}, .seed = seed, .name = "rsa-lanes"};
    check_unsuitable(&check, kLanesKey, cjwt_avx2_available());
    check_unsuitable(&check, kIFMA256Key, cjwt_ifma256_available());
#if defined(__x86_64__)
    if (!cjwt_avx2_available()) { return check.result; }
    expect(&check, cjwt_rsa_avx2_self_test() == 1, "self test of AVX2", 256);
    expect(&check, cjwt_rsa_avx512f_self_test() == cjwt_avx512f_available(), "self test of AVX-512F", 256);
    expect(&check, cjwt_rsa_ifma256_self_test() == cjwt_ifma256_available(), "self test of IFMA in 256 bits", 256);
    check_sizes(&check, cases / 8, cases / 100);
    printf("rsa-lanes: %llu powers\n", (unsigned long long)check.powers[1]);
#endif
    return check.result;
}
