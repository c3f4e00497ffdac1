// cjwt_sha_self_test: known answers, for every kernel this CPU uses.
//
// The example of FIPS 180-4 ("abc") one to twenty times, then batches of two to twenty messages of unequal lengths: between them they fill
// those kernels' lanes, leave some idle, and refill them. All their digests come to one number, which was computed from libcrypto's.

#include "sha_internal.h"

#include <string.h>

enum { kMost = 20, kPrefixMost = 130, kLenMost = 570, kBytes = kMost + kPrefixMost + kLenMost };

static const uint64_t kSum256 = UINT64_C(0xc3fba4c14d67c34f), kSum384 = UINT64_C(0xaaa8546e3b98647f),
                      kSum512 = UINT64_C(0xaa97145ae41ae607);

static const uint8_t kABC256[32] = {
    0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
    0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
};
static const uint8_t kABC384[48] = {
    0xcb, 0x00, 0x75, 0x3f, 0x45, 0xa3, 0x5e, 0x8b, 0xb5, 0xa0, 0x3d, 0x69, 0x9a, 0xc6, 0x50, 0x07,
    0x27, 0x2c, 0x32, 0xab, 0x0e, 0xde, 0xd1, 0x63, 0x1a, 0x8b, 0x60, 0x5a, 0x43, 0xff, 0x5b, 0xed,
    0x80, 0x86, 0x07, 0x2b, 0xa1, 0xe7, 0xcc, 0x23, 0x58, 0xba, 0xec, 0xa1, 0x34, 0xc8, 0x25, 0xa7,
};
static const uint8_t kABC512[64] = {
    0xdd, 0xaf, 0x35, 0xa1, 0x93, 0x61, 0x7a, 0xba, 0xcc, 0x41, 0x73, 0x49, 0xae, 0x20, 0x41, 0x31,
    0x12, 0xe6, 0xfa, 0x4e, 0x89, 0xa9, 0x7e, 0xa2, 0x0a, 0x9e, 0xee, 0xe6, 0x4b, 0x55, 0xd3, 0x9a,
    0x21, 0x92, 0x99, 0x2a, 0x27, 0x4f, 0xc1, 0xa8, 0x36, 0xba, 0x3c, 0x23, 0xa3, 0xfe, 0xeb, 0xbd,
    0x45, 0x4d, 0x44, 0x23, 0x64, 0x3c, 0xe8, 0x0e, 0x2a, 0x9a, 0xc9, 0x4f, 0xa5, 0x4c, 0xa4, 0x9f,
};

// fold is FNV-1a.
static uint64_t fold(uint64_t sum, const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) { sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3); }
    return sum;
}

static int all_equal(const uint8_t *digests, size_t count, const uint8_t *expected, size_t len) {
    for (size_t i = 0; i < count; i++) {
        if (memcmp(digests + i * len, expected, len) != 0) { return 0; }
    }
    return 1;
}

// Each function says zero where this CPU has no kernel for so many: then there is nothing to test.
static int examples_hold(void) {
    uint8_t out256[kMost][32], out384[kMost][48], out512[kMost][64];
    cjwt_message abc[kMost];
    for (size_t i = 0; i < kMost; i++) { abc[i] = (cjwt_message){(const uint8_t *)"a", i % 2, (const uint8_t *)"abc" + i % 2, 3 - i % 2}; }
    for (size_t count = 1; count <= kMost; count++) {
        if (cjwt_sha256_many(out256, abc, count) && !all_equal(out256[0], count, kABC256, 32)) { return 0; }
        if (cjwt_sha384_many(out384, abc, count) && !all_equal(out384[0], count, kABC384, 48)) { return 0; }
        if (cjwt_sha512_many(out512, abc, count) && !all_equal(out512[0], count, kABC512, 64)) { return 0; }
    }
    return !cjwt_sha256_one(out256[0], (const uint8_t *)"abc", 3) || memcmp(out256[0], kABC256, 32) == 0;
}

static void make_batch(cjwt_message *messages, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t prefix_len = i * 29 % kPrefixMost, len = (count * 67 + i * 151) % kLenMost;
        messages[i] = (cjwt_message){bytes + i, prefix_len, bytes + i + prefix_len, len};
    }
}

static int batches_hold(void) {
    uint8_t bytes[kBytes], out256[kMost][32], out384[kMost][48], out512[kMost][64];
    uint64_t sum256 = 0, sum384 = 0, sum512 = 0;
    int has256 = 1, has384 = 1, has512 = 1;
    cjwt_message messages[kMost];
    for (size_t i = 0; i < kBytes; i++) { bytes[i] = (uint8_t)(i * i * 167 + (i >> 3) * 59); }
    for (size_t count = 2; count <= kMost; count++) {
        make_batch(messages, bytes, count);
        has256 &= cjwt_sha256_many(out256, messages, count);
        has384 &= cjwt_sha384_many(out384, messages, count);
        has512 &= cjwt_sha512_many(out512, messages, count);
        sum256 = has256 ? fold(sum256, out256[0], count * 32) : kSum256;
        sum384 = has384 ? fold(sum384, out384[0], count * 48) : kSum384;
        sum512 = has512 ? fold(sum512, out512[0], count * 64) : kSum512;
    }
    return sum256 == kSum256 && sum384 == kSum384 && sum512 == kSum512;
}

int cjwt_sha_self_test(void) { return examples_hold() && batches_hold(); }
