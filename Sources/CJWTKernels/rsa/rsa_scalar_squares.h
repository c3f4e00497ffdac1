// rsa_scalar_squares.h: the products of the limbs of a row with each other, and the doubling of those products with the limbs' squares.

#ifndef CJWT_RSA_SCALAR_SQUARES_H
#define CJWT_RSA_SCALAR_SQUARES_H

#include "rsa_scalar_rows.h"

// triangle_portable sums the 28 products of two different limbs of a row, each once.
// Contract: => 2 p + a[0]^2 + 2^128 a[1]^2 + 2^256 a[2]^2 + 2^384 a[3]^2 + 2^512 a[4]^2 + 2^640 a[5]^2 + 2^768 a[6]^2 + 2^896 a[7]^2 = a^2
SCALAR_INLINE void triangle_portable(uint64_t *p, const uint64_t *a) {
    UNROLL_ROW for (int i = 0; i < 2 * kRowLimbs; i++) { p[i] = 0; }
    UNROLL_ROW for (int i = 0; i + 1 < kRowLimbs; i++) {
        uint64_t high[kRowLimbs], carry = 0;
        UNROLL_ROW for (int j = i + 1; j < kRowLimbs; j++) {
            nist_u128 product = (nist_u128)a[i] * a[j];
            high[j] = (uint64_t)(product >> 64);
            p[i + j] = add_carry(p[i + j], (uint64_t)product, &carry);
        }
        high[kRowLimbs - 1] += carry;
        carry = 0;
        UNROLL_ROW for (int j = i + 1; j + 1 < kRowLimbs; j++) { p[i + j + 1] = add_carry(p[i + j + 1], high[j], &carry); }
        p[i + kRowLimbs] = high[kRowLimbs - 1] + carry;
    }
}

// triangle is triangle_portable with two carries at a time. Limbs i + 1 and above of the sum are in registers, which take turns.
// Contract: => 2 p + a[0]^2 + 2^128 a[1]^2 + 2^256 a[2]^2 + 2^384 a[3]^2 + 2^512 a[4]^2 + 2^640 a[5]^2 + 2^768 a[6]^2 + 2^896 a[7]^2 = a^2
SCALAR_INLINE void triangle(uint64_t *p, const uint64_t *a) {
#if defined(__x86_64__)
    uint64_t w0, w1, w2, w3, w4, w5, w6, w7, low, high, b;
#define FACTOR(AT) "movq " AT "(%[a]), %[b]\n\txorl %k[low], %k[low]\n\t"
#define FIRST(AT, W, TOP) "mulxq " AT "(%[a]), %[low], %[" TOP "]\n\tadcxq %[low], %[" W "]\n\t"
#define STEP(AT, W, NEXT) "mulxq " AT "(%[a]), %[low], %[high]\n\tadcxq %[low], %[" W "]\n\tadoxq %[high], %[" NEXT "]\n\t"
#define LAST(W, TOP) FIRST("56", W, TOP) "movl $0, %k[b]\n\tadcxq %[b], %[" TOP "]\n\tadoxq %[b], %[" TOP "]\n\t"
#define STORE(W, AT) "movq %[" W "], " AT "(%[p])\n\t"
    __asm__ volatile(
        FACTOR("0") "mulxq 8(%[a]), %[w0], %[w1]\n\t" FIRST("16", "w1", "w2") FIRST("24", "w2", "w3") FIRST("32", "w3", "w4")
        FIRST("40", "w4", "w5") FIRST("48", "w5", "w6") LAST("w6", "w7") STORE("b", "0") STORE("w0", "8") STORE("w1", "16")
        FACTOR("8") STEP("16", "w2", "w3") STEP("24", "w3", "w4") STEP("32", "w4", "w5") STEP("40", "w5", "w6")
        STEP("48", "w6", "w7") LAST("w7", "w0") STORE("w2", "24") STORE("w3", "32")
        FACTOR("16") STEP("24", "w4", "w5") STEP("32", "w5", "w6") STEP("40", "w6", "w7") STEP("48", "w7", "w0")
        LAST("w0", "w1") STORE("w4", "40") STORE("w5", "48")
        FACTOR("24") STEP("32", "w6", "w7") STEP("40", "w7", "w0") STEP("48", "w0", "w1") LAST("w1", "w2")
        STORE("w6", "56") STORE("w7", "64")
        FACTOR("32") STEP("40", "w0", "w1") STEP("48", "w1", "w2") LAST("w2", "w3") STORE("w0", "72") STORE("w1", "80")
        FACTOR("40") STEP("48", "w2", "w3") LAST("w3", "w4") STORE("w2", "88") STORE("w3", "96")
        FACTOR("48") LAST("w4", "w5") STORE("w4", "104") STORE("w5", "112") STORE("b", "120")
        : [w0] "=&r"(w0), [w1] "=&r"(w1), [w2] "=&r"(w2), [w3] "=&r"(w3), [w4] "=&r"(w4), [w5] "=&r"(w5), [w6] "=&r"(w6),
          [w7] "=&r"(w7), [low] "=&r"(low), [high] "=&r"(high), [b] "=&d"(b)
        : [a] "r"(a), [p] "r"(p)
        : "cc", "memory");
#undef FACTOR
#undef FIRST
#undef STEP
#undef LAST
#undef STORE
#else
    triangle_portable(p, a);
#endif
}

// double_and_add_portable doubles sixteen limbs and adds the squares of a row's limbs.
// Contract: twice <= 1, carry <= 1 => t' + 2^1024 twice' + 2^1024 carry' = 2 t + twice + carry + a[0]^2 + 2^128 a[1]^2 + 2^256 a[2]^2 + 2^384 a[3]^2 + 2^512 a[4]^2 + 2^640 a[5]^2 + 2^768 a[6]^2 + 2^896 a[7]^2, twice' <= 1, carry' <= 1, apart
SCALAR_INLINE void double_and_add_portable(uint64_t *t, const uint64_t *a, uint64_t *twice, uint64_t *carry) {
    UNROLL_ROW for (int j = 0; j < 2 * kRowLimbs; j++) { t[j] = add_carry(t[j], t[j], twice); }
    UNROLL_ROW for (int j = 0; j < kRowLimbs; j++) {
        nist_u128 square = (nist_u128)a[j] * a[j];
        t[2 * j] = add_carry(t[2 * j], (uint64_t)square, carry);
        t[2 * j + 1] = add_carry(t[2 * j + 1], (uint64_t)(square >> 64), carry);
    }
}

// double_and_add is double_and_add_portable with both carries at a time.
// Contract: twice <= 1, carry <= 1 => t' + 2^1024 twice' + 2^1024 carry' = 2 t + twice + carry + a[0]^2 + 2^128 a[1]^2 + 2^256 a[2]^2 + 2^384 a[3]^2 + 2^512 a[4]^2 + 2^640 a[5]^2 + 2^768 a[6]^2 + 2^896 a[7]^2, twice' <= 1, carry' <= 1, apart
SCALAR_INLINE void double_and_add(uint64_t *t, const uint64_t *a, uint64_t *twice, uint64_t *carry) {
#if defined(__x86_64__)
    uint64_t limb, low, high, b;
#define HALF(AT, WORD) \
    "movq " AT "(%[t]), %[limb]\n\tadcxq %[limb], %[limb]\n\tadoxq %[" WORD "], %[limb]\n\tmovq %[limb], " AT "(%[t])\n\t"
#define SQUARE(AT, LOW, HIGH) "movq " AT "(%[a]), %[b]\n\tmulxq %[b], %[low], %[high]\n\t" HALF(LOW, "low") HALF(HIGH, "high")
    // A carry of one and all ones make the flag one.
    __asm__ volatile(
        "movq $-1, %[low]\n\t"
        "xorl %k[limb], %k[limb]\n\t"
        "adcxq %[low], %[twice]\n\t"
        "adoxq %[low], %[carry]\n\t"
        SQUARE("0", "0", "8") SQUARE("8", "16", "24") SQUARE("16", "32", "40") SQUARE("24", "48", "56")
        SQUARE("32", "64", "72") SQUARE("40", "80", "88") SQUARE("48", "96", "104") SQUARE("56", "112", "120")
        "movl $0, %k[twice]\n\t"
        "adcxq %[twice], %[twice]\n\t"
        "movl $0, %k[carry]\n\t"
        "adoxq %[carry], %[carry]"
        : [twice] "+&r"(*twice), [carry] "+&r"(*carry), [limb] "=&r"(limb), [low] "=&r"(low), [high] "=&r"(high), [b] "=&d"(b)
        : [t] "r"(t), [a] "r"(a)
        : "cc", "memory");
#undef HALF
#undef SQUARE
#else
    double_and_add_portable(t, a, twice, carry);
#endif
}

#endif
