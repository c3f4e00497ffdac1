// cjwt_sha_self_test: known answers, for every kernel this CPU uses.
//
// The example of FIPS 180-4 ("abc") one to twenty times, then batches of two to twenty messages of unequal lengths: together they fill the
// kernels' lanes, leave some idle, and refill them. All digests are combined into one number, which was computed with libcrypto.

#include "../self_test.h"
#include "sha_internal.h"

enum { kMost = 20, kPrefixMost = 130, kLenMost = 570, kBytes = kMost + kPrefixMost + kLenMost };

static const struct {
    size_t digest_len;
    uint64_t sum;
    const char *abc;
} kAnswers[] = {
    {32, UINT64_C(0xc3fba4c14d67c34f), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {48, UINT64_C(0xaaa8546e3b98647f), "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"},
    {64, UINT64_C(0xaa97145ae41ae607), "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                                       "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
};

// fold is FNV-1a.
static uint64_t fold(uint64_t sum, const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) { sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3); }
    return sum;
}

// Where this CPU has no kernel for that number of messages, there is nothing to test.
static int examples_hold(size_t digest_len, const char *digits) {
    uint8_t out[kMost][64], expected[64];
    cjwt_message abc[kMost];
    int hold = 1;
    from_hex(expected, digest_len, digits);
    for (size_t i = 0; i < kMost; i++) { abc[i] = (cjwt_message){(const uint8_t *)"a", i % 2, (const uint8_t *)"abc" + i % 2, 3 - i % 2}; }
    for (size_t count = 1; count <= kMost; count++) {
        if (!cjwt_sha2_lanes(out[0], digest_len, abc, count)) { continue; }
        for (size_t i = 0; i < count; i++) { hold &= memcmp(out[i], expected, digest_len) == 0; }
    }
    return hold && (digest_len != 32 || !cjwt_sha256_one(out[0], (const uint8_t *)"abc", 3) || memcmp(out[0], expected, 32) == 0);
}

static void make_batch(cjwt_message *messages, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t prefix_len = i * 29 % kPrefixMost, len = (count * 67 + i * 151) % kLenMost;
        messages[i] = (cjwt_message){bytes + i, prefix_len, bytes + i + prefix_len, len};
    }
}

static int batches_hold(size_t digest_len, uint64_t expected) {
    uint8_t bytes[kBytes], out[kMost][64];
    uint64_t sum = 0;
    cjwt_message messages[kMost];
    for (size_t i = 0; i < kBytes; i++) { bytes[i] = (uint8_t)(i * i * 167 + (i >> 3) * 59); }
    for (size_t count = 2; count <= kMost; count++) {
        make_batch(messages, bytes, count);
        if (!cjwt_sha2_lanes(out[0], digest_len, messages, count)) { return 1; }
        for (size_t i = 0; i < count; i++) { sum = fold(sum, out[i], digest_len); }
    }
    return sum == expected;
}

int cjwt_sha_self_test(void) {
    int hold = 1;
    for (size_t i = 0; i < 3; i++) {
        hold &= examples_hold(kAnswers[i].digest_len, kAnswers[i].abc) && batches_hold(kAnswers[i].digest_len, kAnswers[i].sum);
    }
    return hold;
}
