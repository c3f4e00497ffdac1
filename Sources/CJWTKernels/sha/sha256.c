// cjwt_sha256_many, cjwt_sha256_one: which kernel for how many messages.

#include "many.h"

#include <string.h>

static void store_digest(uint8_t out[32], const uint32_t *state, size_t stride) {
    for (size_t i = 0; i < 8; i++) {
        uint32_t word = __builtin_bswap32(state[i * stride]);
        memcpy(out + 4 * i, &word, 4);
    }
}

#if defined(__x86_64__)

enum {
    // From so many live lanes on the lanes win against the SHA instructions, and the sixteen against eight and the rest.
    kLanesFrom = 4,
    kWideFrom = 11,
};

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
    store_digest(out + 32 * work->message[lane], &work->states.sha256.rows[0][lane], kSHA256Lanes);
}

static void take_column(uint32_t state[8], const sha256_states *states, size_t lane) {
    for (size_t i = 0; i < 8; i++) { state[i] = states->rows[i][lane]; }
}

static void give_column(sha256_states *states, size_t lane, const uint32_t state[8]) {
    for (size_t i = 0; i < 8; i++) { states->rows[i][lane] = state[i]; }
}

// advance_few takes lanes two by two, and the last by itself where they are odd.
static void advance_few(sha_work *work, size_t lane, size_t live, size_t blocks) {
    sha256_states *states = &work->states.sha256;
    uint32_t a[8], b[8];
    for (; live - lane >= 2; lane += 2) {
        take_column(a, states, lane);
        take_column(b, states, lane + 1);
        sha256_blocks_ni_x2(a, b, work->cursor[lane], work->cursor[lane + 1], blocks);
        give_column(states, lane, a);
        give_column(states, lane + 1, b);
    }
    if (lane < live) {
        take_column(a, states, lane);
        sha256_blocks_ni(a, work->cursor[lane], blocks);
        give_column(states, lane, a);
    }
}

static void advance_lanes(sha_work *work, size_t live, size_t blocks) {
    sha256_states *states = &work->states.sha256;
    size_t lane = 0;
    if (live >= kWideFrom) {
        sha256_blocks_x16(states, 0, work->cursor, live, blocks);
        return;
    }
    if (live >= kLanesFrom) {
        lane = live < 8 ? live : 8;
        sha256_blocks_x8(states, 0, work->cursor, lane, blocks);
    }
    advance_few(work, lane, live, blocks);
}

static void advance_pairs(sha_work *work, size_t live, size_t blocks) { advance_few(work, 0, live, blocks); }

int cjwt_sha256_many(uint8_t (*out)[32], const cjwt_message *messages, size_t count) {
    static const sha_function lanes = {kSHA256Lanes, begin, advance_lanes, move, finish};
    static const sha_function pairs = {2, begin, advance_pairs, move, finish};
    if (!sha_has_instructions()) { return 0; }
    sha_hash_many(sha_has_lanes() && count >= kLanesFrom ? &lanes : &pairs, out[0], messages, count);
    return 1;
}

int cjwt_sha256_one(uint8_t out[32], const uint8_t *in, size_t len) {
    if (!sha_has_instructions()) { return 0; }
    const cjwt_message message = {NULL, 0, in, len};
    sha_cursor cursor;
    uint32_t state[8];
    memcpy(state, sha256_initial, sizeof state);
    sha256_cursor_begin(&cursor, &message);
    sha256_blocks_ni(state, &cursor, cursor.left);
    store_digest(out, state, 1);
    return 1;
}

#else

int cjwt_sha256_many(uint8_t (*out)[32], const cjwt_message *messages, size_t count) {
    (void)out, (void)messages, (void)count;
    return 0;
}

int cjwt_sha256_one(uint8_t out[32], const uint8_t *in, size_t len) {
    (void)out, (void)in, (void)len;
    return 0;
}

#endif
