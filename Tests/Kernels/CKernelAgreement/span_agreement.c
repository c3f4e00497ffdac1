// check_span: json_string_span, ascii_span and find_dot end exactly at the first byte that ends them, and find_dots and
// string_stops find every such byte, and every escape.
//
// This file defines again, byte by byte, which bytes end a span. In a run of ordinary bytes with one byte replaced, the answer is known
// without a search: the offset of that byte if it ends the span, otherwise the length.

#include "agreement.h"

#include <stdio.h>
#include <string.h>

typedef struct kind {
    const char *name;
    size_t (*tested)(const uint8_t *in, size_t in_len);
    int (*ends)(unsigned byte);
} kind;

typedef struct checks {
    agreement *run;
    kind kind;
    size_t max_exhaustive;  // every byte value at every offset is tried up to this length
} checks;

static int ends_json_string(unsigned byte) {
    return byte <= 0x1f || byte == 0x22 || byte == 0x5c;
}

static int is_not_ascii(unsigned byte) {
    return byte > 0x7f;
}

static int is_dot(unsigned byte) {
    return byte == 0x2e;
}

static void expect(checks *c, const char *what, const uint8_t *in, size_t in_len, size_t expected) {
    size_t span = c->kind.tested(in, in_len);
    if (span != expected) {
        disagree(c->run, "%s: %s, %s, %zu bytes: answers %zu, expected %zu", c->run->kernels->name, c->kind.name, what, in_len, span,
                 expected);
    }
}

// fill writes random bytes that do not end the span.
static void fill(checks *c, uint8_t *in, size_t in_len) {
    for (size_t i = 0; i < in_len;) {
        in[i] = (uint8_t)random_next(&c->run->random);
        i += c->kind.ends(in[i]) ? 0 : 1;
    }
}

static uint8_t random_end(checks *c) {
    for (;;) {
        uint8_t byte = (uint8_t)random_next(&c->run->random);
        if (c->kind.ends(byte)) {
            return byte;
        }
    }
}

// Every byte value at every offset, ending at a guard page.
static void check_every_byte(checks *c) {
    for (size_t in_len = 0; in_len <= c->max_exhaustive; in_len++) {
        uint8_t *in = c->run->in.end - in_len;
        fill(c, in, in_len);
        expect(c, "nothing ends it", in, in_len, in_len);
        for (size_t i = 0; i < in_len; i++) {
            uint8_t kept = in[i];
            for (unsigned byte = 0; byte < 256; byte++) {
                in[i] = (uint8_t)byte;
                expect(c, "one byte replaced", in, in_len, c->kind.ends(byte) ? i : in_len);
            }
            in[i] = kept;
        }
    }
}

// Every length at the start of memory and at every alignment, with bytes that would end the span directly before and after.
static void check_every_alignment(checks *c) {
    for (size_t in_len = 0; in_len <= kMaxShort; in_len++) {
        for (size_t i = 0; i <= kAlignments; i++) {
            uint8_t *in = c->run->in.start + i;
            if (i > 0) {
                in[-1] = random_end(c);
            }
            fill(c, in, in_len);
            in[in_len] = random_end(c);
            expect(c, "alignment", in, in_len, in_len);
            if (in_len > 0) {
                size_t end = random_below(&c->run->random, in_len);
                in[end] = random_end(c);
                expect(c, "alignment, one end", in, in_len, end);
            }
        }
    }
}

// Long random runs with several ending bytes: the first counts.
static void check_random(checks *c) {
    for (int round = 0; round < 4000; round++) {
        size_t in_len = random_below(&c->run->random, kMaxLong + 1), expected = in_len;
        uint8_t *in = c->run->in.end - in_len;
        fill(c, in, in_len);
        for (size_t i = 0; i < 3 && in_len > 0; i++) {
            size_t end = random_below(&c->run->random, in_len);
            in[end] = random_end(c);
            expected = end < expected ? end : expected;
        }
        expect(c, "random", in, in_len, expected);
    }
}

// unit_at returns the value of the escape \uXXXX at in[i], or -1.
static int unit_at(const uint8_t *in, size_t in_len, size_t i) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    int unit = 0;
    if (in_len - i < 6 || in[i] != '\\' || in[i + 1] != 'u') {
        return -1;
    }
    for (size_t digit = i + 2; digit < i + 6; digit++) {
        const char *found = memchr(digits, in[digit], sizeof(digits) - 1);
        if (found == NULL) {
            return -1;
        }
        unit = 16 * unit + (int)(found - digits) % 16;
    }
    return unit;
}

// escape_len returns the length of the escape at in[i], of two units for a pair of surrogates; zero for an invalid one.
static size_t escape_len(const uint8_t *in, size_t in_len, size_t i) {
    int unit = unit_at(in, in_len, i);
    if (unit < 0) {
        return in_len - i > 1 && memchr("\"\\/bfnrt", in[i + 1], 8) != NULL ? 2 : 0;
    }
    if (unit < 0xd800 || unit > 0xdfff) {
        return 6;
    }
    int low = unit < 0xdc00 ? unit_at(in, in_len, i + 6) : -1;
    return low >= 0xdc00 && low <= 0xdfff ? 12 : 0;
}

// expected_stops is what string_stops answers, byte by byte.
static void expected_stops(cjwt_stops *stops, const uint8_t *in, size_t in_len) {
    size_t checked = 0, second = SIZE_MAX;  // the end of the last valid escape; the second byte of the last escape
    stops->count = stops->escapes = 0;
    stops->are_escapes_valid = 1;
    memset(stops->bits, 0, (in_len + 63) / 64 * 8);
    memset(stops->escape_bits, 0, (in_len + 63) / 64 * 8);
    for (size_t i = 0; i < in_len; i++) {
        int is_stop = ends_json_string(in[i]), begins = in[i] == '\\' && i != second;
        stops->bits[i / 64] |= (uint64_t)is_stop << i % 64;
        if (begins) {
            size_t len = i < checked ? 0 : escape_len(in, in_len, i);
            stops->are_escapes_valid &= i < checked || len > 0;
            checked = len > 0 ? i + len : checked;
            second = i + 1;
            stops->escapes++;
            stops->escape_bits[i / 64] |= UINT64_C(1) << i % 64;
        } else if (is_stop && i != second) {
            stops->places[stops->count++] = (uint16_t)i;
        }
    }
}

// Compares string_stops of `in` with its bytes one by one. Memory after the last words of bits stays unchanged.
static void expect_stops(checks *c, const char *what, const uint8_t *in, size_t in_len) {
    static cjwt_stops stops, expected;
    size_t words = (in_len + 63) / 64;
    const uint64_t untouched = UINT64_C(0xa5a5a5a5a5a5a5a5);
    int is_ascii = 1;
    stops.max_escapes = SIZE_MAX;
    memset(stops.bits, 0xa5, 8 * words + 8);
    memset(stops.escape_bits, 0xa5, 8 * words + 8);
    expected_stops(&expected, in, in_len);
    for (size_t i = 0; i < in_len; i++) { is_ascii &= in[i] < 0x80; }
    int differs = c->run->kernels->string_stops(&stops, in, in_len) != is_ascii;
    differs |= stops.count != expected.count || stops.escapes != expected.escapes || stops.are_escapes_valid != expected.are_escapes_valid;
    differs |= memcmp(stops.bits, expected.bits, 8 * words) != 0 || stops.bits[words] != untouched || stops.escape_bits[words] != untouched;
    differs |= expected.escapes > 0 && memcmp(stops.escape_bits, expected.escape_bits, 8 * words) != 0;
    if (differs || memcmp(stops.places, expected.places, 2 * expected.count) != 0) {
        disagree(c->run, "%s: string_stops, %s, %zu bytes", c->run->kernels->name, what, in_len);
    }
    for (size_t more = 0; more < 2 && expected.escapes > more; more++) {
        stops.max_escapes = expected.escapes - more;
        (void)c->run->kernels->string_stops(&stops, in, in_len);
        if (stops.are_escapes_valid != (expected.are_escapes_valid && more == 0) || stops.count < expected.count) {
            disagree(c->run, "%s: string_stops, %s, at most %zu escapes", c->run->kernels->name, what, stops.max_escapes);
        }
    }
}

// Escapes of all kinds, valid and not, in any order and at any offset.
static void check_escapes(checks *c) {
    static const char *const pieces[] = {
        "\\n", "\\\"", "\\\\", "\\/", "\\b\\f\\r\\t", "\\u0041", "\\uD83d\\uDe00", "\\udBFF\\udfff", "\\ud7ff\\ue000", "\"", "a", "text",
        "\xc3\xa9", "\x1f", "\\ud800", "\\udc00", "\\u00", "\\x", "\\u12g4", "\\", "\\ud83d\\n", "\\ud83dxxxxxx", "\\\xee", "\\u\xe1zzz",
        "\\U0041", "\\ud83d\\uDe0", "\\ud83dxde00",
    };
    enum { kAll = sizeof(pieces) / sizeof(pieces[0]), kValid = 12 };
    for (int round = 0; round < 20000; round++) {
        char text[512] = "";
        size_t len = 0, count = random_below(&c->run->random, 40), kinds = round % 8 == 0 ? kAll : kValid;
        memset(text, 'x', sizeof(text));
        len = random_below(&c->run->random, 70);
        for (size_t i = 0; i < count; i++) {
            // Sometimes one piece of all kinds among valid ones.
            size_t among = round % 2 == 0 && i == count / 2 ? (size_t)kAll : kinds;
            const char *piece = pieces[random_below(&c->run->random, among)];
            memcpy(text + len, piece, strlen(piece));
            len += strlen(piece);
        }
        // Whole blocks of 64 bytes often end within an escape.
        len -= round % 4 == 1 ? len % 64 : 0;
        uint8_t *in = c->run->in.end - len;
        memcpy(in, text, len);
        expect_stops(c, "escapes", in, len);
    }
}

// A pair of surrogates with another byte at each place of it; and each two first digits: alone, before a low surrogate, behind a high one.
static void check_units(checks *c) {
    static const char pair[] = "x\\ud83d\\ude00x", digits[] = "0123456789abcdefABCDEF";
    static const char *const around[][2] = {{"", ""}, {"", "\\udc00"}, {"\\ud800", ""}, {"\\", ""}};
    char text[32];
    for (size_t i = 0; i < 256 * (sizeof(pair) - 1); i++) {
        uint8_t *in = memcpy(c->run->in.end - sizeof(pair) + 1, pair, sizeof(pair) - 1);
        in[i / 256] = (uint8_t)i;
        expect_stops(c, "a pair with another byte", in, sizeof(pair) - 1);
    }
    for (size_t i = 0; i < 22 * 22 * 4; i++) {
        const char *const *place = around[i % 4];
        size_t len = (size_t)snprintf(text, sizeof(text), "%s\\u%c%c9f%s", place[0], digits[i / 4 % 22], digits[i / 88], place[1]);
        expect_stops(c, "first digits", memcpy(c->run->in.end - len, text, len), len);
    }
}

// Every length, at the end of memory and at alignments of its start, with few or many bytes that stop a string, and some non-ASCII bytes.
static void check_stops(checks *c) {
    for (size_t round = 0; round <= 64 * kMaxShort; round++) {
        size_t in_len = round % (kMaxShort + 1);
        uint8_t *in = round % 2 == 0 ? c->run->in.end - in_len : c->run->in.start + round % kAlignments;
        fill(c, in, in_len);
        for (size_t i = 0; i < in_len; i++) {
            int is_stop = random_below(&c->run->random, round % 3 == 0 ? 2 : 8) == 0;
            in[i] = is_stop ? random_end(c) : random_below(&c->run->random, 128) == 0 ? in[i] : in[i] & 0x7f;
        }
        expect_stops(c, "short", in, in_len);
    }
}

// One byte beyond ASCII among zeros: no other byte has a bit that it might lack.
static void check_lone_bytes(checks *c) {
    uint8_t *in = memset(c->run->in.end - 128, 0, 128);
    for (size_t place = 0; place < 128; place++) {
        for (unsigned byte = 0x80; byte < 256; byte++) {
            in[place] = (uint8_t)byte;
            expect_stops(c, "one byte beyond ASCII", in, 128);
        }
        in[place] = 0;
    }
}

// The longest texts, consisting only of stops: the list of offsets is full.
static void check_most_stops(checks *c) {
    static const uint8_t stops[] = {'"', '\\', 0x1f};
    for (size_t i = 0; i < sizeof(stops); i++) {
        for (size_t in_len = CJWT_STOPS_MAX - 65; in_len <= CJWT_STOPS_MAX; in_len++) {
            memset(c->run->in.end - in_len, stops[i], in_len);
            expect_stops(c, "all of it", c->run->in.end - in_len, in_len);
        }
    }
}

// Every length with few dots or many, and every possible max_dots.
static void check_dots(checks *c) {
    size_t dots[6], expected[6];
    for (size_t round = 0; round <= 64 * kMaxShort; round++) {
        size_t in_len = round % (kMaxShort + 1), max_dots = round % 6, expected_len = 0;
        uint8_t *in = round % 2 == 0 ? c->run->in.end - in_len : c->run->in.start + round % kAlignments;
        for (size_t i = 0; i < in_len; i++) {
            in[i] = random_below(&c->run->random, round % 3 == 0 ? 4 : 80) == 0 ? '.' : '-';
        }
        for (size_t i = 0; i < in_len && expected_len < max_dots; i++) {
            expected[expected_len] = i;
            expected_len += (size_t)is_dot(in[i]);
        }
        dots[max_dots] = 7;
        size_t len = c->run->kernels->find_dots(dots, max_dots, in, in_len);
        if (len != expected_len || memcmp(dots, expected, len * sizeof(*dots)) != 0 || dots[max_dots] != 7) {
            disagree(c->run, "%s: find_dots, %zu bytes, round %zu", c->run->kernels->name, in_len, round);
        }
    }
}

void check_span(agreement *run) {
    const cjwt_kernels *kernels = run->kernels;
    const kind kinds[] = {
        {"json_string_span", kernels->json_string_span, ends_json_string},
        {"ascii_span", kernels->ascii_span, is_not_ascii},
        {"find_dot", kernels->find_dot, is_dot},
    };
    // The generic form treats every byte alike, and is slow.
    checks c = {.run = run, .max_exhaustive = kernels == &cjwt_kernels_generic ? 67 : kMaxShort};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        c.kind = kinds[i];
        expect(&c, "NULL", NULL, 0, 0);
        check_every_byte(&c);
        check_every_alignment(&c);
        check_random(&c);
    }
    c.kind = kinds[0];
    check_stops(&c);
    check_most_stops(&c);
    check_lone_bytes(&c);
    check_escapes(&c);
    check_units(&c);
    check_dots(&c);
}
