// cjwt_p256_ifma_verify8: eight ECDSA signatures over P-256, one in each lane, each with its own key.
//
// A lane's points are summed in two chains, the even and the odd ones of its list, so that their latencies overlap. Where a lane has fewer
// points than another (full and small tables mixed), it stays unchanged at the end: for 16 additions of each chain, an even number, so that
// its zzz has the same sign as the others' (point8.h).

#include "lanes.h"

#if defined(__x86_64__)

#include <string.h>

#include "../nist/nist_word.h"
#include "../nist/p256_scalar.h"

/// Eight signatures' numbers. A lane whose r or s is out of range, or that has no token, is not live: it is computed with r = s = 1.
typedef struct batch {
    uint64_t e[8][4], r[8][4], s[8][4], s_inverse[8][4];
    uint8_t present, live;
} batch;

static void read_lane(batch *b, int lane, const uint8_t *hash, const uint8_t *sig) {
    static const uint64_t one[4] = {1, 0, 0, 0};
    number_read(b->e[lane], hash, 4);
    if (p256_scalar_read(b->r[lane], sig) && p256_scalar_read(b->s[lane], sig + 32)) {
        b->live |= (uint8_t)(1u << lane);
        return;
    }
    memcpy(b->r[lane], one, sizeof one);
    memcpy(b->s[lane], one, sizeof one);
}

static void read_batch(batch *b, const void *const tables[8], const uint8_t *const hashes[8], const uint8_t *const sigs[8]) {
    static const uint8_t nothing[64];
    b->present = b->live = 0;
    for (int i = 0; i < 8; i++) {
        int present = tables[i] != NULL;
        b->present |= (uint8_t)(present << i);
        read_lane(b, i, present ? hashes[i] : nothing, present ? sigs[i] : nothing);
    }
}

// invert_all inverts every s with one inversion (Montgomery), or returns zero where that does not pass its check. No s is 0: zeros were
// replaced by 1, so no lane affects another.
static int invert_all(batch *b) {
    uint64_t products[8][4], inverse[4];
    memcpy(products[0], b->s[0], sizeof products[0]);
    for (int i = 1; i < 8; i++) { p256_scalar_multiply(products[i], products[i - 1], b->s[i]); }
    if (!p256_scalar_inverse(inverse, products[7])) { return 0; }
    for (int i = 7; i > 0; i--) {
        p256_scalar_multiply(b->s_inverse[i], inverse, products[i - 1]);
        p256_scalar_multiply(inverse, inverse, b->s[i]);
    }
    memcpy(b->s_inverse[0], inverse, sizeof inverse);
    return 1;
}

/// The rows that the lanes add, step by step: the generator's points, then the keys'.
typedef struct plan {
    p256_step steps[kP256MaxPoints];
    _Alignas(64) uint64_t generator_signs[8], key_signs[8];  // by lane; a bit for a window
    _Alignas(64) uint64_t ends[8];                           // number of steps of a lane: 64, or 96 where the key's table is small
    size_t count;
} plan;

// place_lane lists a lane's points. An idle lane adds the generator's; its result is ignored.
static void place_lane(plan *p, const batch *b, int lane, const p256_table *key) {
    uint64_t u1[4], u2[4];
    p256_scalar_multiply(u1, b->e[lane], b->s_inverse[lane]);
    p256_scalar_multiply(u2, b->r[lane], b->s_inverse[lane]);
    const p256_table *generator = p256_generator_table(), *table = key != NULL ? key : generator;
    p->generator_signs[lane] = p256_place(p->steps, (size_t)lane, 8, generator, u1);
    p->key_signs[lane] = p256_place(p->steps, 8 * kP256FullWindows + (size_t)lane, 8, table, u2);
    size_t end = kP256FullWindows + table->windows;
    p->ends[lane] = end;
    p->count = end > p->count ? end : p->count;
    for (size_t i = end; i < kP256MaxPoints; i++) { p->steps[i].row[lane] = generator->rows[0]; }
}

// negated returns the lanes that negate their point of a step.
CJWT_IFMA_INLINE __mmask8 negated(const plan *p, size_t step) {
    int is_key = step >= kP256FullWindows;
    __m512i signs = _mm512_load_si512(is_key ? p->key_signs : p->generator_signs);
    return _mm512_test_epi64_mask(signs, fe8_all(UINT64_C(1) << (is_key ? step - kP256FullWindows : step)));
}

CJWT_IFMA_INLINE void keep_lanes(point8 *p, const point8 *before, __mmask8 kept) {
    for (int i = 0; i < 5; i++) {
        p->x.l[i] = _mm512_mask_mov_epi64(p->x.l[i], kept, before->x.l[i]);
        p->y.l[i] = _mm512_mask_mov_epi64(p->y.l[i], kept, before->y.l[i]);
        p->zz.l[i] = _mm512_mask_mov_epi64(p->zz.l[i], kept, before->zz.l[i]);
        p->zzz.l[i] = _mm512_mask_mov_epi64(p->zzz.l[i], kept, before->zzz.l[i]);
    }
}

// add_step adds a step's points; finished lanes keep their sums.
CJWT_IFMA_INLINE void add_step(point8 *sum, const plan *p, size_t step, __mmask8 turned) {
    affine8 q;
    rows8_load(&q, p->steps[step].row, negated(p, step) ^ turned);
    if (step < 2 * kP256FullWindows) {
        (void)point8_add_affine(sum, &q);
        return;
    }
    point8 before = *sum;
    (void)point8_add_affine(sum, &q);
    keep_lanes(sum, &before, _mm512_cmple_epu64_mask(_mm512_load_si512(p->ends), fe8_all(step)));
}

CJWT_IFMA static void sum_plan(point8 *sum, const plan *p) {
    point8 chains[2];
    affine8 q;
    for (size_t i = 0; i < 2; i++) {
        rows8_load(&q, p->steps[i].row, negated(p, i));
        point8_set(&chains[i], &q);
    }
    for (size_t i = 2; i < p->count; i += 2) {
        __mmask8 turned = i % 4 == 0 ? 0xff : 0;
        add_step(&chains[0], p, i, turned);
        add_step(&chains[1], p, i + 1, turned);
    }
    *sum = chains[0];
    point8_add(sum, &chains[1]);
}

CJWT_IFMA static void judge(cjwt_verdict verdicts[8], const plan *p, const batch *b) {
    point8 sum;
    sum_plan(&sum, p);
    p256_lane_r lanes = {.has_second = 0};
    for (int i = 0; i < 8; i++) { p256_lane_r_set(&lanes, i, b->r[i]); }
    __mmask8 exceptional, equal = p256_judge(&sum, &lanes, &exceptional);
    for (int i = 0; i < 8; i++) {
        unsigned bit = 1u << i;
        if ((b->present & bit) == 0) {
            verdicts[i] = CJWT_UNDECIDED;
        } else if ((b->live & bit) == 0) {
            verdicts[i] = CJWT_REFUSED;
        } else {
            verdicts[i] = exceptional & bit ? CJWT_UNDECIDED : equal & bit ? CJWT_ACCEPTED : CJWT_REFUSED;
        }
    }
}

void cjwt_p256_ifma_verify8(cjwt_verdict verdicts[8], const void *const tables[8], const uint8_t *const hashes[8],
                            const uint8_t *const sigs[8]) {
    batch b;
    plan p;
    p.count = 0;
    read_batch(&b, tables, hashes, sigs);
    if (!invert_all(&b)) {
        for (int i = 0; i < 8; i++) { verdicts[i] = CJWT_UNDECIDED; }
        return;
    }
    for (int i = 0; i < 8; i++) { place_lane(&p, &b, i, tables[i]); }
    judge(verdicts, &p, &b);
}

#endif
