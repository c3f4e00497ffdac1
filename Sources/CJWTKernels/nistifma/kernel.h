// kernel.h: the functions of CJWTKernelsNISTIFMA.h for one curve: FIPS 186-5, 6.4.2, over the tables of nist_table.h.
//
// The curve's file defines CURVE, its name, and kVector, and includes its scalars and its field in lanes.

#ifndef CJWT_NISTIFMA_KERNEL_H
#define CJWT_NISTIFMA_KERNEL_H

#include <string.h>

#include "../include/CJWTKernelsECDSA.h"
#include "../include/CJWTKernelsNISTIFMA.h"
#include "plan.h"

#define NAMED_(BEFORE, NAME, AFTER) BEFORE##NAME##AFTER
#define NAMED(BEFORE, NAME, AFTER) NAMED_(BEFORE, NAME, AFTER)
#define KERNEL(FUNCTION) NAMED(cjwt_, CURVE, FUNCTION)

/// Eight signatures' numbers. A lane whose r or s is out of range, or that has no token, is not live: it is computed with r = s = 1.
typedef struct batch {
    uint64_t e[8][LIMBS], r[8][LIMBS], s[8][LIMBS], s_inverse[8][LIMBS];
    uint8_t present, live;
} batch;

static void read_lane(batch *b, int lane, const uint8_t *hash, const uint8_t *sig) {
    number_read_bytes(b->e[lane], hash, kHashBytes, LIMBS);
    if (scalar_read(b->r[lane], sig) && scalar_read(b->s[lane], sig + kNumberBytes)) {
        b->live |= (uint8_t)(1u << lane);
        return;
    }
    for (int i = 0; i < LIMBS; i++) { b->r[lane][i] = b->s[lane][i] = i == 0; }
}

static void read_batch(batch *b, const void *const tables[8], const uint8_t *const hashes[8], const uint8_t *const sigs[8]) {
    static const uint8_t nothing[2 * kNumberBytes];
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
    uint64_t products[8][LIMBS], inverse[LIMBS];
    memcpy(products[0], b->s[0], sizeof products[0]);
    for (int i = 1; i < 8; i++) { scalar_multiply(products[i], products[i - 1], b->s[i]); }
    if (!scalar_inverse(inverse, products[7])) { return 0; }
    for (int i = 7; i > 0; i--) {
        scalar_multiply(b->s_inverse[i], inverse, products[i - 1]);
        scalar_multiply(inverse, inverse, b->s[i]);
    }
    memcpy(b->s_inverse[0], inverse, sizeof inverse);
    return 1;
}

// place_lane lists the rows of u2 Q, then those of u1 G. An idle lane adds the generator's; its result is ignored. u2 is not zero, so every
// lane has a row in the first step.
static void place_lane(plan *p, const batch *b, int lane, const table *key) {
    const table *generator = KERNEL(_generator)();
    uint64_t u1[LIMBS], u2[LIMBS];
    terms list;
    scalar_multiply(u1, b->e[lane], b->s_inverse[lane]);
    scalar_multiply(u2, b->r[lane], b->s_inverse[lane]);
    terms_of(&list, key != NULL ? key : generator, u2);
    plan_place(p, lane, 8, &list);
    int next = list.count;
    terms_of(&list, generator, u1);
    plan_place(p, 8 * next + lane, 8, &list);
}

/// A signature's r as digits, one lane each; and r + n where that is below p, else r again.
typedef struct candidates {
    _Alignas(64) uint64_t r[LIMBS][8], also[LIMBS][8];
} candidates;

static void candidates_set(candidates *c, int lane, const uint64_t r[LIMBS]) {
    uint64_t also[LIMBS];
    for (int i = 0; i < LIMBS; i++) { also[i] = r[i]; }
    if (number_is_below(r, kPrimeLessOrder, LIMBS)) { (void)number_add(also, r, kOrder.limbs, LIMBS); }
    for (int i = 0; i < LIMBS; i++) { c->r[i][lane] = r[i], c->also[i][lane] = also[i]; }
}

// equals_x returns the lanes where X = r ZZ, r in words.
NIST_LANES_INLINE __mmask8 equals_x(const point8 *sum, const uint64_t r[LIMBS][8]) {
    static const uint64_t one[DIGITS] = {1};
    const fe8 plain_one = fe8_set(one);
    __m512i w[LIMBS];
    fe8 x, number, product;
    for (int i = 0; i < LIMBS; i++) { w[i] = _mm512_load_si512(r[i]); }
    fe8_from_plain(&number, w);
    fe8_multiply(&x, &sum->x, &plain_one);
    fe8_multiply(&product, &number, &sum->zz);
    fe8_subtract(&x, &x, &product, 2);
    return fe8_is_zero(&x);
}

// judge says for each lane whether the sum's x, modulo n, is r: X = r ZZ or, where r + n < p, X = (r + n) ZZ (mod p). `exceptional` are the
// lanes whose sum gives no verdict.
NIST_LANES_APART static __mmask8 judge(const point8 *sum, const candidates *c, __mmask8 *exceptional) {
    *exceptional = fe8_is_zero(&sum->zz);
    return equals_x(sum, c->r) | equals_x(sum, c->also);
}

static cjwt_verdict verdict_of(unsigned exceptional, unsigned equal, unsigned bit) {
    return exceptional & bit ? CJWT_UNDECIDED : equal & bit ? CJWT_ACCEPTED : CJWT_REFUSED;
}

NIST_LANES static void judge_all(cjwt_verdict verdicts[8], const plan *p, const batch *b) {
    point8 sum;
    candidates c;
    __mmask8 exceptional;
    plan_sum(&sum, p);
    for (int i = 0; i < 8; i++) { candidates_set(&c, i, b->r[i]); }
    __mmask8 equal = judge(&sum, &c, &exceptional);
    for (int i = 0; i < 8; i++) {
        unsigned bit = 1u << i;
        verdicts[i] = (b->present & bit) == 0 ? CJWT_UNDECIDED
                      : (b->live & bit) == 0  ? CJWT_REFUSED
                                              : verdict_of(exceptional, equal, bit);
    }
}

void KERNEL(_ifma_verify8)(cjwt_verdict verdicts[8], const void *const tables[8], const uint8_t *const hashes[8],
                           const uint8_t *const sigs[8]) {
    batch b;
    plan p;
    read_batch(&b, tables, hashes, sigs);
    if (!invert_all(&b)) {
        for (int i = 0; i < 8; i++) { verdicts[i] = CJWT_UNDECIDED; }
        return;
    }
    plan_clear(&p, ((const table *)KERNEL(_generator)())->rows);
    for (int i = 0; i < 8; i++) { place_lane(&p, &b, i, tables[i]); }
    judge_all(verdicts, &p, &b);
}

// add_lanes adds to every lane the lane whose number differs in the bits of `distance`.
NIST_LANES_APART static void add_lanes(point8 *sum, long long distance) {
    const __m512i lanes = _mm512_xor_si512(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(distance));
    point8 other;
    for (int i = 0; i < DIGITS; i++) {
        other.x.l[i] = _mm512_permutexvar_epi64(lanes, sum->x.l[i]);
        other.y.l[i] = _mm512_permutexvar_epi64(lanes, sum->y.l[i]);
        other.zz.l[i] = _mm512_permutexvar_epi64(lanes, sum->zz.l[i]);
        other.zzz.l[i] = _mm512_permutexvar_epi64(lanes, sum->zzz.l[i]);
    }
    point8_add(sum, &other);
}

NIST_LANES static cjwt_verdict judge_one(const plan *p, const uint64_t r[LIMBS]) {
    point8 sum;
    candidates c;
    __mmask8 exceptional;
    plan_sum(&sum, p);
    add_lanes(&sum, 4);
    add_lanes(&sum, 2);
    add_lanes(&sum, 1);
    for (int i = 0; i < 8; i++) { candidates_set(&c, i, r); }
    __mmask8 equal = judge(&sum, &c, &exceptional);
    return verdict_of(exceptional, equal, 1);
}

// The rows of one token fill the lanes in turn. With fewer than eight rows a lane would have none: the kernel without lanes judges those.
cjwt_verdict KERNEL(_ifma_verify)(const void *key, const uint8_t hash[kHashBytes], const uint8_t sig[2 * kNumberBytes]) {
    const table *generator = KERNEL(_generator)();
    uint64_t u1[LIMBS], u2[LIMBS], r[LIMBS], s[LIMBS];
    terms list;
    plan p;
    if (!scalar_read(r, sig) || !scalar_read(s, sig + kNumberBytes)) { return CJWT_REFUSED; }
    if (!scalars(u1, u2, hash, r, s)) { return CJWT_UNDECIDED; }
    plan_clear(&p, generator->rows);
    terms_of(&list, key, u2);
    plan_place(&p, 0, 1, &list);
    int next = list.count;
    terms_of(&list, generator, u1);
    plan_place(&p, next, 1, &list);
    return p.active[0] == 0xff ? judge_one(&p, r) : KERNEL(_verify)(key, hash, sig);
}

#include "self_test.h"

int KERNEL(_ifma_self_test)(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!cjwt_ifma_available()) { return 1; }
    return pthread_once(&once, run_self_test) == 0 && self_test_passes;
}

#endif
