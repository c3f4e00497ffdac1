// SHA-384 and SHA-512 of many messages: chooses the kernel by their number.

#include "many.h"

#include <string.h>

#if defined(__x86_64__)

// From this many live lanes on, eight lanes are faster than four. Cycles of the time stamp counter for one block of each message: one lane,
// four, eight; libcrypto for one message.
//
//     Ice Lake     500    630    950    560
//     Zen 5        495    500    540    281    (its vector instructions take two cycles, so one lane waits for them)
enum { kWideFrom = 5 };

size_t sha512_fewest(void) {
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") ? 2 : 1;
}

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
        memcpy(out + 64 * work->message[lane] + 8 * i, &word, 8);
    }
}

static void finish_384(const sha_work *work, size_t lane, uint8_t *out) { finish_words(work, lane, out, 6); }

static void finish_512(const sha_work *work, size_t lane, uint8_t *out) { finish_words(work, lane, out, 8); }

static void advance(sha_work *work, size_t live, size_t blocks) {
    sha512_lanes *kernel = live >= kWideFrom ? sha512_blocks_x8 : live > 1 ? sha512_blocks_x4 : sha512_blocks_x1;
    kernel(&work->states.sha512, 0, work->cursor, live, blocks);
}

const sha_function sha384_in_lanes = {kSHA512Lanes, begin_384, advance, move, finish_384};
const sha_function sha512_in_lanes = {kSHA512Lanes, begin_512, advance, move, finish_512};

#endif
