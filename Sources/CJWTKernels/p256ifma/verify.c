// cjwt_p256_ifma_verify: one ECDSA signature over P-256 (FIPS 186-5, 6.4.2). u1 G + u2 Q is a sum of 64 independent points of two full
// tables (of 96, where the key's is small): every lane sums an eighth of them, then the lanes are added, 4 to 4, 2 to 2, 1 to 1.

#include "lanes.h"

#if defined(__x86_64__)

#include <string.h>

#include "../nist/p256_scalar.h"

CJWT_IFMA_INLINE void sum_steps(point8 *sum, const p256_step *steps, const uint8_t *negative, size_t count) {
    affine8 q;
    rows8_load(&q, steps[0].row, negative[0]);
    point8_set(sum, &q);
    for (size_t i = 1; i < count; i++) {
        rows8_load(&q, steps[i].row, (__mmask8)(negative[i] ^ (i % 2 == 0 ? 0xff : 0)));
        (void)point8_add_affine(sum, &q);
    }
}

// add_lanes adds to every lane the lane whose number differs in the bits of `distance`. What that lane crosses is what this one needs.
CJWT_IFMA_INLINE void add_lanes(point8 *sum, long long distance) {
    const __m512i lanes = _mm512_xor_si512(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(distance));
    point8_crossed c;
    for (int i = 0; i < 5; i++) {
        c.zz.l[i] = _mm512_permutexvar_epi64(lanes, sum->zz.l[i]);
        c.zzz.l[i] = _mm512_permutexvar_epi64(lanes, sum->zzz.l[i]);
    }
    point8_cross(&c.u1, &c.s1, sum, &c.zz, &c.zzz);
    for (int i = 0; i < 5; i++) {
        c.u2.l[i] = _mm512_permutexvar_epi64(lanes, c.u1.l[i]);
        c.s2.l[i] = _mm512_permutexvar_epi64(lanes, c.s1.l[i]);
    }
    point8_join(sum, &c);
}

CJWT_IFMA_APART static void add_half_lanes(point8 *sum, long long distance) { add_lanes(sum, distance); }

CJWT_IFMA static cjwt_verdict judge(const p256_step *steps, const uint8_t *negative, size_t count, const uint64_t r[4]) {
    point8 sum;
    sum_steps(&sum, steps, negative, count);
    add_half_lanes(&sum, 4);
    add_half_lanes(&sum, 2);
    add_lanes(&sum, 1);  // inlined: the last sum's y is not needed

    p256_lane_r lanes = {.has_second = 0};
    p256_lane_r_set(&lanes, 0, r);
    __mmask8 exceptional, equal = p256_judge(&sum, &lanes, &exceptional);
    if (exceptional & 1) { return CJWT_UNDECIDED; }
    return equal & 1 ? CJWT_ACCEPTED : CJWT_REFUSED;
}

cjwt_verdict cjwt_p256_ifma_verify(const void *table, const uint8_t hash[32], const uint8_t sig[64]) {
    const p256_table *key = table;
    uint64_t u1[4], u2[4], r[4], s[4];
    if (!p256_scalar_read(r, sig) || !p256_scalar_read(s, sig + 32)) { return CJWT_REFUSED; }
    if (!p256_scalars(u1, u2, hash, r, s)) { return CJWT_UNDECIDED; }

    p256_step steps[kP256MaxPoints / 8];
    uint64_t signs[2];  // 32 bits for the generator's points; a byte holds a step's eight lanes
    signs[0] = p256_place(steps, 0, 1, p256_generator_table(), u1);
    signs[1] = p256_place(steps, kP256FullWindows, 1, key, u2);
    uint8_t negative[kP256MaxPoints / 8];
    memcpy(negative, &signs[0], kP256FullWindows / 8);
    memcpy(negative + kP256FullWindows / 8, &signs[1], sizeof signs[1]);
    return judge(steps, negative, (kP256FullWindows + key->windows) / 8, r);
}

#endif
