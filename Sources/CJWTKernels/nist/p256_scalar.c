// p256_scalar.c: what p256_scalar.h says.

#include "p256_scalar.h"

#include "nist_inverse.h"

// FIPS 186-5 / SP 800-186, 3.2.1.3.
#define ORDER UINT64_C(0xf3b9cac2fc632551), UINT64_C(0xbce6faada7179e84), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffff00000000)

const uint64_t p256_order[kP256Limbs] = {ORDER};

static const nist_modulus kOrder = {
    .limbs = {ORDER},
    .r_squared = {UINT64_C(0x83244c95be79eea2), UINT64_C(0x4699799c49bd6fa6), UINT64_C(0x2845b2392b6bec59),
                  UINT64_C(0x66e12d94f3d95620)},
    .negated_inverse = UINT64_C(0xccd1c8aaee00bc4f),
    .limbs62 = {0x33b9cac2fc632551, 0x339beab69c5e7a13, 0x3ffffffffffffffb, 0x3fffffc00000003f, 0xff},
    .scale62 = {0x0c46353d039cdaaf, 0x0c64154963a185ec, 0x4, 0x3fffffffc0, 0},
    .inverse62 = UINT64_C(0x332e375511ff43b1),
};

int p256_scalar_read(uint64_t r[kP256Limbs], const uint8_t bytes[32]) {
    number_read(r, bytes, kP256Limbs);
    return !number_is_zero(r, kP256Limbs) && number_is_below(r, kOrder.limbs, kP256Limbs);
}

void p256_scalar_multiply(uint64_t r[kP256Limbs], const uint64_t a[kP256Limbs], const uint64_t b[kP256Limbs]) {
    montgomery_multiply(r, a, b, &kOrder, kP256Limbs);
}

void p256_scalar_inverse(uint64_t r[kP256Limbs], const uint64_t a[kP256Limbs]) {
    inverse(r, a, &kOrder, kP256Limbs);
}

int p256_scalars(uint64_t u1[kP256Limbs], uint64_t u2[kP256Limbs], const uint8_t hash[32], const uint8_t sig[64]) {
    uint64_t r[kP256Limbs], s[kP256Limbs], e[kP256Limbs], s_inverse[kP256Limbs];
    if (!p256_scalar_read(r, sig) || !p256_scalar_read(s, sig + 32)) { return 0; }
    number_read(e, hash, kP256Limbs);
    p256_scalar_inverse(s_inverse, s);
    p256_scalar_multiply(u1, e, s_inverse);
    p256_scalar_multiply(u2, r, s_inverse);
    return 1;
}
