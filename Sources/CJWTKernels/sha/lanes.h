// lanes.h: SHA-2's compression function (FIPS 180-4 sections 6.2.2 and 6.4.2) for as many messages as a vector has words, one in each
// lane. A template: the file that includes it defines
//   LANES_NAME, LANES_STATES   the function's name and the type of its states
//   LANES, LANES_BITS          how many lanes of how many bits: 32 for SHA-256, 64 for SHA-512
//   VECTOR, ADD, ROTATE, SHIFT, TERNARY, BROADCAST, LOAD, STORE   the vector and its instructions, rotations to the right
//   load_block                 a function that reads one block of each lane, word i of all lanes to w[i], in the order of the CPU
//
// A round is 17 instructions and a word of the schedule 11; with AVX-512 a rotation is one of them, and so is any function of three bits.
// The sixteen words and the state stay in registers.

#if LANES_BITS == 32
#define LANES_ROUNDS 64
#define LANES_BLOCK kSHA256Block
#define LANES_WORD uint32_t
#define LANES_CONSTANTS sha256_constants
#define LARGE_0(x) XOR3(ROTATE(x, 2), ROTATE(x, 13), ROTATE(x, 22))
#define LARGE_1(x) XOR3(ROTATE(x, 6), ROTATE(x, 11), ROTATE(x, 25))
#define SMALL_0(x) XOR3(ROTATE(x, 7), ROTATE(x, 18), SHIFT(x, 3))
#define SMALL_1(x) XOR3(ROTATE(x, 17), ROTATE(x, 19), SHIFT(x, 10))
#else
#define LANES_ROUNDS 80
#define LANES_BLOCK kSHA512Block
#define LANES_WORD uint64_t
#define LANES_CONSTANTS sha512_constants
#define LARGE_0(x) XOR3(ROTATE(x, 28), ROTATE(x, 34), ROTATE(x, 39))
#define LARGE_1(x) XOR3(ROTATE(x, 14), ROTATE(x, 18), ROTATE(x, 41))
#define SMALL_0(x) XOR3(ROTATE(x, 1), ROTATE(x, 8), SHIFT(x, 7))
#define SMALL_1(x) XOR3(ROTATE(x, 19), ROTATE(x, 61), SHIFT(x, 6))
#endif

// Truth tables: bit 4a + 2b + c is the result for the bits a, b, c.
#define XOR3(a, b, c) TERNARY(a, b, c, 0x96)
#define CHOICE(a, b, c) TERNARY(a, b, c, 0xca)
#define MAJORITY(a, b, c) TERNARY(a, b, c, 0xe8)

// round_step is round i modulo 8: the state stays where it is and its names move on, so that a is s[-i].
LANES_INLINE void round_step(VECTOR s[8], unsigned i, VECTOR word_and_constant) {
    VECTOR a = s[(0 - i) & 7], b = s[(1 - i) & 7], c = s[(2 - i) & 7];
    VECTOR e = s[(4 - i) & 7], f = s[(5 - i) & 7], g = s[(6 - i) & 7], h = s[(7 - i) & 7];
    VECTOR first = ADD(ADD(ADD(h, word_and_constant), CHOICE(e, f, g)), LARGE_1(e));
    s[(3 - i) & 7] = ADD(s[(3 - i) & 7], first);
    s[(7 - i) & 7] = ADD(ADD(first, MAJORITY(a, b, c)), LARGE_0(a));
}

// schedule_step replaces word i - 16 of the message schedule by word i, modulo 16.
LANES_INLINE void schedule_step(VECTOR w[16], unsigned i) {
    VECTOR early = ADD(w[i & 15], SMALL_0(w[(i + 1) & 15]));
    w[i & 15] = ADD(ADD(early, w[(i + 9) & 15]), SMALL_1(w[(i + 14) & 15]));
}

LANES_INLINE void compress(VECTOR s[8], VECTOR w[16]) {
    const LANES_WORD *constants = LANES_CONSTANTS;
    // Keeps the compiler from spreading the first sixteen over a kilobyte of stack, once for all blocks: reading them where they are used is
    // free.
    __asm__ volatile("" : "+r"(constants));
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < 16; i++) { round_step(s, i, ADD(w[i], BROADCAST(constants[i]))); }
#pragma clang loop unroll(disable)
    for (unsigned r = 16; r < LANES_ROUNDS; r += 16) {
#pragma clang loop unroll(full)
        for (unsigned i = 0; i < 16; i++) {
            schedule_step(w, i);
            round_step(s, i, ADD(w[i], BROADCAST(constants[r + i])));
        }
    }
}

// next_blocks is the next block of each lane. A lane that is not live reads what the first one reads.
LANES_INLINE void next_blocks(const uint8_t *blocks[LANES], sha_cursor *const *cursors, size_t live) {
    for (size_t l = 0; l < live; l++) { blocks[l] = sha_cursor_next(cursors[l], LANES_BLOCK); }
    for (size_t l = live; l < LANES; l++) { blocks[l] = blocks[0]; }
}

LANES_TARGET void LANES_NAME(LANES_STATES *states, size_t first, sha_cursor *const *cursors, size_t live, size_t count) {
    VECTOR s[8];
    for (unsigned i = 0; i < 8; i++) { s[i] = LOAD(&states->rows[i][first]); }
    for (size_t k = 0; k < count; k++) {
        const uint8_t *blocks[LANES];
        VECTOR w[16], before[8];
        next_blocks(blocks, cursors, live);
        load_block(w, blocks);
        for (unsigned i = 0; i < 8; i++) { before[i] = s[i]; }
        compress(s, w);
        for (unsigned i = 0; i < 8; i++) { s[i] = ADD(s[i], before[i]); }
    }
    for (unsigned i = 0; i < 8; i++) { STORE(&states->rows[i][first], s[i]); }
}
