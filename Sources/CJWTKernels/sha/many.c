// cjwt_sha2_lanes chooses the function; sha_hash_many: see many.h.

#include "many.h"

#if defined(__x86_64__)

static size_t fewest_left(const sha_work *work, size_t live) {
    size_t fewest = SIZE_MAX;
    for (size_t l = 0; l < live; l++) {
        size_t left = work->cursor[l]->left;
        fewest = left < fewest ? left : fewest;
    }
    return fewest;
}

// retire_done subtracts `blocks` blocks from each live lane, writes the digests of finished messages and returns the number of live lanes.
static size_t retire_done(const sha_function *function, sha_work *work, size_t live, size_t blocks, uint8_t *out) {
    for (size_t l = live; l-- > 0;) {
        sha_cursor *cursor = work->cursor[l];
        cursor->left -= blocks;
        if (cursor->left > 0) { continue; }
        function->finish(work, l, out);
        live--;
        if (l == live) { continue; }
        function->move(work, l, live);
        work->message[l] = work->message[live];
        work->cursor[l] = work->cursor[live];
        work->cursor[live] = cursor;
    }
    return live;
}

void sha_hash_many(const sha_function *function, uint8_t *out, const cjwt_message *messages, size_t count) {
    sha_work work;
    size_t begun = 0, live = 0;
    for (size_t l = 0; l < function->lanes; l++) { work.cursor[l] = &work.cursors[l]; }
    for (;;) {
        for (; live < function->lanes && begun < count; live++, begun++) {
            work.message[live] = begun;
            function->begin(&work, live, &messages[begun]);
        }
        if (live == 0) { return; }
        size_t blocks = fewest_left(&work, live);
        function->advance(&work, live, blocks);
        live = retire_done(function, &work, live, blocks, out);
    }
}

static const sha_function *function_for(size_t digest_len, size_t count) {
    int has_lanes = sha_has_lanes();
    // With only the SHA instructions, one message is as fast as in libcrypto, which uses them too.
    if (digest_len == 32 && sha_has_instructions() && (has_lanes || count != 1)) { return has_lanes ? &sha256_in_lanes : &sha256_in_pairs; }
    if (digest_len == 32 || !has_lanes || count < sha512_fewest()) { return NULL; }
    return digest_len == 48 ? &sha384_in_lanes : digest_len == 64 ? &sha512_in_lanes : NULL;
}

int cjwt_sha2_lanes(uint8_t *out, size_t digest_len, const cjwt_message *messages, size_t count) {
    const sha_function *function = function_for(digest_len, count);
    if (function == NULL) { return 0; }
    sha_hash_many(function, out, messages, count);
    return 1;
}

#endif
