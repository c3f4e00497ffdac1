// Verifies signatures by our kernels and by libcrypto, alike: with a prepared key, of a hash, and for Ed25519 of the message. Each measured
// loop stands between two marks, whose second has the number of the row; instructions.c counts between them. Prints "row rounds name".
//
//     verifications FOLDER    with the keys rsa2048.pem … ed25519.pem of the folder

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CJWTKernels.h"
#include "CJWTKernelsECDSA.h"
#include "CJWTKernelsEd25519.h"
#include "CJWTKernelsRSA.h"
#include "mark.h"

enum { kRounds = 24, kMessage = 600, kMostSignature = 512 };

static const char *folder;

typedef struct signatures {
    EVP_PKEY *key;
    EVP_PKEY_CTX *context;
    const EVP_MD *digest;  // NULL for Ed25519, which takes the message
    uint8_t message[kRounds][kMessage], hash[kRounds][64], bytes[kRounds][kMostSignature];
    size_t len[kRounds];
} signatures;

// A function that verifies signature i: one where it accepts.
typedef int verification(void *context, const signatures *from, int i);

static void require(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "failed: %s\n", what);
        exit(1);
    }
}

static void measure(const char *name, verification *verify, void *context, const signatures *from) {
    static int row = 0;
    int accepted = 0;
    require(verify(context, from, 0), name);  // libcrypto prepares what it needs at the first
    mark(0);
    for (int i = 0; i < kRounds; i++) { accepted += verify(context, from, i); }
    mark(++row);
    require(accepted == kRounds, name);
    printf("%d %d %s\n", row, kRounds, name);
    fflush(stdout);
}

static void sign(signatures *s, const char *name, const EVP_MD *digest) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s.pem", folder, name);
    FILE *file = fopen(path, "r");
    require(file != NULL, path);
    s->key = PEM_read_PrivateKey(file, NULL, NULL, NULL);
    (void)fclose(file);
    require(s->key != NULL, path);
    s->digest = digest;
    for (int i = 0; i < kRounds; i++) {
        EVP_MD_CTX *signing = EVP_MD_CTX_new();
        for (size_t j = 0; j < kMessage; j++) { s->message[i][j] = (uint8_t)("eyJhbGciOiJFUzI1NiJ9."[j % 21] ^ (j == 30 ? i : 0)); }
        if (digest != NULL) { require(EVP_Digest(s->message[i], kMessage, s->hash[i], NULL, digest, NULL), "hash"); }
        s->len[i] = kMostSignature;
        require(EVP_DigestSignInit(signing, NULL, digest, NULL, s->key) == 1 &&
                    EVP_DigestSign(signing, s->bytes[i], &s->len[i], s->message[i], kMessage) == 1, "signature");
        EVP_MD_CTX_free(signing);
    }
    s->context = EVP_PKEY_CTX_new(s->key, NULL);
    require(digest == NULL || (EVP_PKEY_verify_init(s->context) == 1 && EVP_PKEY_CTX_set_signature_md(s->context, digest) == 1), "context");
}

static int by_libcrypto(void *context, const signatures *from, int i) {
    (void)context;
    return EVP_PKEY_verify(from->context, from->bytes[i], from->len[i], from->hash[i], (size_t)EVP_MD_get_size(from->digest)) == 1;
}

// RSA: the power, and the comparison with the encoded message.
typedef struct rsa {
    uint64_t key[528];
    size_t len;
    uint8_t encoded[kRounds][kMostSignature];
} rsa;

static int by_rsa(void *context, const signatures *from, int i) {
    const rsa *r = context;
    uint8_t em[kMostSignature];
    return cjwt_rsa_scalar_power(r->key, em, from->bytes[i]) == 1 && memcmp(em, r->encoded[i], r->len) == 0;
}

static void encode(rsa *r, const signatures *s) {
    static const uint8_t prefix[] = {0x00, 0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20};
    for (int i = 0; i < kRounds; i++) {
        memset(r->encoded[i], 0xff, r->len);
        memcpy(r->encoded[i], "\0\1", 2);
        memcpy(r->encoded[i] + r->len - 32 - sizeof prefix, prefix, sizeof prefix);
        memcpy(r->encoded[i] + r->len - 32, s->hash[i], 32);
    }
}

static void count_rsa(int bits) {
    static signatures s;
    static rsa r;
    char name[64];
    uint8_t modulus[kMostSignature];
    BIGNUM *n = NULL;
    (void)snprintf(name, sizeof name, "rsa%d", bits);
    sign(&s, name, EVP_sha256());
    r.len = (size_t)bits / 8;
    require(EVP_PKEY_get_bn_param(s.key, OSSL_PKEY_PARAM_RSA_N, &n) == 1 && BN_bn2binpad(n, modulus, (int)r.len) > 0, "modulus");
    require(cjwt_rsa_scalar_key_bytes(r.len) <= sizeof r.key && cjwt_rsa_scalar_key_build(r.key, modulus, r.len) == 1, "RSA key");
    encode(&r, &s);
    (void)snprintf(name, sizeof name, "RS256 %d kernel", bits);
    measure(name, by_rsa, &r, &s);
    (void)snprintf(name, sizeof name, "RS256 %d libcrypto", bits);
    measure(name, by_libcrypto, NULL, &s);
}

typedef struct curve {
    const char *name, *file;
    size_t bytes;
    size_t (*table_bytes)(cjwt_table_size);
    int (*build)(void *, cjwt_table_size, const uint8_t *, const uint8_t *);
    cjwt_verdict (*verify)(const void *, const uint8_t *, const uint8_t *);
    void *table;
    uint8_t plain[kRounds][132];  // r, then s
} curve;

static int by_curve(void *context, const signatures *from, int i) {
    const curve *c = context;
    return c->verify(c->table, from->hash[i], c->plain[i]) == CJWT_ACCEPTED;
}

static void *build(curve *c, const signatures *s, cjwt_table_size size) {
    uint8_t x[66], y[66];
    BIGNUM *qx = NULL, *qy = NULL;
    void *table = aligned_alloc(64, (c->table_bytes(size) + 63) / 64 * 64);
    require(EVP_PKEY_get_bn_param(s->key, OSSL_PKEY_PARAM_EC_PUB_X, &qx) == 1 &&
                EVP_PKEY_get_bn_param(s->key, OSSL_PKEY_PARAM_EC_PUB_Y, &qy) == 1 && BN_bn2binpad(qx, x, (int)c->bytes) > 0 &&
                BN_bn2binpad(qy, y, (int)c->bytes) > 0 && table != NULL && c->build(table, size, x, y) == 1, "table");
    return table;
}

static void count_curve(curve c, const EVP_MD *digest) {
    static signatures s;
    char name[64];
    sign(&s, c.file, digest);
    for (int i = 0; i < kRounds; i++) {
        const uint8_t *at = s.bytes[i];
        ECDSA_SIG *numbers = d2i_ECDSA_SIG(NULL, &at, (long)s.len[i]);
        require(numbers != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(numbers), c.plain[i], (int)c.bytes) > 0 &&
                    BN_bn2binpad(ECDSA_SIG_get0_s(numbers), c.plain[i] + c.bytes, (int)c.bytes) > 0, "r and s");
    }
    for (int full = 0; full < 2; full++) {
        c.table = build(&c, &s, full ? CJWT_TABLE_FULL : CJWT_TABLE_SMALL);
        (void)snprintf(name, sizeof name, "%s kernel%s", c.name, full ? "" : ", small table");
        measure(name, by_curve, &c, &s);
    }
    (void)snprintf(name, sizeof name, "%s libcrypto", c.name);
    measure(name, by_libcrypto, NULL, &s);
}

typedef struct edwards {
    void *table;
    uint8_t public[32];
    EVP_MD_CTX *hashing;
    EVP_MD *sha512;
} edwards;

static int by_edwards(void *context, const signatures *from, int i) {
    const edwards *e = context;
    uint8_t h[64];
    return EVP_DigestInit_ex2(e->hashing, e->sha512, NULL) == 1 && EVP_DigestUpdate(e->hashing, from->bytes[i], 32) == 1 &&
           EVP_DigestUpdate(e->hashing, e->public, 32) == 1 && EVP_DigestUpdate(e->hashing, from->message[i], kMessage) == 1 &&
           EVP_DigestFinal_ex(e->hashing, h, NULL) == 1 && cjwt_ed25519_verify(e->table, h, from->bytes[i]) == CJWT_ACCEPTED;
}

static int edwards_by_libcrypto(void *context, const signatures *from, int i) {
    return EVP_DigestVerify(context, from->bytes[i], from->len[i], from->message[i], kMessage) == 1;
}

static void count_edwards(void) {
    static signatures s;
    edwards e = {.hashing = EVP_MD_CTX_new(), .sha512 = EVP_MD_fetch(NULL, "SHA512", NULL)};
    size_t len = sizeof e.public;
    sign(&s, "ed25519", NULL);
    require(EVP_PKEY_get_raw_public_key(s.key, e.public, &len) == 1, "key");
    for (int full = 0; full < 2; full++) {
        cjwt_table_size size = full ? CJWT_TABLE_FULL : CJWT_TABLE_SMALL;
        e.table = aligned_alloc(64, (cjwt_ed25519_table_bytes(size) + 63) / 64 * 64);
        require(e.table != NULL && cjwt_ed25519_table_build(e.table, size, e.public) == 1, "table");
        measure(full ? "Ed25519 kernel" : "Ed25519 kernel, small table", by_edwards, &e, &s);
    }
    EVP_MD_CTX *verifying = EVP_MD_CTX_new();
    require(EVP_DigestVerifyInit(verifying, NULL, NULL, NULL, s.key) == 1, "context");
    measure("Ed25519 libcrypto", edwards_by_libcrypto, verifying, &s);
}

// What a token of 600 bytes takes besides its signature: two thirds are its payload. SHA-256 is libcrypto's.
typedef struct reading {
    const cjwt_kernels *kernels;
    uint8_t text[400], json[300];
    EVP_MD_CTX *hashing;
    EVP_MD *sha256;
} reading;

static int decode(void *context, const signatures *from, int i) {
    const reading *r = context;
    uint8_t out[400];
    size_t len = 0;
    (void)from, (void)i;
    return r->kernels->base64url_decode(out, &len, r->text, sizeof r->text);
}

static int read_json(void *context, const signatures *from, int i) {
    static const cjwt_json_limits limits = {.depth = 16, .members = 64, .values = 256, .string_bytes = 4096, .number_bytes = 64, .escapes = 64};
    const reading *r = context;
    cjwt_json_node tape[64];
    cjwt_claims claims;
    cjwt_json_fault fault;
    (void)from, (void)i;
    return cjwt_json_tape(tape, 64, &claims, r->json, sizeof r->json, &limits, &fault) > 0;
}

static int hash(void *context, const signatures *from, int i) {
    const reading *r = context;
    uint8_t out[32];
    (void)from, (void)i;
    return EVP_DigestInit_ex2(r->hashing, r->sha256, NULL) == 1 && EVP_DigestUpdate(r->hashing, r->text, sizeof r->text) == 1 &&
           EVP_DigestUpdate(r->hashing, r->text, 200) == 1 && EVP_DigestFinal_ex(r->hashing, out, NULL) == 1;
}

static void count_reading(void) {
    static const char *const names[] = {"generic", "neon"};
    reading r = {.hashing = EVP_MD_CTX_new(), .sha256 = EVP_MD_fetch(NULL, "SHA256", NULL)};
    char name[64], json[sizeof r.json + 1];
    memset(r.text, 'e', sizeof r.text);
    (void)snprintf(json, sizeof json,
                   "{\"iss\":\"https://issuer.example\",\"sub\":\"248289761001\",\"aud\":\"https://api.example\",\"iat\":1700000000,"
                   "\"exp\":1700003600,\"scope\":\"%0*d\"}", 300 - 126, 0);
    memcpy(r.json, json, sizeof r.json);
    for (int i = 0; i < 2; i++) {
        r.kernels = cjwt_kernels_named(names[i]);
        require(r.kernels != NULL && cjwt_kernels_force(names[i]), names[i]);
        (void)snprintf(name, sizeof name, "base64url, 400 B: %s", names[i]);
        measure(name, decode, &r, NULL);
        (void)snprintf(name, sizeof name, "JSON, 300 B: %s", names[i]);
        measure(name, read_json, &r, NULL);
    }
    measure("SHA-256, 600 B: libcrypto", hash, &r, NULL);
}

int main(int argc, char **argv) {
    require(argc == 2, "usage: verifications FOLDER");
    folder = argv[1];
    for (int bits = 2048; bits <= 4096; bits += 1024) { count_rsa(bits); }
    count_curve((curve){"ES256", "p256", 32, cjwt_p256_table_bytes, cjwt_p256_table_build, cjwt_p256_verify, NULL, {{0}}}, EVP_sha256());
    count_curve((curve){"ES384", "p384", 48, cjwt_p384_table_bytes, cjwt_p384_table_build, cjwt_p384_verify, NULL, {{0}}}, EVP_sha384());
    count_curve((curve){"ES512", "p521", 66, cjwt_p521_table_bytes, cjwt_p521_table_build, cjwt_p521_verify, NULL, {{0}}}, EVP_sha512());
    count_edwards();
    count_reading();
    return 0;
}
