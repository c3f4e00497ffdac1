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
// Tokens are ASCII with an occasional other character, so the vector kernel reads long runs of ASCII and a loop over sequences reads the rest. The input
// is public; time depends on it.

#include "internal.h"

enum { kMinVectors = 64 };  // bytes from which the vector form is faster

// Without a vector form, the loop below decides.
int is_utf8_generic(const uint8_t *in, size_t in_len) {
    (void)in;
    (void)in_len;
    return 0;
}

#if defined(CJWT_HAVE_NEON)
int is_utf8_neon(const uint8_t *in, size_t in_len) {
    return is_utf8_generic(in, in_len);
}
#endif

// word_at is up to four bytes as a number, the first byte lowest, with zeros for those that are missing: no zero is a continuation.
static uint32_t word_at(const uint8_t *in, size_t in_len) {
    if (__builtin_expect(in_len >= 4, 1)) {
        return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
    }
    uint32_t word = 0;
    for (size_t i = 0; i < in_len; i++) {
        word |= (uint32_t)in[i] << 8 * i;
    }
    return word;
}

// sequence_len returns the length, two to four, of the sequence at the start of `in`, which is not empty and does not start with ASCII; or
// zero where the sequence is ill-formed or truncated. The masks compare all bytes of a row at once.
static size_t sequence_len(const uint8_t *in, size_t in_len) {
    uint32_t word = word_at(in, in_len);
    if ((word & 0xc0e0) == 0x80c0) {
        return (word & 0x1e) != 0 ? 2 : 0;
    }
    if ((word & 0xc0c0f0) == 0x8080e0) {
        uint32_t bits = word & 0x200f;  // of the first byte its last four; of the second the one that separates 80..9F from A0..BF
        return bits != 0 && bits != 0x200d ? 3 : 0;
    }
    if ((word & 0xc0c0c0f8) == 0x808080f0) {
        uint32_t bits = word & 0x3007;  // of the second byte those that separate 80..8F from the others
        return bits != 0 && ((bits & 4) == 0 || bits == 4) ? 4 : 0;
    }
    return 0;
}

// ascii_len returns the length of the run of ASCII at the start of `in`.
static size_t ascii_len(const cjwt_kernels *kernels, const uint8_t *in, size_t in_len) {
    if (in_len >= 4) {
        uint32_t high = word_at(in, in_len) & 0x80808080;
        if (high != 0) {
            return (size_t)__builtin_ctz(high) / 8;
        }
    }
    return kernels->ascii_span(in, in_len);
}

size_t cjwt_utf8_span(const uint8_t *in, size_t in_len) {
    const cjwt_kernels *kernels = cjwt_kernels_best();
    if (in_len >= kMinVectors && kernels->is_utf8(in, in_len)) {
        return in_len;
    }
    size_t i = 0;
    while (i < in_len) {
        if (in[i] < 0x80) {
            i += ascii_len(kernels, in + i, in_len - i);
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
