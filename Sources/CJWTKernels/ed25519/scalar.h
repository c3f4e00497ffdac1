// Numbers modulo L = 2^252 + 27742317777372353535851937790883648493, the order of the base point. Four words, the lowest first.

#ifndef CJWT_ED25519_SCALAR_H
#define CJWT_ED25519_SCALAR_H

#include <stdint.h>

typedef struct scalar {
    uint64_t word[4];
} scalar;

/// The 512-bit little-endian number `in`, modulo L.
void cjwt_ed25519_scalar_reduce(scalar *out, const uint8_t in[64]);

/// Reads a little-endian number. Zero where it is L or more (RFC 8032 section 5.1.7, step 1: anything else would be malleable).
int cjwt_ed25519_scalar_read(scalar *out, const uint8_t in[32]);

#endif
