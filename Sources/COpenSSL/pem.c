// What can be said of a document of keys before libcrypto reads it. libcrypto passes over what it takes for no block, and reads PEM also
// from within DER; other readers do not.

#include <string.h>

#include "internal.h"

static int begins_with(const char *text, const uint8_t *in, size_t in_len) {
    size_t len = strlen(text);
    return len <= in_len && memcmp(in, text, len) == 0;
}

/// Whether the line at `in` has the end of a private key's label (RFC 7468 sections 10 and 11, and the older labels).
static int is_private(const uint8_t *in, size_t in_len) {
    for (size_t i = 0; i < in_len && in[i] != '\n' && in[i] != '\r'; i++) {
        if (begins_with("PRIVATE KEY-----", in + i, in_len - i)) { return 1; }
    }
    return 0;
}

cossl_pem_blocks cossl_count_pem_blocks(const uint8_t *in, size_t in_len) {
    cossl_pem_blocks blocks = {0};
    for (size_t i = 0; i < in_len; i++) {
        if (!begins_with("-----BEGIN ", in + i, in_len - i)) { continue; }
        blocks.all++;
        blocks.of_private_keys += (size_t)is_private(in + i, in_len - i);
    }
    return blocks;
}

int cossl_is_sequence(const uint8_t *in, size_t in_len) {
    return in_len > 1 && in[0] == 0x30 && (in[1] > 0x7f || in[1] == in_len - 2);
}
