// check_json_tape: cjwt_json_tape stays within any text and tape, and its result depends only on the text, not on the kernels. A Swift
// test compares the result with the tokenizer's.
//
// Every text and every tape ends directly at a guard page; the same text elsewhere, followed by bytes that would continue it, must give the
// same tape with other kernels.

#include "agreement.h"

#include <stdio.h>
#include <string.h>

enum { kMaxNodes = 128 };

static const char *const kTexts[] = {
    "{\"iss\":\"https://idp.example\",\"sub\":\"248289761001\",\"aud\":[\"client-1\",\"api\"],\"exp\":1700003600,\"iat\":1.7e9,\"ok\":true}",
    "{ \"a\" : { \"b\" : [ null , false , -0.5E+10 , \"\\/\\n\" ] } , \"longer than sixteen bytes, this is\" : \"x\" }",
    "{\"amr\":[\"pwd\",\"otp\"],\"exp\":1700003600,\"t\":true,\"n\":null,\"r\":{\"roles\":[\"x\",\"\"],\"iat\":17000036},\"f\":false,\"l\":[\"z\"]}",
    "{\"auth_time\":1700003600,\"client_id\":\"a long one\",\"a\":[\"b\",\"c\"],\"exp\":1700003600.25,\"e\":12345678e1}",
    "[[[[[[[[]]]]]]],{\"\":\"\"},\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\",\"\\u0041\\ud83d\\ude00\",12345678901234567890]",
    "\"a text\"                      ",
    "{\"r\":{\"a\":{\"x\":[\"y\"],\"z\":{}},\"b\":[]},\"aud\":[\"c\",[1,{\"d\":-2}],\"e\"],\"exp\":1700003600,\"n\":0,\"f\":1.5}",
    "{\"iss\":\"https:\\/\\/idp.example\",\"name\":\"M\\u00fc\\u00DF\\ud83d\\ude00\\\\\",\"g\":[\"\\\"a\\\"\",\"b\"],\"sub\":\"1\\n\"}",
    "{\"a\":{\"users\":[\"b\",\"c\"]},\"d\":{\"roles\":[\"\\/\"],\"e\":{\"f\":[\"g\",1],\"\":\"\"}},\"h\":[{\"i\":\"j\"}],\"k\":{\"l\":[1,\"m\"]}}",
    ("{\"l\":[\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\","
     "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"]}"),
    "{\"a\":0,\"\\u0062\":0}",
};

// With the last two limits, the reader of compact texts reads few of them.
static const cjwt_json_limits kLimits[] = {
    {.depth = 16, .members = 32, .values = 64, .string_bytes = 256, .number_bytes = 24, .escapes = 10},
    {.depth = 16, .members = 32, .values = 64, .string_bytes = 64, .number_bytes = 24, .escapes = 2},
    {.depth = 2, .members = 4, .values = 64, .string_bytes = 256, .number_bytes = 24, .escapes = 0},
};

// The other kernels take turns.
static const char *other_kernels(void) {
    static size_t turn;
    static const char *const names[] = {"generic", "avx2", "neon"};
    const char *name = names[turn++ % 3];
    return cjwt_kernels_named(name) != NULL ? name : "generic";
}

enum { kNumLimits = sizeof(kLimits) / sizeof(kLimits[0]) };

static void check_within(agreement *run, const uint8_t *text, size_t text_len, size_t tape_max, const cjwt_json_limits *limits) {
    uint8_t *at_end = run->in.end - text_len, *inside = run->in.start + text_len % kAlignments;
    cjwt_json_node *tape = (cjwt_json_node *)(void *)(run->out.end - tape_max * sizeof(cjwt_json_node)), again[kMaxNodes];
    memmove(at_end, text, text_len);
    cjwt_claims claims, again_claims;
    cjwt_json_fault fault, again_fault;
    size_t len = cjwt_json_tape(tape, tape_max, &claims, at_end, text_len, limits, &fault);
    memset(inside, '1', text_len + 32);
    memcpy(inside, text, text_len);
    (void)cjwt_kernels_force(other_kernels());
    size_t again_len = cjwt_json_tape(again, tape_max, &again_claims, inside, text_len, limits, &again_fault);
    (void)cjwt_kernels_force(NULL);
    int differ = len > tape_max || again_len != len || memcmp(tape, again, len * sizeof(*tape)) != 0;
    int faults_differ = len == 0 && (fault.kind != again_fault.kind || fault.at != again_fault.at || fault.at > text_len);
    if (differ || faults_differ || (len > 0 && memcmp(&claims, &again_claims, sizeof(claims)) != 0)) {
        disagree(run, "%zu bytes beginning %.16s: %zu records, then %zu, of %zu", text_len, (const char *)text, len, again_len, tape_max);
    }
}

static void check(agreement *run, const uint8_t *text, size_t text_len, size_t tape_max) {
    for (size_t i = 0; i < kNumLimits; i++) {
        check_within(run, text, text_len, tape_max, &kLimits[i]);
    }
}

static void check_text(agreement *run, const char *text) {
    uint8_t changed[256];
    size_t text_len = strlen(text);
    for (size_t prefix = 0; prefix <= text_len; prefix++) {
        check(run, (const uint8_t *)text, prefix, kMaxNodes);
    }
    for (size_t tape_max = 0; tape_max < 32; tape_max++) {
        check(run, (const uint8_t *)text, text_len, tape_max);
    }
    for (size_t i = 0; i < text_len; i++) {
        memcpy(changed, text, text_len);
        for (unsigned byte = 0; byte < 256; byte++) {
            changed[i] = (uint8_t)byte;
            check(run, changed, text_len, kMaxNodes);
            check(run, changed, i + 1, kMaxNodes);
        }
    }
}

// Parts of usual members, in any order; some objects end in the middle of a member.
static void check_shuffled(agreement *run) {
    static const char *const kPieces[] = {
        "{", "}", "[", "]", ",", ",", ":", "\"aud\":", "\"a\":", "\"b\"", "\"exp\":1700003600", "\"iat\":1700000000.5", "true", "null", "[\"x\",\"y\"]",
        "\"roles\":[\"administrator\"]", "\"name\":\"Jane Doe\"", "\"a name of more than sixteen bytes\":\"\"", " ", "\n", "{\"r\":[\"z\"]",
    };
    for (int round = 0; round < 100000; round++) {
        char text[640] = "";
        size_t count = 1 + random_below(&run->random, 14), len = 0;
        for (size_t i = 0; i < count; i++) {
            const char *piece = i == 0 && round % 2 == 0 ? "{" : kPieces[random_below(&run->random, sizeof(kPieces) / sizeof(kPieces[0]))];
            memcpy(text + len, piece, strlen(piece));
            len += strlen(piece);
        }
        check(run, (const uint8_t *)text, len, random_below(&run->random, 40));
    }
}

// Containers that are not closed: no other text has as many records for its length.
static void check_open_containers(agreement *run) {
    static const char text[] = "{\"\":[1,1,1,1,1,[[[[[[[[[[[[[1}";
    for (size_t prefix = 1; prefix < sizeof(text); prefix++) {
        for (size_t tape_max = 0; tape_max < 32; tape_max++) {
            check(run, (const uint8_t *)text, prefix, tape_max);
            char closed[sizeof(text) + 1] = "";
            memcpy(closed, text, prefix);
            closed[prefix] = ']';
            check(run, (const uint8_t *)closed, prefix + 1, tape_max);
        }
    }
}

// Every text at every offset in a block of 64 bytes, on a large tape and on one without room for a record more; and with a byte changed.
static void check_offsets(agreement *run) {
    static const char bytes[] = "{}[],:\"\\ 0u\n";
    for (size_t i = 0; i < sizeof(kTexts) / sizeof(kTexts[0]); i++) {
        for (size_t offset = 0; offset < 64 && kTexts[i][0] == '{'; offset++) {
            char text[640] = "{\"before\":\"";
            cjwt_json_node tape[kMaxNodes];
            cjwt_json_fault fault;
            size_t start = strlen(text) + offset + 2, len = strlen(kTexts[i]) - 1;
            memset(text + start - offset - 2, 'x', offset);
            memcpy(text + start - 2, "\",", 2);
            memcpy(text + start, kTexts[i] + 1, len);
            check(run, (const uint8_t *)text, start + len, kMaxNodes);
            size_t records = cjwt_json_tape(tape, kMaxNodes, NULL, (const uint8_t *)text, start + len, &kLimits[0], &fault);
            check(run, (const uint8_t *)text, start + len, records);
            for (size_t round = 0; round < 16; round++) {
                char *changed = text + start + random_below(&run->random, len), kept = *changed;
                *changed = bytes[random_below(&run->random, sizeof(bytes) - 1)];
                check(run, (const uint8_t *)text, start + len, kMaxNodes);
                *changed = kept;
            }
        }
    }
}

// The kinds of large texts.
enum { kDistinct, kFirstAgain, kEscape, kNoName, kNoNameTwice, kPlainTexts, kEscapedText, kNoComma, kNumKinds };
enum { kLastKindOfObject = kNoNameTwice };

// second_nameless is the second member without a name, of kNoNameTwice. One place alone might have another name's fingerprint by chance.
static size_t second_nameless(size_t count) {
    return 8 + count % 7;
}

// make_many makes an object with an object or an array of `count` elements in it. Returns its length.
static size_t make_many(char *text, size_t text_max, size_t count, int kind) {
    int is_object = kind <= kLastKindOfObject;
    size_t len = (size_t)snprintf(text, text_max, "{\"a\":%c", is_object ? '{' : '[');
    for (size_t i = 0; i < count; i++) {
        const char *value = (kind == kEscape || kind == kEscapedText) && i == 9 ? "\"\\n\"" : "\"\"";
        int is_nameless = (kind == kNoName && i == 7) || (kind == kNoNameTwice && (i == 7 || i == second_nameless(count)));
        len += (size_t)snprintf(text + len, text_max - len, "%s", i == 0 ? "" : kind == kNoComma && i == count - 1 ? ";" : ",");
        if (is_nameless) {
            len += (size_t)snprintf(text + len, text_max - len, "\"\":");
        } else if (is_object) {
            len += (size_t)snprintf(text + len, text_max - len, "\"%zu\":", kind == kFirstAgain && i == count - 1 ? 0 : i);
        }
        len += (size_t)snprintf(text + len, text_max - len, "%s", value);
    }
    return len + (size_t)snprintf(text + len, text_max - len, "%c}", is_object ? '}' : ']');
}

// Texts with so many strings, or names, that other code reads them; on tapes and under limits that have just room, or not.
static void check_many(agreement *run) {
    static cjwt_json_node tape[4096], again[4096];
    static char text[1 << 14];
    for (size_t count = 2; count < 4001; count += count == 50 ? 960 : count == 1031 ? 2969 : 1) {
        for (int kind = count < 1032 ? 0 : kPlainTexts; kind < kNumKinds; kind++) {
            size_t len = make_many(text, sizeof(text), count, kind), records = (kind <= kLastKindOfObject ? 2 * count : count) + 3;
            for (size_t missing = 0; missing < 4; missing++) {
                size_t tape_max = records + 4 - 4 * (missing & 1) - (missing == 3);
                cjwt_json_limits limits = {2, 2000, missing == 0 ? 4096 : (int64_t)(count + 2 - (missing == 2)), 1 << 14, 24, 9};
                cjwt_claims claims, again_claims;
                cjwt_json_fault fault, again_fault;
                size_t read = cjwt_json_tape(tape, tape_max, &claims, (const uint8_t *)text, len, &limits, &fault);
                (void)cjwt_kernels_force("generic");
                size_t again_read = cjwt_json_tape(again, tape_max, &again_claims, (const uint8_t *)text, len, &limits, &again_fault);
                (void)cjwt_kernels_force(NULL);
                int differ = read != again_read || memcmp(tape, again, read * sizeof(*tape)) != 0;
                if (differ || fault.kind != again_fault.kind || fault.at != again_fault.at) {
                    disagree(run, "%zu strings or names, kind %d: %zu records, then %zu", count, kind, read, again_read);
                }
                int is_valid = kind != kFirstAgain && kind != kNoComma && (kind != kNoNameTwice || count <= second_nameless(count));
                if (missing < 2 && (read > 0) != is_valid) {
                    disagree(run, "%zu strings or names, kind %d, are read or not: %zu records", count, kind, read);
                }
            }
        }
    }
}

void check_json_tape(agreement *run) {
    cjwt_json_fault fault;
    if (cjwt_json_tape(NULL, 0, NULL, NULL, 0, &kLimits[0], &fault) != 0 || fault.kind != CJWT_JSON_INVALID) {
        disagree(run, "an empty text is read");
    }
    for (size_t i = 0; i < sizeof(kTexts) / sizeof(kTexts[0]); i++) {
        cjwt_json_node *tape = (cjwt_json_node *)(void *)run->out.start;
        size_t len = cjwt_json_tape(tape, kMaxNodes, NULL, (const uint8_t *)kTexts[i], strlen(kTexts[i]), &kLimits[0], &fault);
        int has_escaped_name = strstr(kTexts[i], "{\"a\":0,\"\\u") != NULL;
        if ((len == 0) != has_escaped_name || (len == 0 && fault.kind != CJWT_JSON_ESCAPED_NAME)) {
            disagree(run, "text %zu is given up, or read with a name that has an escape", i);
        }
        check_text(run, kTexts[i]);
    }
    check_open_containers(run);
    check_offsets(run);
    check_many(run);
    check_json_runs(run);
    check_json_texts(run);
    check_json_names(run);
    check_followed_stops(run);
    check_shuffled(run);
}
