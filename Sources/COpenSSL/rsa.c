// RSASSA-PKCS1-v1_5 verification (RFC 8017 section 8.2.2) for e = 65537, over libcrypto's Montgomery multiplication.
//
//   em = sig^65537 mod n = ((sig*R)^(2^16)) * sig / R mod n
//
// One conversion, sixteen squarings and a last multiplication by the plain signature, which leaves Montgomery form for free:
// 18 multiplications where EVP_PKEY_verify does 20, and none of its dozen allocations, its lock or its wiping of public data.
// The message representative is built, not parsed (section 8.2.2 step 4): two byte strings are equal or they are not.
// All input is public.

#include <string.h>

#include "internal.h"

#define MODULUS_MAX 1024

/// DER of DigestInfo up to the hash (RFC 8017 section 9.2 note 1); the last byte is the hash's length.
static const uint8_t digest_info[][19] = {
    [COSSL_DIGEST_SHA256] = {0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 32},
    [COSSL_DIGEST_SHA384] = {0x30, 0x41, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02, 0x05, 0x00, 0x04, 48},
    [COSSL_DIGEST_SHA512] = {0x30, 0x51, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03, 0x05, 0x00, 0x04, 64},
};

/// EMSA-PKCS1-v1_5: 00 01 FF…FF 00 DigestInfo hash, `len` bytes in all. `len` is at least 128 here, so the padding always fits.
static void encode_message(uint8_t *em, size_t len, cossl_digest digest, const uint8_t *hash) {
    size_t hash_len = cossl_digest_length(digest);
    size_t padding = len - 3 - sizeof digest_info[0] - hash_len;
    em[0] = 0x00;
    em[1] = 0x01;
    memset(em + 2, 0xff, padding);
    em[2 + padding] = 0x00;
    memcpy(em + 3 + padding, digest_info[digest], sizeof digest_info[0]);
    memcpy(em + len - hash_len, hash, hash_len);
}

static int raise_to_65537(BIGNUM *power, const BIGNUM *base, BN_MONT_CTX *montgomery, BN_CTX *ctx) {
    int ok = BN_to_montgomery(power, base, montgomery, ctx);
    for (int i = 0; i < 16; i++) { ok &= BN_mod_mul_montgomery(power, power, power, montgomery, ctx); }
    return ok & BN_mod_mul_montgomery(power, power, base, montgomery, ctx);
}

int cossl_rsa_pkcs1_verify(const cossl_key *key, cossl_digest digest, const uint8_t *hash, const uint8_t *sig, size_t sig_len,
                           BN_CTX *ctx, BIGNUM *base, BIGNUM *power) {
    uint8_t expected[MODULUS_MAX], recovered[MODULUS_MAX];
    size_t len = key->modulus_len;
    if (digest < COSSL_DIGEST_SHA256 || digest > COSSL_DIGEST_SHA512) { return 0; }
    if (sig_len != len || len < 128 || len > MODULUS_MAX) { return 0; }
    if (BN_bin2bn(sig, (int)sig_len, base) == NULL || BN_ucmp(base, key->modulus) >= 0) { return 0; }
    if (!raise_to_65537(power, base, key->montgomery, ctx)) { return 0; }
    if (BN_bn2binpad(power, recovered, (int)len) != (int)len) { return 0; }
    encode_message(expected, len, digest, hash);
    return memcmp(expected, recovered, len) == 0;
}
