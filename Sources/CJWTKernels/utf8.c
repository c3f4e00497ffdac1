// cjwt_utf8_span: how much of the input is well-formed UTF-8. RFC 3629 section 4 allows only these sequences:
//
//   first       second      third       fourth
//   00..7F
//   C2..DF      80..BF                              C0, C1 would be overlong forms of 00..7F
//   E0          A0..BF      80..BF                  80..9F would be overlong
//   E1..EC      80..BF      80..BF
//   ED          80..9F      80..BF                  A0..BF would be a surrogate, D800..DFFF
//   EE..EF      80..BF      80..BF
//   F0          90..BF      80..BF      80..BF      80..8F would be overlong
//   F1..F3      80..BF      80..BF      80..BF
//   F4          80..8F      80..BF      80..BF      90..BF, F5..FF would be above 10FFFF
//
// Tokens are ASCII with an occasional other character, so the vector kernel reads runs of ASCII and a byte loop reads the rest. The input
// is public; time depends on it.

#include "internal.h"

static int is_continuation(uint8_t byte) {
    return (byte & 0xc0) == 0x80;
}

// is_second says whether `second` may follow the lead byte `first`, C2..F4: only this position differs between the rows above.
static int is_second(uint8_t first, uint8_t second) {
    switch (first) {
        case 0xe0: return second >= 0xa0 && second <= 0xbf;
        case 0xed: return second >= 0x80 && second <= 0x9f;
        case 0xf0: return second >= 0x90 && second <= 0xbf;
        case 0xf4: return second >= 0x80 && second <= 0x8f;
        default: return is_continuation(second);
    }
}

// sequence_len returns the length, two to four, of the sequence at the start of `in`, which is not empty and does not start with ASCII; or
// zero where the sequence is ill-formed or truncated.
static size_t sequence_len(const uint8_t *in, size_t in_len) {
    uint8_t first = in[0];
    if (first < 0xc2 || first > 0xf4) {
        return 0;
    }
    size_t len = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (in_len < len || !is_second(first, in[1])) {
        return 0;
    }
    for (size_t i = 2; i < len; i++) {
        if (!is_continuation(in[i])) {
            return 0;
        }
    }
    return len;
}

size_t cjwt_utf8_span(const uint8_t *in, size_t in_len) {
    const cjwt_kernels *kernels = cjwt_kernels_best();
    size_t i = 0;
    while (i < in_len) {
        if (in[i] < 0x80) {
            i += kernels->ascii_span(in + i, in_len - i);
            continue;
        }
        size_t len = sequence_len(in + i, in_len - i);
        if (len == 0) {
            return i;
        }
        i += len;
    }
    return in_len;
}
