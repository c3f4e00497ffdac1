// cjwt_sha256_one, and SHA-256 of many messages: chooses the kernel by the number of messages.

#include "many.h"

#include <string.h>

#if defined(__x86_64__)

static void store_digest(uint8_t out[32], const uint32_t *state, size_t stride) {
    for (size_t i = 0; i < 8; i++) {
        uint32_t word = __builtin_bswap32(state[i * stride]);
        memcpy(out + 4 * i, &word, 4);
    }
}

// How a CPU that has both hashes fastest: one message, two, and from how many live lanes on in eight lanes or in sixteen.
typedef struct preference {
    sha256_stream *one;
    sha256_streams *two;
    size_t lanes_from, wide_from;
} preference;

// Cycles of the time stamp counter for one block of each message: one stream by the SHA instructions alone, or with vectors; a pair
// likewise; eight lanes; sixteen; libcrypto for one message.
//
//     Ice Lake     135    116      –    216    520    800    136      (its instructions for the message schedule are slow)
//     Zen 5         79    115    103    132    401    433     80
static const preference kWithVectors = {sha256_blocks_mixed, sha256_blocks_mixed_x2, 5, 11};
static const preference kByInstructions = {sha256_blocks_ni, sha256_blocks_ni_x2, 9, 9};

static const preference *preferred(void) {
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") ? &kByInstructions : &kWithVectors;
}

int sha_has_instructions(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3");
}

int sha_has_lanes(void) { return cjwt_ifma_available(); }

static void begin(sha_work *work, size_t lane, const cjwt_message *message) {
    sha256_cursor_begin(work->cursor[lane], message);
    for (size_t i = 0; i < 8; i++) { work->states.sha256.rows[i][lane] = sha256_initial[i]; }
}

static void move(sha_work *work, size_t to, size_t from) {
    for (size_t i = 0; i < 8; i++) { work->states.sha256.rows[i][to] = work->states.sha256.rows[i][from]; }
}

static void finish(const sha_work *work, size_t lane, uint8_t *out) {
    store_digest(out + 64 * work->message[lane], &work->states.sha256.rows[0][lane], kSHA256Lanes);
}

static void take_column(uint32_t state[8], const sha256_states *states, size_t lane) {
    for (size_t i = 0; i < 8; i++) { state[i] = states->rows[i][lane]; }
}

static void give_column(sha256_states *states, size_t lane, const uint32_t state[8]) {
    for (size_t i = 0; i < 8; i++) { states->rows[i][lane] = state[i]; }
}

// advance_few hashes lanes two by two, and an odd last one separately.
static void advance_few(sha_work *work, size_t lane, size_t live, size_t blocks, sha256_stream *stream, sha256_streams *streams) {
    sha256_states *states = &work->states.sha256;
    uint32_t a[8], b[8];
    for (; live - lane >= 2; lane += 2) {
        take_column(a, states, lane);
        take_column(b, states, lane + 1);
        streams(a, b, work->cursor[lane], work->cursor[lane + 1], blocks);
        give_column(states, lane, a);
        give_column(states, lane + 1, b);
    }
    if (lane < live) {
        take_column(a, states, lane);
        stream(a, work->cursor[lane], blocks);
        give_column(states, lane, a);
    }
}

static void advance_lanes(sha_work *work, size_t live, size_t blocks) {
    const preference *how = preferred();
    size_t done = 0;
    if (live >= how->wide_from) {
        done = live;
        sha256_blocks_x16(&work->states.sha256, 0, work->cursor, done, blocks);
    } else if (live >= how->lanes_from) {
        done = live < 8 ? live : 8;
        sha256_blocks_x8(&work->states.sha256, 0, work->cursor, done, blocks);
    }
    advance_few(work, done, live, blocks, how->one, how->two);
}

static void advance_pair(sha_work *work, size_t live, size_t blocks) {
    advance_few(work, 0, live, blocks, sha256_blocks_ni, sha256_blocks_ni_x2);
}

const sha_function sha256_in_lanes = {kSHA256Lanes, begin, advance_lanes, move, finish};
const sha_function sha256_in_pairs = {2, begin, advance_pair, move, finish};

int cjwt_sha256_one(uint8_t out[32], const uint8_t *in, size_t len) {
    if (!sha_has_instructions() || !sha_has_lanes()) { return 0; }
    const cjwt_message message = {NULL, 0, in, len};
    sha_cursor cursor;
    uint32_t state[8];
    memcpy(state, sha256_initial, sizeof state);
    sha256_cursor_begin(&cursor, &message);
    preferred()->one(state, &cursor, cursor.left);
    store_digest(out, state, 1);
    return 1;
}

#endif
