// sha256_mixed.h: the message schedule of SHA-256 by AVX-512's vectors, beside rounds by the SHA instructions.
//
// SHA256MSG1 and SHA256MSG2 begin only every fifth and seventh cycle (measured, Ice Lake) and hold the rounds up, which could begin every
// fourth. Twenty vector instructions for four words of the schedule run beside them instead.
//
// A template, as the words of one stream lie in a 128-bit register and those of two in the halves of a 256-bit one. The file that includes
// it defines VECTOR, ADD, ROTATE, SHIFT, TERNARY, ALIGN, BYTES_DOWN and BYTES_UP, of which the last three work in each 128 bits.

#include "sha256_ni.h"

#define MIXED __attribute__((target("sha,avx512f,avx512vl")))
#define MIXED_INLINE static inline __attribute__((target("sha,avx512f,avx512vl"), always_inline))

#define XOR3(a, b, c) TERNARY(a, b, c, 0x96)
#define SMALL_0(x) XOR3(ROTATE(x, 7), ROTATE(x, 18), SHIFT(x, 3))
#define SMALL_1(x) XOR3(ROTATE(x, 17), ROTATE(x, 19), SHIFT(x, 10))

// schedule replaces the oldest four words by the four that follow the newest. The last two of these need the first two.
MIXED_INLINE void schedule(VECTOR w[4], unsigned group) {
    VECTOR oldest = w[group & 3], newest = w[(group + 3) & 3];
    VECTOR one_on = ALIGN(w[(group + 1) & 3], oldest, 4), nine_on = ALIGN(newest, w[(group + 2) & 3], 4);
    VECTOR early = ADD(ADD(oldest, nine_on), SMALL_0(one_on));
    // Zeros are shifted in, and what SMALL_1 makes of zero is zero.
    VECTOR last_two = BYTES_DOWN(newest, 8);
    VECTOR first_two = ADD(early, SMALL_1(last_two));
    VECTOR moved = BYTES_UP(first_two, 8);
    w[group & 3] = ADD(first_two, SMALL_1(moved));
}
