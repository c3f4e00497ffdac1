// rounds.h: the functions and the round of SHA-2 (FIPS 180-4 sections 4.1.2, 4.1.3, 6.2.2, 6.4.2) on vectors. A template: the file that
// includes it defines
//   SHA_BITS           32 for SHA-256, 64 for SHA-512
//   SHA_FEATURES       the instruction sets of its functions
//   VECTOR, PREFIX     the vector, and the beginning of its instructions' names
//
// A round is 17 instructions, the constant's addition included: with AVX-512 a rotation is one of them, and so is any function of three
// bits.

#include "sha_internal.h"

#include <immintrin.h>

#define SHA_TARGET __attribute__((target(SHA_FEATURES)))
#define SHA_INLINE static inline __attribute__((target(SHA_FEATURES), always_inline))

#define JOIN_(PREFIX, NAME, BITS) PREFIX##_##NAME##_epi##BITS
#define JOIN(PREFIX, NAME, BITS) JOIN_(PREFIX, NAME, BITS)
#define OPERATION(NAME) JOIN(PREFIX, NAME, SHA_BITS)
#define ADD OPERATION(add)
#define ROTATE OPERATION(ror)  // to the right
#define SHIFT OPERATION(srli)
#define TERNARY OPERATION(ternarylogic)

#if SHA_BITS == 32
#define SHA_ROUNDS 64
#define SHA_BLOCK kSHA256Block
#define SHA_WORD uint32_t
#define SHA_INTEGER int
#define SHA_STATES sha256_states
#define SHA_CONSTANTS sha256_constants
#define LARGE_0(x) XOR3(ROTATE(x, 2), ROTATE(x, 13), ROTATE(x, 22))
#define LARGE_1(x) XOR3(ROTATE(x, 6), ROTATE(x, 11), ROTATE(x, 25))
#define SMALL_0(x) XOR3(ROTATE(x, 7), ROTATE(x, 18), SHIFT(x, 3))
#define SMALL_1(x) XOR3(ROTATE(x, 17), ROTATE(x, 19), SHIFT(x, 10))
#else
#define SHA_ROUNDS 80
#define SHA_BLOCK kSHA512Block
#define SHA_WORD uint64_t
#define SHA_INTEGER long long
#define SHA_STATES sha512_states
#define SHA_CONSTANTS sha512_constants
#define LARGE_0(x) XOR3(ROTATE(x, 28), ROTATE(x, 34), ROTATE(x, 39))
#define LARGE_1(x) XOR3(ROTATE(x, 14), ROTATE(x, 18), ROTATE(x, 41))
#define SMALL_0(x) XOR3(ROTATE(x, 1), ROTATE(x, 8), SHIFT(x, 7))
#define SMALL_1(x) XOR3(ROTATE(x, 19), ROTATE(x, 61), SHIFT(x, 6))
#endif

// Truth tables: bit 4x + 2y + z is the result for the bits x, y, z of the operands in their order.
#define XOR3(a, b, c) TERNARY(a, b, c, 0x96)
// The result replaces the first operand: of a choice and a majority, the one that is unused soonest, which saves a copy.
#define CHOICE(a, b, c) TERNARY(c, b, a, 0xd8)
#define MAJORITY(a, b, c) TERNARY(c, b, a, 0xe8)

// round_step is round i modulo 8: the state stays in place and its names rotate, so that a is s[-i].
SHA_INLINE void round_step(VECTOR s[8], unsigned i, VECTOR word_and_constant) {
    VECTOR a = s[(0 - i) & 7], b = s[(1 - i) & 7], c = s[(2 - i) & 7];
    VECTOR e = s[(4 - i) & 7], f = s[(5 - i) & 7], g = s[(6 - i) & 7], h = s[(7 - i) & 7];
    VECTOR first = ADD(ADD(ADD(h, word_and_constant), CHOICE(e, f, g)), LARGE_1(e));
    s[(3 - i) & 7] = ADD(s[(3 - i) & 7], first);
    s[(7 - i) & 7] = ADD(first, ADD(MAJORITY(a, b, c), LARGE_0(a)));
}

// two_lanes puts sixteen bytes of one lane below sixteen of another.
SHA_INLINE __m256i two_lanes(const uint8_t *low, const uint8_t *high) {
    __m256i first = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low));
    return _mm256_inserti128_si256(first, _mm_loadu_si128((const __m128i *)high), 1);
}
