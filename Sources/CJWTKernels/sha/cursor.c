// sha256_cursor_begin, sha512_cursor_begin: see cursor.h.
//
// Optimised for messages of several blocks: these copy fixed numbers of bytes, because copying a varying number takes a mispredicted
// branch. The rare messages shorter than a block are slower.

#include "cursor.h"

#include <string.h>

#define CURSOR_INLINE static inline __attribute__((always_inline))

static void copy(uint8_t *to, const uint8_t *from, size_t len) {
    if (len == 64) {  // R || A, the prefix of Ed25519
        memcpy(to, from, 64);
    } else if (len > 0) {
        memcpy(to, from, len);
    }
}

CURSOR_INLINE void add_run(sha_cursor *cursor, const uint8_t *blocks, size_t count) {
    *cursor->run = (sha_run){blocks, count};
    cursor->run += count > 0;
    cursor->left += count;
}

// add_end adds the end: `filled` bytes that are already there, the last `rest` bytes of the message, and the padding: a one bit, zeros, and
// the length in bits, as a 64-bit or 128-bit number.
CURSOR_INLINE void add_end(sha_cursor *cursor, const cjwt_message *message, size_t filled, size_t rest, size_t block) {
    uint8_t *end = cursor->end + block, *last = end + filled + rest;
    if (message->len >= block) {
        // Copies bytes of other blocks too, which land before the end: a whole block of bytes leaves no prefix here.
        memcpy(last - block, message->bytes + message->len - block, block);
    } else if (rest > 0) {
        copy(end + filled, message->bytes + message->len - rest, rest);
    }
    size_t blocks = filled + rest < block - block / 8 ? 1 : 2;
    uint64_t total = (uint64_t)message->prefix_len + message->len;
    uint64_t high = __builtin_bswap64(total >> 61), low = __builtin_bswap64(total << 3);
    *last = 0x80;
    if (block == kSHA512Block) { memcpy(end + blocks * block - 16, &high, 8); }
    memcpy(end + blocks * block - 8, &low, 8);
    add_run(cursor, end, blocks);
}

CURSOR_INLINE void begin(sha_cursor *cursor, const cjwt_message *message, size_t block) {
    size_t filled = message->prefix_len % block, len = message->len, joined = 0;
    cursor->run = cursor->runs;
    cursor->left = 0;
    memset(cursor->end + block, 0, 2 * block);
    // An empty piece may have a NULL pointer, which must not be offset.
    if (message->prefix_len > 0) {
        const uint8_t *prefix_end = message->prefix + message->prefix_len - filled;
        add_run(cursor, message->prefix, message->prefix_len / block);
        if (filled > 0 && len >= block - filled) {
            joined = block - filled;
            copy(cursor->joint, prefix_end, filled);
            copy(cursor->joint + filled, message->bytes, joined);
            add_run(cursor, cursor->joint, 1);
            filled = 0;
        } else {
            copy(cursor->end + block, prefix_end, filled);
        }
    }
    if (len > 0) { add_run(cursor, message->bytes + joined, (len - joined) / block); }
    add_end(cursor, message, filled, (len - joined) % block, block);
    cursor->run = cursor->runs;
}

void sha256_cursor_begin(sha_cursor *cursor, const cjwt_message *message) { begin(cursor, message, kSHA256Block); }

void sha512_cursor_begin(sha_cursor *cursor, const cjwt_message *message) { begin(cursor, message, kSHA512Block); }
