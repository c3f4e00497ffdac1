// rsa_scalar_rows.h: sums, and products of a row of eight limbs with a long number.

#ifndef CJWT_RSA_SCALAR_ROWS_H
#define CJWT_RSA_SCALAR_ROWS_H

#include "../nist/nist_word.h"
#include "rsa_scalar.h"

// Unrolled, so that the limbs of a row stay in registers.
#define UNROLL_ROW _Pragma("GCC unroll 16")

// Contract: => q = t inverse (mod 2^512)
SCALAR_INLINE void low_product(uint64_t *q, const uint64_t *t, const uint64_t *inverse) {
    uint64_t sum[kRowLimbs] = {0};
    UNROLL_ROW for (int i = 0; i < kRowLimbs; i++) {
        uint64_t high[kRowLimbs], carry = 0;
        UNROLL_ROW for (int j = 0; j < kRowLimbs - i; j++) {
            nist_u128 product = (nist_u128)t[i] * inverse[j];
            high[j] = (uint64_t)(product >> 64);
            sum[i + j] = add_carry(sum[i + j], (uint64_t)product, &carry);
        }
        carry = 0;
        UNROLL_ROW for (int j = 1; j < kRowLimbs - i; j++) { sum[i + j] = add_carry(sum[i + j], high[j - 1], &carry); }
    }
    UNROLL_ROW for (int i = 0; i < kRowLimbs; i++) { q[i] = sum[i]; }
}

// Contract: carry <= 1 => t' + 2^512 return = t + r + carry, return <= 1
SCALAR_INLINE uint64_t add_top(uint64_t *t, const uint64_t *r, uint64_t carry) {
    UNROLL_ROW for (int j = 0; j < kRowLimbs; j++) { t[j] = add_carry(t[j], r[j], &carry); }
    return carry;
}

// Contract: => r' - 2^(64 limbs) return = r - n, return <= 1
SCALAR_INLINE uint64_t subtract(uint64_t *r, const uint64_t *n, size_t limbs) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < limbs; i += kRowLimbs) {
        UNROLL_ROW for (size_t j = i; j < i + kRowLimbs; j++) { r[j] = sub_borrow(r[j], n[j], &borrow); }
    }
    return borrow;
}

// add_row_portable adds limb[0] and m * b to sum, nine limbs of which the last is not yet used: the result is below 2^576. A product's high
// word is at most 2^64 - 2, so a carry fits there.
// Contract: sum[8] = 0 => sum' = sum + limb + b m
SCALAR_INLINE void add_row_portable(uint64_t *sum, const uint64_t *limb, const uint64_t *m, uint64_t b) {
    uint64_t high[kRowLimbs], carry = 0;
    UNROLL_ROW for (int j = 0; j < kRowLimbs; j++) {
        nist_u128 product = (nist_u128)m[j] * b;
        high[j] = (uint64_t)(product >> 64);
        sum[j] = add_carry(sum[j], (uint64_t)product, &carry);
    }
    high[kRowLimbs - 1] += carry;
    carry = 0;
    sum[0] = add_carry(sum[0], *limb, &carry);
    UNROLL_ROW for (int j = 1; j < kRowLimbs; j++) { sum[j] = add_carry(sum[j], high[j - 1], &carry); }
    sum[kRowLimbs] = high[kRowLimbs - 1] + carry;
}

// add_row is add_row_portable with two carries at a time: CF adds the limb and the products' high words, OF their low words. A compiler
// keeps one carry only.
// Contract: sum[8] = 0 => sum' = sum + limb + b m
SCALAR_INLINE void add_row(uint64_t *sum, const uint64_t *limb, const uint64_t *m, uint64_t b) {
#if defined(__x86_64__)
    uint64_t low;
#define STEP(AT, R) "adcxq %[r8], " R "\n\tmulxq " AT "(%[m]), %[low], %[r8]\n\tadoxq %[low], " R "\n\t"
    // XOR clears both flags, and MOV leaves them.
    __asm__("xorl %k[low], %k[low]\n\t"
            "mulxq (%[m]), %[low], %[r8]\n\t"
            "adcxq %[limb], %[r0]\n\t"
            "adoxq %[low], %[r0]\n\t"
            STEP("8", "%[r1]") STEP("16", "%[r2]") STEP("24", "%[r3]") STEP("32", "%[r4]")
            STEP("40", "%[r5]") STEP("48", "%[r6]") STEP("56", "%[r7]")
            "movl $0, %k[b]\n\t"
            "adcxq %[b], %[r8]\n\t"
            "adoxq %[b], %[r8]"
            : [r0] "+&r"(sum[0]), [r1] "+&r"(sum[1]), [r2] "+&r"(sum[2]), [r3] "+&r"(sum[3]), [r4] "+&r"(sum[4]), [r5] "+&r"(sum[5]),
              [r6] "+&r"(sum[6]), [r7] "+&r"(sum[7]), [r8] "=&r"(sum[8]), [low] "=&r"(low), [b] "+&d"(b)
            : [m] "r"(m), [limb] "m"(*limb)
            : "cc", "memory");
#undef STEP
#else
    add_row_portable(sum, limb, m, b);
#endif
}

// add_rows adds m * a to the lowest `limbs` limbs of t, a multiple of eight, and stores the eight limbs above them in r.
// Contract: => t' + 2^(64 limbs) r = t + m a, apart
SCALAR_INLINE void add_rows(uint64_t *r, uint64_t *t, const uint64_t *m, const uint64_t *a, size_t limbs) {
    uint64_t sum[2 * kRowLimbs] = {0};
    for (const uint64_t *end = a + limbs; a != end; a += kRowLimbs, t += kRowLimbs) {
        UNROLL_ROW for (int j = 0; j < kRowLimbs; j++) {
            add_row(sum + j, t + j, m, a[j]);
            t[j] = sum[j];
        }
        UNROLL_ROW for (int j = 0; j < kRowLimbs; j++) {
            sum[j] = sum[kRowLimbs + j];
            sum[kRowLimbs + j] = 0;
        }
        // Hides both from the compiler, which would compute each address anew, from one index, and need more registers than there are.
        __asm__("" : "+r"(t), "+r"(a));
    }
    UNROLL_ROW for (int j = 0; j < kRowLimbs; j++) { r[j] = sum[j]; }
}

#endif
