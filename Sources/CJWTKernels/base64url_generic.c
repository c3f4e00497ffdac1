// base64url_decode_generic: strict base64url to bytes. This file is the specification; tests compare the SIMD forms with it.
//
//   in    four characters   aaaaaa  bbbbbb  cccccc  dddddd       (six bits each, through the table below)
//   out   three bytes       aaaaaabb  bbbbcccc  ccdddddd
//
// The last group may be short. Its unused bits must be zero, so that every byte string has exactly one encoding:
//   two characters          aaaaaabb  ....bbbb -> the low four bits of b are zero
//   three characters        aaaaaabb  bbbbcccc  ..cc -> the low two bits of c are zero
//   one character           encodes nothing: refused
//
// Precondition: `out` holds in_len * 3 / 4 bytes and does not overlap `in`. The input is public; time depends on it.

#include "internal.h"

#define XX 0xff  // outside the alphabet; the only entry with bits above the low six

// The alphabet of RFC 4648 section 5: A-Z is 0-25, a-z is 26-51, 0-9 is 52-61, '-' is 62, '_' is 63.
const uint8_t base64url_values[256] __attribute__((aligned(64))) = {
    [0x00 ... 0x1f] = XX,
    XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, 62, XX, XX,  // 20              -
    52, 53, 54, 55, 56, 57, 58, 59, 60, 61, XX, XX, XX, XX, XX, XX,  // 30  0123456789
    XX,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14,  // 40   ABCDEFGHIJKLMNO
    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, XX, XX, XX, XX, 63,  // 50  PQRSTUVWXYZ    _
    XX, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,  // 60   abcdefghijklmno
    41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, XX, XX, XX, XX, XX,  // 70  pqrstuvwxyz
    [0x80 ... 0xff] = XX,
};

// first_invalid returns the offset of the first byte outside the alphabet, or in_len where there is none.
static size_t first_invalid(const uint8_t *in, size_t in_len) {
    size_t i = 0;
    while (i < in_len && base64url_values[in[i]] != XX) {
        i++;
    }
    return i;
}

// decode_four writes the three bytes of four characters. Returns zero where one is outside the alphabet.
static int decode_four(uint8_t out[3], const uint8_t in[4]) {
    uint32_t a = base64url_values[in[0]], b = base64url_values[in[1]], c = base64url_values[in[2]], d = base64url_values[in[3]];
    uint32_t bits = a << 18 | b << 12 | c << 6 | d;
    out[0] = (uint8_t)(bits >> 16);
    out[1] = (uint8_t)(bits >> 8);
    out[2] = (uint8_t)bits;
    return (a | b | c | d) <= 63;
}

// decode_last decodes the final two or three characters to one or two bytes. Returns zero where they are invalid.
static int decode_last(uint8_t *out, const uint8_t *in, size_t in_len) {
    uint32_t a = base64url_values[in[0]], b = base64url_values[in[1]], c = in_len == 3 ? base64url_values[in[2]] : 0;
    uint32_t bits = a << 12 | b << 6 | c;
    out[0] = (uint8_t)(bits >> 10);
    if (in_len == 3) {
        out[1] = (uint8_t)(bits >> 2);
    }
    uint32_t unused = in_len == 3 ? 0x3 : 0x3ff;  // in the 18 bits aaaaaabbbbbbcccccc, the bits that reach no output byte
    return (a | b | c) <= 63 && (bits & unused) == 0;
}

int base64url_decode_generic(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len) {
    size_t i = 0, o = 0;
    while (in_len - i >= 4 && decode_four(out + o, in + i)) {
        i += 4;
        o += 3;
    }

    // Four or more characters remain only after an invalid group of four.
    size_t left = in_len - i;
    if (left == 0) {
        *out_len = o;
        return 1;
    }
    if ((left == 2 || left == 3) && decode_last(out + o, in + i, left)) {
        *out_len = o + left - 1;
        return 1;
    }
    size_t bad = i + first_invalid(in + i, left);
    *out_len = bad < in_len ? bad : in_len - 1;
    return 0;
}
