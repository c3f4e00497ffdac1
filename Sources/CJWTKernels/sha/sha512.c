// cjwt_sha512_many, cjwt_sha384_many: which kernel for how many messages.

#include "many.h"

#include <string.h>

#if defined(__x86_64__)

// From so many live lanes on eight win against four. A block of each takes, in cycles of the time stamp counter (Ice Lake): one lane 500,
// four 630, eight 950; libcrypto takes 560 for one.
enum { kWideFrom = 5 };

static void begin(sha_work *work, size_t lane, const cjwt_message *message, const uint64_t initial[8]) {
    sha512_cursor_begin(work->cursor[lane], message);
    for (size_t i = 0; i < 8; i++) { work->states.sha512.rows[i][lane] = initial[i]; }
}

static void begin_384(sha_work *work, size_t lane, const cjwt_message *message) { begin(work, lane, message, sha384_initial); }

static void begin_512(sha_work *work, size_t lane, const cjwt_message *message) { begin(work, lane, message, sha512_initial); }

static void move(sha_work *work, size_t to, size_t from) {
    for (size_t i = 0; i < 8; i++) { work->states.sha512.rows[i][to] = work->states.sha512.rows[i][from]; }
}

static void finish_words(const sha_work *work, size_t lane, uint8_t *out, size_t words) {
    for (size_t i = 0; i < words; i++) {
        uint64_t word = __builtin_bswap64(work->states.sha512.rows[i][lane]);
        memcpy(out + 8 * (words * work->message[lane] + i), &word, 8);
    }
}

static void finish_384(const sha_work *work, size_t lane, uint8_t *out) { finish_words(work, lane, out, 6); }

static void finish_512(const sha_work *work, size_t lane, uint8_t *out) { finish_words(work, lane, out, 8); }

static void advance(sha_work *work, size_t live, size_t blocks) {
    sha512_lanes *kernel = live >= kWideFrom ? sha512_blocks_x8 : live > 1 ? sha512_blocks_x4 : sha512_blocks_x1;
    kernel(&work->states.sha512, 0, work->cursor, live, blocks);
}

int cjwt_sha384_many(uint8_t (*out)[48], const cjwt_message *messages, size_t count) {
    static const sha_function function = {kSHA512Lanes, begin_384, advance, move, finish_384};
    if (!sha_has_lanes()) { return 0; }
    sha_hash_many(&function, (uint8_t *)out, messages, count);
    return 1;
}

int cjwt_sha512_many(uint8_t (*out)[64], const cjwt_message *messages, size_t count) {
    static const sha_function function = {kSHA512Lanes, begin_512, advance, move, finish_512};
    if (!sha_has_lanes()) { return 0; }
    sha_hash_many(&function, (uint8_t *)out, messages, count);
    return 1;
}

#else

int cjwt_sha384_many(uint8_t (*out)[48], const cjwt_message *messages, size_t count) {
    (void)out, (void)messages, (void)count;
    return 0;
}

int cjwt_sha512_many(uint8_t (*out)[64], const cjwt_message *messages, size_t count) {
    (void)out, (void)messages, (void)count;
    return 0;
}

#endif
