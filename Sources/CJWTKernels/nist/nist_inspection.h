// nist_inspection.h: a curve's parts behind the types of nist_internal.h, which do not depend on the limb count.

#ifndef NIST_INSPECTION_H
#define NIST_INSPECTION_H

#include <string.h>

#include "nist_internal.h"
#include "nist_verify.h"

// field_of_limbs and limbs_of_field convert the form alone: the words are those of the element, also where that is in Montgomery form.
static field field_of_limbs(const uint64_t *limbs) {
    field a;
    if (kRadixBits == 0) { field_from(&a, limbs); } else { memcpy(&a, limbs, sizeof a); }
    return a;
}

static void limbs_of_field(uint64_t *limbs, const field *a) {
    if (kRadixBits == 0) { field_to_words(limbs, a); } else { memcpy(limbs, a, sizeof *a); }
}

static void inspect_multiply(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    field x = field_of_limbs(a), y = field_of_limbs(b);
    field_multiply(&x, &x, &y);
    limbs_of_field(r, &x);
}

static void inspect_square(uint64_t *r, const uint64_t *a) {
    field x = field_of_limbs(a);
    field_square(&x, &x);
    limbs_of_field(r, &x);
}

static void inspect_add(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    field x = field_of_limbs(a), y = field_of_limbs(b);
    field_add(&x, &x, &y);
    limbs_of_field(r, &x);
}

static void inspect_subtract(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    field x = field_of_limbs(a), y = field_of_limbs(b);
    field_subtract(&x, &x, &y);
    limbs_of_field(r, &x);
}

static int inspect_invert(uint64_t *r, const uint64_t *a) {
    field x = field_of_limbs(a);
    int has_inverse = field_invert(&x, &x);
    if (has_inverse) { limbs_of_field(r, &x); }
    return has_inverse;
}

#if defined(NIST_MONTGOMERY)
static void inspect_reduce(uint64_t *r, const uint64_t *t) { montgomery_reduce((field *)r, t); }
#define NIST_REDUCE .reduce = inspect_reduce,
#else
#define NIST_REDUCE
#endif

static int inspect_recode(int *digits, const void *memory, const uint64_t *k) {
    const table *t = memory;
    const int half = 1 << (t->window - 1);
    terms list;
    terms_of(&list, t, k);
    for (uint32_t i = 0; i < t->count; i++) { digits[i] = 0; }
    for (int i = 0; i < list.count; i++) {
        int row = (int)(list.rows[i] - t->rows), digit = row % half + 1;
        digits[row / half] = list.masks[i] != 0 ? -digit : digit;
    }
    return (int)t->count;
}

static int inspect_window(const void *memory) { return (int)((const table *)memory)->window; }

static void inspect_row(uint64_t *x, uint64_t *y, const void *memory, int i, int digit) {
    const table *t = memory;
    const affine *row = &t->rows[(i << (t->window - 1)) + digit - 1];
    field_to_words(x, &row->x);
    field_to_words(y, &row->y);
}

static const void *inspect_generator(void) { return generator_table(); }

static void inspect_elements(field *elements, const uint64_t *limbs, int count) {
    for (int i = 0; i < count; i++) { elements[i] = field_of_limbs(limbs + i * LIMBS); }
}

static void inspect_point(uint64_t *limbs, const point *p) {
    const field *elements[4] = {&p->x, &p->y, &p->zz, &p->zzz};
    for (int i = 0; i < 4; i++) { limbs_of_field(limbs + i * LIMBS, elements[i]); }
}

static void inspect_add_affine(uint64_t *sum, const uint64_t *other, int negative) {
    point p;
    affine q;
    inspect_elements(&p.x, sum, 4), inspect_elements(&q.x, other, 2);
    point_add_affine(&p, &q, negative ? ~(uint64_t)0 : 0);
    inspect_point(sum, &p);
}

static void inspect_add_point(uint64_t *sum, const uint64_t *other) {
    point p, q;
    inspect_elements(&p.x, sum, 4), inspect_elements(&q.x, other, 4);
    point_add(&p, &q);
    inspect_point(sum, &p);
}

// The parts, except the two for scalars.
#define NIST_INSPECTION                                                                                                          \
    NIST_REDUCE.limbs = LIMBS, .radix_bits = kRadixBits, .scalar_bits = kScalarBits, .prime = kPrime.limbs, .order = kOrder.limbs, \
    .multiply = inspect_multiply, .square = inspect_square, .add = inspect_add, .subtract = inspect_subtract,                   \
    .invert = inspect_invert, .recode = inspect_recode, .window = inspect_window, .row = inspect_row,                           \
    .generator = inspect_generator, .add_affine = inspect_add_affine, .add_point = inspect_add_point

#endif
