// cjwt_rsa_scalar_key_bytes, cjwt_rsa_scalar_key_build: a modulus with its constants for products of 64-bit limbs.

#include "rsa_scalar_limbs.h"

#include "../include/CJWTKernelsVerdict.h"

// The limbs of a modulus of so many bytes; zero for an unsupported size.
static size_t limbs_for(size_t modulus_len) {
    return modulus_len == 256 || modulus_len == 384 || modulus_len == 512 ? modulus_len / 8 : 0;
}

size_t cjwt_rsa_scalar_key_bytes(size_t modulus_len) {
    size_t limbs = limbs_for(modulus_len);
    return limbs == 0 ? 0 : sizeof(rsa_scalar_key) + limbs / kRowLimbs * limbs * sizeof(uint64_t);
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

// double_modulo: x = 2x mod n for x < n.
// Contract: x < n => x' = 2 x (mod n), x' < n, apart
SCALAR static void double_modulo(uint64_t *x, const uint64_t *n, size_t limbs) {
    uint64_t carry = 0;
    for (size_t i = 0; i < limbs; i += kRowLimbs) { carry = add_top(x + i, x + i, carry); }
    if (carry > 0 || !limbs_less(x, n, limbs)) { (void)subtract(x, n, limbs); }
}

// make_folds makes R B^i mod n for each row i from 1 on. 2^(64 limbs - 1) < n, as the top bit of n is set, and doublings take it to R B.
SCALAR static void make_folds(rsa_scalar_key *key) {
    const size_t limbs = key->limbs;
    uint64_t *x = key->numbers + limbs;
    memset(x, 0, limbs * sizeof *x);
    x[limbs - 1] = UINT64_C(1) << 63;
    for (size_t i = 0; i <= 64 * kRowLimbs; i++) { double_modulo(x, scalar_modulus(key), limbs); }
    for (size_t row = 1; row + 1 < limbs / kRowLimbs; row++, x += limbs) { rsa_scalar_times_row(key, x + limbs, x); }
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
    make_folds(key);
    return 1;
}
