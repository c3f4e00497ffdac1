// sha_check_blocks: compares the kernels' compression functions with SHA256_Transform and SHA512_Transform, from any state.

#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/sha.h>
#include <string.h>

#include "../../../Sources/CJWTKernels/sha/sha_internal.h"
#include "differential.h"

#if defined(__x86_64__)

// Blocks and states of random words, many of them all zeros, all ones or a single bit, which test the carries.
static void odd_words(differential_random *random, void *words, size_t len) {
    random_bytes(random, words, len);
    for (size_t at = 0; at + 4 <= len; at += 4) {
        uint64_t kind = next_random(random) % 8;
        uint32_t word = kind == 0 ? 0 : kind == 1 ? UINT32_MAX : UINT32_C(1) << (next_random(random) % 32);
        if (kind < 3) { memcpy((uint8_t *)words + at, &word, 4); }
    }
}

static void count_case(differential_result *result, const char *kernel, size_t lane, int is_equal) {
    result->cases++;
    if (is_equal) { return; }
    result->failures++;
    printf("%s: lane %zu differs from SHA256_Transform or SHA512_Transform\n", kernel, lane);
}

static void cursor_set(sha_cursor *cursor, const uint8_t *blocks, size_t count) {
    cursor->run = cursor->runs;
    cursor->left = count;
    cursor->runs[0] = (sha_run){blocks, count};
}

// blocks_256, blocks_512: each kernel from any state, not only from states that messages reach; lanes beyond the kernel's must stay
// unchanged.
#define BLOCKS(BITS)                                                                                                              \
    static void blocks_##BITS(                                                                                                    \
        differential_random *random, differential_result *result, const char *name, sha##BITS##_lanes *kernel, size_t lanes) {    \
        uint8_t blocks[kSHA##BITS##Lanes][3 * kSHA##BITS##Block];                                                                 \
        sha_cursor cursors[kSHA##BITS##Lanes], *pointers[kSHA##BITS##Lanes];                                                      \
        sha##BITS##_states states, before;                                                                                        \
        size_t first = next_random(random) % (kSHA##BITS##Lanes / lanes) * lanes, count = 1 + next_random(random) % 3;            \
        odd_words(random, blocks, sizeof blocks);                                                                                 \
        odd_words(random, &states, sizeof states);                                                                                \
        before = states;                                                                                                          \
        for (size_t l = 0; l < lanes; l++) {                                                                                      \
            cursor_set(&cursors[l], blocks[l], count);                                                                            \
            pointers[l] = &cursors[l];                                                                                            \
        }                                                                                                                         \
        kernel(&states, first, pointers, lanes, count);                                                                           \
        for (size_t l = 0; l < kSHA##BITS##Lanes; l++) {                                                                          \
            SHA##BITS##_CTX context;                                                                                              \
            int is_equal = 1;                                                                                                     \
            for (size_t i = 0; i < 8; i++) { context.h[i] = before.rows[i][l]; }                                                  \
            for (size_t k = 0; l - first < lanes && k < count; k++) {                                                             \
                SHA##BITS##_Transform(&context, blocks[l - first] + k * kSHA##BITS##Block);                                       \
            }                                                                                                                     \
            for (size_t i = 0; i < 8; i++) { is_equal &= context.h[i] == states.rows[i][l]; }                                     \
            count_case(result, name, l, is_equal);                                                                                \
        }                                                                                                                         \
    }

BLOCKS(256)
BLOCKS(512)

static void blocks_streams(differential_random *random, differential_result *result, const char *name, sha256_stream *one,
                           sha256_streams *two) {
    uint8_t blocks[2][2 * kSHA256Block];
    uint32_t alone[8], pair[2][8];
    SHA256_CTX contexts[2];
    sha_cursor cursors[3];
    odd_words(random, blocks, sizeof blocks);
    odd_words(random, pair, sizeof pair);
    memcpy(alone, pair[0], sizeof alone);
    for (size_t i = 0; i < 3; i++) { cursor_set(&cursors[i], blocks[i / 2], 2); }
    for (size_t i = 0; i < 2; i++) {
        memcpy(contexts[i].h, pair[i], sizeof pair[i]);
        SHA256_Transform(&contexts[i], blocks[i]);
        SHA256_Transform(&contexts[i], blocks[i] + kSHA256Block);
    }
    one(alone, &cursors[0], 2);
    two(pair[0], pair[1], &cursors[1], &cursors[2], 2);
    count_case(result, name, 0, memcmp(alone, contexts[0].h, sizeof alone) == 0);
    for (size_t i = 0; i < 2; i++) { count_case(result, name, i, memcmp(pair[i], contexts[i].h, sizeof alone) == 0); }
}

void sha_check_blocks(differential_random *random, differential_result *result, uint64_t cases) {
    uint64_t end = result->cases + cases;
    while (result->cases < end && sha_has_instructions()) {
        blocks_streams(random, result, "sha256_blocks_ni", sha256_blocks_ni, sha256_blocks_ni_x2);
        if (!sha_has_lanes()) { continue; }
        blocks_streams(random, result, "sha256_blocks_mixed", sha256_blocks_mixed, sha256_blocks_mixed_x2);
        blocks_256(random, result, "sha256_blocks_x8", sha256_blocks_x8, 8);
        blocks_256(random, result, "sha256_blocks_x16", sha256_blocks_x16, 16);
        blocks_512(random, result, "sha512_blocks_x1", sha512_blocks_x1, 1);
        blocks_512(random, result, "sha512_blocks_x4", sha512_blocks_x4, 4);
        blocks_512(random, result, "sha512_blocks_x8", sha512_blocks_x8, 8);
    }
}

#endif
