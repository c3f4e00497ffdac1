// check_json_texts: all readers of cjwt_json_tape make the same tape of random texts, or refuse them alike.
//
// The texts have no white space, and all members and elements that the grammar has. A space before such a text leaves it to the reader of
// any text, so that text must give the same records one byte further on. Some texts have a byte that is wrong.

#include "agreement.h"

#include <stdio.h>
#include <string.h>

enum { kMaxText = 4096, kMaxRecords = 512, kNumTexts = 60000, kDeepest = 5 };

#define EIGHT_EMPTY "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\","
#define EMPTY EIGHT_EMPTY EIGHT_EMPTY EIGHT_EMPTY EIGHT_EMPTY
static const char kList[] = "{\"l\":[" EMPTY EMPTY "0]}";

// A text while it is made.
typedef struct draft {
    uint64_t *random;
    char *text;
    size_t len;
} draft;

static void put(draft *d, const char *piece) {
    size_t len = strlen(piece);
    if (d->len + len < kMaxText - 1) {
        memcpy(d->text + d->len, piece, len);
        d->len += len;
    }
}

// Strings of all lengths around those of a word and of a block, seldom with an escape, or two at any distance.
static void put_string(draft *d, int may_have_escapes) {
    static const uint8_t lengths[] = {0, 1, 2, 3, 5, 7, 8, 9, 10, 16, 31, 33, 62, 63, 64, 65, 130};
    static const char *const escapes[] = {"\\n", "\\\"", "\\\\", "\\u00fc", "\\ud83d\\ude00", "\\/"};
    char text[160] = "";
    size_t wide = random_below(d->random, 4) == 0 ? sizeof(lengths) : 9;
    // Also of bytes that mean something outside strings.
    memset(text, "aaabc:,[]{}0"[random_below(d->random, 12)], lengths[random_below(d->random, wide)]);
    put(d, "\"");
    put(d, text);
    for (size_t count = may_have_escapes && random_below(d->random, 12) == 0 ? 1 + random_below(d->random, 2) : 0; count > 0; count--) {
        put(d, escapes[random_below(d->random, sizeof(escapes) / sizeof(escapes[0]))]);
        put(d, random_below(d->random, 2) == 0 ? "" : text);
    }
    put(d, "\"");
}

// Names are seldom the same in an object. An object of many, which may have an empty one only for the reader of any text, has none.
static void put_name(draft *d, size_t ordinal, size_t count) {
    static const char *const claims[] = {"iss", "sub", "aud", "exp", "nbf", "iat", "jti", "amr", "auth_time", "client_id", "nonce"};
    char name[48];
    switch (random_below(d->random, 12) + (count < 32 ? 0 : 2)) {
        case 0: put_string(d, 0); break;
        case 1: put_string(d, 1); break;
        case 2:
        case 3: (void)snprintf(name, sizeof(name), "\"%s\"", claims[random_below(d->random, 11)]), put(d, name); break;
        case 4: (void)snprintf(name, sizeof(name), "\"a name of some length %zu\"", ordinal), put(d, name); break;
        case 5: (void)snprintf(name, sizeof(name), "\"%zu:\"", ordinal), put(d, name); break;
        default: (void)snprintf(name, sizeof(name), "\"n%zu\"", ordinal), put(d, name); break;
    }
    put(d, ":");
}

static void put_scalar(draft *d) {
    static const char *const scalars[] = {
        "0", "7", "9", "-1", "1700003600", "12345678901", "123456789012", "1234567890123456", "12345678901234567", "1.5", "-0.5E+10",
        "17e3", "0.0", "true", "false", "null",
    };
    if (random_below(d->random, 2) == 0) {
        put_string(d, 1);
    } else {
        put(d, scalars[random_below(d->random, sizeof(scalars) / sizeof(scalars[0]))]);
    }
}

static void put_container(draft *d, int is_object, size_t depth) {
    size_t count = random_below(d->random, 40) == 0 ? 20 + random_below(d->random, 40) : random_below(d->random, depth == 0 ? 12 : 5);
    // Most containers have only strings.
    int has_others = random_below(d->random, 3) == 0 || depth == 0;
    put(d, is_object ? "{" : "[");
    for (size_t i = 0; i < count; i++) {
        put(d, i == 0 ? "" : ",");
        if (is_object) {
            put_name(d, i, count);
        }
        size_t kind = has_others ? random_below(d->random, 7) : 0;
        if (kind == 6 && depth < kDeepest) {
            // The usual object in another: its only member is a list.
            put(d, "{");
            put_name(d, i, count);
            put_container(d, 0, depth + 1);
            put(d, "}");
        } else if (kind > 3 && depth < kDeepest) {
            put_container(d, kind == 4, depth + 1);
        } else if (kind > 1) {
            put_scalar(d);
        } else {
            put_string(d, 1);
        }
    }
    put(d, is_object ? "}" : "]");
}

// What one reader makes of a text.
typedef struct reading {
    size_t len;
    cjwt_json_fault fault;
    cjwt_claims claims;
} reading;

static reading read_as(const char *kernels, cjwt_json_node *tape, size_t tape_max, const uint8_t *in, size_t in_len,
                       const cjwt_json_limits *limits) {
    reading read;
    (void)cjwt_kernels_force(kernels);
    read.len = cjwt_json_tape(tape, tape_max, &read.claims, in, in_len, limits, &read.fault);
    (void)cjwt_kernels_force(NULL);
    return read;
}

static int differ(const reading *a, const cjwt_json_node *tape, const reading *b, const cjwt_json_node *other, size_t offset) {
    if (a->len == 0 || a->len != b->len) {
        return a->len != b->len || a->fault.kind != b->fault.kind || (a->fault.kind != 0 && a->fault.at + offset != b->fault.at);
    }
    int differs = memcmp(&a->claims, &b->claims, sizeof(a->claims)) != 0;
    for (size_t n = 0; n < a->len; n++) {
        differs |= tape[n].start + offset != other[n].start || memcmp(&tape[n].length, &other[n].length, 12) != 0;
    }
    return differs;
}

// The text at the end of memory and on a tape at the end of memory, by three readers: behind a space, and with two kernels.
static size_t check_text(agreement *run, const char *text, size_t len, size_t tape_max, const cjwt_json_limits *limits) {
    static const char *const names[] = {"generic", "avx2", "neon"};
    static cjwt_json_node others[2][kMaxRecords + 4];
    static char behind[kMaxText + 1] = " ";
    const char *name = names[random_below(&run->random, 3)];
    cjwt_json_node *tape = (cjwt_json_node *)(void *)(run->out.end - tape_max * sizeof(cjwt_json_node));
    uint8_t *in = memcpy(run->in.end - len, text, len);
    memcpy(behind + 1, text, len);
    reading slow = read_as(NULL, tape, tape_max, (const uint8_t *)behind, len + 1, limits);
    memcpy(others[1], tape, slow.len * sizeof(*tape));
    if (random_below(&run->random, 8) == 0) {
        // A reader must not take what this leaves on the stack for what it has found itself.
        (void)read_as(NULL, others[0], kMaxRecords, (const uint8_t *)kList, sizeof(kList) - 1, limits);
    }
    reading other = read_as(cjwt_kernels_named(name) == NULL ? "generic" : name, tape, tape_max, in, len, limits);
    memcpy(others[0], tape, other.len * sizeof(*tape));
    reading read = read_as(NULL, tape, tape_max, in, len, limits);
    if (differ(&read, tape, &slow, others[1], 1) || differ(&other, others[0], &slow, others[1], 1)) {
        disagree(run, "%zu bytes beginning %.60s: %zu, %zu and %zu records", len, text, read.len, other.len, slow.len);
    }
    return slow.len;
}

// change changes one byte, most often one that has a meaning, to another.
static void change(uint64_t *random, char *text, size_t len) {
    static const char bytes[] = "{}[],:\"\\ 0e.-ux\x7f\n";
    size_t at = random_below(random, len), kinds = sizeof(bytes) - 1;
    if (random_below(random, 3) > 0) {
        at += strcspn(text + at, "{}[],:\"") % (len - at);
        kinds = 7;
    }
    text[at] = bytes[random_below(random, kinds)];
}

// The limits that the text has just, or not.
static cjwt_json_limits drawn_limits(uint64_t *random, size_t len) {
    cjwt_json_limits limits = {8, 64, 512, kMaxText, 24, 99};
    switch (random_below(random, 12)) {
        case 0: limits.depth = (int64_t)random_below(random, 6); break;
        case 1: limits.members = (int64_t)random_below(random, 12); break;
        case 2: limits.values = (int64_t)random_below(random, 40); break;
        case 3: limits.string_bytes = (int64_t)(len - random_below(random, 2)); break;
        case 4: limits.number_bytes = (int64_t)(10 + random_below(random, 8)); break;
        case 5: limits.escapes = (int64_t)random_below(random, 4); break;
        default: break;
    }
    return limits;
}

void check_json_texts(agreement *run) {
    static const cjwt_json_limits wide = {8, 64, 512, kMaxText, 24, 99};
    static char text[kMaxText + 1];
    for (size_t round = 0; round < kNumTexts; round++) {
        draft d = {.random = &run->random, .text = text};
        // Seldom a list that begins as an object.
        put_container(&d, round % 64 != 0, 0);
        text[0] = '{';
        text[d.len] = 0;
        size_t records = check_text(run, text, d.len, kMaxRecords, &wide);
        size_t in_runs = records == 0 || d.len < 16 ? records : runs_read(text, d.len, &wide);
        if (in_runs != records && in_runs != SIZE_MAX) {
            disagree(run, "%zu bytes beginning %.60s: %zu records in runs, of %zu", d.len, text, in_runs, records);
        }
        cjwt_json_limits limits = drawn_limits(&run->random, d.len);
        size_t tape_max = records + random_below(&run->random, 6);
        (void)check_text(run, text, d.len, tape_max < 2 ? 0 : tape_max - 2, &limits);
        for (int changes = 0; changes < 2; changes++) {
            char kept[kMaxText];
            memcpy(kept, text, d.len);
            change(&run->random, text, d.len);
            (void)check_text(run, text, d.len, kMaxRecords, &limits);
            memcpy(text, kept, d.len);
        }
    }
}
