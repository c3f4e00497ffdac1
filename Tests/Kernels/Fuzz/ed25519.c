// Fuzzes Ed25519: the portable kernel and, where the CPU has IFMA, the lane kernels, one token at a time and eight.
//
// An input is two bytes for the lanes, then up to eight signatures: key, kind, the data of that kind, changes. Two oracles: libcrypto where
// a message exists, and S = r + h a (mod L) where the input gives h, for which no message is known.

#include "CJWTKernelsEd25519.h"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include "../Cases/scoped_numbers.h"
#include "fuzz_input.h"

enum { kFixedKeys = 4, kRawKey = kFixedKeys, kNonces = 8, kMessageMost = 32 };

typedef struct fuzz_key {
    uint8_t encoded[32];
    EVP_PKEY *pair;
    BIGNUM *logarithm;
    uint8_t points[kNonces][32];  // R = r B
    BIGNUM *nonces[kNonces];      // r
    void *tables[2];              // by cjwt_table_size
} fuzz_key;

typedef struct fuzz_case {
    fuzz_key *key, raw;
    uint8_t message[kMessageMost], h[64], sig[64];
    cjwt_verdict expected;
} fuzz_case;

static fuzz_key keys[kFixedKeys];
static BIGNUM *order;
static BN_CTX *context;
static int has_lanes;

static int build_tables(fuzz_key *key, int num_sizes) {
    int built = 0;
    for (int size = 0; size < num_sizes; size++) {
        key->tables[size] = room(cjwt_ed25519_table_bytes((cjwt_table_size)size));
        built += cjwt_ed25519_table_build(key->tables[size], (cjwt_table_size)size, key->encoded);
    }
    if (num_sizes == 1) { key->tables[1] = key->tables[0]; }
    return built == num_sizes;
}

static void hash(uint8_t h[64], const fuzz_key *key, const uint8_t r[32], const uint8_t message[kMessageMost]) {
    uint8_t all[64 + kMessageMost];
    memcpy(all, r, 32), memcpy(all + 32, key->encoded, 32), memcpy(all + 64, message, kMessageMost);
    SHA512(all, sizeof all, h);
}

static void sign(const fuzz_key *key, uint8_t sig[64], const uint8_t message[kMessageMost]) {
    size_t len = 64;
    EVP_MD_CTX *signing = EVP_MD_CTX_new();
    must(EVP_DigestSignInit(signing, NULL, NULL, NULL, key->pair) == 1 &&
             EVP_DigestSign(signing, sig, &len, message, kMessageMost) == 1, "libcrypto does not sign");
    EVP_MD_CTX_free(signing);
}

static BIGNUM *reduced(const uint8_t *bytes, int len) {
    BIGNUM *n = BN_lebin2bn(bytes, len, NULL);
    BN_nnmod(n, n, order, context);
    return n;
}

// The r of a signature by libcrypto: S - h a.
static void find_nonce(fuzz_key *key, int i) {
    uint8_t message[kMessageMost] = {(uint8_t)i}, h[64], sig[64];
    sign(key, sig, message);
    hash(h, key, sig, message);
    NUMBER product = reduced(h, 64);
    BIGNUM *s = BN_lebin2bn(sig + 32, 32, NULL);
    BN_mod_mul(product, product, key->logarithm, order, context);
    BN_mod_sub(s, s, product, order, context);
    memcpy(key->points[i], sig, 32);
    key->nonces[i] = s;
}

static void make_fixed_key(fuzz_key *key, int number) {
    uint8_t seed[32] = {(uint8_t)number}, secret[64];
    size_t len = 32;
    key->pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, 32);
    must(key->pair != NULL && EVP_PKEY_get_raw_public_key(key->pair, key->encoded, &len) == 1, "libcrypto makes no key");
    SHA512(seed, 32, secret);
    secret[0] &= 0xf8, secret[31] = (secret[31] & 0x3f) | 0x40;
    key->logarithm = reduced(secret, 32);
    for (int i = 0; i < kNonces; i++) { find_nonce(key, i); }
    must(build_tables(key, 2), "a fixed key is refused");
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    has_lanes = cjwt_ifma_available();
    must(cjwt_ed25519_self_test() && (!has_lanes || cjwt_ed25519_ifma_self_test()), "self test");
    context = BN_CTX_new();
    BN_hex2bn(&order, "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");
    for (int i = 0; i < kFixedKeys; i++) { make_fixed_key(&keys[i], i); }
    return 0;
}

static void free_raw_key(fuzz_key *key) {
    EVP_PKEY_free(key->pair);
    free(key->tables[0]);
}

// Any 32 bytes, or those of a number near 0 or p with either sign. NULL where no table is built: then only libcrypto judges the key.
static fuzz_key *take_raw_key(fuzz_input *input, fuzz_key *key) {
    const int kind = take_byte(input);
    if (kind % 2) {
        memset(key->encoded, kind & 2 ? 0xff : 0, 32);
        key->encoded[0] = take_byte(input);
        key->encoded[31] = (uint8_t)((kind & 2 ? 0x7f : 0) | (kind & 4 ? 0x80 : 0));
    } else {
        take(input, key->encoded, 32);
    }
    key->pair = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, key->encoded, 32);
    if (key->pair != NULL && build_tables(key, 1)) { return key; }
    free_raw_key(key);
    return NULL;
}

static cjwt_verdict libcrypto_verdict(const fuzz_case *c) {
    EVP_MD_CTX *judge = EVP_MD_CTX_new();
    int valid = EVP_DigestVerifyInit(judge, NULL, NULL, NULL, c->key->pair) == 1 &&
                EVP_DigestVerify(judge, c->sig, 64, c->message, kMessageMost) == 1;
    EVP_MD_CTX_free(judge);
    return valid ? CJWT_ACCEPTED : CJWT_REFUSED;
}

// The input's bytes, or a signature by libcrypto, to which L may be added several times; then changed and judged by libcrypto.
static void take_signature(fuzz_input *input, fuzz_case *c, int is_signed) {
    take(input, c->message, kMessageMost);
    if (is_signed) {
        sign(c->key, c->sig, c->message);
        NUMBER s = BN_lebin2bn(c->sig + 32, 32, NULL);
        for (int times = take_byte(input) % 16; times > 0; times--) { BN_add(s, s, order); }
        if (BN_bn2lebinpad(s, c->sig + 32, 32) != 32) { memset(c->sig + 32, 0xff, 32); }
    } else {
        take(input, c->sig, 64);
    }
    take_changes(input, c->message, kMessageMost);
    take_changes(input, c->sig, 64);
    hash(c->h, c->key, c->sig, c->message);
    c->expected = libcrypto_verdict(c);
}

// R = r B of a known r, the input's h, and S = r + h a, possibly changed: valid exactly where S is that number, below L.
static void take_any_hash(fuzz_input *input, fuzz_case *c) {
    const int nonce = take_byte(input) % kNonces;
    take(input, c->h, 64);
    NUMBER s = reduced(c->h, 64);
    BN_mod_mul(s, s, c->key->logarithm, order, context);
    BN_mod_add(s, s, c->key->nonces[nonce], order, context);
    BN_bn2lebinpad(s, c->sig + 32, 32);
    memcpy(c->sig, c->key->points[nonce], 32);
    take_changes(input, c->sig + 32, 32);
    NUMBER changed = BN_lebin2bn(c->sig + 32, 32, NULL);
    c->expected = BN_cmp(s, changed) == 0 ? CJWT_ACCEPTED : CJWT_REFUSED;
}

static int take_case(fuzz_input *input, fuzz_case *c) {
    const int choice = take_byte(input), key = choice % (kFixedKeys + 1);
    memset(c, 0, sizeof *c);
    c->key = key == kRawKey ? take_raw_key(input, &c->raw) : &keys[key];
    if (c->key == NULL) { return 0; }
    if (key != kRawKey && choice & 0x80) {
        take_any_hash(input, c);
    } else {
        take_signature(input, c, key != kRawKey && choice & 0x40);
    }
    return 1;
}

static void judge_singly(const fuzz_case *c) {
    uint8_t *h = exact_copy(c->h, 64), *sig = exact_copy(c->sig, 64);
    for (int size = 0; size < 2; size++) {
        must(cjwt_ed25519_verify(c->key->tables[size], h, sig) == c->expected, "a verdict and the oracle's");
        if (!has_lanes) { continue; }
        must(cjwt_ed25519_ifma_verify(c->key->tables[size], h, sig) == c->expected, "a verdict with IFMA and the oracle's");
    }
    free(h), free(sig);
}

// Lane i has case i, cyclically, with a table of either size; idle lanes get invalid pointers.
static void judge_in_lanes(const fuzz_case *cases, int count, int idle, int sizes) {
    const void *tables[kLanes] = {NULL};
    const uint8_t *h[kLanes] = {NULL}, *sigs[kLanes] = {NULL};
    cjwt_verdict verdicts[kLanes];
    for (int i = 0; i < kLanes; i++) {
        const fuzz_case *c = &cases[i % count];
        if (idle >> i & 1) { continue; }
        tables[i] = c->key->tables[sizes >> i & 1], h[i] = c->h, sigs[i] = c->sig;
    }
    cjwt_ed25519_ifma_verify8(verdicts, tables, h, sigs);
    for (int i = 0; i < kLanes; i++) {
        must(verdicts[i] == (idle >> i & 1 ? CJWT_UNDECIDED : cases[i % count].expected), "a lane's verdict and the oracle's");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    fuzz_input input = {bytes, len};
    const int idle = take_byte(&input), sizes = take_byte(&input);
    fuzz_case cases[kLanes];
    int count = 0;
    while (count < kLanes && (count == 0 || input.left > 0) && take_case(&input, &cases[count])) { count++; }
    for (int i = 0; i < count; i++) { judge_singly(&cases[i]); }
    if (has_lanes && count > 0) { judge_in_lanes(cases, count, idle, sizes); }
    for (int i = 0; i < count; i++) {
        if (cases[i].key == &cases[i].raw) { free_raw_key(&cases[i].raw); }
    }
    return 0;
}
