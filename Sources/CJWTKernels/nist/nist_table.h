// nist_table.h: a point's table, and scalars as sums of its rows.
//
// The table of Q with window w holds, for every window i, the multiples 1 ... 2^(w-1) of 2^(w i) Q, affine. A scalar below half the order is a sum
// of digits d_i 2^(w i) with |d_i| <= 2^(w-1), so a multiple of Q is a sum of rows with signs, without doublings.

#ifndef NIST_TABLE_H
#define NIST_TABLE_H

#include "CJWTKernelsVerdict.h"
#include "nist_point.h"

enum {
    kTableAlignment = 64,
    kMaxTerms = (kScalarBits + kSmallWindow - 1) / kSmallWindow,
};

// The header of the rows that follow: ceil(kScalarBits / window) windows of 2^(window-1) rows.
typedef struct table {
    _Alignas(kTableAlignment) uint32_t window;
    uint32_t count;
    _Alignas(kTableAlignment) affine rows[];
} table;

static inline uint32_t window_of(cjwt_table_size size) { return size == CJWT_TABLE_SMALL ? kSmallWindow : kFullWindow; }

static inline uint32_t windows_of(uint32_t window) { return (kScalarBits + window - 1) / window; }

static inline size_t table_bytes(cjwt_table_size size) {
    size_t rows = (size_t)windows_of(window_of(size)) << (window_of(size) - 1);
    size_t bytes = sizeof(table) + rows * sizeof(affine);
    return (bytes + kTableAlignment - 1) / kTableAlignment * kTableAlignment;
}

// Build. Affine throughout, so that the table is the only memory needed: an unfinished row holds (denominator, product of all the previous
// denominators), and one inversion serves all the rows of a round (Montgomery's trick). No denominator is zero: j Q = ±k Q only for j = ±k
// modulo a prime order far above 2^w. A step returns zero where the inverse does not pass its check; then there is no table.

// field_invert sets r to 1 / a and returns one. Zero where r a is not one, as for a = 0: then r is unspecified.
static inline int field_invert(field *r, const field *a) {
    field inverted, back;
    if (!claim_inverse(&inverted, a)) { return 0; }
    field_multiply(&back, &inverted, a);
    *r = inverted;
    return field_is_equal(&back, &kOne);
}

// defer_inversion: the row waits for 1 / denominator.
static inline void defer_inversion(affine *row, const field *denominator, field *product) {
    row->x = *denominator;
    row->y = *product;
    field_multiply(product, product, denominator);
}

// take_inverse visits the rows in reverse order. `inverted` is one over the product of this denominator and all previous ones.
static inline void take_inverse(field *r, const affine *row, field *inverted) {
    field_multiply(r, inverted, &row->y);
    field_multiply(inverted, inverted, &row->x);
}

// The first rows, 2^(w i) Q: doublings, with ZZ and ZZZ in each window's second row and the deferred inversion in the third.
static inline int build_first_rows(table *t, const affine *q) {
    const size_t half = (size_t)1 << (t->window - 1);
    point p;
    field product = kOne, inverted;
    point_from_affine(&p, q, 0);
    for (uint32_t i = 0; i < t->count; i++) {
        affine *rows = t->rows + i * half;
        rows[0] = (affine){p.x, p.y};
        rows[1] = (affine){p.zz, p.zzz};
        defer_inversion(&rows[2], &p.zzz, &product);
        for (uint32_t j = 0; j < t->window; j++) { point_double(&p); }
    }
    if (!field_invert(&inverted, &product)) { return 0; }
    for (uint32_t i = t->count; i-- > 0;) {
        affine *rows = t->rows + i * half;
        field over_zzz, over_zz;
        take_inverse(&over_zzz, &rows[2], &inverted);
        field_multiply(&over_zz, &over_zzz, &rows[1].x);  // ZZ / ZZZ, whose square is 1 / ZZ
        field_square(&over_zz, &over_zz);
        field_multiply(&rows[0].x, &rows[0].x, &over_zz);
        field_multiply(&rows[0].y, &rows[0].y, &over_zzz);
    }
    return 1;
}

// slope_denominator: of the line through a and b, or of the tangent where they are one row.
static inline void slope_denominator(field *r, const affine *a, const affine *b) {
    if (a == b) {
        field_add(r, &a->y, &a->y);
    } else {
        field_subtract(r, &b->x, &a->x);
    }
}

// affine_add sets r to a + b, given one over the denominator of the slope.
static inline void affine_add(affine *r, const affine *a, const affine *b, const field *inverted) {
    field slope, x, t;
    if (a == b) {
        field_square(&x, &a->x);  // 3 (x^2 - 1)
        field_subtract(&x, &x, &kOne);
        field_add(&slope, &x, &x);
        field_add(&slope, &slope, &x);
    } else {
        field_subtract(&slope, &b->y, &a->y);
    }
    field_multiply(&slope, &slope, inverted);
    field_square(&x, &slope);
    field_subtract(&x, &x, &a->x);
    field_subtract(&x, &x, &b->x);
    field_subtract(&t, &a->x, &x);
    field_multiply(&t, &slope, &t);
    field_subtract(&r->y, &t, &a->y);
    r->x = x;
}

// build_round makes the rows known + 1 ... 2 known of every window: row known + j is row known plus row j.
static inline int build_round(table *t, size_t known) {
    const size_t half = (size_t)1 << (t->window - 1);
    field product = kOne, inverted, one;
    for (size_t i = 0; i < t->count; i++) {
        affine *rows = t->rows + i * half;
        for (size_t j = 0; j < known; j++) {
            field denominator;
            slope_denominator(&denominator, &rows[known - 1], &rows[j]);
            defer_inversion(&rows[known + j], &denominator, &product);
        }
    }
    if (!field_invert(&inverted, &product)) { return 0; }
    for (size_t i = t->count; i-- > 0;) {
        affine *rows = t->rows + i * half;
        for (size_t j = known; j-- > 0;) {
            take_inverse(&one, &rows[known + j], &inverted);
            affine_add(&rows[known + j], &rows[known - 1], &rows[j], &one);
        }
    }
    return 1;
}

static inline int table_fill(table *t, uint32_t window, const affine *q) {
    t->window = window;
    t->count = windows_of(t->window);
    if (!build_first_rows(t, q)) { return 0; }
    for (size_t known = 1; known < (size_t)1 << (t->window - 1); known *= 2) {
        if (!build_round(t, known)) { return 0; }
    }
    return 1;
}

// A scalar's rows: which to add, which to subtract (mask all ones).
typedef struct terms {
    int count;
    const affine *rows[kMaxTerms];
    uint64_t masks[kMaxTerms];
} terms;

// bits_at returns w bits of k from `bit` on.
static inline uint32_t bits_at(const uint64_t k[LIMBS], uint32_t bit, uint32_t w) {
    uint32_t word = bit / 64, shift = bit % 64;
    uint64_t bits = k[word] >> shift;
    if (shift + w > 64 && word + 1 < LIMBS) { bits |= k[word + 1] << (64 - shift); }
    return (uint32_t)bits & ((UINT32_C(1) << w) - 1);
}

// terms_of sets the list to the rows of k Q and begins to load them. k is below the order: k or the order minus k is at most half of it,
// so the last digit, including any carry, is at most 2^(w-1) as well. The digit zero has no row.
static inline void terms_of(terms *list, const table *t, const uint64_t k[LIMBS]) {
    uint64_t magnitude[LIMBS];
    uint64_t negated = number_is_below(kHalfOrder, k, LIMBS);
    for (int i = 0; i < LIMBS; i++) { magnitude[i] = k[i]; }
    if (negated) { (void)number_sub(magnitude, kOrder.limbs, k, LIMBS); }

    const uint32_t w = t->window, half = UINT32_C(1) << (w - 1);
    uint32_t carry = 0;
    list->count = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t digit = bits_at(magnitude, i * w, w) + carry;
        carry = digit > half;
        uint32_t absolute = carry ? (half << 1) - digit : digit;
        const affine *row = &t->rows[i * half + (absolute != 0 ? absolute - 1 : 0)];
        __builtin_prefetch(row);
        if (sizeof(affine) > 2 * kTableAlignment) { __builtin_prefetch((const uint8_t *)row + kTableAlignment); }
        if (sizeof(affine) > kTableAlignment) { __builtin_prefetch((const uint8_t *)(row + 1) - 1); }
        list->rows[list->count] = row;
        list->masks[list->count] = (uint64_t)0 - (carry ^ negated);
        list->count += absolute != 0;
    }
}

#endif
