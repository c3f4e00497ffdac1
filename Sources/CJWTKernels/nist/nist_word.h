// nist_word.h: numbers of a fixed count of 64-bit limbs, least significant first. Shared by all curves and by field and order.
//
// Every function takes the count of limbs as an argument and is always inlined with a constant, so its loops unroll. All functions are
// variable time: signatures and public keys are public.

#ifndef NIST_WORD_H
#define NIST_WORD_H

#include <stddef.h>
#include <stdint.h>

#define NIST_INLINE static inline __attribute__((always_inline))

// Marks a loop of so few rounds that it should be fully unrolled.
#define NIST_UNROLL _Pragma("GCC unroll 9")

__extension__ typedef unsigned __int128 nist_u128;
__extension__ typedef __int128 nist_i128;

// The maximum number of limbs (P-521), in radix 2^64 and in the inversion's radix 2^62.
enum { kNistMaxLimbs = 9, kNistMaxLimbs62 = 10 };

#if defined(__has_builtin)
#if __has_builtin(__builtin_addcll) && __has_builtin(__builtin_subcll)
#define NIST_CARRY_BUILTINS 1
#endif
#endif

// add_carry returns a + b + carry; carry is zero or one, before and after.
// Contract: carry <= 1 => return + 2^64 carry' = a + b + carry, carry' <= 1
NIST_INLINE uint64_t add_carry(uint64_t a, uint64_t b, uint64_t *carry) {
#if defined(NIST_CARRY_BUILTINS)
    unsigned long long out;
    uint64_t sum = __builtin_addcll(a, b, *carry, &out);
    *carry = out;
    return sum;
#else
    nist_u128 sum = (nist_u128)a + b + *carry;
    *carry = (uint64_t)(sum >> 64);
    return (uint64_t)sum;
#endif
}

// sub_borrow returns a - b - borrow; borrow is zero or one, before and after.
// Contract: borrow <= 1 => return - 2^64 borrow' = a - b - borrow, borrow' <= 1
NIST_INLINE uint64_t sub_borrow(uint64_t a, uint64_t b, uint64_t *borrow) {
#if defined(NIST_CARRY_BUILTINS)
    unsigned long long out;
    uint64_t difference = __builtin_subcll(a, b, *borrow, &out);
    *borrow = out;
    return difference;
#else
    nist_u128 difference = (nist_u128)a - b - *borrow;
    *borrow = (uint64_t)(difference >> 64) & 1;
    return (uint64_t)difference;
#endif
}

// multiply_add returns the low word of a * b + c + *carry and stores the high one in *carry: at most (2^64-1)^2 + 2 (2^64-1) < 2^128.
// Contract: => return + 2^64 carry' = a b + c + carry
NIST_INLINE uint64_t multiply_add(uint64_t a, uint64_t b, uint64_t c, uint64_t *carry) {
    nist_u128 t = (nist_u128)a * b + c + *carry;
    *carry = (uint64_t)(t >> 64);
    return (uint64_t)t;
}

// number_sub returns the borrow of r = a - b.
// Contract: => r - 2^(64 limbs) return = a - b, return <= 1
NIST_INLINE uint64_t number_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, int limbs) {
    uint64_t borrow = 0;
    for (int i = 0; i < limbs; i++) { r[i] = sub_borrow(a[i], b[i], &borrow); }
    return borrow;
}

// Contract: => r + 2^(64 limbs) return = a + b, return <= 1
NIST_INLINE uint64_t number_add(uint64_t *r, const uint64_t *a, const uint64_t *b, int limbs) {
    uint64_t carry = 0;
    for (int i = 0; i < limbs; i++) { r[i] = add_carry(a[i], b[i], &carry); }
    return carry;
}

// Contract: => return = [a < b]
NIST_INLINE int number_is_below(const uint64_t *a, const uint64_t *b, int limbs) {
    uint64_t borrow = 0;
    for (int i = 0; i < limbs; i++) { (void)sub_borrow(a[i], b[i], &borrow); }
    return (int)borrow;
}

// Contract: => return = [a = 0]
NIST_INLINE int number_is_zero(const uint64_t *a, int limbs) {
    uint64_t any = 0;
    for (int i = 0; i < limbs; i++) { any |= a[i]; }
    return any == 0;
}

// Contract: => return = [a = 1]
NIST_INLINE int number_is_one(const uint64_t *a, int limbs) {
    uint64_t any = a[0] ^ 1;
    for (int i = 1; i < limbs; i++) { any |= a[i]; }
    return any == 0;
}

// Contract: => return = [a = b]
NIST_INLINE int number_is_equal(const uint64_t *a, const uint64_t *b, int limbs) {
    uint64_t any = 0;
    for (int i = 0; i < limbs; i++) { any |= a[i] ^ b[i]; }
    return any == 0;
}

// number_reduce_once reduces carry * 2^(64 limbs) + t, below 2m, to its residue.
// Contract: carry <= 1, t + 2^(64 limbs) carry < 2 m => r = t + 2^(64 limbs) carry (mod m), r < m
NIST_INLINE void number_reduce_once(uint64_t *r, const uint64_t *t, uint64_t carry, const uint64_t *m, int limbs) {
    uint64_t reduced[kNistMaxLimbs];
    uint64_t borrow = number_sub(reduced, t, m, limbs);
    uint64_t keep = (uint64_t)0 - (borrow & (carry ^ 1));
    for (int i = 0; i < limbs; i++) { r[i] = (t[i] & keep) | (reduced[i] & ~keep); }
}

// number_read reads 8 * limbs bytes, most significant first.
// Contract: => r = bytes
NIST_INLINE void number_read(uint64_t *r, const uint8_t *bytes, int limbs) {
    for (int i = 0; i < limbs; i++) {
        const uint8_t *at = bytes + 8 * (limbs - 1 - i);
        uint64_t word = 0;
        for (int j = 0; j < 8; j++) { word = word << 8 | at[j]; }
        r[i] = word;
    }
}

// number_read_bytes reads a number of any count of bytes up to 8 * limbs, most significant first.
NIST_INLINE void number_read_bytes(uint64_t *r, const uint8_t *bytes, int count, int limbs) {
    const int whole = count / 8, rest = count % 8;
    number_read(r, bytes + rest, whole);
    for (int i = whole; i < limbs; i++) { r[i] = 0; }
    for (int i = 0; i < rest; i++) { r[whole] = r[whole] << 8 | bytes[i]; }
}

#endif
