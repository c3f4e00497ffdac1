// check_utf8: cjwt_utf8_span accepts exactly the shortest encodings of Unicode scalar values.
//
// The kernel uses the ranges of RFC 3629 section 4. The decoder here uses section 3: it assembles the bits and checks the resulting number.

#include "agreement.h"

#include <string.h>

// character_len returns the length of the well-formed sequence at the start of `in`, or zero.
static size_t character_len(const uint8_t *in, size_t in_len) {
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t code_point = in[0];
    if (code_point < 0x80) {
        return 1;
    }
    size_t len = (code_point & 0xe0) == 0xc0 ? 2 : (code_point & 0xf0) == 0xe0 ? 3 : (code_point & 0xf8) == 0xf0 ? 4 : 0;
    if (len == 0 || in_len < len) {
        return 0;
    }
    code_point &= UINT32_C(0x7f) >> len;
    for (size_t i = 1; i < len; i++) {
        if ((in[i] & 0xc0) != 0x80) {
            return 0;
        }
        code_point = code_point << 6 | (in[i] & 0x3f);
    }
    int is_scalar = code_point <= 0x10ffff && !(code_point >= 0xd800 && code_point <= 0xdfff);
    return is_scalar && code_point >= smallest[len] ? len : 0;
}

static size_t decoded_span(const uint8_t *in, size_t in_len) {
    size_t i = 0;
    while (i < in_len) {
        size_t len = character_len(in + i, in_len - i);
        if (len == 0) {
            break;
        }
        i += len;
    }
    return i;
}

static void compare(agreement *run, const char *what, const uint8_t *in, size_t in_len) {
    size_t span = cjwt_utf8_span(in, in_len), expected = in_len == 0 ? 0 : decoded_span(in, in_len);
    if (span != expected) {
        disagree(run, "%s: cjwt_utf8_span, %s, %zu bytes starting %02x: answers %zu, expected %zu", run->kernels->name, what, in_len,
                 in_len > 0 ? in[0] : 0u, span, expected);
    }
}

// Every sequence of one, two and three bytes, and every sequence of four whose first byte is F0 to F4, ending at a guard page.
static void check_every_sequence(agreement *run) {
    uint8_t *end = run->in.end;
    for (uint32_t n = 0; n < UINT32_C(1) << 24; n++) {
        end[-1] = (uint8_t)n;
        end[-2] = (uint8_t)(n >> 8);
        end[-3] = (uint8_t)(n >> 16);
        compare(run, "every sequence", end - 3, 3);
        if (n < 0x10000) {
            compare(run, "every sequence", end - 2, 2);
        }
        if (n < 0x100) {
            compare(run, "every sequence", end - 1, 1);
        }
        for (unsigned first = 0xf0; first <= 0xf4; first++) {
            end[-4] = (uint8_t)first;
            compare(run, "every sequence", end - 4, 4);
        }
    }
}

static const uint8_t kEdges[] = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1,
                                 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xfc, 0xfe, 0xff};

// Sequences of the bytes at both ends of the table's rows, after 0 to 40 bytes of ASCII, complete and truncated.
static void check_after_ascii(agreement *run) {
    for (int round = 0; round < 20000; round++) {
        uint8_t sequence[4];
        for (size_t i = 0; i < 4; i++) {
            sequence[i] = kEdges[random_below(&run->random, sizeof(kEdges))];
        }
        for (size_t num_ascii = 0; num_ascii <= 40; num_ascii++) {
            size_t len = 1 + (num_ascii + (size_t)round) % 4;
            uint8_t *in = run->in.end - num_ascii - len;
            memset(in, 'a' + round % 26, num_ascii);
            memcpy(in + num_ascii, sequence, len);
            compare(run, "after ASCII", in, num_ascii + len);
        }
    }
}

// The same sequences at and around the edges of vectors. A vector form also recognises each text that is well-formed.
static void check_at_vectors(agreement *run) {
    enum { kText = 128, kEdgesCount = sizeof(kEdges) };
    uint8_t *in = run->in.end - kText;
    int has_vectors = strcmp(run->kernels->name, "avx2") == 0 || strcmp(run->kernels->name, "avx512") == 0;
    memset(in, 'a', kText);
    for (size_t n = 0; n < kEdgesCount * kEdgesCount * kEdgesCount * kEdgesCount; n++) {
        size_t at = n % 5 < 4 ? 29 + n % 7 : kText - 4;
        for (size_t i = 0, rest = n; i < 4; i++, rest /= kEdgesCount) {
            in[at + i] = kEdges[rest % kEdgesCount];
        }
        compare(run, "at a vector's edge", in, kText);
        if (has_vectors && run->kernels->is_utf8(in, kText) != (decoded_span(in, kText) == kText)) {
            disagree(run, "%s: is_utf8 misjudges %02x %02x %02x %02x", run->kernels->name, in[at], in[at + 1], in[at + 2], in[at + 3]);
        }
        memset(in + at, 'a', 4);
    }
}

static size_t encode(uint8_t *out, uint32_t code_point) {
    if (code_point < 0x80) {
        out[0] = (uint8_t)code_point;
        return 1;
    }
    size_t len = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--) {
        out[i] = (uint8_t)(0x80 | (code_point & 0x3f));
        code_point >>= 6;
    }
    out[0] = (uint8_t)((0xf00u >> len & 0xff) | code_point);
    return len;
}

// Long texts of ASCII runs and other characters, half of them with one byte replaced; all of them truncated at random.
static void check_random(agreement *run) {
    static _Thread_local uint8_t text[kMaxLong + 64];
    for (int round = 0; round < 4000; round++) {
        size_t max = random_below(&run->random, kMaxLong + 1), len = 0;
        while (len < max) {
            uint32_t limit = UINT32_C(0x80) << random_below(&run->random, 14);
            uint32_t code_point = (uint32_t)random_below(&run->random, limit < 0x110000 ? limit : 0x110000);
            int is_surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
            len += encode(text + len, is_surrogate ? '?' : code_point);
            for (size_t ascii = random_below(&run->random, 4) * random_below(&run->random, 16); ascii > 0 && len < max; ascii--) {
                text[len++] = 'x';
            }
        }
        if (max > 0 && round % 2 == 1) {
            text[random_below(&run->random, max)] = (uint8_t)random_next(&run->random);
        }
        uint8_t *in = round % 4 < 2 ? run->in.end - max : run->in.start;
        memcpy(in, text, max);
        compare(run, "random", in, max);
    }
}

void check_utf8(agreement *run) {
    (void)cjwt_kernels_force(run->kernels->name);
    compare(run, "NULL", NULL, 0);
    check_every_sequence(run);
    check_after_ascii(run);
    check_at_vectors(run);
    check_random(run);
    (void)cjwt_kernels_force(NULL);
}
