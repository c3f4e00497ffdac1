// cjwt_rsa_ifma_power8: eight tokens, one in each lane, of one key or of several of one length.

#include "rsa_ifma.h"
#include "rsa_digits.h"

#if defined(__x86_64__)

#include "rsa_transpose.h"

typedef struct lanes {
    const rsa_ifma_shape *shape;
    const rsa_ifma_key *keys[kLanes];  // an idle lane has another lane's key
    int has_work[kLanes];
    uint64_t inverse[kLanes];
} lanes;

// Zero where all lanes are idle. The first active lane determines the size; a lane with a key of another size becomes idle.
static int lanes_of(lanes *l, const void *const keys[kLanes]) {
    const rsa_ifma_key *some = NULL;
    for (int i = kLanes - 1; i >= 0; i--) { some = keys[i] != NULL ? keys[i] : some; }
    if (some == NULL) {
        return 0;
    }
    l->shape = some->shape;
    for (int i = 0; i < kLanes; i++) {
        const rsa_ifma_key *key = keys[i];
        l->has_work[i] = key != NULL && key->shape == some->shape;
        l->keys[i] = l->has_work[i] ? key : some;
        l->inverse[i] = l->keys[i]->inverse;
    }
    return 1;
}

// put_keys puts the moduli, and R^2 modulo each, into lanes.
static void put_keys(const lanes *l, uint64_t *n, uint64_t *r_squared) {
    const uint64_t *rows[kLanes];
    for (int i = 0; i < kLanes; i++) { rows[i] = key_modulus(l->keys[i]); }
    lanes_from_rows(n, rows, l->shape->vectors);
    for (int i = 0; i < kLanes; i++) { rows[i] = key_r_squared(l->keys[i]); }
    lanes_from_rows(r_squared, rows, l->shape->vectors);
}

// put_signatures puts the signatures into lanes, and says which are in range. An idle lane gets zero. A signature out of range is also
// computed: it is below 2n, because n has its top bit set, so the bounds hold, and its power is ignored.
static void put_signatures(int *results, const lanes *l, const uint8_t *const *sigs, uint64_t *s,
                           uint64_t *scratch) {
    const size_t row_words = l->shape->vectors * kLanes;
    const uint64_t *rows[kLanes];
    memset(scratch, 0, kLanes * row_words * sizeof *scratch);
    for (size_t i = 0; i < kLanes; i++) {
        uint64_t *row = scratch + i * row_words;
        rows[i] = row;
        if (l->has_work[i]) {
            digits_from_bytes(row, sigs[i], l->shape);
            results[i] = digits_less(row, key_modulus(l->keys[i]), l->shape->digits);
        }
    }
    lanes_from_rows(s, rows, l->shape->vectors);
}

static void take_powers(const int *results, const lanes *l, uint8_t *const *ems, const uint64_t *x, uint64_t *scratch) {
    const size_t row_words = l->shape->vectors * kLanes;
    rows_from_lanes(scratch, x, l->shape->vectors);
    for (size_t i = 0; i < kLanes; i++) {
        uint64_t *row = scratch + i * row_words;
        if (results[i]) {
            reduce_once(row, key_modulus(l->keys[i]), l->shape->digits);
            bytes_from_digits(ems[i], row, l->shape);
        }
    }
}

// power8 needs four times vectors * 64 words.
static void power8(int *results, const lanes *l, uint8_t *const *ems, const uint8_t *const *sigs, uint64_t *buffers) {
    const size_t digits = l->shape->digits, words = l->shape->vectors * kLanes * kLanes;
    uint64_t *n = buffers, *s = n + words, *x = s + words, *q = x + words;
    put_keys(l, n, x);
    put_signatures(results, l, sigs, s, q);
    rsa_ifma_multiply8(x, s, n, l->inverse, q, digits);
    for (int i = 0; i < 16; i++) { rsa_ifma_square8(x, n, l->inverse, q, digits); }
    // s^65536 * R times the plain s, over R: this leaves Montgomery form at no cost.
    rsa_ifma_multiply8(x, s, n, l->inverse, q, digits);
    take_powers(results, l, ems, x, q);
}

// One function for each size, so that each uses only the stack it needs.
#define SIZE(DIGITS, VECTORS)                                                                                              \
    static __attribute__((noinline)) void power8_##DIGITS(int *results, const lanes *l, uint8_t *const *ems,               \
                                                          const uint8_t *const *sigs) {                                    \
        _Alignas(64) uint64_t buffers[4 * VECTORS * kLanes * kLanes];                                                      \
        power8(results, l, ems, sigs, buffers);                                                                            \
    }

SIZE(40, 5)
SIZE(60, 8)
SIZE(80, 10)

void cjwt_rsa_ifma_power8(int results[kLanes], const void *const keys[kLanes], uint8_t *const ems[kLanes],
                          const uint8_t *const sigs[kLanes]) {
    lanes l;
    memset(results, 0, kLanes * sizeof *results);
    if (!lanes_of(&l, keys)) {
        return;
    }
    switch (l.shape->digits) {
    case 40: power8_40(results, &l, ems, sigs); break;
    case 60: power8_60(results, &l, ems, sigs); break;
    default: power8_80(results, &l, ems, sigs); break;
    }
}

#endif
