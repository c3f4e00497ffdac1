// Checks the two RSA encodings of a recovered message representative: RSASSA-PKCS1-v1_5 and RSASSA-PSS (RFC 8017 section 9). All input is
// public.

#include <string.h>

#include "internal.h"

#define MODULUS_MAX 1024

/// DER of DigestInfo up to the hash (RFC 8017 section 9.2 note 1); the last byte is the hash's length.
static const uint8_t digest_info[][19] = {
    [COSSL_DIGEST_SHA256] = {0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 32},
    [COSSL_DIGEST_SHA384] = {0x30, 0x41, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02, 0x05, 0x00, 0x04, 48},
    [COSSL_DIGEST_SHA512] = {0x30, 0x51, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03, 0x05, 0x00, 0x04, 64},
};

/// EMSA-PKCS1-v1_5: 00 01 FF…FF 00 DigestInfo hash, `len` bytes in total. `len` is at least 128 here, so the padding always fits.
static void encode_pkcs1(uint8_t *em, size_t len, cossl_digest digest, const uint8_t *hash) {
    size_t hash_len = cossl_digest_length(digest);
    size_t padding = len - 3 - sizeof digest_info[0] - hash_len;
    em[0] = 0x00;
    em[1] = 0x01;
    memset(em + 2, 0xff, padding);
    em[2 + padding] = 0x00;
    memcpy(em + 3 + padding, digest_info[digest], sizeof digest_info[0]);
    memcpy(em + len - hash_len, hash, hash_len);
}

static int pkcs1_matches(const uint8_t *em, size_t len, cossl_digest digest, const uint8_t *hash) {
    uint8_t expected[MODULUS_MAX];
    encode_pkcs1(expected, len, digest, hash);
    return memcmp(expected, em, len) == 0;
}

/// MGF1 (RFC 8017 appendix B.2.1): removes the mask of `len` bytes from `db`.
static int unmask(uint8_t *db, size_t len, cossl_digest digest, const uint8_t *seed, size_t hash_len) {
    uint8_t block[64];
    for (uint32_t counter = 0; (size_t)counter * hash_len < len; counter++) {
        const uint8_t number[4] = {(uint8_t)(counter >> 24), (uint8_t)(counter >> 16), (uint8_t)(counter >> 8), (uint8_t)counter};
        size_t start = (size_t)counter * hash_len;
        if (!cossl_digest_pieces(block, digest, seed, hash_len, number, sizeof number)) { return 0; }
        for (size_t i = start; i < len && i < start + hash_len; i++) { db[i] ^= block[i - start]; }
    }
    return 1;
}

/// EMSA-PSS-VERIFY (RFC 8017 section 9.1.2) with a salt of the hash's length, for a modulus of 8 * len bits: emBits is 8 * len - 1.
static int pss_matches(const uint8_t *em, size_t len, cossl_digest digest, const uint8_t *hash) {
    uint8_t db[MODULUS_MAX], message[8 + 2 * 64] = {0}, expected[64];
    size_t hash_len = cossl_digest_length(digest), db_len = len - hash_len - 1, salt = db_len - hash_len;
    if (em[len - 1] != 0xbc || (em[0] & 0x80) != 0) { return 0; }
    memcpy(db, em, db_len);
    if (!unmask(db, db_len, digest, em + db_len, hash_len)) { return 0; }
    db[0] &= 0x7f;
    for (size_t i = 0; i < salt - 1; i++) {
        if (db[i] != 0) { return 0; }
    }
    if (db[salt - 1] != 0x01) { return 0; }
    memcpy(message + 8, hash, hash_len);
    memcpy(message + 8 + hash_len, db + salt, hash_len);
    return cossl_digest_bytes(expected, digest, message, 8 + 2 * hash_len) && memcmp(expected, em + db_len, hash_len) == 0;
}

int cossl_rsa_padding_matches(cossl_scheme scheme, cossl_digest digest, const uint8_t *hash, const uint8_t *em, size_t em_len) {
    if (digest < COSSL_DIGEST_SHA256 || digest > COSSL_DIGEST_SHA512 || em_len < 256 || em_len > MODULUS_MAX) { return 0; }
    switch (scheme) {
        case COSSL_SCHEME_RSA_PKCS1: return pkcs1_matches(em, em_len, digest, hash);
        case COSSL_SCHEME_RSA_PSS: return pss_matches(em, em_len, digest, hash);
        default: return 0;
    }
}
