// json_string_span_generic, ascii_span_generic, find_dot_generic: how far a property of bytes holds. This file is the specification;
// the SIMD forms are measured against it.
//
//   span(in, in_len)  =  the least i where in[i] ends the span, or in_len
//
//   json_string_span  ends at   '"', '\\', below 0x20     what RFC 8259 section 7 does not let stand in a string as it is
//   ascii_span        ends at   0x80 and above
//   find_dot          ends at   '.'
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
