// lanes.h: SHA-2's compression function for as many messages as a vector has words, one in each lane. A template: the file that includes it
// defines the macros that rounds.h needs, LANES, how many there are, and LANES_NAME, the function's name. After including this, it defines
// load_block, which reads one block of each lane, word i of all lanes to w[i], in the order of the CPU.
//
// A round is 17 instructions and a word of the schedule 11. The sixteen words and the state stay in registers.

#include "rounds.h"

#if SHA_BITS == 64 && LANES == 4
#define BROADCAST _mm256_set1_epi64x
#else
#define BROADCAST OPERATION(set1)
#endif

SHA_INLINE void load_block(VECTOR w[16], const uint8_t *const blocks[LANES]);

// schedule_step replaces word i - 16 of the message schedule by word i, modulo 16.
SHA_INLINE void schedule_step(VECTOR w[16], unsigned i) {
    VECTOR early = ADD(w[i & 15], SMALL_0(w[(i + 1) & 15]));
    w[i & 15] = ADD(ADD(early, w[(i + 9) & 15]), SMALL_1(w[(i + 14) & 15]));
}

SHA_INLINE void compress(VECTOR s[8], VECTOR w[16]) {
    const SHA_WORD *constants = SHA_CONSTANTS;
    // Stops the compiler from broadcasting the first sixteen constants to a kilobyte of stack, once for all blocks: reading each where it
    // is used costs nothing.
    __asm__ volatile("" : "+r"(constants));
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < 16; i++) { round_step(s, i, ADD(w[i], BROADCAST((SHA_INTEGER)constants[i]))); }
#pragma clang loop unroll(disable)
    for (unsigned r = 16; r < SHA_ROUNDS; r += 16) {
#pragma clang loop unroll(full)
        for (unsigned i = 0; i < 16; i++) {
            schedule_step(w, i);
            round_step(s, i, ADD(w[i], BROADCAST((SHA_INTEGER)constants[r + i])));
        }
    }
}

// next_blocks is the next block of each lane. An idle lane reads the first lane's block.
SHA_INLINE void next_blocks(const uint8_t *blocks[LANES], sha_cursor *const *cursors, size_t live) {
    for (size_t l = 0; l < live; l++) { blocks[l] = sha_cursor_next(cursors[l], SHA_BLOCK); }
    for (size_t l = live; l < LANES; l++) { blocks[l] = blocks[0]; }
}

SHA_INLINE VECTOR *row_of(SHA_STATES *states, unsigned i, size_t first) { return (VECTOR *)(void *)&states->rows[i][first]; }

SHA_TARGET void LANES_NAME(SHA_STATES *states, size_t first, sha_cursor *const *cursors, size_t live, size_t count) {
    VECTOR s[8];
    for (unsigned i = 0; i < 8; i++) { s[i] = *row_of(states, i, first); }
    for (size_t k = 0; k < count; k++) {
        const uint8_t *blocks[LANES];
        VECTOR w[16], before[8];
        next_blocks(blocks, cursors, live);
        load_block(w, blocks);
        for (unsigned i = 0; i < 8; i++) { before[i] = s[i]; }
        compress(s, w);
        for (unsigned i = 0; i < 8; i++) { s[i] = ADD(s[i], before[i]); }
    }
    for (unsigned i = 0; i < 8; i++) { *row_of(states, i, first) = s[i]; }
}
