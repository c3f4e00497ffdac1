// base64url_nibbles.h: the alphabet of base64url as three tables of sixteen, for CPUs that look up sixteen lanes at once.
//
// Rows are the high nibble of a character, columns its low nibble; a dot is outside the alphabet:
//
//            0 1 2 3 4 5 6 7 8 9 a b c d e f     class    value = character + kBase64urlShift[row]
//     0 1    . . . . . . . . . . . . . . . .     0x20
//     2      . . . . . . . . . . . . . - . .     0x01     '-' is 0x2d, stands for 62                   + 17
//     3      0 1 2 3 4 5 6 7 8 9 . . . . . .     0x02     '0' is 0x30, stands for 52                   +  4
//     4      . A B C D E F G H I J K L M N O     0x04     'A' is 0x41, stands for  0                   - 65
//     5      P Q R S T U V W X Y Z . . . . _     0x08     'P' is 0x50, stands for 15                   - 65
//     6      . a b c d e f g h i j k l m n o     0x04     'a' is 0x61, stands for 26                   - 71
//     7      p q r s t u v w x y z . . . . .     0x10     'p' is 0x70, stands for 41                   - 71
//     8 - f  . . . . . . . . . . . . . . . .     0x20
//
// Rows with the same dots share a class, one bit. kBase64urlRow gives the class of a row; kBase64urlColumn gives the classes in which a
// column is a dot. A character is outside the alphabet where the two have a bit in common.
//
// '_' (0x5f) is in row 5 but stands for 63 = 0x5f - 32, not 0x5f - 65: it needs kBase64urlUnderscore in addition to its row's shift.

#ifndef CJWT_BASE64URL_NIBBLES_H
#define CJWT_BASE64URL_NIBBLES_H

#include "internal.h"

static const uint8_t kBase64urlRow[16] = {
    0x20, 0x20, 0x01, 0x02, 0x04, 0x08, 0x04, 0x10, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20,
};

static const uint8_t kBase64urlColumn[16] = {
    0x20 | 0x04 | 0x01,                // 0: a dot in rows 2, 4, 6
    0x20 | 0x01,                       // 1: a dot in row 2, and so on to 9
    0x20 | 0x01,
    0x20 | 0x01,
    0x20 | 0x01,
    0x20 | 0x01,
    0x20 | 0x01,
    0x20 | 0x01,
    0x20 | 0x01,
    0x20 | 0x01,
    0x20 | 0x02 | 0x01,                // a: rows 2, 3
    0x20 | 0x10 | 0x08 | 0x02 | 0x01,  // b: rows 2, 3, 5, 7
    0x20 | 0x10 | 0x08 | 0x02 | 0x01,  // c: the same
    0x20 | 0x10 | 0x08 | 0x02,         // d: rows 3, 5, 7; in row 2 it is '-'
    0x20 | 0x10 | 0x08 | 0x02 | 0x01,  // e: rows 2, 3, 5, 7
    0x20 | 0x10 | 0x02 | 0x01,         // f: rows 2, 3, 7; in row 5 it is '_'
};

static const uint8_t kBase64urlShift[16] = {0, 0, 17, 4, (uint8_t)-65, (uint8_t)-65, (uint8_t)-71, (uint8_t)-71, 0, 0, 0, 0, 0, 0, 0, 0};

enum { kBase64urlUnderscore = 65 - 32 };

// The function, of a file whose decode_step decodes 32 characters to 24 bytes. Where the rest of the whole groups of four is shorter than a
// step, the last step repeats characters that are already decoded, and writes the same bytes again.
#define DECODE_BY_32(SUFFIX, TARGET)                                                                              \
    TARGET int base64url_decode_##SUFFIX(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len) {       \
        if (in_len < 32) {                                                                                        \
            return base64url_decode_generic(out, out_len, in, in_len);                                            \
        }                                                                                                         \
        size_t i = 0;                                                                                             \
        while (in_len - i >= 32 && decode_step(out + i / 4 * 3, in + i)) {                                        \
            i += 32;                                                                                              \
        }                                                                                                         \
        size_t groups_len = in_len - in_len % 4, last = groups_len - 32;                                          \
        if (in_len - i < 32 && i < groups_len && decode_step(out + last / 4 * 3, in + last)) {                    \
            i = groups_len;                                                                                       \
        }                                                                                                         \
        return base64url_decode_rest(out, out_len, in, in_len, i);                                                \
    }

#endif
