// fe8.h: the field of P-256 in eight lanes at once (AVX-512 IFMA). One lane, one number.
//
// A number is five limbs of radix 2^52, in Montgomery form for R = 2^260. p = 2^256 - 2^224 + 2^192 + 2^96 - 1 is -1 mod 2^52, so a limb is
// its own quotient in Montgomery's reduction (FIPS 186-5 defines the prime; the lanes follow Gueron and Krasnov).
//
// vpmadd52 reads only the low 52 bits of its operands. DANGER: it silently truncates a limb that has grown. The benefit: bits that were
// already carried away need not be cleared. So the type of a number states the allowed operations:
//
//   fe8          digits: every limb < 2^52. May be added, multiplied, stored.
//   fe8_factor   may only be multiplied: its digits are the low 52 bits of each limb; the upper bits were carried. The last limb is < 2^52.
//   fe8_sum      may only be added or carried: the value is the sum of l[i] * 2^(52 i), limbs nonnegative and < 2^60.
//
// Values are not reduced below p. For a < A p and b < B p Montgomery's product is < (A B / 16 + 1) p, because 2^260 > 16 p: every
// multiplication states its bounds in units of p, and the only requirement is that a factor is < 2^260, that is < 16 p.

#ifndef CJWT_P256IFMA_FE8_H
#define CJWT_P256IFMA_FE8_H

#include <immintrin.h>
#include <stdint.h>

#define CJWT_IFMA_TARGET "avx512f,avx512vl,avx512dq,avx512bw,avx512ifma"
#define CJWT_IFMA __attribute__((target(CJWT_IFMA_TARGET)))
#define CJWT_IFMA_APART __attribute__((target(CJWT_IFMA_TARGET), noinline))  // its stack spills exist only while it runs

// Always inlined, so numbers stay in registers. Not under a sanitizer, whose extra code would make compiling take minutes.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer) || __has_feature(thread_sanitizer)
#define CJWT_IFMA_INLINE static inline __attribute__((target(CJWT_IFMA_TARGET), unused))
#endif
#endif
#if !defined(CJWT_IFMA_INLINE)
#define CJWT_IFMA_INLINE static inline __attribute__((target(CJWT_IFMA_TARGET), always_inline))
#endif

#define FE8_MASK52 UINT64_C(0xfffffffffffff)
#define FE8_P0 UINT64_C(0xfffffffffffff)
#define FE8_P1 UINT64_C(0x00fffffffffff)
#define FE8_P2 UINT64_C(0)
#define FE8_P3 UINT64_C(0x0001000000000)
#define FE8_P4 UINT64_C(0x0ffffffff0000)

typedef struct fe8 { __m512i l[5]; } fe8;
typedef struct fe8_factor { __m512i l[5]; } fe8_factor;
typedef struct fe8_sum { __m512i l[5]; } fe8_sum;
/// A product before reduction: ten limbs, nonnegative and < 2^60.
typedef struct fe8_product { __m512i t[10]; } fe8_product;

CJWT_IFMA_INLINE __m512i fe8_all(uint64_t v) { return _mm512_set1_epi64((long long)v); }

// Contract: digits(a) < 2^52 => return = a
CJWT_IFMA_INLINE fe8_factor fe8_as_factor(fe8 a) {
    return (fe8_factor){{a.l[0], a.l[1], a.l[2], a.l[3], a.l[4]}};
}

// Contract: => return = a, digits(return) = digits(a)
CJWT_IFMA_INLINE fe8_sum fe8_as_sum(fe8 a) {
    return (fe8_sum){{a.l[0], a.l[1], a.l[2], a.l[3], a.l[4]}};
}

// Contract: => return = digits, digits(return) = digits(digits)
CJWT_IFMA_INLINE fe8 fe8_set(const uint64_t digits[5]) {
    return (fe8){{fe8_all(digits[0]), fe8_all(digits[1]), fe8_all(digits[2]), fe8_all(digits[3]), fe8_all(digits[4])}};
}

// fe8_times_p returns k p, limb by limb; each limb borrows `spare` from its successor. Where the limbs of b are < spare * 2^52 and b is at
// most k p, every limb of a + k p - b but the last is nonnegative; the last is too where the value is at least spare * 2^208.
// Contract: 0 < k <= 16, spare <= 256 => return = k p
// Contract: 0 < k <= 16, 0 < spare <= 256 => return[0] = 0xfffffffffffff k + 2^52 spare, return[1] = 0xfffffffffff k + (2^52 - 1) spare
// Contract: 0 < k <= 16, 0 < spare <= 256 => return[2] = (2^52 - 1) spare, return[3] = 2^36 k + (2^52 - 1) spare
// Contract: 0 < k <= 16, 0 < spare <= 256 => return[4] = 0xffffffff0000 k - spare
CJWT_IFMA_INLINE fe8_sum fe8_times_p(uint64_t k, uint64_t spare) {
    return (fe8_sum){{fe8_all(k * FE8_P0 + (spare << 52)), fe8_all(k * FE8_P1 + (spare << 52) - spare),
                      fe8_all(k * FE8_P2 + (spare << 52) - spare), fe8_all(k * FE8_P3 + (spare << 52) - spare),
                      fe8_all(k * FE8_P4 - spare)}};
}

// Contract: digits(a) < 2^63, digits(b) < 2^63 => return = a + b
// Contract: => digits(return) = digits(a) + digits(b) (mod 2^64)
CJWT_IFMA_INLINE fe8_sum fe8_add(fe8_sum a, fe8_sum b) {
    for (int i = 0; i < 5; i++) { a.l[i] = _mm512_add_epi64(a.l[i], b.l[i]); }
    return a;
}

// Contract: digits(b) <= digits(a) => return = a - b
// Contract: => digits(return) = digits(a) - digits(b) (mod 2^64)
CJWT_IFMA_INLINE fe8_sum fe8_sub(fe8_sum a, fe8_sum b) {
    for (int i = 0; i < 5; i++) { a.l[i] = _mm512_sub_epi64(a.l[i], b.l[i]); }
    return a;
}

// fe8_carry moves the bits above a limb's 52 to the next limb. The value must be < 2^260.
// Contract: digits(a) < 2^60, a < R => return = a, digits(return) < 2^52
CJWT_IFMA_INLINE fe8_factor fe8_carry(fe8_sum a) {
    for (int i = 0; i < 4; i++) { a.l[i + 1] = _mm512_add_epi64(a.l[i + 1], _mm512_srli_epi64(a.l[i], 52)); }
    return (fe8_factor){{a.l[0], a.l[1], a.l[2], a.l[3], a.l[4]}};
}

// fe8_factor_digits clears the bits above a factor's digits.
// Contract: => return = a, digits(return) < 2^52
CJWT_IFMA_INLINE fe8 fe8_factor_digits(fe8_factor a) {
    for (int i = 0; i < 4; i++) { a.l[i] = _mm512_and_si512(a.l[i], fe8_all(FE8_MASK52)); }
    return (fe8){{a.l[0], a.l[1], a.l[2], a.l[3], a.l[4]}};
}

// Contract: digits(a) < 2^60, a < R => return = a, digits(return) < 2^52
CJWT_IFMA_INLINE fe8 fe8_digits(fe8_sum a) { return fe8_factor_digits(fe8_carry(a)); }

// fe8_fold reduces a value < 16 p to less than 2^256 + 2^230 < 1.01 p: the part above 2^256, c times 2^256, becomes c * (2^256 - p) = c *
// (2^224 - 2^192 - 2^96 + 1). The limbs 1 and 3 must be at least 2^48, so that they stay positive (a spare ensures that), and limbs must be
// < 2^60, so that the value of the lower four is < 2^217.
// Contract: digits(a) < 2^60, 2^48 <= a[1], 2^48 <= a[3], a < 16 p => return = a (mod p), digits(return) < 2^52, return < 2^256 + 2^230
CJWT_IFMA_INLINE fe8 fe8_fold(fe8_sum a) {
    __m512i c = _mm512_srli_epi64(a.l[4], 48);
    a.l[0] = _mm512_add_epi64(a.l[0], c);
    a.l[1] = _mm512_sub_epi64(a.l[1], _mm512_slli_epi64(c, 44));
    a.l[3] = _mm512_sub_epi64(a.l[3], _mm512_slli_epi64(c, 36));
    a.l[4] = _mm512_add_epi64(_mm512_and_si512(a.l[4], fe8_all((UINT64_C(1) << 48) - 1)), _mm512_slli_epi64(c, 16));
    return fe8_digits(a);
}

#define FE8_LO(acc, a, b) ((acc) = _mm512_madd52lo_epu64((acc), (a), (b)))
#define FE8_HI(acc, a, b) ((acc) = _mm512_madd52hi_epu64((acc), (a), (b)))

// fe8_accumulate adds a * b to w: at most nine more half products to a limb.
// Contract: digits(w) < 2^59 => w' = w + a b, digits(w') < digits(w) + 9 2^52
CJWT_IFMA_INLINE void fe8_accumulate(fe8_product *w, fe8_factor a, fe8_factor b) {
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) { FE8_LO(w->t[i + j], a.l[i], b.l[j]); }
        for (int j = 0; j < 5; j++) { FE8_HI(w->t[i + j + 1], a.l[i], b.l[j]); }
    }
}

CJWT_IFMA_INLINE fe8_product fe8_nothing(void) {
    fe8_product w;
    for (int i = 0; i < 10; i++) { w.t[i] = _mm512_setzero_si512(); }
    return w;
}

// Contract: => return = a b, digits(return) < 9 2^52
CJWT_IFMA_INLINE fe8_product fe8_product_of(fe8_factor a, fe8_factor b) {
    fe8_product w = fe8_nothing();
    fe8_accumulate(&w, a, b);
    return w;
}

// Contract: => return = a^2, digits(return) < 9 2^52
CJWT_IFMA_INLINE fe8_product fe8_square_of(fe8_factor a) {
    fe8_product w = fe8_nothing();
    for (int i = 0; i < 5; i++) {
        for (int j = i + 1; j < 5; j++) {
            FE8_LO(w.t[i + j], a.l[i], a.l[j]);
            FE8_HI(w.t[i + j + 1], a.l[i], a.l[j]);
        }
    }
    for (int i = 1; i < 9; i++) { w.t[i] = _mm512_add_epi64(w.t[i], w.t[i]); }
    for (int i = 0; i < 5; i++) {
        FE8_LO(w.t[2 * i], a.l[i], a.l[i]);
        FE8_HI(w.t[2 * i + 1], a.l[i], a.l[i]);
    }
    return w;
}

// fe8_reduce divides by 2^260 mod p. A round makes the lowest limb zero: it adds q (the limb's low 52 bits) times p. The -1 of p cancels q,
// and the rest of p is 2^44 in the second limb, 2^36 in the fourth and P4 in the fifth.
//
// Limbs: w has <= 18 half products (two products accumulated), the rounds add <= 7 more and a carry: < 26 * 2^52 < 2^57.
// Contract: digits(w) < 18 2^52 => R return = w (mod p), R return <= w + (R - 1) p, digits(return) < 26 2^52
CJWT_IFMA_INLINE fe8_sum fe8_reduce(fe8_product w) {
    const __m512i p1 = fe8_all(UINT64_C(1) << 44), p3 = fe8_all(FE8_P3), p4 = fe8_all(FE8_P4);
    for (int i = 0; i < 5; i++) {
        __m512i q = w.t[i];
        // The bits above q's digit are added last: only the next round waits for them.
        FE8_LO(w.t[i + 1], q, p1);
        w.t[i + 1] = _mm512_add_epi64(w.t[i + 1], _mm512_srli_epi64(q, 52));
        FE8_HI(w.t[i + 2], q, p1);
        FE8_LO(w.t[i + 3], q, p3);
        FE8_HI(w.t[i + 4], q, p3);
        FE8_LO(w.t[i + 4], q, p4);
        FE8_HI(w.t[i + 5], q, p4);
    }
    return (fe8_sum){{w.t[5], w.t[6], w.t[7], w.t[8], w.t[9]}};
}

// Contract: => R return = a b (mod p), R return <= a b + (R - 1) p, digits(return) < 16 2^52
CJWT_IFMA_INLINE fe8_sum fe8_mul(fe8_factor a, fe8_factor b) { return fe8_reduce(fe8_product_of(a, b)); }
// Contract: => R return = a^2 (mod p), R return <= a^2 + (R - 1) p, digits(return) < 16 2^52
CJWT_IFMA_INLINE fe8_sum fe8_sqr(fe8_factor a) { return fe8_reduce(fe8_square_of(a)); }

// fe8_is_zero returns the lanes where a, digits and < 4 p, is a multiple of p.
// Contract: digits(a) < 2^52, a < 4 p => return = [a = 0 (mod p)]
CJWT_IFMA_INLINE __mmask8 fe8_is_zero(fe8 a) {
    static const uint64_t multiples[4][5] = {
        {0, 0, 0, 0, 0},
        {FE8_P0, FE8_P1, FE8_P2, FE8_P3, FE8_P4},
        {FE8_MASK52 - 1, 2 * FE8_P1 + 1, 0, 2 * FE8_P3, 2 * FE8_P4},
        {FE8_MASK52 - 2, 3 * FE8_P1 + 2, 0, 3 * FE8_P3, 3 * FE8_P4},
    };
    __mmask8 zero = 0;
    for (int k = 0; k < 4; k++) {
        __mmask8 same = 0xff;
        for (int i = 0; i < 5; i++) { same &= _mm512_cmpeq_epi64_mask(a.l[i], fe8_all(multiples[k][i])); }
        zero |= same;
    }
    return zero;
}

#endif
