// Looks for a derived key in the memory that a call has left below the caller's stack pointer.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "COpenSSL.h"

enum { kDepth = 32768, kWindow = 16, kDigest = 32 };

/// Fills what the next calls use, so that nothing of an earlier one is found.
__attribute__((noinline)) static void paint(void) {
    volatile uint8_t area[kDepth];
    for (size_t i = 0; i < kDepth; i++) { area[i] = 0xa5; }
}

/// Whether a part of `what` is there. The memory is read as it was left: nothing initialises it.
__attribute__((noinline)) static int remains(const uint8_t *what) {
    volatile uint8_t area[kDepth];
    for (size_t i = 0; i + kWindow <= kDepth; i++) {
        for (size_t part = 0; part < kDigest; part += kWindow) {
            size_t same = 0;
            while (same < kWindow && area[i + same] == what[part + same]) { same++; }
            if (same == kWindow) { return 1; }
        }
    }
    return 0;
}

/// The digest as the words of SHA-256's state, in the order of this machine.
static void words_of(uint8_t *words, const uint8_t *digest) {
    for (size_t i = 0; i < kDigest; i += 4) {
        uint32_t word = (uint32_t)digest[i] << 24 | (uint32_t)digest[i + 1] << 16 | (uint32_t)digest[i + 2] << 8 | digest[i + 3];
        memcpy(words + i, &word, sizeof word);
    }
}

static const uint8_t shared[36] = "\0\0\0\1a secret that was agreed on", information[] = "A256GCM and more";

typedef int digest_function(uint8_t *out);

static int derives(uint8_t *out) { return cossl_digest_secret(out, shared, sizeof shared, information, sizeof information); }

static int hashes(uint8_t *out) {
    return cossl_digest_pieces(out, COSSL_DIGEST_SHA256, shared, sizeof shared, information, sizeof information);
}

/// 1 if the digest of `function` remains, -1 without a digest.
static int leaves(digest_function *function) {
    uint8_t *memory = malloc(2 * kDigest);
    if (memory == NULL) { return -1; }
    paint();
    int result = function(memory) == 1 ? 0 : -1;
    // Before anything else runs there.
    if (result == 0 && remains(memory)) { result = 1; }
    paint();
    words_of(memory + kDigest, memory);
    paint();
    if (result == 0 && (function(memory) != 1 || remains(memory + kDigest))) { result = 1; }
    free(memory);
    return result;
}

int main(void) {
    uint8_t one[kDigest], other[kDigest];
    int is_same = derives(one) && hashes(other) && memcmp(one, other, kDigest) == 0;
    int control = leaves(hashes), key = leaves(derives);
    printf("a digest of what is no secret %s, a derived key %s\n", control == 1 ? "remains" : "is not found", key == 0 ? "does not" : "remains");
    // Without the control, a search that finds nothing would say nothing. A libcrypto without its state functions leaves nothing here.
    return is_same && key == 0 && (control == 1 || getenv("ASSAY_EVP") != NULL) ? 0 : 1;
}
