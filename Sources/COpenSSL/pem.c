// What can be said of a document of keys before libcrypto reads it. libcrypto passes over what it takes for no block, and reads PEM also
// from within DER; other readers do not.

#include <string.h>

#include "internal.h"

static int begins_with(const char *text, const uint8_t *in, size_t in_len) {
    size_t len = strlen(text);
    return len <= in_len && memcmp(in, text, len) == 0;
}

cossl_pem_blocks cossl_count_pem_blocks(const uint8_t *in, size_t in_len) {
    cossl_pem_blocks blocks = {0};
    // Those that begin on this line, and whose label has not ended as that of a private key (RFC 7468 sections 10 and 11).
    size_t others = 0;
    for (size_t i = 0; i < in_len; i++) {
        if (in[i] == '\n' || in[i] == '\r') { others = 0; }
        if (begins_with("-----BEGIN ", in + i, in_len - i)) {
            blocks.all++;
            others++;
        }
        if (begins_with("PRIVATE KEY-----", in + i, in_len - i)) {
            blocks.of_private_keys += others;
            others = 0;
        }
    }
    return blocks;
}

int cossl_is_sequence(const uint8_t *in, size_t in_len) {
    return in_len > 1 && in[0] == 0x30 && (in[1] > 0x7f || in[1] == in_len - 2);
}
