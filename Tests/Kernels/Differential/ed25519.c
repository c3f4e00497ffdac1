// check_ed25519: compares the Ed25519 kernels with libcrypto: arithmetic with its big numbers, verdicts with EVP_DigestVerify.

#include "ed25519.h"

#include <inttypes.h>
#include <stdlib.h>

void ed25519_expect(ed25519_run *run, int holds, const char *what, uint64_t number) {
    run->result.cases++;
    if (holds) { return; }
    if (run->result.failures++ < 100) { printf("ed25519: %s, case %" PRIu64 " of seed %" PRIu64 "\n", what, number, run->seed); }
}

void ed25519_expect_verdict(ed25519_run *run, ed25519_kernel kernel, int holds, const char *what, uint64_t number) {
    run->verdicts[kernel]++;
    ed25519_expect(run, holds, what, number);
}

uint64_t ed25519_edgy_word(differential_random *random, unsigned bits) {
    const uint64_t mask = UINT64_MAX >> (64 - bits), choice = next_random(random);
    switch (choice % 8) {
    case 0: return 0;
    case 1: return mask;
    case 2: return (mask - choice % 64 / 8 * 19) & mask;
    case 3: return (UINT64_C(1) << (choice / 8 % bits)) & mask;
    case 4: return ((UINT64_C(1) << (choice / 8 % bits)) - 1) & mask;
    default: return next_random(random) & mask;
    }
}

void ed25519_edgy_scalar(ed25519_run *run, uint8_t out[32]) {
    static const uint8_t windows[] = {0x00, 0x01, 0x7f, 0x80, 0x81, 0xff, 0x88, 0x77, 0x78, 0x87, 0xf0, 0x0f};
    const uint64_t choice = next_random(&run->random);
    NUMBER k = BN_new();
    random_bytes(&run->random, out, 32);
    if (choice % 4 == 0) { memset(out, windows[choice / 4 % sizeof windows], 32); }
    if (choice % 4 == 1) { memset(out + choice / 4 % 32, windows[choice / 256 % sizeof windows], 32 - choice / 4 % 32); }
    BN_lebin2bn(out, 32, k);
    BN_mask_bits(k, 252);
    if (choice % 16 == 2) { BN_set_word(k, choice / 16 % 5); }
    if (choice % 16 == 6) {
        BN_copy(k, run->order);
        BN_sub_word(k, 1 + choice / 16 % 5);
    }
    BN_bn2lebinpad(k, out, 32);
}

void ed25519_add_product(ed25519_run *run, uint8_t out[32], const uint8_t a[32], const uint8_t *b, size_t b_len, const uint8_t c[32]) {
    NUMBER x = BN_lebin2bn(a, 32, NULL), *y = BN_lebin2bn(b, (int)b_len, NULL), *z = BN_lebin2bn(c, 32, NULL);
    BN_mod_mul(y, y, z, run->order, run->bn);
    BN_mod_add(x, x, y, run->order, run->bn);
    BN_bn2lebinpad(x, out, 32);
}

static void prepare(addend *ready, const fe51 *x, const fe51 *y) {
    fe51_add(&ready->sum, y, x);
    fe51_carry(&ready->sum, &ready->sum);
    fe51_subtract(&ready->difference, y, x);
    fe51_carry(&ready->difference, &ready->difference);
    fe51_multiply(&ready->xy2d, x, y);
    fe51_multiply(&ready->xy2d, &ready->xy2d, &kCurveTwiceD);
}

void ed25519_add_points(point *p, const point *q) {
    addend ready;
    fe51 z_inverse, x, y;
    cjwt_ed25519_invert(&z_inverse, &q->z);
    fe51_multiply(&x, &q->x, &z_inverse);
    fe51_multiply(&y, &q->y, &z_inverse);
    prepare(&ready, &x, &y);
    point_add(p, &ready);
}

void ed25519_multiply_slowly(point *out, const uint8_t *k, size_t len, const point *p) {
    addend ready;
    prepare(&ready, &p->x, &p->y);
    point_set_identity(out);
    for (size_t bit = 8 * len; bit-- > 0;) {
        point_double(out);
        if (k[bit / 8] >> (bit % 8) & 1) { point_add(out, &ready); }
    }
}

void *ed25519_new_table(cjwt_table_size size) { return aligned_alloc(64, (cjwt_ed25519_table_bytes(size) + 63) / 64 * 64); }

void ed25519_encode(uint8_t out[32], const point *p) {
    fe51 z_inverse;
    cjwt_ed25519_invert(&z_inverse, &p->z);
    cjwt_ed25519_point_encode(out, &p->x, &p->y, &z_inverse);
}

void ed25519_base_point(point *out) {
    uint8_t encoded[32];
    memset(encoded, 0x66, 32);
    encoded[0] = 0x58;
    (void)cjwt_ed25519_point_decode(out, encoded);
}

static void report(const ed25519_run *run) {
    uint64_t verdicts = 0;
    for (int i = 0; i < kKernels; i++) { verdicts += run->verdicts[i]; }
    printf("ed25519: %" PRIu64 " cases of arithmetic and keys, %" PRIu64 " verdicts, %" PRIu64 " over lanes, %" PRIu64 " in lanes\n",
           run->result.cases - verdicts, run->verdicts[kPortable], run->verdicts[kOverLanes], run->verdicts[kInLanes]);
}

// The parts' shares of the cases; a case of the last two takes some microseconds, a case of the others about one.
differential_result check_ed25519(uint64_t cases, uint64_t seed) {
    ed25519_run run = {.random = {seed}, .seed = seed, .bn = BN_CTX_new(), .prime = BN_new(), .order = BN_new()};
    BN_hex2bn(&run.prime, "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
    BN_hex2bn(&run.order, "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");
    ed25519_expect(&run, cjwt_ed25519_self_test(), "self test", 0);
    ed25519_expect(&run, cjwt_ed25519_ifma_self_test() == cjwt_ifma_available(), "self test of the lanes", 0);
    ed25519_check_arithmetic(&run, cases / 4);
    ed25519_check_scalars(&run, cases / 8);
    ed25519_check_lanes(&run, cases / 4);
    ed25519_check_keys(&run, cases / 1000 + 200);
    ed25519_check_chosen(&run, cases / 100 + 200);
    ed25519_check_signatures(&run, cases / 3);
    report(&run);
    BN_free(run.prime);
    BN_free(run.order);
    BN_CTX_free(run.bn);
    return run.result;
}
