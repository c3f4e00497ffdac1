// check_sha: compares the SHA-2 kernels with libcrypto's digests, one message after the other.
//
// Every message and every prefix begins or ends at an inaccessible page, or lies anywhere between.

#include <openssl/evp.h>
#include <string.h>

#include "../../../Sources/CJWTKernels/sha/many.h"
#include "../Cases/guarded_memory.h"
#include "differential.h"

enum { kMost = 40, kLongest = 4096, kPrefixLongest = 320, kPlace = 64 };

typedef struct sha_check {
    differential_random random;
    differential_result result;
    guarded bytes[kMost], prefixes[kMost];
    cjwt_message messages[kMost];
    size_t count;
    EVP_MD_CTX *hashing;
} sha_check;

// One hash function: the kernels' version and libcrypto's.
typedef struct hash {
    const char *name;
    size_t digest_len;
    int (*many)(uint8_t *out, size_t digest_len, const cjwt_message *messages, size_t count);
    const EVP_MD *(*judge)(void);
} hash;

#if defined(__x86_64__)
static int many_in_pairs(uint8_t *out, size_t digest_len, const cjwt_message *messages, size_t count) {
    (void)digest_len;
    if (!sha_has_instructions()) { return 0; }
    sha_hash_many(&sha256_in_pairs, out, messages, count);
    return 1;
}
#endif

static const hash hashes[] = {
    {"sha256", 32, cjwt_sha2_lanes, EVP_sha256},
    {"sha384", 48, cjwt_sha2_lanes, EVP_sha384},
    {"sha512", 64, cjwt_sha2_lanes, EVP_sha512},
#if defined(__x86_64__)
    {"sha256 without AVX-512", 32, many_in_pairs, EVP_sha256},
#endif
};
enum { kHashes = sizeof hashes / sizeof hashes[0] };

static void hash_by_libcrypto(sha_check *check, const hash *hash, uint8_t *out, const cjwt_message *message) {
    EVP_DigestInit_ex(check->hashing, hash->judge(), NULL);
    EVP_DigestUpdate(check->hashing, message->prefix, message->prefix_len);
    EVP_DigestUpdate(check->hashing, message->bytes, message->len);
    EVP_DigestFinal_ex(check->hashing, out, NULL);
}

static void fail(sha_check *check, const char *what, size_t lane) {
    const cjwt_message *message = &check->messages[lane];
    printf("%s: message %zu of %zu, prefix %zu bytes at %p, %zu bytes at %p\n", what, lane, check->count, message->prefix_len,
           (const void *)message->prefix, message->len, (const void *)message->bytes);
    check->result.failures++;
}

// place chooses where in the memory `len` bytes lie: at either end or anywhere. Zero bytes may also have a NULL pointer.
static const uint8_t *place(sha_check *check, guarded memory, size_t len) {
    size_t room = guarded_size(memory) - len;
    switch (below(check, 4)) {
    case 0: return len > 0 ? memory.start : NULL;
    case 1: return memory.start + below(check, room + 1);
    default: return memory.start + room;
    }
}

static void add_message(sha_check *check, size_t prefix_len, size_t len) {
    size_t i = check->count++;
    const uint8_t *prefix = place(check, check->prefixes[i], prefix_len), *bytes = place(check, check->bytes[i], len);
    check->messages[i] = (cjwt_message){prefix, prefix_len, bytes, len};
}

// compare hashes the messages both ways. Memory after each digest stays unchanged.
static void compare(sha_check *check, const hash *hash) {
    uint8_t digests[(kMost + 1) * kPlace], expected[kPlace];
    memset(digests, 0xa5, sizeof digests);
    size_t done = hash->many(digests, hash->digest_len, check->messages, check->count) ? check->count : 0;
    for (size_t i = 0; i <= done; i++) {
        memset(expected, 0xa5, sizeof expected);
        if (i < done) { hash_by_libcrypto(check, hash, expected, &check->messages[i]); }
        check->result.cases += i < done;
        if (memcmp(digests + i * kPlace, expected, kPlace) != 0) { fail(check, i < done ? hash->name : "written beyond", i % kMost); }
    }
}

static void compare_one(sha_check *check, const cjwt_message *message) {
    uint8_t digest[32], expected[32];
    cjwt_message bytes = {NULL, 0, message->bytes, message->len};
    if (!cjwt_sha256_one(digest, bytes.bytes, bytes.len)) { return; }
    hash_by_libcrypto(check, &hashes[0], expected, &bytes);
    check->result.cases++;
    if (memcmp(digest, expected, 32) != 0) { fail(check, "sha256 of one", (size_t)(message - check->messages)); }
}

// Counts that fill each kernel alone, and mixtures of them.
static const size_t kCounts[] = {1, 2, 4, 5, 8, 10, 16, 17};
enum { kCountsLen = sizeof kCounts / sizeof kCounts[0] };

// every_length: 0…4096 bytes in total, split anywhere, for every kernel; `stride` reduces the number of lengths.
static void every_length(sha_check *check, size_t stride) {
    for (size_t len = below(check, stride); len <= kLongest; len += stride) {
        for (size_t c = 0; c < kCountsLen; c++) {
            check->count = 0;
            while (check->count < kCounts[c]) {
                size_t split = len < kPrefixLongest ? len : kPrefixLongest;
                size_t prefix_len = below(check, 2) ? 0 : below(check, split + 1);
                add_message(check, prefix_len, len - prefix_len);
            }
            for (size_t h = 0; h < kHashes; h++) { compare(check, &hashes[h]); }
        }
        compare_one(check, &check->messages[0]);
    }
}

// Lengths near the ends of blocks, where the padding takes one more block.
static const size_t kEnds[] = {0, 1, 54, 55, 56, 57, 63, 64, 65, 110, 111, 112, 113, 119, 120, 121, 127, 128, 129};
enum { kEndsLen = sizeof kEnds / sizeof kEnds[0] };

// every_alignment: each of 64 alignments with each end, of prefix and of bytes.
static void every_alignment(sha_check *check, size_t stride) {
    for (size_t offset = below(check, stride); offset < 64; offset += stride) {
        for (size_t end = 0; end < kEndsLen; end++) {
            for (size_t c = 0; c < kCountsLen; c++) {
                for (check->count = 0; check->count < kCounts[c]; check->count++) {
                    const uint8_t *prefix = check->prefixes[check->count].start + (offset * 5 + check->count) % 64;
                    const uint8_t *bytes = check->bytes[check->count].start + offset;
                    size_t prefix_len = kEnds[(end + below(check, kEndsLen)) % kEndsLen], len = kEnds[end] + 128 * below(check, 3);
                    check->messages[check->count] = (cjwt_message){prefix, prefix_len, bytes, len};
                }
                compare(check, &hashes[below(check, kHashes)]);
            }
        }
    }
}

static size_t some_length(sha_check *check, size_t pattern, size_t common) {
    switch (pattern) {
    case 0: return common;
    case 1: return common + below(check, 9);  // as tokens of one issuer do
    case 2: return kEnds[below(check, kEndsLen)] + 128 * below(check, 4);
    case 3: return below(check, 64) == 0 ? below(check, kLongest + 1) : below(check, 200);
    default: return below(check, 1200);
    }
}

static size_t some_prefix(sha_check *check, size_t pattern) {
    switch (pattern) {
    case 0: return 0;
    case 1: return 64;
    case 2: return kEnds[below(check, kEndsLen)];
    default: return below(check, kPrefixLongest + 1);
    }
}

#if defined(__x86_64__)
// unequal_lanes: one batch of 0…40 messages.
static void unequal_lanes(sha_check *check) {
    size_t count = below(check, kMost + 1), common = below(check, 900), lengths = below(check, 5), prefixes = below(check, 5);
    check->count = 0;
    while (check->count < count) {
        add_message(check, some_prefix(check, prefixes), some_length(check, lengths, common));
    }
    compare(check, &hashes[below(check, kHashes)]);
    if (count > 0) { compare_one(check, &check->messages[0]); }
}

static void other_bytes(sha_check *check) {
    size_t i = below(check, kMost), kind = below(check, 8);
    if (kind < 2) {
        memset(check->bytes[i].start, kind == 0 ? 0 : 0xff, guarded_size(check->bytes[i]));
    } else {
        random_bytes(&check->random, check->bytes[i].start, guarded_size(check->bytes[i]));
    }
    random_bytes(&check->random, check->prefixes[i].start, guarded_size(check->prefixes[i]));
}

#endif

differential_result check_sha(uint64_t cases, uint64_t seed) {
    sha_check check = {.random = {seed}, .hashing = EVP_MD_CTX_new()};
    size_t stride = cases >= 3000000 ? 1 : (size_t)(3000000 / (cases + 1)) + 1;
    for (size_t i = 0; i < kMost; i++) {
        check.bytes[i] = guarded_make(kLongest);
        check.prefixes[i] = guarded_make(kPrefixLongest);
        random_bytes(&check.random, check.bytes[i].start, guarded_size(check.bytes[i]));
        random_bytes(&check.random, check.prefixes[i].start, guarded_size(check.prefixes[i]));
    }
    if (!cjwt_sha_self_test()) { fail(&check, "self test", 0); }
    every_length(&check, stride);
    every_alignment(&check, stride < 64 ? stride : 64);
#if defined(__x86_64__)
    sha_check_blocks(&check.random, &check.result, cases / 4);
    for (uint64_t batch = 0; check.result.cases < cases && sha_has_instructions(); batch++) {
        unequal_lanes(&check);
        if (batch % 16 == 0) { other_bytes(&check); }
    }
#endif
    for (size_t i = 0; i < kMost; i++) {
        guarded_free(check.bytes[i]);
        guarded_free(check.prefixes[i]);
    }
    EVP_MD_CTX_free(check.hashing);
    return check.result;
}
