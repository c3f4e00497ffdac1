// cjwt_ed25519_scalar_reduce, cjwt_ed25519_scalar_read.
//
// Barrett's reduction (Menezes et al., "Handbook of Applied Cryptography", algorithm 14.42) in base b = 2^64 with k = 4: with mu =
// floor(b^8 / L), q = floor(floor(x / b^3) mu / b^5) is at most the quotient x / L. Two floors precede the last one: that of mu lowers x /
// L by less than the fractional part of b^8 / L, 0.2249, and that of x / b^3 by less than mu / b^5 < 2^-59. Together that is below one, so
// q is at most one less than the quotient, and x - q L is below 2 L: it is enough to know both modulo b^5.

#include "../nist/nist_word.h"
#include "table.h"

static const uint64_t kOrder[5] = {UINT64_C(0x5812631a5cf5d3ed), UINT64_C(0x14def9dea2f79cd6), 0, UINT64_C(1) << 60, 0};
static const uint64_t kMu[5] = {UINT64_C(0xed9ce5a30a2c131b), UINT64_C(0x2106215d086329a7), UINT64_C(0xffffffffffffffeb), UINT64_MAX, 15};

// product is the lowest `len` words of a b.
// Contract: => out = a b (mod 2^(64 len)), apart
static inline void product(uint64_t *out, int len, const uint64_t a[5], const uint64_t b[5]) {
    memset(out, 0, (size_t)len * sizeof *out);
    for (int i = 0; i < 5; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < 5 && i + j < len; j++) {
            cjwt_uint128 t = (cjwt_uint128)a[i] * b[j] + out[i + j] + carry;
            out[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        if (i + 5 < len) { out[i + 5] = carry; }
    }
}

// Contract: => out = in (mod L), out < L
void cjwt_ed25519_scalar_reduce(scalar *out, const uint8_t in[64]) {
    uint64_t x[8], q[10], q_order[5], rest[5], less[5];
    load_le_words(x, 8, in);
    product(q, 10, x + 3, kMu);
    product(q_order, 5, q + 5, kOrder);
    (void)number_sub(rest, x, q_order, 5);
    const uint64_t below = number_sub(less, rest, kOrder, 5);
    memcpy(out->word, below ? rest : less, sizeof out->word);
}

// Contract: => out = in, return = [in < L]
int cjwt_ed25519_scalar_read(scalar *out, const uint8_t in[32]) {
    uint64_t x[5] = {0}, unused[5];
    load_le_words(x, 4, in);
    memcpy(out->word, x, sizeof out->word);
    return (int)number_sub(unused, x, kOrder, 5);
}
