// Converts r||s (RFC 7518 section 3.4) to the DER that EVP_PKEY_verify takes (RFC 3279 section 2.2.3), on the stack.
//
//   30 len  02 len r  02 len s     each integer without leading zeros, with one 00 in front where its top bit is set

#include <string.h>

#include "internal.h"

static uint8_t *put_integer(uint8_t *out, const uint8_t *number, size_t len) {
    while (len > 1 && *number == 0) {
        number++;
        len--;
    }
    size_t pad = *number >= 0x80;
    *out++ = 0x02;
    *out++ = (uint8_t)(len + pad);
    if (pad) { *out++ = 0x00; }
    memcpy(out, number, len);
    return out + len;
}

int cossl_ecdsa_to_der(uint8_t out[144], size_t *out_len, const uint8_t *sig, size_t sig_len) {
    uint8_t body[144];
    if (sig_len == 0 || sig_len % 2 != 0 || sig_len > 132) { return 0; }
    uint8_t *end = put_integer(body, sig, sig_len / 2);
    end = put_integer(end, sig + sig_len / 2, sig_len / 2);
    size_t body_len = (size_t)(end - body);
    uint8_t *cursor = out;
    *cursor++ = 0x30;
    if (body_len >= 0x80) { *cursor++ = 0x81; }
    *cursor++ = (uint8_t)body_len;
    memcpy(cursor, body, body_len);
    *out_len = (size_t)(cursor - out) + body_len;
    return 1;
}
