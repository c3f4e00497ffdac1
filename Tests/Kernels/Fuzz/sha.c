// Fuzzes SHA-2 of many messages; compares with libcrypto, one message after the other.
//
// An input is a byte for the number of messages, three for each, and their bytes: pieces of the rest of the input, cyclically.

#include "CJWTKernelsSHA.h"

#include <openssl/evp.h>

#include "fuzz_input.h"

enum { kMostMessages = 40, kPlace = 64 };

typedef struct hash_function {
    size_t digest_len;
    const EVP_MD *(*judge)(void);
} hash_function;

static const hash_function functions[] = {{32, EVP_sha256}, {48, EVP_sha384}, {64, EVP_sha512}};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    must(cjwt_sha_self_test(), "self test");
    return 0;
}

static void libcrypto_digest(int function, uint8_t *out, const cjwt_message *message) {
    static EVP_MD_CTX *hashing;
    if (hashing == NULL) { hashing = EVP_MD_CTX_new(); }
    must(EVP_DigestInit_ex(hashing, functions[function].judge(), NULL) && EVP_DigestUpdate(hashing, message->prefix, message->prefix_len) &&
             EVP_DigestUpdate(hashing, message->bytes, message->len) && EVP_DigestFinal_ex(hashing, out, NULL), "libcrypto hashes");
}

static void hash_many(int function, const cjwt_message *messages, size_t count) {
    uint8_t *out = memset(room(count * kPlace), 0xa5, count * kPlace), expected[kPlace];
    int written = cjwt_sha2_lanes(out, functions[function].digest_len, messages, count);
    for (size_t i = 0; i < count; i++) {
        memset(expected, 0xa5, kPlace);
        if (written) { libcrypto_digest(function, expected, &messages[i]); }
        must(memcmp(out + i * kPlace, expected, kPlace) == 0, "a digest and libcrypto's");
    }
    free(out);
}

static void hash_one(const cjwt_message *message) {
    uint8_t out[32], expected[32];
    if (!cjwt_sha256_one(out, message->bytes, message->len)) { return; }
    const cjwt_message alone = {NULL, 0, message->bytes, message->len};
    libcrypto_digest(0, expected, &alone);
    must(memcmp(out, expected, 32) == 0, "the digest of one and libcrypto's");
}

// A piece of the input that starts where the previous one ended, cyclically; NULL where it is empty.
static uint8_t *piece(const fuzz_input *input, size_t *at, size_t len) {
    uint8_t *out = len == 0 ? NULL : room(len);
    for (size_t i = 0; i < len; i++) { out[i] = input->left == 0 ? 0 : input->bytes[(*at)++ % input->left]; }
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    fuzz_input input = {bytes, len};
    cjwt_message messages[kMostMessages] = {{0}};
    const size_t count = take_byte(&input) % (kMostMessages + 1);
    for (size_t i = 0; i < count; i++) {
        const size_t low = take_byte(&input), high = take_byte(&input);
        messages[i].len = low | high % 8 << 8;
        messages[i].prefix_len = high & 0x80 ? 64 : high & 0x40 ? take_byte(&input) : 0;
    }
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        messages[i].prefix = piece(&input, &at, messages[i].prefix_len);
        messages[i].bytes = piece(&input, &at, messages[i].len);
    }
    for (int function = 0; function < 3; function++) { hash_many(function, messages, count); }
    for (size_t i = 0; i < count; i++) {
        hash_one(&messages[i]);
        free((void *)messages[i].prefix), free((void *)messages[i].bytes);
    }
    return 0;
}
