// sha_pad, sha_cursor_begin: a message in two pieces and its padding (FIPS 180-4 section 5.1) as runs of whole blocks.

#include "sha_internal.h"

#include <string.h>

// append copies bytes behind the `filled` bytes of `block`. An empty piece may have no pointer.
static size_t append(uint8_t *block, size_t filled, const uint8_t *bytes, size_t len) {
    if (len > 0) { memcpy(block + filled, bytes, len); }
    return filled + len;
}

size_t sha_pad(uint8_t *end, size_t filled, size_t block, uint64_t total) {
    size_t length_bytes = block / 8;
    size_t blocks = filled + 1 + length_bytes > block ? 2 : 1;
    uint64_t high = __builtin_bswap64(total >> 61), low = __builtin_bswap64(total << 3);
    end[filled] = 0x80;
    memset(end + filled + 1, 0, blocks * block - filled - 1);
    if (block == kSHA512Block) { memcpy(end + blocks * block - 16, &high, 8); }
    memcpy(end + blocks * block - 8, &low, 8);
    return blocks;
}

void sha_cursor_begin(sha_cursor *cursor, const cjwt_message *message, size_t block) {
    // An empty piece may have no pointer, and NULL is nothing to count from.
    const uint8_t *prefix = message->prefix_len > 0 ? message->prefix : cursor->end;
    const uint8_t *bytes = message->len > 0 ? message->bytes : cursor->end;
    size_t len = message->len, prefix_rest = message->prefix_len % block, prefix_whole = message->prefix_len - prefix_rest;
    size_t joined = 0, filled = 0;

    const uint8_t *prefix_end = prefix + prefix_whole;
    int joint = prefix_rest > 0 && len >= block - prefix_rest;
    if (joint) {
        joined = block - prefix_rest;
        append(cursor->joint, append(cursor->joint, 0, prefix_end, prefix_rest), bytes, joined);
    } else {
        filled = append(cursor->end, 0, prefix_end, prefix_rest);
    }
    // Where a prefix is left for the end, the bytes are too few to fill its block: none of them are whole blocks.
    size_t rest = (len - joined) % block, bytes_whole = len - joined - rest;
    filled = append(cursor->end, filled, bytes + joined + bytes_whole, rest);

    uint64_t total = (uint64_t)message->prefix_len + len;
    cursor->runs[0] = (sha_run){prefix, prefix_whole / block};
    cursor->runs[1] = (sha_run){cursor->joint, joint ? 1 : 0};
    cursor->runs[2] = (sha_run){bytes + joined, bytes_whole / block};
    cursor->runs[3] = (sha_run){cursor->end, sha_pad(cursor->end, filled, block, total)};
    cursor->run = cursor->runs;
    sha_cursor_skip(cursor, 0, block);
}
