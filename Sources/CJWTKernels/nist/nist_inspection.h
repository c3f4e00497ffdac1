// nist_inspection.h: a curve's parts behind the types of nist_internal.h, which do not depend on the limb count.

#ifndef NIST_INSPECTION_H
#define NIST_INSPECTION_H

#include <string.h>

#include "nist_internal.h"
#include "nist_verify.h"

// A field is its limbs, so their pointers are interchangeable.
static void inspect_multiply(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    field_multiply((field *)r, (const field *)a, (const field *)b);
}

static void inspect_square(uint64_t *r, const uint64_t *a) { field_square((field *)r, (const field *)a); }

static void inspect_add(uint64_t *r, const uint64_t *a, const uint64_t *b) { field_add((field *)r, (const field *)a, (const field *)b); }

static void inspect_subtract(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    field_subtract((field *)r, (const field *)a, (const field *)b);
}

static int inspect_invert(uint64_t *r, const uint64_t *a) { return field_invert((field *)r, (const field *)a); }

static void inspect_reduce(uint64_t *r, const uint64_t *t) { montgomery_reduce((field *)r, t); }

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
    const field one = {{1}};
    field_multiply((field *)x, &row->x, &one);
    field_multiply((field *)y, &row->y, &one);
}

static const void *inspect_generator(void) { return generator_table(); }

static void inspect_add_affine(uint64_t *sum, const uint64_t *other, int negative) {
    point_add_affine((point *)sum, (const affine *)other, negative ? ~(uint64_t)0 : 0);
}

static void inspect_add_point(uint64_t *sum, const uint64_t *other) { point_add((point *)sum, (const point *)other); }

// The parts, except the two for scalars.
#define NIST_INSPECTION                                                                                                              \
    .limbs = LIMBS, .prime = kPrime.limbs, .order = kOrder.limbs, .multiply = inspect_multiply, .square = inspect_square,           \
    .add = inspect_add, .subtract = inspect_subtract, .invert = inspect_invert, .reduce = inspect_reduce, .recode = inspect_recode, \
    .window = inspect_window, .row = inspect_row, .generator = inspect_generator, .add_affine = inspect_add_affine,                  \
    .add_point = inspect_add_point

#endif
