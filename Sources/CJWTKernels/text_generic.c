// json_string_span_generic, ascii_span_generic, find_dot_generic, find_dots_generic, string_stops_generic: how many leading bytes have a
// property. This file is the specification; tests compare the SIMD forms with it.
//
//   span(in, in_len)  =  the least i where in[i] ends the span, or in_len
//
//   json_string_span  ends at   '"', '\\', below 0x20     RFC 8259 section 7 forbids these unescaped in a string
//   ascii_span        ends at   0x80 and above
//   find_dot          ends at   '.'
//
// string_stops marks every byte that ends a json_string_span, and lists the offsets of those outside escapes.
//
// The input is public; time depends on it.

#include "internal.h"

#include <string.h>

INLINE int ends(uint8_t byte, stop what) {
    switch (what) {
        case kEndsJSONString: return byte == '"' || byte == '\\' || byte < 0x20;
        case kNotASCII: return byte >= 0x80;
        default: return byte == '.';
    }
}

INLINE size_t span(const uint8_t *in, size_t in_len, stop what) {
    size_t i = 0;
    while (i < in_len && !ends(in[i], what)) {
        i++;
    }
    return i;
}

SPANS(generic, , span)

size_t find_dots_generic(size_t *dots, size_t max_dots, const uint8_t *in, size_t in_len) {
    size_t len = 0;
    for (size_t i = 0; i < in_len && len < max_dots; i++) {
        if (in[i] == '.') {
            dots[len++] = i;
        }
    }
    return len;
}

static int is_hex(uint8_t byte) {
    return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f');
}

// kind_of_escape is 'h' for the high half of a surrogate pair, 'l' for a low one, 'c' for another valid escape; zero for an invalid one.
static char kind_of_escape(const uint8_t *in, size_t in_len) {
    if (in_len < 2 || in[1] == 0) {
        return 0;
    }
    if (in[1] != 'u') {
        return strchr("\"\\/bfnrt", in[1]) != NULL ? 'c' : 0;
    }
    if (in_len < 6 || !is_hex(in[2]) || !is_hex(in[3]) || !is_hex(in[4]) || !is_hex(in[5])) {
        return 0;
    }
    if ((in[2] | 0x20) != 'd' || in[3] < '8') {
        return 'c';
    }
    return (in[3] | 0x20) >= 'c' ? 'l' : 'h';
}

void note_escapes(cjwt_stops *stops, const uint8_t *in, size_t in_len) {
    size_t kept = 0, end = 0, low = SIZE_MAX;  // `low`: where the low half of a pair must begin
    memset(stops->escape_bits, 0, (in_len + 63) / 64 * sizeof(stops->escape_bits[0]));
    for (size_t i = 0; i < stops->count; i++) {
        size_t at = stops->places[i];
        if (at < end) {
            continue;
        }
        if (in[at] != '\\') {
            stops->places[kept++] = (uint16_t)at;
            continue;
        }
        char kind = kind_of_escape(in + at, in_len - at);
        stops->are_escapes_valid &= kind != 0 && (low == SIZE_MAX ? kind != 'l' : kind == 'l' && at == low);
        low = kind == 'h' ? at + 6 : SIZE_MAX;
        stops->escape_bits[at / 64] |= UINT64_C(1) << at % 64;
        if (stops->escapes++ == stops->max_escapes) {
            stops->are_escapes_valid = 0;
            return;
        }
        end = at + 2;
    }
    stops->are_escapes_valid &= low == SIZE_MAX;
    stops->count = kept;
}

int string_stops_generic(cjwt_stops *stops, const uint8_t *in, size_t in_len) {
    uint8_t all = 0;
    size_t count = 0;
    for (size_t start = 0; start < in_len; start += 64) {
        uint64_t word = 0;
        for (size_t i = start; i < in_len && i < start + 64; i++) {
            word |= (uint64_t)ends(in[i], kEndsJSONString) << i % 64;
            all |= in[i];
        }
        stops->bits[start / 64] = word;
        count = note_places(stops->places, count, start, word);
    }
    stops->count = count;
    note_any_escapes(stops, in, in_len);
    return all < 0x80;
}
