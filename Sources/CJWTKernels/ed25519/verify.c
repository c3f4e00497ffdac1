// cjwt_ed25519_verify: one signature, in portable C.

#include "table.h"

#include "CJWTKernelsEd25519.h"

// -(x, y) = (-x, y): swaps y + x and y - x, and negates 2 d x y. No branch: the sign is random.
static inline void read_term(addend *out, table_term term) {
    const table_row *row = term_row(term);
    const size_t swap = 4 * (term & 1);
    const uint64_t keep = (term & 1) - 1;
    fe51 minus;
    fe51_from_words(&out->sum, row->word + kSumWord + swap);
    fe51_from_words(&out->difference, row->word + kDifferenceWord - swap);
    fe51_from_words(&out->xy2d, row->word + kXY2DWord);
    fe51_subtract(&minus, &kFe51Zero, &out->xy2d);
    for (int i = 0; i < 5; i++) { out->xy2d.digit[i] = (out->xy2d.digit[i] & keep) | (minus.digit[i] & ~keep); }
}

static inline __attribute__((always_inline)) void add_terms(point *sum, const table_term *terms, size_t count) {
    addend next;
    point_set_identity(sum);
    for (size_t i = 0; i < count; i++) {
        read_term(&next, terms[i]);
        point_add(sum, &next);
    }
}

static void sum_of_terms(point *sum, const table_term *terms, size_t count) { add_terms(sum, terms, count); }

#if defined(__x86_64__)
// The same code, compiled for mulx, which does not overwrite its factors or the flags.
__attribute__((target("bmi2"))) static void sum_of_terms_mulx(point *sum, const table_term *terms, size_t count) {
    add_terms(sum, terms, count);
}

static int has_mulx(void) { return __builtin_cpu_supports("bmi2") != 0; }
#else
#define sum_of_terms_mulx sum_of_terms
static int has_mulx(void) { return 0; }
#endif

cjwt_verdict cjwt_ed25519_verify(const void *table, const uint8_t h[64], const uint8_t sig[64]) {
    table_term terms[kMostTerms];
    size_t count;
    point sum;
    fe51 z_inverse;
    uint8_t encoded[32];
    if (!cjwt_ed25519_terms_of_signature(terms, 1, &count, table, h, sig)) { return CJWT_REFUSED; }
    (has_mulx() ? sum_of_terms_mulx : sum_of_terms)(&sum, terms, count);
    if (!cjwt_ed25519_invert(&z_inverse, &sum.z)) { return CJWT_UNDECIDED; }
    cjwt_ed25519_point_encode(encoded, &sum.x, &sum.y, &z_inverse);
    return memcmp(encoded, sig, sizeof encoded) == 0 ? CJWT_ACCEPTED : CJWT_REFUSED;
}
