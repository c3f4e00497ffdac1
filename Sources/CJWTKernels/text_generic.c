// json_string_span_generic, ascii_span_generic, find_dot_generic, find_dots_generic, string_stops_generic: how many leading bytes have a
// property. This file is the specification; tests compare the SIMD forms with it.
//
//   span(in, in_len)  =  the least i where in[i] ends the span, or in_len
//
//   json_string_span  ends at   '"', '\\', below 0x20     RFC 8259 section 7 forbids these unescaped in a string
//   ascii_span        ends at   0x80 and above
//   find_dot          ends at   '.'
//
// string_stops marks every byte that ends a json_string_span, and lists the offsets.
//
// The input is public; time depends on it.

#include "internal.h"

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
    return all < 0x80;
}
