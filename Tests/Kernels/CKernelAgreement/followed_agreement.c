// check_followed_stops: followed_stops_avx512 finds what a scan byte by byte finds, and writes nothing elsewhere.
//
// Texts and followers end directly at a guard page.

#include "agreement.h"

#include <string.h>

#if defined(__x86_64__)
#include "../../../Sources/CJWTKernels/internal.h"

enum { kUnwritten = 0xa5 };

// expect compares the followers with the bytes of the text, and all other results with those of string_stops, which check_span checks.
static void expect(agreement *run, const uint8_t *in, size_t in_len, const char *what) {
    static cjwt_stops stops, expected;
    followers *found = (followers *)(void *)(run->out.end - sizeof(followers));
    memset(found, kUnwritten, sizeof(*found));
    stops.max_escapes = random_below(&run->random, 24);
    expected.max_escapes = SIZE_MAX;
    size_t words = (in_len + 63) / 64;
    stops.bits[words] = 7;
    int is_ascii = cjwt_kernels_generic.string_stops(&expected, in, in_len), controls = 0;
    expected.are_escapes_valid &= expected.escapes <= stops.max_escapes;
    int differs = followed_stops_avx512(&stops, found, in, in_len) != is_ascii || stops.count != expected.count || stops.bits[words] != 7;
    differs |= stops.escapes != expected.escapes || stops.are_escapes_valid != expected.are_escapes_valid;
    differs |= memcmp(stops.bits, expected.bits, 8 * words) != 0 || memcmp(stops.places, expected.places, 2 * expected.count) != 0;
    for (size_t i = 0; i < in_len; i++) { controls |= in[i] < ' '; }
    if (expected.count <= kMaxFollowed) {
        differs |= (found->have_controls != 0) != controls || found->have_controls >> 1 != 0;
        for (size_t i = 0, from = 0; i < expected.count; from = stops.places[i++]) {
            size_t at = stops.places[i];
            int escapes = 0;
            for (size_t byte = from; byte < at; byte++) { escapes |= in[byte] == '\\'; }
            differs |= found->bytes[i] != (in_len - at > 2 && in[at + 2] == '"' ? in[at + 1] : 0);
            differs |= expected.escapes > 0 && found->escapes[i] != escapes;
        }
    }
    // A text without escapes leaves the bytes for escapes unwritten.
    for (size_t i = 0; i < kFollowed && expected.escapes == 0; i++) { differs |= found->escapes[i] != kUnwritten; }
    if (differs) {
        disagree(run, "followed_stops_avx512, %s, %zu bytes beginning %.16s", what, in_len, (const char *)in);
    }
}

// Strings of up to nine bytes, most of them in runs.
static void check_strings(agreement *run) {
    static const char *const pieces[] = {
        "\"", "\",\"", "\":\"", "a", "text", "\\n", "\\\"", "\\\\", "\\u00fc", "\"\"", "]", "\"\\\\\"", "{", "\"},{\"", "\\ud83d\\ude00",
    };
    static const char *const seldom[] = {"\x1f", "\xc3\xa9", "\\x", "\n", "\\ud800", "\\"};
    for (size_t round = 0; round < 8000; round++) {
        char text[640] = "";
        size_t count = random_below(&run->random, 100), len = random_below(&run->random, 70), kinds = round % 3 == 0 ? 5 : 15;
        memset(text, 'x', len);
        for (size_t i = 0; i < count && len < 600; i++) {
            int is_odd = round % 5 == 0 && i == count / 2;
            const char *piece = is_odd ? seldom[random_below(&run->random, 6)] : pieces[random_below(&run->random, kinds)];
            memcpy(text + len, piece, strlen(piece));
            len += strlen(piece);
        }
        // Whole blocks of 64 bytes often end within an escape.
        len -= round % 4 == 1 ? len % 64 : 0;
        expect(run, memcpy(run->in.end - len, text, len), len, "strings");
    }
}

// As many quotes as there is room for, or more, at any distance, with and without an escape
// before them and a control character behind them.
static void check_room(agreement *run) {
    for (size_t round = 0; round < 600; round++) {
        size_t around = round % 4 < 2 ? 3 : 200, count = kMaxFollowed - around + random_below(&run->random, 2 * around);
        size_t gap = 1 + round % 3, before = random_below(&run->random, 130);
        size_t len = before + gap * count + random_below(&run->random, 70);
        uint8_t *in = memset(run->in.end - len, 'x', len);
        for (size_t i = 0; i < count; i++) { in[before + gap * i] = '"'; }
        if (round % 2 == 0 && before > 2) {
            memcpy(in + random_below(&run->random, before - 1), "\\n", 2);
        }
        if (round % 5 < 2) {
            in[len - 1] = 0x1f;
        }
        expect(run, in, len, "many");
        memset(in, '"', len);
        expect(run, in, len, "quotes");
    }
    uint8_t *in = memset(run->in.end - CJWT_STOPS_MAX, '"', CJWT_STOPS_MAX);
    in[0] = '\\';
    expect(run, in, CJWT_STOPS_MAX, "quotes behind an escape");
    in[0] = '"';
    expect(run, in, CJWT_STOPS_MAX, "all quotes");
}

void check_followed_stops(agreement *run) {
    if (cjwt_kernels_named("avx512") != NULL) {
        check_strings(run);
        check_room(run);
    }
}
#else
void check_followed_stops(agreement *run) {
    (void)run;
}
#endif
