// Tables of multiples of a point P, and a number k as the rows whose sum is k P.
//
// With windows of w bits k is a sum of d 2^(w i), one digit d in [-2^(w - 1), 2^(w - 1)) for each window i, and the table holds
// |d| 2^(w i) P for every |d| that is not zero. The base point's table and a full one have w = 8 (32 windows of 128 rows, 393,280
// bytes), a small one w = 4 (64 windows of 8 rows, 49,216 bytes). k < L < 2^253 leaves no carry out of the highest window.

#ifndef CJWT_ED25519_TABLE_H
#define CJWT_ED25519_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "point.h"

/// A number modulo L = 2^252 + 27742317777372353535851937790883648493, the order of the base point; the lowest word first.
typedef struct scalar {
    uint64_t word[4];
} scalar;

/// The 512-bit little-endian number `in`, modulo L.
void cjwt_ed25519_scalar_reduce(scalar *out, const uint8_t in[64]);

/// Reads a little-endian number. Zero where it is L or more (RFC 8032 section 5.1.7, step 1: accepting it would make signatures malleable).
int cjwt_ed25519_scalar_read(scalar *out, const uint8_t in[32]);

/// A point to be added: y + x, y - x and 2 d x y, each below p. 96 bytes at a multiple of 32: always two cache lines.
typedef struct table_row {
    uint64_t word[12];
} table_row;

/// The offset of each part in a row.
enum { kSumWord = 0, kDifferenceWord = 4, kXY2DWord = 8 };

typedef struct point_table {
    uint32_t window_bits, windows, rows_of_window, unused;
    uint64_t padding[6];
    /// Row |d| - 1 of window i is at i * rows_of_window + |d| - 1.
    table_row rows[];
} point_table;

enum { kBaseWindowBits = 8, kFullWindowBits = 8, kSmallWindowBits = 4, kScalarBits = 256 };

/// A table row: its address, which is even, and in bit zero whether it is subtracted.
typedef uintptr_t table_term;

/// A multiple of eight, so a list padded to a multiple of eight still fits.
enum { kMostTerms = kScalarBits / kBaseWindowBits + kScalarBits / kSmallWindowBits, kLanes = 8 };

/// The table of the base point. Made with the first table of a key.
const point_table *cjwt_ed25519_base_table(void);

/// The point at infinity, which pads a list of terms.
extern const table_row cjwt_ed25519_identity_row;

/// Writes the terms of `k` times the table's point and prefetches their rows. Returns their number: at most one a window, none for a zero
/// digit. The n-th goes to terms[n * stride].
size_t cjwt_ed25519_terms(table_term *terms, size_t stride, const point_table *table, const scalar *k);

/// The same for [S] B - [h mod L] A, which is R where the signature is valid. Returns zero where S is not below L.
int cjwt_ed25519_terms_of_signature(table_term *terms, size_t stride, size_t *count, const void *table, const uint8_t h[64],
                                    const uint8_t sig[64]);

static inline const table_row *term_row(table_term term) { return (const table_row *)(term & ~(table_term)1); }

#endif
