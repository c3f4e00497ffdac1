// json_string_span_generic, ascii_span_generic, find_dot_generic, find_dots_generic, string_stops_generic: how far a property of bytes
// holds, and where it ends. This file is the specification; the SIMD forms are measured against it.
//
//   span(in, in_len)  =  the least i where in[i] ends the span, or in_len
//
//   json_string_span  ends at   '"', '\\', below 0x20     what RFC 8259 section 7 does not let stand in a string as it is
//   ascii_span        ends at   0x80 and above
//   find_dot          ends at   '.'
//
// string_stops marks every byte that ends a json_string_span, and lists their places.
//
// The input is public; time depends on it.

#include "internal.h"

static int ends_json_string(uint8_t byte) {
    return byte == '"' || byte == '\\' || byte < 0x20;
}

size_t json_string_span_generic(const uint8_t *in, size_t in_len) {
    size_t i = 0;
    while (i < in_len && !ends_json_string(in[i])) {
        i++;
    }
    return i;
}

size_t ascii_span_generic(const uint8_t *in, size_t in_len) {
    size_t i = 0;
    while (i < in_len && in[i] < 0x80) {
        i++;
    }
    return i;
}

size_t find_dot_generic(const uint8_t *in, size_t in_len) {
    size_t i = 0;
    while (i < in_len && in[i] != '.') {
        i++;
    }
    return i;
}

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
            word |= (uint64_t)ends_json_string(in[i]) << i % 64;
            all |= in[i];
        }
        stops->bits[start / 64] = word;
        count = note_places(stops->places, count, start, word);
    }
    stops->count = count;
    return all < 0x80;
}
