// check_json_issuer: cjwt_json_issuer finds what a scan byte by byte finds, within the text.
//
// Every text ends directly at a guard page, and begins at every place of a block.

#include "agreement.h"

#include <string.h>

static int is_space(uint8_t byte) {
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

static size_t behind_space(const uint8_t *in, size_t in_len, size_t i) {
    while (i < in_len && is_space(in[i])) { i++; }
    return i;
}

// behind_string is the place behind a string that begins at i.
static size_t behind_string(const uint8_t *in, size_t in_len, size_t i) {
    for (i++; i < in_len && in[i] != '"'; i++) { i += in[i] == '\\'; }
    return i + 1;
}

// scanned looks byte by byte: a backslash hides a quote or another backslash, also outside strings.
static int scanned(cjwt_issuer *issuer, const uint8_t *in, size_t in_len) {
    long depth = 0;
    int passed = 0;
    *issuer = (cjwt_issuer){0};
    for (size_t i = 0; i < in_len;) {
        int hides = in[i] == '\\' && i + 1 < in_len && (in[i + 1] == '"' || in[i + 1] == '\\');
        size_t next = in[i] == '"' ? behind_string(in, in_len, i) : i + 1 + (size_t)hides;
        int is_name = in_len - i >= 6 && memcmp(in + i, "\"iss\"", 5) == 0 && (in[i + 5] == ':' || in[i + 5] <= ' ');
        size_t colon = behind_space(in, in_len, i + 5);
        if (is_name && depth != 1 && ++passed == 64) {
            return CJWT_ISSUER_HIDDEN;
        }
        if (is_name && depth == 1 && colon < in_len && in[colon] == ':') {
            size_t value = behind_space(in, in_len, colon + 1), end = value + 1;
            for (; end < in_len && in[end] >= ' ' && in[end] != '"'; end++) {
                issuer->is_escaped |= in[end] == '\\';
                end += in[end] == '\\';
            }
            issuer->start = value + 1;
            issuer->length = end - issuer->start;
            return value < in_len && in[value] == '"' && end < in_len && in[end] == '"' ? CJWT_ISSUER_FOUND : CJWT_ISSUER_OTHER;
        }
        depth += (in[i] == '{' || in[i] == '[') - (in[i] == '}' || in[i] == ']');
        i = next;
    }
    return CJWT_ISSUER_NONE;
}

static void check(agreement *run, const uint8_t *text, size_t text_len) {
    uint8_t *in = run->in.end - text_len;
    memmove(in, text, text_len);
    cjwt_issuer issuer, expected_issuer;
    int found = cjwt_json_issuer(&issuer, in, text_len), expected = scanned(&expected_issuer, in, text_len);
    int differ = issuer.start != expected_issuer.start || issuer.length != expected_issuer.length;
    differ |= issuer.is_escaped != expected_issuer.is_escaped;
    if (found != expected || (found == CJWT_ISSUER_FOUND && differ)) {
        disagree(run, "%zu bytes beginning %.40s: %d at %zu, expected %d at %zu", text_len, (const char *)text, found, issuer.start,
                 expected, expected_issuer.start);
    }
}

// The member at every place of two blocks, and every prefix of that text.
static void check_places(agreement *run) {
    static const char kMember[] = "\"iss\" : \"https://idp.example\"}";
    for (size_t filling = 0; filling < 140; filling++) {
        char text[256] = "{\"x\":\"";
        memset(text + 6, filling % 2 == 0 ? 'a' : '{', filling);
        strcpy(text + 6 + filling, "\",");
        strcat(text, kMember);
        for (size_t len = 0; len <= strlen(text); len++) { check(run, (const uint8_t *)text, len); }
    }
}

// Inner members hide the outer one: 63 do not, 64 do.
static void check_hidden(agreement *run) {
    for (int count = 60; count < 70; count++) {
        char text[2048] = "{\"x\":[";
        for (int i = 0; i < count; i++) { strcat(text, "{\"iss\":0},"); }
        strcat(text, "0],\"iss\":\"a\"}");
        check(run, (const uint8_t *)text, strlen(text));
    }
}

static void check_shuffled(agreement *run) {
    static const char *const kPieces[] = {
        "{", "}", "[", "]", ",", ":", "\"iss\"", "\"iss\":\"a\"", "\"iss\" : \"b\\/\\\"d\"", "\\", "\\\\", "\"", "\"x\\\"", 
        "\"a\":{\"iss\":\"no\"},",
        "  ", "aaaaaaaaaaaaaaaaaaaaaaaaa", "\"a long text of some bytes\\\\\",", "\"\"", "\"iss\":1", "\n",
    };
    for (int round = 0; round < 500000; round++) {
        char text[640] = "{";
        size_t len = (size_t)(round % 2);
        for (size_t count = 1 + random_below(&run->random, 20); count > 0; count--) {
            const char *piece = kPieces[random_below(&run->random, sizeof(kPieces) / sizeof(kPieces[0]))];
            memcpy(text + len, piece, strlen(piece));
            len += strlen(piece);
        }
        check(run, (const uint8_t *)text, len);
    }
}

void check_json_issuer(agreement *run) {
    (void)cjwt_kernels_force(run->kernels->name);
    check_places(run);
    check_hidden(run);
    check_shuffled(run);
    (void)cjwt_kernels_force(NULL);
}
