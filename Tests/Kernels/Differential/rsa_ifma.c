// check_rsa_ifma: compares RSA's public operation with libcrypto, its arithmetic alone and whole powers. The moduli are here.

#include "rsa_ifma_check.h"

#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <stdlib.h>

#include "CJWTKernelsVerdict.h"

static void real_modulus(uint8_t *modulus, size_t len) {
    NUMBER n = NULL;
    EVP_PKEY *key = EVP_RSA_gen((unsigned)(8 * len));
    if (key == NULL || EVP_PKEY_get_bn_param(key, "n", &n) != 1) { abort(); }
    BN_bn2binpad(n, modulus, (int)len);
    EVP_PKEY_free(key);
}

// Extreme 52-bit digits; the top byte sets the top bit.
static void extreme_digits(rsa_check *check, uint8_t *out, size_t len) {
    static const uint64_t extremes[] = {0, 1, DIGIT_MASK, DIGIT_MASK - 1};
    memset(out, 0, len);
    for (size_t bit = 0, digit = 0; bit < 8 * len; bit++) {
        if (bit % kDigitBits == 0) { digit = extremes[below(check, 4)]; }
        out[len - 1 - bit / 8] |= (uint8_t)((digit >> (bit % kDigitBits) & 1) << (bit % 8));
    }
}

void rsa_modulus(rsa_check *check, uint8_t *modulus, size_t len, size_t kind) {
    random_bytes(&check->random, modulus, len);
    uint8_t *low = modulus + len - 7;  // whose lower 52 bits are the lowest digit
    switch (kind % kModulusKinds) {
    case 0: memset(modulus, 0xff, len); break;  // every digit 2^52 - 1
    case 1: memset(modulus, 0xff, len - 4); break;  // 2^bits less a small number
    case 2: memset(modulus, 0, len); break;         // 2^(bits - 1) + 1
    case 3: memset(modulus, 0, 8); break;           // the top word 0x8000...
    case 4: memset(modulus, 0xff, 8); break;
    case 5:  // the lowest digit 1, so -1/n is 2^52 - 1
        memset(low + 1, 0, 6);
        low[0] &= 0xf0;
        break;
    case 6:  // the lowest digit 2^52 - 1, so -1/n is 1
        memset(low + 1, 0xff, 6);
        low[0] |= 0x0f;
        break;
    case 7:
    case 8: extreme_digits(check, modulus, len); break;
    case 9:
        if (len == 256) { real_modulus(modulus, len); }  // generating longer keys takes too long
        break;
    default: break;
    }
    modulus[0] |= 0x80;
    modulus[len - 1] |= 1;
}

rsa_ifma_key *rsa_prepared(const uint8_t *modulus, size_t len) {
    rsa_ifma_key *key = aligned_alloc(64, (cjwt_rsa_ifma_key_bytes(len) + 63) / 64 * 64);
    if (key == NULL || cjwt_rsa_ifma_key_build(key, modulus, len) != 1) { abort(); }
    return key;
}

static void check_unsuitable(rsa_check *check) {
    _Alignas(64) uint8_t memory[2048];
    uint8_t modulus[kMostBytes + 1];
    for (size_t len = 0; len <= kMostBytes; len++) {
        int supported = len == 256 || len == 384 || len == 512;
        memset(modulus, 0xff, sizeof modulus);
        expect(check, (cjwt_rsa_ifma_key_bytes(len) != 0) == supported, "the length of a key", len);
        expect(check, cjwt_rsa_ifma_key_bytes(len) <= sizeof memory, "a key is larger than was said", len);
        expect(check, cjwt_rsa_ifma_key_build(memory, modulus, len) == supported, "an unsuitable length", len);
        if (!supported) { continue; }
        modulus[len - 1] = 0xfe;
        expect(check, cjwt_rsa_ifma_key_build(memory, modulus, len) == 0, "an even modulus", len);
        modulus[len - 1] = 0xff;
        modulus[0] = 0x7f;
        expect(check, cjwt_rsa_ifma_key_build(memory, modulus, len) == 0, "a modulus one bit short", len);
    }
}

differential_result check_rsa_ifma(uint64_t cases, uint64_t seed) {
    rsa_check check = {.random = {seed}, .seed = seed, .name = "rsa-ifma"};
    expect(&check, cjwt_rsa_ifma_self_test() == 1, "self test", 256);
    check_unsuitable(&check);
    uint64_t powers = cases / 50;
    check_rsa_arithmetic(&check, cases - powers);
    check_rsa_powers(&check, powers);
    printf("rsa-ifma: %llu cases of arithmetic and keys, %llu powers one at a time, %llu in lanes\n",
           (unsigned long long)(check.result.cases - check.powers[0] - check.powers[1]), (unsigned long long)check.powers[0],
           (unsigned long long)check.powers[1]);
    return check.result;
}
