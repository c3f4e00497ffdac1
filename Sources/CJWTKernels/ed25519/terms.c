// cjwt_ed25519_terms, cjwt_ed25519_terms_of_signature: a scalar as table rows.

#include "table.h"

const table_row cjwt_ed25519_identity_row = {{1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}};

// k + 2^(w - 1) in every window: each window's bits are then its digit + 2^(w - 1), and no carry passes between digits. w is 4 or 8: the
// sum stays below 2^253 + 0x88...8 < 2^256.
static void add_half_windows(uint64_t out[4], const scalar *k, unsigned window_bits) {
    const uint64_t half = window_bits == 8 ? UINT64_C(0x8080808080808080) : UINT64_C(0x8888888888888888);
    cjwt_uint128 sum = 0;
    for (int i = 0; i < 4; i++) {
        sum = (sum >> 64) + k->word[i] + half;
        out[i] = (uint64_t)sum;
    }
}

size_t cjwt_ed25519_terms(table_term *terms, size_t stride, const point_table *table, const scalar *k) {
    const unsigned bits = table->window_bits, mask = (1U << bits) - 1;
    const int half = 1 << (bits - 1);
    uint64_t raised[4];
    size_t count = 0;
    const table_row *window = table->rows;
    add_half_windows(raised, k, bits);
    for (unsigned i = 0; i < table->windows; i++, window += table->rows_of_window) {
        unsigned bit = i * bits;
        int digit = (int)(raised[bit / 64] >> (bit % 64) & mask) - half;
        unsigned magnitude = digit < 0 ? (unsigned)-digit : (unsigned)digit;
        // A zero digit has no row: its entry is overwritten, or is past the end of the list.
        const table_row *row = window + (magnitude - (magnitude != 0));
        __builtin_prefetch(row);
        __builtin_prefetch((const uint8_t *)row + 64);
        terms[count * stride] = (table_term)row | (digit < 0);
        count += magnitude != 0;
    }
    return count;
}

int cjwt_ed25519_terms_of_signature(table_term *terms, size_t stride, size_t *count, const void *table, const uint8_t h[64],
                                    const uint8_t sig[64]) {
    scalar s, reduced_h;
    if (!cjwt_ed25519_scalar_read(&s, sig + 32)) { return 0; }
    size_t n = cjwt_ed25519_terms(terms, stride, cjwt_ed25519_base_table(), &s);
    cjwt_ed25519_scalar_reduce(&reduced_h, h);
    *count = n + cjwt_ed25519_terms(terms + n * stride, stride, table, &reduced_h);
    return 1;
}
