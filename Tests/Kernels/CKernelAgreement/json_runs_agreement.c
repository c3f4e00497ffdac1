// check_json_runs: json_runs_avx512.c reads usual payloads itself. Where it gives up, another reader makes the same tape, in more time, so
// that no other check notices it.

#include "agreement.h"

#include <string.h>

#if defined(__x86_64__)
#include "../../../Sources/CJWTKernels/json_runs.h"

enum { kMaxTape = 1024 };

static const char *const kPayloads[] = {
    "\"iss\":\"https://idp.example\",\"sub\":\"1\",\"aud\":[\"client-1\",\"api\"],\"exp\":1700003600,\"iat\":1.7e9,\"ok\":true}",
    "\"realm\":{\"roles\":[\"a\",\"b\",\"c\",\"d\"]},\"access\":{\"x\":{\"roles\":[\"a\"]},\"y\":{\"roles\":[\"c\"]},\"z\":{}},\"n\":0}",
    "\"name\":\"J\\u00fcrgen\",\"groups\":[\"M\\u00fcnchen\\/1\",\"\\ud83d\\ude00\",\"plain\"],\"address\":{\"a\":\"\\n\",\"in\":\"DE\"}}",
    "\"l\":[[\"a\",\"b\"],[],[1,\"c\",\"d\"],{\"e\":[\"f\",2],\"g\":\"h\"},\"i\",\"j\"],\"\":\"\",\"k\":-1,\"m\":null}",
    ("\"texts\":[\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\","
     "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"],\"n\":0}"),
    ("\"a\":\"\",\"b\":\"\",\"c\":\"\",\"d\":\"\",\"e\":\"\",\"f\":\"\",\"g\":\"\",\"h\":\"\","
     "\"i\":\"\",\"j\":\"\",\"k\":\"\",\"l\":\"\",\"m\":\"\",\"n\":\"\",\"o\":\"\",\"p\":\"\",\"q\":\"\",\"n1\":0}"),
};

static const cjwt_json_limits kWide = {16, 256, 2048, 8192, 64, 256};

// read_runs is the number of records that read_runs_avx512 makes of the text.
static size_t read_runs(
    cjwt_json_node *tape, cjwt_claims *claims, const char *text, size_t len, const cjwt_json_limits *limits) {
    static cjwt_stops stops;
    static followers followers;
    name_set set = {0};
    const uint8_t *in = (const uint8_t *)text;
    reader r = {.in = in, .in_len = len, .end = len, .tape = tape, .tape_max = kMaxTape, .set = &set, .claims = claims};
    *claims = (cjwt_claims){.are_usual = 1};
    stops.max_escapes = 256;
    (void)followed_stops_avx512(&stops, &followers, in, len);
    stops.places[stops.count] = (uint16_t)(len - 1);
    set.num_stops = stops.count;
    size_t records = read_runs_avx512(&r, &stops, &followers, limits);
    name_set_release(&set);
    return records;
}

size_t runs_read(const char *text, size_t len, const cjwt_json_limits *limits) {
    static cjwt_json_node tape[kMaxTape];
    cjwt_claims claims;
    return cjwt_kernels_named("avx512") == NULL ? SIZE_MAX : read_runs(tape, &claims, text, len, limits);
}

void check_json_runs(agreement *run) {
    static cjwt_json_node tape[kMaxTape], again[kMaxTape];
    if (cjwt_kernels_named("avx512") == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof(kPayloads) / sizeof(kPayloads[0]); i++) {
        for (size_t offset = 0; offset < 130; offset++) {
            char text[640] = "{\"before\":\"";
            size_t start = strlen(text) + offset, len = start + 2 + strlen(kPayloads[i]);
            memset(text + start - offset, 'x', offset);
            memcpy(text + start, "\",", 2);
            memcpy(text + start + 2, kPayloads[i], len - start - 2);
            cjwt_claims claims, again_claims;
            cjwt_json_fault fault;
            size_t records = read_runs(tape, &claims, text, len, &kWide);
            size_t expected = cjwt_json_tape(again, kMaxTape, &again_claims, (const uint8_t *)text, len, &kWide, &fault);
            if (records == 0 || records != expected || memcmp(tape, again, records * sizeof(*tape)) != 0) {
                disagree(run, "payload %zu behind %zu bytes: %zu records in runs, of %zu", i, offset, records, expected);
            }
            if (claims.present != again_claims.present || memcmp(claims.places, again_claims.places, sizeof(claims.places)) != 0) {
                disagree(run, "payload %zu behind %zu bytes: other claims in runs", i, offset);
            }
        }
    }
}
#else
size_t runs_read(const char *text, size_t len, const cjwt_json_limits *limits) {
    (void)text, (void)len, (void)limits;
    return SIZE_MAX;
}

void check_json_runs(agreement *run) {
    (void)run;
}
#endif
