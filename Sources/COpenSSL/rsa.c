// RSASSA-PKCS1-v1_5 and RSASSA-PSS verification (RFC 8017 sections 8.2.2 and 8.1.2) for e = 65537, over libcrypto's Montgomery
// multiplication.
//
//   em = sig^65537 mod n = ((sig*R)^(2^16)) * sig / R mod n
//
// One conversion, sixteen squarings and a last multiplication by the plain signature, which leaves Montgomery form at no cost: 18
// multiplications where EVP_PKEY_verify does 20, without its allocations (a dozen, and twice as many for PSS), its lock and its wiping of
// public data. padding.c judges the message representative. All input is public.

#include "internal.h"

#define MODULUS_MAX 1024

static int raise_to_65537(BIGNUM *power, const BIGNUM *base, BN_MONT_CTX *montgomery, BN_CTX *ctx) {
    int ok = BN_to_montgomery(power, base, montgomery, ctx);
    for (int i = 0; i < 16; i++) { ok &= BN_mod_mul_montgomery(power, power, power, montgomery, ctx); }
    return ok & BN_mod_mul_montgomery(power, power, base, montgomery, ctx);
}

int cossl_rsa_is_direct(const cossl_key *key, cossl_scheme scheme) {
    if (key->montgomery == NULL) { return 0; }
    // The PSS check in padding.c knows only moduli that fill their first byte.
    return scheme == COSSL_SCHEME_RSA_PKCS1 || (scheme == COSSL_SCHEME_RSA_PSS && (size_t)BN_num_bits(key->modulus) == 8 * key->modulus_len);
}

int cossl_rsa_verify(const cossl_key *key, cossl_scheme scheme, cossl_digest digest, const uint8_t *hash, const uint8_t *sig,
                     size_t sig_len, BN_CTX *ctx, BIGNUM *base, BIGNUM *power) {
    uint8_t recovered[MODULUS_MAX];
    size_t len = key->modulus_len;
    if (sig_len != len || len > MODULUS_MAX) { return 0; }
    if (BN_bin2bn(sig, (int)sig_len, base) == NULL || BN_ucmp(base, key->modulus) >= 0) { return 0; }
    if (!raise_to_65537(power, base, key->montgomery, ctx)) { return 0; }
    if (BN_bn2binpad(power, recovered, (int)len) != (int)len) { return 0; }
    return cossl_rsa_padding_matches(scheme, digest, hash, recovered, len);
}
