// sha256_mixed.h: the message schedule of SHA-256 in AVX-512 vectors, in parallel with rounds by the SHA instructions.
//
// SHA256MSG1 and SHA256MSG2 can begin only every fifth and seventh cycle (measured, Ice Lake) and delay the rounds, which could begin every
// fourth. Instead, twenty vector instructions for four words of the schedule run in parallel with the rounds.
//
// A template, because the words of one stream are in a 128-bit register and those of two in the halves of a 256-bit one. The file that
// includes it defines VECTOR and PREFIX for rounds.h, and ALIGN, BYTES_DOWN and BYTES_UP, which operate within each 128 bits.

#include "sha256_ni.h"

#define SHA_BITS 32
#define SHA_FEATURES "sha,avx512f,avx512vl"

#include "rounds.h"

// schedule replaces the oldest four words by the four that follow the newest. The last two of these depend on the first two.
SHA_INLINE void schedule(VECTOR w[4], unsigned group) {
    VECTOR oldest = w[group & 3], newest = w[(group + 3) & 3];
    VECTOR one_on = ALIGN(w[(group + 1) & 3], oldest, 4), nine_on = ALIGN(newest, w[(group + 2) & 3], 4);
    VECTOR early = ADD(ADD(oldest, nine_on), SMALL_0(one_on));
    // Zeros are shifted in, and SMALL_1 of zero is zero.
    VECTOR last_two = BYTES_DOWN(newest, 8);
    VECTOR first_two = ADD(early, SMALL_1(last_two));
    VECTOR moved = BYTES_UP(first_two, 8);
    w[group & 3] = ADD(first_two, SMALL_1(moved));
}
