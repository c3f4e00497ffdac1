// check_json_names: the registered claims are found by their names alone, with the types that the specification of each gives; and no name
// may stand in an object twice, wherever in the text it stands.

#include "agreement.h"

#include <stdio.h>
#include <string.h>

enum { kText = 1, kDate = 2, kList = 4 };

// In the order of RegisteredClaim.
static const struct {
    const char *name;
    int types;
} kClaims[16] = {
    {"iss", kText}, {"sub", kText}, {"aud", kText | kList}, {"exp", kDate}, {"nbf", kDate}, {"iat", kDate}, {"jti", kText}, {"azp", kText},
    {"nonce", kText}, {"auth_time", kDate}, {"acr", kText}, {"amr", kList}, {"at_hash", kText}, {"c_hash", kText}, {"sid", kText},
    {"client_id", kText},
};

static const struct {
    const char *text;
    int type;  // zero where no claim usually has such a value
} kValues[] = {
    {"\"\"", kText}, {"\"\\n\"", kText}, {"0", kDate}, {"1700003600", kDate}, {"99999999999", kDate}, {"100000000000", 0}, {"-1", 0},
    {"1.5", 0}, {"1e9", 0}, {"true", 0}, {"null", 0}, {"[]", kList}, {"[\"a\"]", kList}, {"[\"a\",\"b\"]", kList}, {"[\"a\",1]", 0},
    {"[1,\"a\"]", 0}, {"[[\"a\"]]", 0}, {"{}", 0}, {"{\"a\":\"b\"}", 0},
};

enum { kNumClaims = sizeof(kClaims) / sizeof(kClaims[0]), kNumValues = sizeof(kValues) / sizeof(kValues[0]), kMaxRecords = 64 };

static const cjwt_json_limits kWide = {8, 64, 64, 4096, 24, 9};

// A reader of compact texts, or, of a text behind a space, that of any text.
typedef struct way {
    const char *kernels, *before;
} way;

static const way kWays[] = {{"generic", ""}, {"avx2", ""}, {"avx512", ""}, {"generic", " "}};
enum { kNumWays = sizeof(kWays) / sizeof(kWays[0]) };

static size_t read_in(const way *way, const char *text, cjwt_claims *claims, cjwt_json_fault *fault) {
    cjwt_json_node tape[kMaxRecords] = {{0}};
    (void)cjwt_kernels_force(cjwt_kernels_named(way->kernels) == NULL ? "generic" : way->kernels);
    size_t len = cjwt_json_tape(tape, kMaxRecords, claims, (const uint8_t *)text, strlen(text), &kWide, fault);
    (void)cjwt_kernels_force(NULL);
    return len;
}

// Expects `claim` as the only claim, with its value in record `place`; or no claim, if `claim` is negative.
static void expect_claim(agreement *run, const way *way, const char *text, int claim, int place, int is_usual) {
    cjwt_claims claims, expected = {.are_usual = 1};
    cjwt_json_fault fault;
    if (claim >= 0) {
        expected.places[claim] = place;
        expected.present = UINT32_C(1) << claim;
        expected.are_usual = is_usual;
    }
    if (read_in(way, text, &claims, &fault) == 0 || memcmp(&claims, &expected, sizeof(claims)) != 0) {
        disagree(run, "%s: %s: claims %x, usual %d; expected %x, usual %d", way->kernels, text, claims.present, claims.are_usual,
                 expected.present, expected.are_usual);
    }
}

// Each value of each claim, before another member and behind it.
static void check_values(agreement *run) {
    char text[160];
    for (int claim = 0; claim < kNumClaims; claim++) {
        for (size_t value = 0; value < kNumValues; value++) {
            for (size_t i = 0; i < 2 * kNumWays; i++) {
                const way *way = &kWays[i / 2];
                const char *name = kClaims[claim].name, *member = kValues[value].text;
                int is_usual = (kValues[value].type & kClaims[claim].types) != 0, is_first = i % 2 == 0;
                (void)snprintf(text, sizeof(text), is_first ? "%s{\"%s\":%s,\"other\":\"a text\"}" : "%s{\"other\":\"a text\",\"%s\":%s}",
                               way->before, name, member);
                expect_claim(run, way, text, claim, is_first ? 2 : 4, is_usual);
            }
        }
    }
}

static int is_claim(const char *name) {
    size_t claim = 0;
    while (claim < kNumClaims && strcmp(kClaims[claim].name, name) != 0) { claim++; }
    return claim < kNumClaims;
}

// Names that differ in one byte, or go on: they are not registered. So is a claim of an inner object.
static void check_other_names(agreement *run) {
    char text[160];
    for (size_t i = 0; i < kNumClaims * kNumWays; i++) {
        const char *name = kClaims[i / kNumWays].name;
        const way *way = &kWays[i % kNumWays];
        size_t len = strlen(name);
        for (size_t at = 0; at < 95 * len; at++) {
            char other[16], byte = (char)(' ' + at % 95);
            (void)snprintf(other, sizeof(other), "%s", name);
            other[at / 95] = byte;
            if (!is_claim(other) && byte != '"' && byte != '\\') {
                (void)snprintf(text, sizeof(text), "%s{\"%s\":\"\",\"other\":\"a text\"}", way->before, other);
                expect_claim(run, way, text, -1, 0, 1);
            }
        }
        static const char members[] = "%s{\"%sx\":\"\",\"%.*s\":1.5,\"inner\":{\"%s\":1.5,\"\":0}}";
        (void)snprintf(text, sizeof(text), members, way->before, name, (int)len - 1, name, name);
        expect_claim(run, way, text, -1, 0, 1);
    }
}

// A name of `len` bytes twice, with `behind` bytes of the text behind it; then one byte of the second is another.
static void check_twice(agreement *run, const way *way, size_t len, size_t behind) {
    char text[320], name[64] = "";
    for (size_t i = 0; i < len; i++) {
        name[i] = (char)('a' + random_below(&run->random, 26));
    }
    size_t start = (size_t)snprintf(text, sizeof(text), "%s{\"first\":\"a text\",\"%s\":0,", way->before, name);
    (void)snprintf(text + start, sizeof(text) - start, "\"%s\":\"%.*s\"}", name, (int)behind, "                    ");
    cjwt_claims claims;
    cjwt_json_fault fault;
    if (read_in(way, text, &claims, &fault) != 0 || fault.kind != CJWT_JSON_DUPLICATE || fault.at != start) {
        disagree(run, "%s: %s: a name that is there twice: fault %u at %u", way->kernels, text, fault.kind, fault.at);
    }
    for (size_t i = 0; i < len; i++) {
        text[start + 1 + i] ^= 1;
        if (read_in(way, text, &claims, &fault) == 0 && fault.kind == CJWT_JSON_DUPLICATE) {
            disagree(run, "%s: %s: another name is refused", way->kernels, text);
        }
        text[start + 1 + i] ^= 1;
    }
}

void check_json_names(agreement *run) {
    check_values(run);
    check_other_names(run);
    for (size_t i = 0; i < kNumWays; i++) {
        expect_claim(run, &kWays[i], "[1,\"aud\",{\"aud\":1}]", -1, 0, 1);
        for (size_t len = 0; len < 42; len++) {
            for (size_t behind = 0; behind < 12; behind++) {
                check_twice(run, &kWays[i], len, behind);
            }
        }
    }
}
