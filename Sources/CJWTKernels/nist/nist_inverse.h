// nist_inverse.h: inverses modulo a prime by division steps, variable time.
//
// Bernstein, Yang: Fast constant-time gcd computation and modular inversion (CHES 2019). f and g begin as modulus and number; a division
// step halves g, after adding f or swapping with it so that g is even. 62 steps depend only on the low 62 bits of f and g. Their effect is
// a matrix of words, applied to the whole f, g and, modulo m, to the coefficients d, e with
//
//   d * number = f * scale,  e * number = g * scale  (mod m)
//
// At the end g = 0, f = ±1, and ±d is the inverse times scale. Long numbers are signed, in radix 2^62: limbs in [0, 2^62), the top
// limb with the sign.
//
// A caller does not trust the result: it multiplies back, and uses an inverse only where the product is one (decision 0036).

#ifndef NIST_INVERSE_H
#define NIST_INVERSE_H

#include "nist_modulus.h"

#define NIST_MASK62 ((uint64_t)-1 >> 2)

// 2^62 times the effect of 62 division steps: f' = (u f + v g) / 2^62, g' = (q f + r g) / 2^62. |u| + |v| and |q| + |r| are at most 2^62.
typedef struct division_matrix {
    int64_t u, v, q, r;
} division_matrix;

// division_steps_62 takes 62 division steps on the low words of f (odd) and g. It returns the new eta, the negated delta of the paper.
//
// Several steps at once: while delta stays on one side of zero no swap happens, and the steps only clear the low bits of g by a multiple of
// f. -g/f mod 2^6 is that multiple for six bits: f (f^2 - 2) = -1/f mod 64 for every odd f.
static inline int64_t division_steps_62(int64_t eta, uint64_t f, uint64_t g, division_matrix *matrix) {
    uint64_t u = 1, v = 0, q = 0, r = 1;
    int left = 62;
    f |= 1;  // f is odd already; so the loop ends even after an error elsewhere, which the caller's multiplication detects
    for (;;) {
        int zeros = __builtin_ctzll(g | (uint64_t)-1 << left);  // the ones above limit the count to `left`
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= zeros;
        left -= zeros;
        if (left == 0) { break; }
        if (eta < 0) {
            uint64_t old_f = f, old_u = u, old_v = v;
            eta = -eta;
            f = g, u = q, v = r;
            g = (uint64_t)0 - old_f, q = (uint64_t)0 - old_u, r = (uint64_t)0 - old_v;
        }
        // At most eta + 1 steps occur without a swap, and at most `left` remain.
        int steps = eta + 1 < left ? (int)eta + 1 : left;
        uint64_t mask = ((uint64_t)-1 >> (64 - steps)) & 63;
        uint64_t w = (g * f * (f * f - 2)) & mask;
        g += f * w;
        q += u * w;
        r += v * w;
    }
    *matrix = (division_matrix){(int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r};
    return eta;
}

// division_steps_by_choice is division_steps_62 without branches but the loop's: a turn computes both outcomes of a step with an odd g, and
// takes the steps that only halve. It makes one bit zero by choice, not six, but no turn is predicted wrongly.
static inline int64_t division_steps_by_choice(int64_t eta, uint64_t f, uint64_t g, division_matrix *matrix) {
    uint64_t u = 1, v = 0, q = 0, r = 1;
    int left = 62, zeros = __builtin_ctzll(g | (uint64_t)-1 << left);
    f |= 1;  // as above
    g >>= zeros;
    for (;;) {
        u <<= zeros;
        v <<= zeros;
        eta -= zeros;
        left -= zeros;
        if (left == 0) { break; }
        const uint64_t end = (uint64_t)-1 << left, sum = g + f, difference = g - f;
        const uint64_t q_sum = q + u, q_difference = q - u, r_sum = r + v, r_difference = r - v;
        const int of_sum = __builtin_ctzll(sum | end), of_difference = __builtin_ctzll(difference | end), swaps = eta < 0;
        zeros = swaps ? of_difference : of_sum;
        f = swaps ? g : f;
        u = swaps ? q : u;
        v = swaps ? r : v;
        g = swaps ? difference >> of_difference : sum >> of_sum;
        q = swaps ? q_difference : q_sum;
        r = swaps ? r_difference : r_sum;
        eta = swaps ? -eta : eta;
    }
    *matrix = (division_matrix){(int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r};
    return eta;
}

#if !defined(NIST_DIVISION_STEPS)
#define NIST_DIVISION_STEPS division_steps_62
#endif

// divide_pair applies the matrix to f and g, exactly: their low 62 bits become zero and are shifted out.
NIST_INLINE void divide_pair(int64_t *f, int64_t *g, const division_matrix *t, int count) {
    nist_i128 at_f = (nist_i128)t->u * f[0] + (nist_i128)t->v * g[0];
    nist_i128 at_g = (nist_i128)t->q * f[0] + (nist_i128)t->r * g[0];
    at_f >>= 62;
    at_g >>= 62;
    for (int i = 1; i < count; i++) {
        int64_t fi = f[i], gi = g[i];
        at_f += (nist_i128)t->u * fi + (nist_i128)t->v * gi;
        at_g += (nist_i128)t->q * fi + (nist_i128)t->r * gi;
        f[i - 1] = (int64_t)((uint64_t)at_f & NIST_MASK62);
        g[i - 1] = (int64_t)((uint64_t)at_g & NIST_MASK62);
        at_f >>= 62;
        at_g >>= 62;
    }
    f[count - 1] = (int64_t)at_f;
    g[count - 1] = (int64_t)at_g;
}

// lift returns the multiple of m that makes x d + y e divisible by 2^62, given the low word of that sum. d and e lie in (-2m, m);
// m is added first where they are negative, which keeps the results in (-2m, m).
NIST_INLINE int64_t lift(int64_t x, int64_t y, int64_t d_sign, int64_t e_sign, uint64_t low, const nist_modulus *m) {
    int64_t multiple = (x & d_sign) + (y & e_sign);
    return multiple - (int64_t)((m->inverse62 * low + (uint64_t)multiple) & NIST_MASK62);
}

// divide_coefficients applies the matrix to d and e modulo m. The sums stay below 2^126: |x| + |y| <= 2^62, limbs below 2^62.
NIST_INLINE void divide_coefficients(int64_t *d, int64_t *e, const division_matrix *t, const nist_modulus *m, int count) {
    int64_t d_sign = d[count - 1] >> 63, e_sign = e[count - 1] >> 63;
    nist_i128 at_d = (nist_i128)t->u * d[0] + (nist_i128)t->v * e[0];
    nist_i128 at_e = (nist_i128)t->q * d[0] + (nist_i128)t->r * e[0];
    int64_t lift_d = lift(t->u, t->v, d_sign, e_sign, (uint64_t)at_d, m);
    int64_t lift_e = lift(t->q, t->r, d_sign, e_sign, (uint64_t)at_e, m);
    at_d = (at_d + (nist_i128)m->limbs62[0] * lift_d) >> 62;
    at_e = (at_e + (nist_i128)m->limbs62[0] * lift_e) >> 62;
    for (int i = 1; i < count; i++) {
        int64_t di = d[i], ei = e[i];
        at_d += (nist_i128)t->u * di + (nist_i128)t->v * ei + (nist_i128)m->limbs62[i] * lift_d;
        at_e += (nist_i128)t->q * di + (nist_i128)t->r * ei + (nist_i128)m->limbs62[i] * lift_e;
        d[i - 1] = (int64_t)((uint64_t)at_d & NIST_MASK62);
        e[i - 1] = (int64_t)((uint64_t)at_e & NIST_MASK62);
        at_d >>= 62;
        at_e >>= 62;
    }
    d[count - 1] = (int64_t)at_d;
    e[count - 1] = (int64_t)at_e;
}

NIST_INLINE void to_radix_62(int64_t *r, const uint64_t *a, int limbs, int count) {
    for (int i = 0; i < count; i++) {
        int bit = 62 * i, word = bit / 64, shift = bit % 64;
        uint64_t low = a[word] >> shift, high = shift > 2 && word + 1 < limbs ? a[word + 1] << (64 - shift) : 0;
        r[i] = (int64_t)((low | high) & NIST_MASK62);
    }
}

NIST_INLINE void from_radix_62(uint64_t *r, const int64_t *a, int limbs, int count) {
    for (int i = 0; i < limbs; i++) {
        int bit = 64 * i, limb = bit / 62, shift = bit % 62;
        uint64_t low = (uint64_t)a[limb] >> shift;
        r[i] = low | (limb + 1 < count ? (uint64_t)a[limb + 1] << (62 - shift) : 0);
    }
}

// signed_add_62 sets r to sign * r + (m & mask), with its carries; sign is 1 or -1.
NIST_INLINE void signed_add_62(int64_t *r, int64_t sign, const nist_modulus *m, int64_t mask, int count) {
    int64_t carry = 0;
    for (int i = 0; i < count; i++) {
        int64_t sum = sign * r[i] + (m->limbs62[i] & mask) + carry;
        r[i] = i + 1 < count ? (int64_t)((uint64_t)sum & NIST_MASK62) : sum;
        carry = sum >> 62;
    }
}

// is_zero_62 says whether g is zero; for most values the first limb decides.
NIST_INLINE int is_zero_62(const int64_t *g, int count) {
    int64_t any = g[0];
    for (int i = 1; i < count && any == 0; i++) { any |= g[i]; }
    return any == 0;
}

// inverse sets r to scale / a mod m, below m. a is in [1, m); zero gives zero.
//
// Theorem 11.2 of the paper: for numbers of b >= 46 bits, (49 b + 57) / 17 division steps make g zero: 741 for 256 bits, 1110 for 384, 1505
// for 521. 3 * limbs rounds are 744, 1116 and 1674 steps. More rounds would mean an error, which the caller's multiplication detects.
NIST_INLINE void inverse(uint64_t *r, const uint64_t *a, const nist_modulus *m, int limbs) {
    const int count = limbs * 64 / 62 + 1, most_rounds = 3 * limbs;
    int64_t f[kNistMaxLimbs62], g[kNistMaxLimbs62], d[kNistMaxLimbs62] = {0}, e[kNistMaxLimbs62];
    for (int i = 0; i < count; i++) { f[i] = m->limbs62[i], e[i] = m->scale62[i]; }
    to_radix_62(g, a, limbs, count);

    int64_t eta = -1;
    int used = count;
    for (int round = 0; round < most_rounds && !is_zero_62(g, used); round++) {
        division_matrix matrix;
        eta = NIST_DIVISION_STEPS(eta, (uint64_t)f[0] | (uint64_t)f[1] << 62, (uint64_t)g[0] | (uint64_t)g[1] << 62, &matrix);
        divide_coefficients(d, e, &matrix, m, count);
        divide_pair(f, g, &matrix, used);
        // A top limb that only repeats the sign in both numbers moves into the limb below.
        int64_t f_top = f[used - 1], g_top = g[used - 1];
        if (used > 2 && f_top == f_top >> 63 && g_top == g_top >> 63) {
            f[used - 2] |= (int64_t)((uint64_t)f_top << 62);
            g[used - 2] |= (int64_t)((uint64_t)g_top << 62);
            used--;
        }
    }
    signed_add_62(d, 1, m, d[count - 1] >> 63, count);
    signed_add_62(d, f[used - 1] < 0 ? -1 : 1, m, 0, count);
    signed_add_62(d, 1, m, d[count - 1] >> 63, count);
    from_radix_62(r, d, limbs, count);
}

#endif
