// cjwt_rsa_scalar_key_bytes, cjwt_rsa_scalar_key_build: a modulus with its constants for products of 64-bit limbs.

#include "rsa_scalar_limbs.h"

#include "../include/CJWTKernelsVerdict.h"

// The limbs of a modulus of so many bytes; zero for an unsupported size.
static size_t limbs_for(size_t modulus_len) {
    return modulus_len == 256 || modulus_len == 384 || modulus_len == 512 ? modulus_len / 8 : 0;
}

size_t cjwt_rsa_scalar_key_bytes(size_t modulus_len) {
    size_t limbs = limbs_for(modulus_len);
    return limbs == 0 ? 0 : sizeof(rsa_scalar_key) + 3 * limbs * sizeof(uint64_t);
}

// The portable rows run everywhere.
static int can_run(void) {
#if defined(__x86_64__)
    return cjwt_adx_available();
#else
    return 1;
#endif
}

int cjwt_rsa_scalar_pays(size_t modulus_len) {
#if defined(__x86_64__)
    return limbs_for(modulus_len) != 0 && cjwt_adx_available();
#elif defined(__aarch64__)
    return modulus_len == 256;
#else
    (void)modulus_len;
    return 0;
#endif
}

// negative_inverse makes -1/n mod B. An odd limb is its own inverse mod 2^3, and each round doubles the correct low bits, from 3 to 96, and
// in rows from 64 to 512: if n x = -1 + e, then n x (2 + n x) = -1 + e^2.
SCALAR static void negative_inverse(uint64_t *x, const uint64_t *n) {
    uint64_t limb = 0 - n[0], y[kRowLimbs];
    for (int bits = 3; bits < 64; bits *= 2) { limb *= 2 + n[0] * limb; }
    memset(x, 0, kRowLimbs * sizeof *x);
    x[0] = limb;
    for (int bits = 64; bits < 64 * kRowLimbs; bits *= 2) {
        const uint64_t two[kRowLimbs] = {2};
        low_product(y, n, x);
        (void)add_top(y, two, 0);
        low_product(x, x, y);
    }
}

// invert_row makes 1/B mod n: n * inverse is -1 mod B, so (n * inverse + 1) / B is a whole number, and it is at most n.
SCALAR static void invert_row(uint64_t *fold, const uint64_t *n, const uint64_t *inverse, size_t limbs) {
    uint64_t t[kMostLimbs + kRowLimbs] = {0};
    add_rows(t + limbs, t, inverse, n, limbs);
    uint64_t carry = 1;
    for (size_t i = 0; i < limbs; i++) { fold[i] = add_carry(t[i + kRowLimbs], 0, &carry); }
}

// double_modulo: x = 2x mod n for x < n.
// Contract: x < n => x' = 2 x (mod n), x' < n, apart
SCALAR static void double_modulo(uint64_t *x, const uint64_t *n, size_t limbs) {
    uint64_t carry = 0;
    for (size_t i = 0; i < limbs; i++) { x[i] = add_carry(x[i], x[i], &carry); }
    if (carry > 0 || !limbs_less(x, n, limbs)) { (void)subtract(x, n, limbs); }
}

// r_squared makes R^2 mod n. 2^(bits - 1) < n, as the top bit of n is set, and doublings take it to 2^odd R, where odd is one or three and
// bits = odd 2^k. A squaring takes 2^j R to 2^2j R, so k of them end at 2^bits R = R^2.
SCALAR static void r_squared(uint64_t *x, const rsa_scalar_key *key) {
    const size_t limbs = key->limbs, bits = 64 * limbs;
    size_t odd = bits;
    while (odd % 2 == 0) { odd /= 2; }
    memset(x, 0, limbs * sizeof *x);
    x[limbs - 1] = UINT64_C(1) << 63;
    for (size_t i = 0; i <= odd; i++) { double_modulo(x, scalar_modulus(key), limbs); }
    for (size_t i = odd; i < bits; i *= 2) { rsa_scalar_square(key, x, x); }
}

int cjwt_rsa_scalar_key_build(void *memory, const uint8_t *modulus, size_t modulus_len) {
    const size_t limbs = limbs_for(modulus_len);
    if (limbs == 0 || modulus[0] < 0x80 || modulus[modulus_len - 1] % 2 == 0 || !can_run()) {
        return 0;
    }
    rsa_scalar_key *key = memory;
    key->limbs = limbs;
    number_read(key->numbers, modulus, (int)limbs);
    negative_inverse(key->inverse, key->numbers);
    invert_row(key->numbers + limbs, key->numbers, key->inverse, limbs);
    r_squared(key->numbers + 2 * limbs, key);
    return 1;
}
