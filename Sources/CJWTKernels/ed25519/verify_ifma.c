// cjwt_ed25519_ifma_verify: one signature as eight partial sums, which are then added in three steps.

#include "CJWTKernelsEd25519.h"
#include "lanes_rows.h"

#if defined(__x86_64__)

// Exchanges the lanes of a that are `distance` (4, 2 or 1) apart.
LANES_INLINE __m512i exchanged(__m512i a, int distance) {
    switch (distance) {
    case 4: return _mm512_shuffle_i64x2(a, a, _MM_SHUFFLE(1, 0, 3, 2));
    case 2: return _mm512_shuffle_i64x2(a, a, _MM_SHUFFLE(2, 3, 0, 1));
    default: return _mm512_unpackhi_epi64(a, a);
    }
}

// Adds to each lane the one `distance` away; the results in the lanes from `distance` on are unused.
LANES_INLINE void add_lanes_apart(point8 *p, int distance) {
    point8 q;
    for (int i = 0; i < 5; i++) {
        q.sum.digit[i] = exchanged(p->sum.digit[i], distance);
        q.difference.digit[i] = exchanged(p->difference.digit[i], distance);
        q.t.digit[i] = exchanged(p->t.digit[i], distance);
        q.z.digit[i] = exchanged(p->z.digit[i], distance);
    }
    point8_add_point(p, &q);
}

LANES_INLINE void lane_zero(fe51 *out, const fe8 *a) {
    for (int i = 0; i < 5; i++) { out->digit[i] = (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(a->digit[i])); }
}

// Twice X, Y and Z of the sum of all terms, which represents the same point. `count` is a multiple of eight.
LANES static void sum_of_terms(fe51 *x, fe51 *y, fe51 *z, const table_term *terms, size_t count) {
    point8 p;
    addend8 next;
    fe8 p_z;
    fe51 sum, difference;
    point8_set_identity(&p);
    for (size_t i = 0; i < count; i += kLanes) {
        addend8_read(&next, terms + i);
        point8_add(&p, &next);
    }
    add_lanes_apart(&p, 4);
    add_lanes_apart(&p, 2);
    add_lanes_apart(&p, 1);
    fe8_carry(&p_z, &p.z);
    lane_zero(&sum, &p.sum);
    lane_zero(&difference, &p.difference);
    lane_zero(z, &p_z);
    fe51_subtract(x, &sum, &difference);
    fe51_add(y, &sum, &difference);
    fe51_add(z, z, z);
}

LANES cjwt_verdict cjwt_ed25519_ifma_verify(const void *table, const uint8_t h[64], const uint8_t sig[64]) {
    _Alignas(64) table_term terms[kMostTerms];
    size_t count;
    fe51 x, y, z;
    uint8_t encoded[32];
    if (!cjwt_ed25519_terms_of_signature(terms, 1, &count, table, h, sig)) { return CJWT_REFUSED; }
    while (count % kLanes != 0) { terms[count++] = (table_term)&cjwt_ed25519_identity_row; }
    sum_of_terms(&x, &y, &z, terms, count);
    if (!cjwt_ed25519_invert(&z, &z)) { return CJWT_UNDECIDED; }
    cjwt_ed25519_point_encode(encoded, &x, &y, &z);
    return memcmp(encoded, sig, sizeof encoded) == 0 ? CJWT_ACCEPTED : CJWT_REFUSED;
}

#endif
