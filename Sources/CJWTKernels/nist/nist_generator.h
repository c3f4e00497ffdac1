// nist_generator.h: the generator's table, and a key's table from its coordinates.
//
// The first key's table build also builds the generator's table. So it exists wherever a key's table does, and verification needs no check.

#ifndef NIST_GENERATOR_H
#define NIST_GENERATOR_H

#include <pthread.h>

#include "nist_table.h"

enum { kGeneratorRows = ((kScalarBits + kGeneratorWindow - 1) / kGeneratorWindow) << (kGeneratorWindow - 1) };

static struct {
    _Alignas(kTableAlignment) uint8_t bytes[sizeof(table) + kGeneratorRows * sizeof(affine)];
} generator_memory;

static int generator_is_built;

static inline const table *generator_table(void) { return (const table *)(const void *)generator_memory.bytes; }

static void build_generator(void) {
    affine g;
    field_from(&g.x, kGeneratorX);
    field_from(&g.y, kGeneratorY);
    generator_is_built = table_fill((table *)(void *)generator_memory.bytes, kGeneratorWindow, &g);
}

// read_coordinate: one where it is below p, as the standard requires (SEC 1, 2.3.5; RFC 7518, 6.2.1.2).
static inline int read_coordinate(field *r, const uint8_t bytes[kNumberBytes]) {
    uint64_t plain[LIMBS];
    number_read_bytes(plain, bytes, kNumberBytes, LIMBS);
    if (!number_is_below(plain, kPrime.limbs, LIMBS)) { return 0; }
    field_from(r, plain);
    return 1;
}

static inline int build_table(void *memory, cjwt_table_size size, const uint8_t x[kNumberBytes], const uint8_t y[kNumberBytes]) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    affine q;
    if (!read_coordinate(&q.x, x) || !read_coordinate(&q.y, y) || !affine_is_on_curve(&q)) { return 0; }
    if (pthread_once(&once, build_generator) != 0 || !generator_is_built) { return 0; }
    return table_fill(memory, window_of(size), &q);
}

#endif
