// check_rsa_padding: compares cossl_rsa_padding_matches, which checks the result of RSA's public operation, with libcrypto and bytes
// assembled by hand. The function assumes that every modulus has whole bytes; so it judges a PSS encoding for 2,049 bits, which no caller
// passes, as one for 2,056 bits.

#include "rsa_padding.h"

static const unsigned kBits[] = {2048, 2049, 2050, 2055, 2056, 3072, 4096, 8192};

enum { kSizes = sizeof kBits / sizeof kBits[0], kSchemes = 2, kEncodings = kSizes * kSchemes * kDigests, kShown = 20 };

static int verdict_of(const encoding *e) { return cossl_rsa_padding_matches(e->scheme, e->digest, e->hash, e->em, e->len); }

void padding_expect(padding_check *check, const encoding *e, int expected, const char *what) {
    int verdict = verdict_of(e);
    check->result.cases++;
    if (verdict == expected || check->result.failures++ >= kShown) { return; }
    printf("rsa-padding: %s: %d where %d is right; %s, %s, %u bits, case %llu of seed %llu\n", what, verdict, expected,
           e->scheme == COSSL_SCHEME_RSA_PSS ? "PSS" : "PKCS#1 v1.5", EVP_MD_get0_name(e->md), e->bits,
           (unsigned long long)check->result.cases, (unsigned long long)check->seed);
}

static void expect_oracle(padding_check *check, const encoding *e, const char *what) {
    padding_expect(check, e, encoding_is_right(e), what);
}

// The correct encoding, where the function supports it, and similar ones, which are all wrong.
static void check_forms(padding_check *check, encoding *e) {
    int is_for_it = e->scheme == COSSL_SCHEME_RSA_PKCS1 || e->bits % 8 == 0;
    const char *what;
    encoding_draw(check, e);
    for (size_t form = 0; (what = encoding_form(check, e, form)) != NULL; form++) {
        expect_oracle(check, e, what);
        if (is_for_it) { padding_expect(check, e, form == 0, what); }
    }
}

// One change of a byte. With 255 ways, every change; with fewer, each single bit, then random changes.
static uint8_t change_of(padding_check *check, int way, int ways) {
    if (ways == 255) { return (uint8_t)(way + 1); }
    return (uint8_t)(way + 1 < ways ? 1 << way : 1 + (int)below(check, 255));
}

static void check_bytes(padding_check *check, encoding *e, int ways) {
    encoding_draw(check, e);
    for (size_t at = 0; at < e->len; at++) {
        uint8_t right = e->em[at];
        for (int way = 0; way < ways; way++) {
            e->em[at] = right ^ change_of(check, way, ways);
            expect_oracle(check, e, "a byte changed");
        }
        e->em[at] = right;
    }
    expect_oracle(check, e, "every byte changed back");
}

// If only a byte of the hash changed, the mask would change everything before it.
static void check_masked_hash(padding_check *check, encoding *e, int ways) {
    if (e->scheme != COSSL_SCHEME_RSA_PSS || e->bits % 8 != 0) { return; }
    encoding_draw(check, e);
    for (size_t at = 0; at < e->hash_len; at++) {
        for (int way = 0; way < ways; way++) {
            uint8_t change = change_of(check, way, ways);
            encoding_change_hash(e, at, change);
            expect_oracle(check, e, "a byte of the hash changed, and the mask with it");
            encoding_change_hash(e, at, change);
        }
    }
    padding_expect(check, e, 1, "every byte of the hash changed back");
}

static void check_moved(padding_check *check, encoding *e) {
    encoding_draw(check, e);
    memmove(e->em, e->em + 1, e->len - 1);
    expect_oracle(check, e, "a byte to the left");
    (void)encoding_form(check, e, 0);
    memmove(e->em + 1, e->em, e->len - 1);
    expect_oracle(check, e, "a byte to the right");
    for (int byte = 0; byte < 256; byte += 255) {
        memset(e->em, byte, e->len);
        expect_oracle(check, e, "nothing but one byte");
    }
}

static void check_hashes(padding_check *check, encoding *e) {
    encoding_draw(check, e);
    for (size_t bit = 0; bit < 8 * e->hash_len; bit += 1 + below(check, 4)) {
        e->hash[bit / 8] ^= (uint8_t)(1 << bit % 8);
        expect_oracle(check, e, "another hash");
        e->hash[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

// Checks a correct encoding under every other scheme and digest, including those that no RSA signature has. The hash is long enough for
// them.
static void check_others(padding_check *check, encoding *e) {
    uint8_t hash[kMostHashBytes] = {0};
    encoding_draw(check, e);
    memcpy(hash, e->hash, e->hash_len);
    for (int scheme = 0; scheme <= COSSL_SCHEME_MLDSA + 1; scheme++) {
        for (int digest = 0; digest <= COSSL_DIGEST_SHAKE256_114 + 1; digest++) {
            if (scheme == (int)e->scheme && digest == (int)e->digest) { continue; }
            encoding other = *e;
            other.scheme = (cossl_scheme)scheme, other.digest = (cossl_digest)digest, other.hash = hash;
            padding_expect(check, &other, 0, "another scheme or digest");
        }
    }
}

// Correct encodings of a length that the function does not support.
static void check_lengths(padding_check *check) {
    static const unsigned bits[] = {1024, 2032, 2040, 8200};
    for (size_t i = 0; i < sizeof bits / sizeof bits[0] * kSchemes * kDigests; i++) {
        encoding e;
        encoding_open(&e, i % 2 ? COSSL_SCHEME_RSA_PSS : COSSL_SCHEME_RSA_PKCS1, (cossl_digest)(1 + i / 2 % kDigests), bits[i / 6]);
        // A salt as long as SHA-512 does not fit into 1,024 bits.
        if (e.len < 2 * e.hash_len + 2) { memset(e.hash, 0, e.hash_len), memset(e.em, 0, e.len); } else { encoding_draw(check, &e); }
        padding_expect(check, &e, 0, "a length that is none of its");
        encoding_close(&e);
    }
}

// Correct, then with up to three bytes changed.
static void check_at_random(padding_check *check, encoding *e) {
    uint8_t right[kMostEncodedBytes];
    encoding_draw(check, e);
    memcpy(right, e->em, e->len);
    expect_oracle(check, e, "the right encoding");
    for (int i = 0; i < 31; i++) {
        for (size_t changes = 1 + below(check, 3); changes > 0; changes--) { encoding_change(check, e); }
        expect_oracle(check, e, "bytes changed");
        memcpy(e->em, right, e->len);
    }
}

static void open_all(encoding all[kEncodings]) {
    for (int i = 0; i < kEncodings; i++) {
        cossl_scheme scheme = i < kEncodings / 2 ? COSSL_SCHEME_RSA_PKCS1 : COSSL_SCHEME_RSA_PSS;
        encoding_open(&all[i], scheme, (cossl_digest)(COSSL_DIGEST_SHA256 + i % kDigests), kBits[i / kDigests % kSizes]);
    }
}

differential_result check_rsa_padding(uint64_t cases, uint64_t seed) {
    static encoding all[kEncodings];
    padding_check check = {.random = {seed}, .seed = seed};
    open_all(all);
    check_lengths(&check);
    check_padding_signatures(&check);
    for (int i = 0; i < kEncodings; i++) {
        check_forms(&check, &all[i]);
        check_moved(&check, &all[i]);
        check_hashes(&check, &all[i]);
        check_others(&check, &all[i]);
        int ways = cases < 200000 ? 1 : cases >= 1000000 && all[i].bits == 2048 ? 255 : 9;
        check_bytes(&check, &all[i], ways);
        check_masked_hash(&check, &all[i], ways);
    }
    uint64_t swept = check.result.cases;
    // libcrypto is a hundred times slower for PSS.
    while (check.result.cases < cases) {
        size_t first = below(&check, 8) == 0 ? kEncodings / 2 : 0;
        check_at_random(&check, &all[first + below(&check, kEncodings / 2)]);
    }
    printf("rsa-padding: %llu signatures, %llu cases by every position, form and hash, %llu by bytes at random\n",
           (unsigned long long)check.signatures, (unsigned long long)(swept - check.signatures),
           (unsigned long long)(check.result.cases - swept));
    for (int i = 0; i < kEncodings; i++) { encoding_close(&all[i]); }
    return check.result;
}
