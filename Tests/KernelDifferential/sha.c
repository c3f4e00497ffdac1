// check_sha: the SHA-2 kernels against libcrypto's SHA256_Update and SHA512_Update, one message after the other.
//
// Every message and every prefix ends, or begins, at a page that may not be read, or lies anywhere between.

#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/sha.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../Sources/CJWTKernels/sha/sha_internal.h"
#include "differential.h"
#include "sha_blocks.h"

enum { kMost = 40, kLongest = 4096, kPrefixLongest = 320, kDigestMost = 64 };

// A piece of memory between two pages that may not be touched.
typedef struct guarded {
    uint8_t *start;
    size_t len;
} guarded;

static guarded guarded_make(size_t len) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inside = (len + page - 1) / page * page;
    uint8_t *pages = mmap(NULL, inside + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page, inside, PROT_READ | PROT_WRITE) != 0) { return (guarded){NULL, 0}; }
    return (guarded){pages + page, inside};
}

static void guarded_free(guarded memory) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (memory.start != NULL) { munmap(memory.start - page, memory.len + 2 * page); }
}

typedef struct sha_check {
    differential_random random;
    differential_result result;
    guarded bytes[kMost], prefixes[kMost];
    cjwt_message messages[kMost];
    size_t count;
} sha_check;

// One hash function: the kernels' and libcrypto's.
typedef struct hash {
    const char *name;
    size_t digest_len;
    int (*many)(uint8_t *out, const cjwt_message *messages, size_t count);
    void (*one)(uint8_t *out, const cjwt_message *message);
} hash;

static int many_256(uint8_t *out, const cjwt_message *messages, size_t count) {
    return cjwt_sha256_many((uint8_t(*)[32])out, messages, count);
}

#if defined(__x86_64__)
static int many_256_ni(uint8_t *out, const cjwt_message *messages, size_t count) {
    if (!sha_has_instructions()) { return 0; }
    sha256_many_ni(out, messages, count);
    return 1;
}
#endif

static int many_384(uint8_t *out, const cjwt_message *messages, size_t count) {
    return cjwt_sha384_many((uint8_t(*)[48])out, messages, count);
}

static int many_512(uint8_t *out, const cjwt_message *messages, size_t count) {
    return cjwt_sha512_many((uint8_t(*)[64])out, messages, count);
}

static void one_256(uint8_t *out, const cjwt_message *message) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, message->prefix, message->prefix_len);
    SHA256_Update(&context, message->bytes, message->len);
    SHA256_Final(out, &context);
}

static void one_384(uint8_t *out, const cjwt_message *message) {
    SHA512_CTX context;
    SHA384_Init(&context);
    SHA384_Update(&context, message->prefix, message->prefix_len);
    SHA384_Update(&context, message->bytes, message->len);
    SHA384_Final(out, &context);
}

static void one_512(uint8_t *out, const cjwt_message *message) {
    SHA512_CTX context;
    SHA512_Init(&context);
    SHA512_Update(&context, message->prefix, message->prefix_len);
    SHA512_Update(&context, message->bytes, message->len);
    SHA512_Final(out, &context);
}

static const hash hashes[] = {
    {"sha256", 32, many_256, one_256},
    {"sha384", 48, many_384, one_384},
    {"sha512", 64, many_512, one_512},
#if defined(__x86_64__)
    {"sha256 without AVX-512", 32, many_256_ni, one_256},
#endif
};
enum { kHashes = sizeof hashes / sizeof hashes[0] };

static size_t below(sha_check *check, size_t limit) { return (size_t)(next_random(&check->random) % limit); }

static void fail(sha_check *check, const char *what, size_t lane) {
    const cjwt_message *message = &check->messages[lane];
    printf("%s: message %zu of %zu, prefix %zu bytes at %p, %zu bytes at %p\n", what, lane, check->count, message->prefix_len,
           (const void *)message->prefix, message->len, (const void *)message->bytes);
    check->result.failures++;
}

// place chooses where in the memory `len` bytes lie: at either end or anywhere. No bytes may also be nowhere.
static const uint8_t *place(sha_check *check, guarded memory, size_t len) {
    size_t room = memory.len - len;
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

// compare hashes the messages both ways. Behind the digests nothing may be written.
static void compare(sha_check *check, const hash *hash) {
    uint8_t digests[(kMost + 1) * kDigestMost], expected[kDigestMost], untouched[kDigestMost];
    memset(digests, 0xa5, sizeof digests);
    memset(untouched, 0xa5, sizeof untouched);
    size_t done = hash->many(digests, check->messages, check->count) ? check->count : 0;
    if (memcmp(digests + done * hash->digest_len, untouched, sizeof untouched) != 0) { fail(check, "written beyond", 0); }
    for (size_t i = 0; i < done; i++) {
        hash->one(expected, &check->messages[i]);
        check->result.cases++;
        if (memcmp(digests + i * hash->digest_len, expected, hash->digest_len) != 0) { fail(check, hash->name, i); }
    }
}

static void compare_one(sha_check *check, const cjwt_message *message) {
    uint8_t digest[32], expected[32];
    cjwt_message bytes = {NULL, 0, message->bytes, message->len};
    if (!cjwt_sha256_one(digest, bytes.bytes, bytes.len)) { return; }
    one_256(expected, &bytes);
    check->result.cases++;
    if (memcmp(digest, expected, 32) != 0) { fail(check, "sha256 of one", (size_t)(message - check->messages)); }
}

// Counts that fill each kernel by itself and mixtures of them.
static const size_t kCounts[] = {1, 2, 4, 5, 8, 10, 16, 17};
enum { kCountsLen = sizeof kCounts / sizeof kCounts[0] };

// every_length: 0…4096 bytes in all, split anywhere, for every kernel; `stride` thins them out.
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

// Lengths about the ends of blocks, where the padding takes one block more.
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
    case 1: return common + below(check, 9);  // as tokens of one issuer differ
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
        memset(check->bytes[i].start, kind == 0 ? 0 : 0xff, check->bytes[i].len);
    } else {
        random_bytes(&check->random, check->bytes[i].start, check->bytes[i].len);
    }
    random_bytes(&check->random, check->prefixes[i].start, check->prefixes[i].len);
}

differential_result check_sha(uint64_t cases, uint64_t seed) {
    sha_check check = {.random = {seed}};
    size_t stride = cases >= 3000000 ? 1 : (size_t)(3000000 / (cases + 1)) + 1;
    for (size_t i = 0; i < kMost; i++) {
        check.bytes[i] = guarded_make(kLongest);
        check.prefixes[i] = guarded_make(kPrefixLongest);
        if (check.bytes[i].start == NULL || check.prefixes[i].start == NULL) { return (differential_result){0, 1}; }
        random_bytes(&check.random, check.bytes[i].start, check.bytes[i].len);
        random_bytes(&check.random, check.prefixes[i].start, check.prefixes[i].len);
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
    return check.result;
}
