// Tables of multiples of a point P, and a number k as the few rows whose sum is k P.
//
// With windows of w bits k is a sum of d 2^(w i), one digit d in [-2^(w - 1), 2^(w - 1)) for each window i, and the table holds
// |d| 2^(w i) P for every |d| that is not zero. The base point's table and a full one have w = 8 (32 windows of 128 rows, 393,280
// bytes), a small one w = 4 (64 windows of 8 rows, 49,216 bytes). k < L < 2^253 leaves no carry out of the highest window.

#ifndef CJWT_ED25519_TABLE_H
#define CJWT_ED25519_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "point.h"
#include "scalar.h"

/// A point to be added: y + x, y - x and 2 d x y, each below p. 96 bytes at a multiple of 32: always two cache lines.
typedef struct table_row {
    uint64_t word[12];
} table_row;

/// Where in a row each begins.
enum { kSumWord = 0, kDifferenceWord = 4, kXY2DWord = 8 };

typedef struct point_table {
    uint32_t window_bits, windows, rows_of_window, unused;
    uint64_t padding[6];
    /// Row |d| - 1 of window i is at i * rows_of_window + |d| - 1.
    table_row rows[];
} point_table;

enum { kBaseWindowBits = 8, kFullWindowBits = 8, kSmallWindowBits = 4, kScalarBits = 256 };

/// A row of a table (its address, even) and in bit zero whether it is to be taken away.
typedef uintptr_t table_term;

/// A multiple of eight: a list filled up to one still fits.
enum { kMostTerms = kScalarBits / kBaseWindowBits + kScalarBits / kSmallWindowBits, kLanes = 8 };

/// The table of the base point. Made with the first table of a key.
const point_table *cjwt_ed25519_base_table(void);

/// The point at infinity: what fills up a list of terms.
extern const table_row cjwt_ed25519_identity_row;

/// Writes the terms of `k` times the table's point and asks for their rows ahead of use. Returns how many there are: at most one a
/// window, none for a digit of zero. The n-th goes to terms[n * stride].
size_t cjwt_ed25519_terms(table_term *terms, size_t stride, const point_table *table, const scalar *k);

/// Same for [S] B - [h mod L] A, which is R where the signature is valid. Returns zero where S is not below L.
int cjwt_ed25519_terms_of_signature(table_term *terms, size_t stride, size_t *count, const void *table, const uint8_t h[64],
                                    const uint8_t sig[64]);

static inline const table_row *term_row(table_term term) { return (const table_row *)(term & ~(table_term)1); }

#endif
