// rsa_known_answers.h: the known answers of the RSA kernels.
//
// One real signature, RS256 over the five bytes "assay" by a key used only here; and, for each size, a modulus and eight generated numbers,
// whose powers were computed with independent software and are stored as 64-bit checksums.

#ifndef CJWT_RSA_KNOWN_ANSWERS_H
#define CJWT_RSA_KNOWN_ANSWERS_H

#include "../self_test.h"
#include "rsa_digits.h"

enum { kRealBytes = 256, kDigestInfoBytes = 51, kMostBytes = 512, kAnswers = 8 };

static const char kModulus[] =
    "c7a68f1b53cfecd72a1aa4cffcdeefcd2d14073793a623b11cde5f1ebf4a8226b7b902fb55d99ef73a8f686b42c757fa6172da01b3f25620b7c3f07120b2a167"
    "47f9d2c44ef57f3f158e0668d488bf931c9c290e4d73392e9e19915fbad37691d391d96f05d48293e4ace814670376140b073f01518f59f20e30ae612b8b25fe"
    "276b7521e5153b5386558d59d5a7b7b0ff6b67b4fe2978c603535dbbf7d1955a8191c13cd196a2dab954b9ade9d44304a2a69b1693939fbf9a5e56a680044651"
    "d1d3f5d8d6eb7e708b3f633b374347b5c6a80fbc029a1bcf3040216bd161cafab1ab256b97a07fbd0de985d19b17728cfddc973e7b350421462aca6f704e635b";

static const char kSignature[] =
    "b4b075e1c7abfd168eb3b9fda69cdb3c75cda1eff97b76b037bdb41983ba7aa7fc974083c3ff8839f8de8b1634e59cf754dab25208b99eed8e8c28bff32ff99d"
    "82252bb4167f57c8e198b276724ffe9e405c8d085a7400b30555812315fcdfafc0dc6074e38117ea65a07b30567dcd0833d7aea840da9224b42956632bfc1d42"
    "2fb9ce78044b4d354fe81c282abfc60e334fef0ed23960430ee4e4a95f49e7e4ab5a6388c4786b78bf2d97976b3f713e3abd924c25dacb87907cb3dbb27f26cd"
    "e6ee73fa6716769d89f5f8ba2dbaf9deef90f236cd996e6fa170a0a6a0c2fdb28cb5cf507a5059a3710568a60c89edf81f70a78df84254354ba1f7b6ea066c3a";

// The end of EM, RFC 8017, 9.2: DigestInfo of SHA-256 and the digest. The preceding bytes are 00 01 FF ... FF 00.
static const char kDigestInfo[] =
    "3031300d0609608648016503040201050004209b2153df65c7cba8a514938e2d3254a32cc0e75f6d032572e45f2b6bb124c970";

static const uint64_t kSums[3][kAnswers] = {
    {0x533fae45faff6b59, 0x9fbb89a245e231c3, 0x57a4cd8e7c511318, 0x2b53ca402e2a1873, 0x2510156e53e6e586, 0x5023aa35f2d4e78b,
     0xd756d6f3f51f2c39, 0x0c294666c674f3a3},
    {0x025e1dcefcb16b93, 0x0661359855f4a9dd, 0xf768c43d5975fe84, 0x3d8c77a50daf3ed1, 0x0639a4ff5c7a90d0, 0x4b1cf3d09aa2f536,
     0x9a0e0a1e60aba82c, 0xb7f4ca55bdf458a3},
    {0x984c1959782026f3, 0x20b11bedcb1c4808, 0xe2cc509293717c4f, 0x9d0200d6e664c5ff, 0x204da213b7c1ebca, 0xb9e9255c99d6f95c,
     0xdf47c38d674ddab6, 0x15b39c14b1d4570d},
};

// SplitMix64, big-endian words.
static void generate(uint64_t *state, uint8_t *out, size_t len) {
    for (size_t i = 0; i < len; i += sizeof(uint64_t)) {
        uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        z = __builtin_bswap64(z ^ (z >> 31));
        memcpy(out + i, &z, sizeof z);
    }
}

static uint64_t sum_of(const uint8_t *em, size_t len) {
    uint64_t sum = 0;
    for (size_t i = 0; i < len; i += sizeof(uint64_t)) {
        sum = (sum ^ big_endian_64(em + i)) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    return sum;
}

static int is_real_message(const uint8_t *em) {
    uint8_t expected[kRealBytes];
    memset(expected, 0xff, sizeof expected);
    from_hex(expected, 2, "1");
    from_hex(expected + kRealBytes - kDigestInfoBytes - 1, kDigestInfoBytes + 1, kDigestInfo);
    return memcmp(em, expected, sizeof expected) == 0;
}

// An odd modulus with its top bit set.
static void generate_modulus(uint64_t *state, uint8_t *modulus, size_t len) {
    generate(state, modulus, len);
    modulus[0] |= 0x80;
    modulus[len - 1] |= 1;
}

// A number below every such modulus.
static void generate_number(uint64_t *state, uint8_t *sig, size_t len) {
    generate(state, sig, len);
    sig[0] &= 0x7f;
}

#endif
