// sha_hash_many: see many.h.

#include "many.h"

#if defined(__x86_64__)

static void begin_lane(const sha_function *function, sha_work *work, size_t lane, const cjwt_message *messages, size_t message) {
    work->message[lane] = message;
    sha_cursor_begin(work->cursor[lane], &messages[message], function->block);
    function->begin(work, lane);
}

// shortest_run sets every lane's blocks and returns how many all of the live ones have.
static size_t shortest_run(sha_work *work, size_t live, size_t lanes) {
    size_t shortest = SIZE_MAX;
    for (size_t l = 0; l < live; l++) {
        size_t run = sha_cursor_blocks(work->cursor[l]);
        work->blocks[l] = work->cursor[l]->run->blocks;
        shortest = run < shortest ? run : shortest;
    }
    for (size_t l = live; l < lanes; l++) { work->blocks[l] = work->blocks[0]; }
    return shortest;
}

// retire_done writes the digests of the lanes that are done and returns how many are live.
static size_t retire_done(const sha_function *function, sha_work *work, size_t live, uint8_t *out) {
    for (size_t l = live; l-- > 0;) {
        sha_cursor *done = work->cursor[l];
        if (sha_cursor_blocks(done) > 0) { continue; }
        function->finish(work, l, out);
        live--;
        work->cursor[l] = work->cursor[live];
        work->cursor[live] = done;
        work->message[l] = work->message[live];
        function->move(work, l, live);
    }
    return live;
}

void sha_hash_many(const sha_function *function, uint8_t *out, const cjwt_message *messages, size_t count) {
    sha_work work;
    size_t begun = 0, live = 0;
    for (size_t l = 0; l < function->lanes; l++) { work.cursor[l] = &work.cursors[l]; }
    for (;;) {
        while (live < function->lanes && begun < count) { begin_lane(function, &work, live++, messages, begun++); }
        if (live == 0) { return; }
        size_t blocks = shortest_run(&work, live, function->lanes);
        function->advance(&work, live, blocks);
        for (size_t l = 0; l < live; l++) { sha_cursor_skip(work.cursor[l], blocks, function->block); }
        live = retire_done(function, &work, live, out);
    }
}

#endif
