// rounds.h: the functions and the round of SHA-2 (FIPS 180-4 sections 4.1.2, 4.1.3, 6.2.2, 6.4.2) on vectors. A template: the file that
// includes it defines
//   SHA_BITS        32 for SHA-256, 64 for SHA-512
//   SHA_INLINE      how its functions are declared
//   VECTOR, ADD, ROTATE, SHIFT, TERNARY   the vector and its instructions, rotations to the right
//
// A round is 17 instructions, the constant's addition included: with AVX-512 a rotation is one of them, and so is any function of three
// bits.

#if SHA_BITS == 32
#define SHA_ROUNDS 64
#define SHA_BLOCK kSHA256Block
#define SHA_WORD uint32_t
#define SHA_CONSTANTS sha256_constants
#define LARGE_0(x) XOR3(ROTATE(x, 2), ROTATE(x, 13), ROTATE(x, 22))
#define LARGE_1(x) XOR3(ROTATE(x, 6), ROTATE(x, 11), ROTATE(x, 25))
#define SMALL_0(x) XOR3(ROTATE(x, 7), ROTATE(x, 18), SHIFT(x, 3))
#define SMALL_1(x) XOR3(ROTATE(x, 17), ROTATE(x, 19), SHIFT(x, 10))
#else
#define SHA_ROUNDS 80
#define SHA_BLOCK kSHA512Block
#define SHA_WORD uint64_t
#define SHA_CONSTANTS sha512_constants
#define LARGE_0(x) XOR3(ROTATE(x, 28), ROTATE(x, 34), ROTATE(x, 39))
#define LARGE_1(x) XOR3(ROTATE(x, 14), ROTATE(x, 18), ROTATE(x, 41))
#define SMALL_0(x) XOR3(ROTATE(x, 1), ROTATE(x, 8), SHIFT(x, 7))
#define SMALL_1(x) XOR3(ROTATE(x, 19), ROTATE(x, 61), SHIFT(x, 6))
#endif

// Truth tables: bit 4x + 2y + z is the result for the bits x, y, z of the operands in their order.
#define XOR3(a, b, c) TERNARY(a, b, c, 0x96)
// The result replaces the first operand: of a choice and a majority, the one that is needed no more the soonest, which saves a copy.
#define CHOICE(a, b, c) TERNARY(c, b, a, 0xd8)
#define MAJORITY(a, b, c) TERNARY(c, b, a, 0xe8)

// round_step is round i modulo 8: the state stays where it is and its names move on, so that a is s[-i].
SHA_INLINE void round_step(VECTOR s[8], unsigned i, VECTOR word_and_constant) {
    VECTOR a = s[(0 - i) & 7], b = s[(1 - i) & 7], c = s[(2 - i) & 7];
    VECTOR e = s[(4 - i) & 7], f = s[(5 - i) & 7], g = s[(6 - i) & 7], h = s[(7 - i) & 7];
    VECTOR first = ADD(ADD(ADD(h, word_and_constant), CHOICE(e, f, g)), LARGE_1(e));
    s[(3 - i) & 7] = ADD(s[(3 - i) & 7], first);
    s[(7 - i) & 7] = ADD(first, ADD(MAJORITY(a, b, c), LARGE_0(a)));
}
