// Encodings for the check of RSA's: PKCS#1 v1.5 put together by hand (RFC 8017, 9.2), PSS by libcrypto; the right ones and close ones.

#include "rsa_padding.h"

#include <limits.h>
#include <openssl/err.h>

static RSA *modulus_of(unsigned bits) {
    RSA *rsa = RSA_new();
    BIGNUM *n = BN_new(), *e = BN_new();
    BN_set_bit(n, (int)bits - 1), BN_set_bit(n, 0);
    BN_set_word(e, 65537);
    if (RSA_set0_key(rsa, n, e, NULL) != 1) { abort(); }
    return rsa;
}

static const char *const kDigestNames[] = {"SHA512", "SHA256", "SHA384", "SHA512"};  // [digest] by cossl_digest; [digest - 1]: another one

void encoding_open(encoding *e, cossl_scheme scheme, cossl_digest digest, unsigned bits) {
    *e = (encoding){.scheme = scheme, .digest = digest, .bits = bits, .len = (bits + 7) / 8};
    e->md = EVP_MD_fetch(NULL, kDigestNames[digest], NULL);
    e->other_md = EVP_MD_fetch(NULL, kDigestNames[digest - 1], NULL);
    if (e->md == NULL || e->other_md == NULL) { abort(); }
    e->hash_len = (size_t)EVP_MD_get_size(e->md);
    e->modulus = modulus_of(bits);
    e->whole_modulus = modulus_of((unsigned)(8 * e->len));
    e->hash = malloc(e->hash_len);
    e->em = malloc(e->len);
}

void encoding_close(encoding *e) {
    EVP_MD_free(e->md), EVP_MD_free(e->other_md);
    RSA_free(e->modulus), RSA_free(e->whole_modulus);
    free(e->hash), free(e->em);
    ERR_clear_error();  // errors from encodings that the oracle refused
}

typedef enum info_kind { kInfo, kInfoWithoutNull, kInfoLongLength, kInfoOfAnother, kInfoLess, kInfoMore, kNoInfo } info_kind;

// Builds DigestInfo from the inside out. One hash is a byte shorter or longer than its digest; all enclosing lengths match it.
static size_t put_info(uint8_t *out, const encoding *e, info_kind kind) {
    static const uint8_t oid[] = {0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02};  // 2.16.840.1.101.3.4.2 and one more
    size_t hash_len = e->hash_len - (kind == kInfoLess) + (kind == kInfoMore), null_len = kind == kInfoWithoutNull ? 0 : 2, at = 0;
    size_t algorithm_len = sizeof oid + 1 + null_len, used = hash_len < e->hash_len ? hash_len : e->hash_len;
    if (kind != kNoInfo) {
        out[at++] = 0x30;
        if (kind == kInfoLongLength) { out[at++] = 0x81; }
        out[at++] = (uint8_t)(2 + algorithm_len + 2 + hash_len);
        out[at++] = 0x30, out[at++] = (uint8_t)algorithm_len;
        memcpy(out + at, oid, sizeof oid), at += sizeof oid;
        out[at++] = (uint8_t)(kind == kInfoOfAnother ? e->digest % kDigests + 1 : e->digest);
        if (null_len != 0) { out[at++] = 0x05, out[at++] = 0x00; }
        out[at++] = 0x04, out[at++] = (uint8_t)hash_len;
    }
    memcpy(out + at, e->hash, used);
    if (hash_len > used) { out[at + used] = 0; }
    return at + hash_len;
}

/// 00 type fill…fill 00 DigestInfo. `padding` is the number of `fill` bytes: this many, as many as fit or, if negative, that many fewer;
/// the remaining bytes are zeros in front or random bytes behind.
typedef struct recipe {
    const char *what;
    uint8_t type, fill;
    info_kind info;
    int padding, in_front;
} recipe;

static const recipe kRecipes[] = {
    {"the right encoding", 1, 0xff, kInfo, INT_MAX, 0},
    {"no NULL", 1, 0xff, kInfoWithoutNull, INT_MAX, 0},
    {"a length in two bytes", 1, 0xff, kInfoLongLength, INT_MAX, 0},
    {"another digest's DigestInfo", 1, 0xff, kInfoOfAnother, INT_MAX, 0},
    {"a hash without its last byte", 1, 0xff, kInfoLess, INT_MAX, 0},
    {"a hash with a byte more", 1, 0xff, kInfoMore, INT_MAX, 0},
    {"no DigestInfo", 1, 0xff, kNoInfo, INT_MAX, 0},
    {"block type 0", 0, 0x00, kInfo, INT_MAX, 0},
    {"block type 2", 2, 0x5a, kInfo, INT_MAX, 0},
    {"padding of zeros", 1, 0x00, kInfo, INT_MAX, 0},
    {"padding of FE", 1, 0xfe, kInfo, INT_MAX, 0},
    {"a byte behind the hash", 1, 0xff, kInfo, -1, 0},
    {"two bytes behind the hash", 1, 0xff, kInfo, -2, 0},
    {"a byte behind the hash, no NULL", 1, 0xff, kInfoWithoutNull, -1, 0},
    {"eight bytes of padding", 1, 0xff, kInfo, 8, 0},
    {"seven bytes of padding", 1, 0xff, kInfo, 7, 0},
    {"no padding", 1, 0xff, kInfo, 0, 0},
    {"a zero in front", 1, 0xff, kInfo, -1, 1},
    {"zeros in front of eight bytes of padding", 1, 0xff, kInfo, 8, 1},
    {"zeros in front of no padding", 1, 0xff, kInfo, 0, 1},
};

static void put_pkcs1(differential_random *random, uint8_t *em, const encoding *e, const recipe *how) {
    uint8_t info[2 * kMostHashBytes];
    size_t info_len = put_info(info, e, how->info), room = e->len - 3 - info_len;
    size_t padding = how->padding == INT_MAX ? room : how->padding < 0 ? room - (size_t)-how->padding : (size_t)how->padding;
    size_t at = how->in_front ? room - padding : 0;
    memset(em, 0, e->len);
    em[at + 1] = how->type;
    memset(em + at + 2, how->fill, padding);
    memcpy(em + at + 3 + padding, info, info_len);
    at += 3 + padding + info_len;
    if (at < e->len) { random_bytes(random, em + at, e->len - at); }
}

/// The salt's length, absolute or relative to the hash's; the digests of the hash and of the mask; changes of the first and the last byte.
typedef struct pss_recipe {
    const char *what;
    int salt, is_relative, hash_by_another, mask_by_another;
    uint8_t first, last;
} pss_recipe;

static const pss_recipe kPSSRecipes[] = {
    {"the right encoding", 0, 1, 0, 0, 0, 0},
    {"no salt", 0, 0, 0, 0, 0, 0},
    {"a salt of a byte", 1, 0, 0, 0, 0, 0},
    {"a salt of eight bytes", 8, 0, 0, 0, 0, 0},
    {"a salt of a byte less", -1, 1, 0, 0, 0, 0},
    {"a salt of a byte more", 1, 1, 0, 0, 0, 0},
    {"the longest salt", RSA_PSS_SALTLEN_MAX_SIGN, 0, 0, 0, 0, 0},
    {"hashed by another digest", 0, 1, 1, 0, 0, 0},
    {"masked by another digest", 0, 1, 0, 1, 0, 0},
    {"hashed and masked by another digest", 0, 1, 1, 1, 0, 0},
    {"the top bit set", 0, 1, 0, 0, 0x80, 0},
    {"a trailer of CC", 0, 1, 0, 0, 0, 0xbc ^ 0xcc},
};

static void put_pss(const encoding *e, const pss_recipe *how) {
    uint8_t hash[kMostHashBytes] = {0};  // long enough for any digest
    int salt = how->salt + (how->is_relative ? (int)e->hash_len : 0);
    memcpy(hash, e->hash, e->hash_len);
    if (RSA_padding_add_PKCS1_PSS_mgf1(e->modulus, e->em, hash, how->hash_by_another ? e->other_md : e->md,
                                       how->mask_by_another ? e->other_md : e->md, salt) != 1) {
        abort();
    }
    e->em[0] ^= how->first;
    e->em[e->len - 1] ^= how->last;
}

static void mask(const encoding *e, size_t db_len) {
    uint8_t bytes[kMostEncodedBytes];
    if (PKCS1_MGF1(bytes, (long)db_len, e->em + db_len, (long)e->hash_len, e->md) != 0) { abort(); }
    for (size_t i = 0; i < db_len; i++) { e->em[i] ^= bytes[i]; }
}

void encoding_change_hash(encoding *e, size_t at, uint8_t change) {
    size_t db_len = e->len - e->hash_len - 1;
    mask(e, db_len);
    e->em[db_len + at] ^= change;
    mask(e, db_len);
    e->em[0] &= 0x7f;
}

const char *encoding_form(padding_check *check, encoding *e, size_t form) {
    if (e->scheme == COSSL_SCHEME_RSA_PKCS1) {
        if (form >= sizeof kRecipes / sizeof kRecipes[0]) { return NULL; }
        put_pkcs1(&check->random, e->em, e, &kRecipes[form]);
        return kRecipes[form].what;
    }
    if (form >= sizeof kPSSRecipes / sizeof kPSSRecipes[0]) { return NULL; }
    put_pss(e, &kPSSRecipes[form]);
    return kPSSRecipes[form].what;
}

void encoding_draw(padding_check *check, encoding *e) {
    random_bytes(&check->random, e->hash, e->hash_len);
    (void)encoding_form(check, e, 0);
}

void encoding_change(padding_check *check, encoding *e) { e->em[below(check, e->len)] ^= (uint8_t)(1 + below(check, 255)); }

int encoding_is_right(const encoding *e) {
    uint8_t right[kMostEncodedBytes];
    if (e->scheme == COSSL_SCHEME_RSA_PSS) {
        return RSA_verify_PKCS1_PSS_mgf1(e->whole_modulus, e->hash, e->md, e->md, e->em, (int)e->hash_len) == 1;
    }
    put_pkcs1(NULL, right, e, &kRecipes[0]);
    return memcmp(right, e->em, e->len) == 0;
}
