#include "parameter.h"

static int digit(char byte) {
    char lower = byte | 0x20;
    return byte >= '0' && byte <= '9' ? byte - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static int percent_byte(assay_text text) {
    int high = text.len < 3 ? -1 : digit(text.bytes[1]), low = text.len < 3 ? -1 : digit(text.bytes[2]);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
}

/* Takes the next byte of a text that has one; -1 for a broken encoding. */
static int next_byte(assay_text *text) {
    int byte = (unsigned char)text->bytes[0];
    size_t used = byte == '%' && text->len >= 3 ? 3 : 1;
    byte = byte == '%' ? percent_byte(*text) : byte == '+' ? ' ' : byte;
    text->bytes += used;
    text->len -= used;
    return byte;
}

bool ae_is_parameter(assay_text part, assay_text name) {
    assay_text encoded = ae_part(&part, '=');
    size_t at = 0;
    while (encoded.len && at < name.len) {
        if (next_byte(&encoded) != (unsigned char)name.bytes[at++]) {
            return false;
        }
    }
    return !encoded.len && at == name.len;
}
